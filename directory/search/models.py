"""What lists and search read: rows prepared from listings by `public_data.refresh`."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

from core.models import Row
from directory import limits


class ListingCard(Row):
    """A listing's summary as JSON, without its counters; and how it has been counted, to count changes."""

    listing = models.OneToOneField(
        "directory.Listing", on_delete=models.CASCADE, primary_key=True, related_name="card"
    )
    body = models.TextField()
    featured_until = models.DateTimeField(null=True, blank=True)
    counted_as = models.CharField(max_length=8, blank=True, help_text="live, upcoming or nothing.")
    counted_in = ArrayField(models.BigIntegerField(), default=list, help_text="Categories it is filed in.")
    counted_below = ArrayField(models.BigIntegerField(), default=list, help_text="Those and all above them.")


class SiteCount(Row):
    site = models.OneToOneField(
        "directory.Site", on_delete=models.CASCADE, primary_key=True, related_name="count"
    )
    live = models.PositiveIntegerField(default=0)
    upcoming = models.PositiveIntegerField(default=0)


class SearchDocument(Row):
    """The words of a live or upcoming listing.

    `part` is the site and the public status, and every lexeme of `words` begins with it: one index serves all
    sites, and no search touches another's rows. Filters and tiers are lexemes too. `short` leaves the
    description out: rows are ranked by it, because the long vector lives outside the row.
    """

    listing = models.OneToOneField(
        "directory.Listing", on_delete=models.CASCADE, primary_key=True, related_name="search_document"
    )
    part = models.CharField(max_length=12, db_collation="C")
    name = models.CharField(max_length=limits.NAME, db_collation="C", help_text="The words of the name.")
    newest_at = models.DateTimeField(help_text="When it launched; when it came in, for an upcoming one.")
    tier = models.PositiveSmallIntegerField(help_text="0 for the most voted, see indexing.TIERS.")
    popularity = models.FloatField(help_text="ln(votes + 1) when last looked at.")
    filters = ArrayField(models.TextField())
    short = SearchVectorField()
    words = SearchVectorField()

    class Meta:
        indexes: ClassVar = [
            GinIndex(fields=["words"], name="search_words", fastupdate=False),
            models.Index(fields=["part", "name"], name="search_name"),
        ]


class SearchTerm(Row):
    """A word that listings of a site use; also a stem (`~`) or a filter (`#`), which nobody can type.

    `deletes` are the buckets of the word with up to two letters left out: two words within two edits of each
    other share one (the symmetric delete method of Garbe's SymSpell).
    """

    site = models.ForeignKey("directory.Site", on_delete=models.CASCADE, related_name="+")
    term = models.CharField(max_length=80, db_collation="C")
    documents = models.PositiveIntegerField(help_text="How many listings have it, when last counted.")
    in_names = models.BooleanField()
    deletes = ArrayField(models.IntegerField(), null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["site", "term"], name="search_term_once")]
        indexes: ClassVar = [GinIndex(fields=["deletes"], name="search_term_deletes", fastupdate=False)]
