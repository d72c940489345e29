"""A week closes once: its awards are given, from counted votes alone. What staff void later corrects its places."""

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Count

from core import jobs, mail
from core.api.links import absolute, addresses_of, on_site
from core.cache import changed
from directory import weeks
from directory.engagement import winners
from directory.launches import launch_mail, queueing
from directory.models import Launch, Site, WinnersReader
from directory.sites.lookup import address_of, addresses_of_listing
from leaderboards import limits
from leaderboards.errors import WeekStillRunningError
from leaderboards.models import Award, WeekClose, WeekResult
from leaderboards.trophies import awarding, credentials

NEWS_FOR = timedelta(days=14)  # a week that is closed later than that is nobody's news
WRITTEN_AT_ONCE = 100
logger = logging.getLogger(__name__)


def plan(close: WeekClose, *, at: datetime) -> None:
    """Add what tells a week's result, in the transaction that closes it; once, as its key is the week's."""
    if close.listings and at < weeks.end(close.week) + NEWS_FOR:
        for kind in ("leaderboards.tell_results", "leaderboards.mail_winners"):
            jobs.add(kind, key=str(close.pk), close_id=close.pk)


def tell_results(*, close_id: int, lease: jobs.Lease) -> None:
    """Mail the owner of each launch how it ended. May run again and go on: each mail has a key of its own."""
    close = WeekClose.objects.select_related("site").get(pk=close_id)
    rows = list(close.results.order_by("rank").select_related("listing__owner", "listing__site"))
    won = Award.objects.of_weeks().filter(site=close.site, week=close.week)
    awards = {award.listing_id: award for award in won}
    launches = {
        launch.listing_id: launch
        for launch in Launch.objects.filter(site=close.site, week=close.week, is_hidden=False)
    }
    for number, row in enumerate(rows):
        if number % WRITTEN_AT_ONCE == 0:
            lease.renew()
        launch = launches.get(row.listing_id)
        if launch is not None and row.listing.is_live:
            above = rows[number - 1] if number else None
            _write(close, row, launch=launch, above=above, award=awards.get(row.listing_id))


def _write(
    close: WeekClose, row: WeekResult, *, launch: Launch, above: WeekResult | None, award: Award | None
) -> None:
    listing = row.listing
    with addresses_of_listing(listing):
        addresses = {
            "week_url": on_site(f"/weeks/{close.week}"),
            "badge_url": on_site(f"/listings/{listing.slug}/badges"),
            "award_url": on_site(credentials.page_path(award)) if award else "",
        }
    launch_mail.write(
        listing,
        template="leaderboards/mail/result",
        key=f"result-{close.pk}-{listing.pk}",
        week=close.week,
        rank=row.rank,
        of=close.listings,
        place=launch_mail.PODIUM[award.rank - 1] if award else "",
        votes=row.votes,
        above=above.listing.name if above else "",
        gap_up=above.votes - row.votes if above else 0,
        award=award,
        news_url=absolute(f"/account/listings/{listing.pk}/updates"),
        **addresses,
        **launch_mail.figures_of(launch, at=weeks.end(launch.week)),
    )


def mail_winners(*, close_id: int, lease: jobs.Lease) -> None:
    """Mail a week's winners to everybody who had asked for them when it closed. May run again and go on.

    Who is off the site is in no mail, as on its page.
    """
    close = WeekClose.objects.select_related("site").get(pk=close_id)
    won = Award.objects.of_weeks().filter(site=close.site, week=close.week, listing__stats__is_live=True)
    awards = list(won.select_related("listing").order_by("rank"))
    after = 0
    while awards and (portion := winners.readers(site=close.site, until=close.closed_at, after=after)):
        lease.renew()
        with transaction.atomic(), addresses_of(lambda: address_of(close.site)):
            lease.guard()
            for reader in portion:
                _write_winners(close, awards, reader=reader)
        after = portion[-1].pk


def _write_winners(close: WeekClose, awards: list[Award], *, reader: WinnersReader) -> None:
    unsubscribe_url = on_site(winners.stop_path(reader))
    mail.send(
        template=winners.WEEKLY,
        to=reader.email,
        key=f"winners-{close.pk}-{reader.pk}",
        context={
            "first": awards[0],
            "awards": awards,
            "week": close.week,
            "launches": close.listings,
            "votes": close.votes,
            "home_url": on_site(""),
            "week_url": on_site(f"/weeks/{close.week}"),
            "race_url": on_site("/weeks/this"),
            "unsubscribe_url": unsubscribe_url,
        },
        envelope=mail.Envelope(unsubscribe_url=unsubscribe_url),
    )


@dataclass(frozen=True, kw_only=True)
class Counted:
    launch_id: int
    listing_id: int
    votes: int


def count_week(
    *, site: Site, week: date, at: datetime, corrected_at: datetime | None = None
) -> list[Counted]:
    """The launches of a week as of a moment, by votes; what was launched, voided or released later does not matter.

    A correction leaves out what staff voided until then. Equal votes: the earlier launch, then the earlier listing.
    """
    cast = awarding.counted(closed_at=at, corrected_at=corrected_at).filter(week=week)
    votes = dict(cast.values_list("voted_for").annotate(number=Count("id")))
    launches = Launch.objects.filter(site=site, week=week, launched_at__lte=at).order_by(
        "launched_at", "listing_id"
    )
    rows = [
        Counted(launch_id=launch.pk, listing_id=launch.listing_id, votes=votes.get(launch.listing_id, 0))
        for launch in launches
    ]
    return sorted(rows, key=lambda row: -row.votes)


