"""The ranks of the running week when the day began (00:00 UTC), by which its page says who moved."""

from datetime import UTC, date, datetime

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from directory import weeks
from directory.launches.calendar import WEEK_SHOWN
from directory.models import Launch, Site, Vote


def note_ranks(*, at: datetime) -> None:
    """Keep them once a day for each site, counted from the votes that there were; a second call changes nothing."""
    began = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for site in Site.objects.order_by("pk"):
        _note(site, week=weeks.week_of(at), began=began)


def _note(site: Site, *, week: date, began: datetime) -> None:
    there = Launch.objects.filter(site=site, week=week, launched_at__lt=began, is_hidden=False)
    if there.filter(ranked_on=began.date()).exists():
        return
    cast = Vote.objects.filter(week=week, created_at__lt=began, listing=OuterRef("listing")).counted(at=began)
    given = Subquery(cast.order_by().values("listing").annotate(number=Count("pk")).values("number"))
    first = there.only("pk").order_by(Coalesce(given, 0).desc(), "launched_at", "listing_id")[:WEEK_SHOWN]
    launches = list(first)
    for rank, launch in enumerate(launches, start=1):
        launch.rank_before, launch.ranked_on = rank, began.date()
    Launch.objects.bulk_update(launches, ["rank_before", "ranked_on"])
