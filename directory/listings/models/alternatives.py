"""What owners say to look at besides their own product."""

from typing import ClassVar

from django.db import models


class Alternative(models.Model):
    """A listing to look at instead of another; shown first once the owner of the latter has approved it."""

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="alternatives")
    alternative = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="+")
    approved = models.BooleanField(default=False)
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["listing", "alternative"], name="alternative_once"),
            models.CheckConstraint(
                name="alternative_is_another", condition=~models.Q(listing=models.F("alternative"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.alternative_id} instead of {self.listing_id}"