def digest(rows: Sequence[Counted]) -> str:
    """What a result comes down to: SHA-256 of its lines `rank:listing:votes`."""
    lines = "\n".join(f"{rank}:{row.listing_id}:{row.votes}" for rank, row in enumerate(rows, start=1))
    return hashlib.sha256(lines.encode()).hexdigest()


@transaction.atomic
def close_week(*, site: Site, week: date, at: datetime) -> WeekClose:
    """Freeze a week's ranking and give its awards. A second call changes nothing; a week without votes has no winners.

    Raises WeekStillRunningError before the week is over.
    """
    Site.objects.select_for_update().get(pk=site.pk)
    done = WeekClose.objects.filter(site=site, week=week).first()
    if done is not None:
        return done
    if weeks.end(week) > at:
        raise WeekStillRunningError(
            f"The week of {week:%-d %B %Y} runs until the end of Sunday {weeks.sunday(week):%-d %B}, UTC."
        )
    rows = count_week(site=site, week=week, at=at)
    close = WeekClose.objects.create(
        site=site,
        week=week,
        closed_at=at,
        listings=len(rows),
        votes=sum(row.votes for row in rows),
        digest=digest(rows),
    )
    WeekResult.objects.bulk_create(
        WeekResult(close=close, listing_id=row.listing_id, rank=rank, votes=row.votes)
        for rank, row in enumerate(rows, start=1)
    )
    _finish(close, rows, at=at)
    plan(close, at=at)
    queueing.emit_to_owners("listing.week_closed", listing_ids=[row.listing_id for row in rows])
    changed("listings")
    changed("boards")
    return close


@transaction.atomic
def correct_week(*, close_id: int, at: datetime) -> bool:
    """Take votes that staff voided since out of a closed week's places. Returns whether they changed.

    A week whose result as it was closed does not follow from its votes is left as it is.
    """
    close = WeekClose.objects.select_related("site").get(pk=close_id)
    Site.objects.select_for_update().get(pk=close.site_id)
    close.refresh_from_db(fields=["corrected_at"])
    if digest(published(close)) != close.digest:
        logger.warning(
            "not corrected: the result does not follow from the votes", extra={"week": str(close.week)}
        )
        return False
    rows = count_week(site=close.site, week=close.week, at=close.closed_at, corrected_at=at)
    results = list(close.results.order_by("rank"))
    if [(row.listing_id, row.votes) for row in rows] == [(row.listing_id, row.votes) for row in results]:
        return False
    for result, row in zip(results, rows, strict=True):
        result.listing_id, result.votes = row.listing_id, row.votes
    WeekResult.objects.bulk_update(results, ["listing", "votes"], batch_size=1000)
    close.corrected_at = at
    close.save(update_fields=["corrected_at"])
    _finish(close, rows, at=at)
    return True


def correct_weeks_of(*, listing_ids: Sequence[int], at: datetime) -> int:
    """Bring closed weeks of these listings in line with their votes. Returns how many changed."""
    ids = WeekResult.objects.filter(listing__in=listing_ids).values_list("close", flat=True)
    return sum(correct_week(close_id=pk, at=at) for pk in sorted(set(ids)))


def published(close: WeekClose) -> list[Counted]:
    """The result as it was closed, whatever was voided since."""
    return count_week(site=close.site, week=close.week, at=close.closed_at)


def _finish(close: WeekClose, rows: Sequence[Counted], *, at: datetime) -> None:
    """Bring what launches state, and a week's awards, in line with its places."""
    Launch.objects.bulk_update(
        [Launch(pk=row.launch_id, votes=row.votes) for row in rows], ["votes"], batch_size=1000
    )
    occasion = awarding.Occasion(site=close.site, week=close.week)
    winners = [
        awarding.Place(listing_id=row.listing_id, votes=row.votes) for row in rows[: limits.AWARDED_RANKS]
    ]
    awarding.settle(occasion, winners, at=at)


def close_due_weeks(*, at: datetime) -> int:
    """Close, on every site, each week that is over and has launches, oldest first. Returns how many were closed.

    A week is left alone for some minutes after its end, until what was cast or launched in its last second is stored.
    """
    closed = 0
    for site in Site.objects.order_by("pk"):
        done = WeekClose.objects.filter(site=site).values("week")
        due = (
            Launch.objects.filter(
                site=site, week__lt=weeks.week_of(at - limits.SETTLES_IN), launched_at__isnull=False
            )
            .exclude(week__in=done)
            .order_by("week")
            .values_list("week", flat=True)
            .distinct()
        )
        for week in list(due):
            close_week(site=site, week=week, at=at)
            closed += 1
    return closed


def verify_week(*, site: Site, week: date) -> bool:
    """Whether a closed week's result follows from the votes as they are stored now.

    Raises WeekClose.DoesNotExist for a week that is not closed.
    """
    close = WeekClose.objects.get(site=site, week=week)
    results = list(close.results.order_by("rank").values_list("rank", "listing_id", "votes"))
    rows = count_week(site=site, week=week, at=close.closed_at, corrected_at=close.corrected_at)
    again = [(rank, row.listing_id, row.votes) for rank, row in enumerate(rows, start=1)]
    return results == again and digest(published(close)) == close.digest
