"""What a week that closed brings by mail: to each maker its result or award, to who asked for them the winners."""

from datetime import datetime, timedelta

from django.db import transaction

from core import jobs, mail
from core.api.links import absolute, addresses_of, on_site
from directory import weeks
from directory.engagement import winners
from directory.launches import launch_mail
from directory.models import Launch, WinnersReader
from directory.sites.lookup import address_of, addresses_of_listing
from leaderboards.models import Award, WeekClose, WeekResult
from leaderboards.trophies import credentials

NEWS_FOR = timedelta(days=14)  # a week that is closed later than that is nobody's news
WRITTEN_AT_ONCE = 100


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
