"""Paid places in launch weeks: how many there are, and which are held or bought."""

from typing import ClassVar

from django.db import models
from django.db.models import Q


class LaunchWeek(models.Model):
    """A week on sale. Holding a place locks this row, so that the last one goes to one buyer."""

    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="+", db_index=False)
    week = models.DateField(help_text="Its Monday.")
    capacity = models.PositiveIntegerField(
        null=True, blank=True, help_text="Paid places; empty means as many as the site's settings say."
    )

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "week"], name="launch_week_once")]

    def __str__(self) -> str:
        return f"{self.week} of {self.site_id}"


class SlotHold(models.Model):
    """A line's place in a week: held while it is being paid, taken once it is, placed when a launch stands for it."""

    class State(models.TextChoices):
        """Where it stands. Held places count until they lapse, taken ones until they are placed or released."""

        HELD = "held"
        TAKEN = "taken"
        PLACED = "placed"
        RELEASED = "released"

    line = models.OneToOneField("orders.OrderLine", on_delete=models.PROTECT, related_name="slot")
    site = models.ForeignKey("directory.Site", on_delete=models.PROTECT, related_name="+", db_index=False)
    week = models.DateField()
    state = models.CharField(max_length=10, choices=State.choices)
    held_until = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(
                fields=["site", "week"], name="slot_counting", condition=Q(state__in=["held", "taken"])
            )
        ]

    def __str__(self) -> str:
        return f"{self.line_id} in {self.week}: {self.state}"
