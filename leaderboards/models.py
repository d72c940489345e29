"""Awards, frozen weeks, and what the boards that are not votes are made of."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from core.models import Row
from directory.models import ShownWhileLive
from leaderboards.trophies.models import CabinetLook, Programme, ProgrammeEntry


def site_currency() -> str:
    """What money is counted in unless somebody says otherwise."""
    return settings.CURRENCY


class WeekClose(models.Model):
    """A launch week that is over. `digest` and `votes` are the result as it was closed, which never changes.

    Its places follow what staff voided since; `corrected_at` is when that last changed them.
    """

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+")
    week = models.DateField()
    closed_at = models.DateTimeField()
    listings = models.PositiveIntegerField()
    votes = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    corrected_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "week"], name="week_closed_once")]

    def __str__(self) -> str:
        return f"{self.site_id}: {self.week}"


class WeekResult(Row):
    close = models.ForeignKey(WeekClose, on_delete=models.CASCADE, related_name="results")
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField()
    votes = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["close", "rank"], name="week_result_rank_once")
        ]


class BallotFile(Row):
    """The votes of a closed week as anybody checks them. Without a file: its result does not follow from its votes."""

    close = models.OneToOneField(
        WeekClose, on_delete=models.CASCADE, primary_key=True, related_name="ballots"
    )
    file = models.FileField(upload_to="ballots", blank=True)
    seed = models.BinaryField(max_length=32, help_text="What the secrets of its ballots follow from.")
    previous = models.CharField(max_length=64, help_text="The head of the week before, in hexadecimal.")
    head = models.CharField(max_length=64, blank=True)
    signature = models.TextField(blank=True, help_text="A JWS by the site's key over the head.")


class AwardQuerySet(models.QuerySet["Award"]):
    def valid(self) -> "AwardQuerySet":
        return self.filter(revoked_at=None)

    def of_weeks(self) -> "AwardQuerySet":
        return self.valid().filter(programme=None)


class Award(models.Model):
    """A place among the first three of a closed week or programme, with the credential that proves it."""

    CODES: ClassVar[dict[int, str]] = {rank: f"launch_of_the_week_{rank}" for rank in (1, 2, 3)}

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+")
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="won")
    programme = models.ForeignKey(Programme, on_delete=models.CASCADE, null=True, related_name="awards")
    week = models.DateField(help_text="Of a programme: the week in which its voting ended.")
    rank = models.PositiveSmallIntegerField()
    votes = models.PositiveIntegerField()
    given_at = models.DateTimeField()
    credential = models.TextField(default="", db_default="", help_text="As it was signed.")
    revoked_at = models.DateTimeField(null=True)
    revoked_for = models.CharField(max_length=200, default="", db_default="")

    objects = AwardQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["site", "week", "rank"],
                condition=models.Q(programme=None, revoked_at=None),
                name="award_of_week_once",
            ),
            models.UniqueConstraint(
                fields=["programme", "rank"],
                condition=models.Q(revoked_at=None),
                name="award_of_programme_once",
            ),
            models.CheckConstraint(name="award_rank_is_one_to_three", condition=models.Q(rank__range=(1, 3))),
        ]
        indexes: ClassVar = [
            models.Index(fields=["site", "-week", "rank"], name="award_newest"),
            models.Index(fields=["id"], name="award_unsigned", condition=models.Q(credential="")),
        ]

    def __str__(self) -> str:
        return f"{self.title}, {self.week}"

    @property
    def code(self) -> str:
        return self.CODES[self.rank] if self.programme_id is None else f"programme_{self.rank}"

    @property
    def title(self) -> str:
        return f"{self.programme.title if self.programme else 'Launch of the Week'} #{self.rank}"

    def in_short(self) -> dict[str, Any]:
        """What every list says of it."""
        return {name: getattr(self, name) for name in ("id", "code", "title", "rank", "week", "votes")}


class DomainRating(models.Model):
    domain = models.CharField(max_length=253)
    value = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=80)
    date = models.DateField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["domain", "source", "date"], name="domain_rating_once_a_day"),
            models.CheckConstraint(name="domain_rating_is_0_to_100", condition=models.Q(value__lte=100)),
        ]

    def __str__(self) -> str:
        return f"{self.domain}: {self.value}"


class RevenueReport(models.Model):
    """A listing's monthly revenue as staff entered it: verified by a method, or told by its owner."""

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="revenue_reports")
    amount_cents = models.PositiveBigIntegerField(help_text="A month's revenue.")
    currency = models.CharField(max_length=3, default=site_currency)
    is_verified = models.BooleanField(default=False)
    method = models.CharField(max_length=120, blank=True, help_text="How it was verified, or who told it.")
    as_of = models.DateField()
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["listing", "-as_of", "-id"], name="revenue_newest")]

    def __str__(self) -> str:
        return f"{self.listing_id}: {self.amount_cents} {self.currency}"


class Contribution(models.Model):
    """Money paid for a place on the billboard. One for each order line."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+")
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="contributions")
    reference = models.CharField(max_length=80, unique=True)
    amount_cents = models.BigIntegerField()
    currency = models.CharField(max_length=3, default=site_currency)
    is_test = models.BooleanField(
        default=False, db_default=False, help_text="Test money: nothing was charged."
    )
    paid_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["site", "listing"], name="contribution_of_listing")]

    def __str__(self) -> str:
        return f"{self.listing_id}: {self.amount_cents}"


class BoardRefresh(Row):
    """When a board that is not counted live was last ranked. Held while it is ranked, so that one at a time is."""

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    board = models.CharField(max_length=20)
    refreshed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "board"], name="board_refresh_once")]


class Standing(ShownWhileLive):
    """A listing's place on a board that is not counted live: billboard, Domain Rating, revenue.

    `rank` orders; what is shown as a rank is the place among those that are still live.
    """

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    board = models.CharField(max_length=20)
    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="standings")
    rank = models.PositiveIntegerField()
    previous_rank = models.PositiveIntegerField(null=True)
    value = models.BigIntegerField()
    unit = models.CharField(max_length=8, blank=True)
    is_verified = models.BooleanField(null=True)
    as_of = models.DateField(null=True)
    refreshed_at = models.DateTimeField(help_text="When it last changed.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["site", "board", "listing"], name="standing_once")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["site", "board", "rank"],
                include=["id"],
                name="standing_rank",
                condition=models.Q(is_live=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.rank}: {self.listing_id}"


class OpenDataFile(Row):
    """A file of the public data, as it was made one night."""

    id = models.BigAutoField(primary_key=True)
    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+", db_index=False)
    table = models.CharField(max_length=20)
    format = models.CharField(max_length=10)
    file = models.FileField(upload_to="data")
    sha256 = models.CharField(max_length=64)
    rows = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField(help_text="Bytes, packed.")
    made_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["site", "table", "format", "-made_at", "-id"], name="open_data_newest")
        ]
