"""Awards follow results: each is given once, and a place that changes revokes one and issues another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Value, When

from core import events, mail
from core.api.links import on_site
from core.cache import changed
from directory.launches import queueing
from directory.mail_kinds import OF_LAUNCHES
from directory.models import Listing, Site, Vote
from directory.search import public_data
from directory.sites.lookup import addresses_of_listing
from directory.undoing import merges, taken_up
from leaderboards.models import Award
from leaderboards.trophies import credentials
from leaderboards.trophies.models import Programme

CORRECTED = "Votes that we took out of the count, or put back, changed the places."


@dataclass(frozen=True, kw_only=True)
class Place:
    listing_id: int
    votes: int


@dataclass(frozen=True, kw_only=True)
class Occasion:
    """What awards are won in: a launch week, or a programme whose voting ended in it."""

    site: Site
    week: date
    programme: Programme | None = None

    @property
    def awards(self) -> QuerySet[Award]:
        rows = Award.objects.filter(programme=self.programme)
        return rows if self.programme else rows.filter(site=self.site, week=self.week)


def of_listings(*, closed_at: datetime) -> Any:
    """Every vote with the listing that had it at a moment: what was merged later took its votes along."""
    rows = merges()
    before = [row for row in rows if row[2] <= closed_at]
    had = [
        When(merged_from__in=taken_up(listing_id, rows=before), then=Value(listing_id))
        for listing_id, _, at in rows
        if at > closed_at
    ]
    return Vote.objects.annotate(voted_for=Case(*had, default=F("listing"), output_field=BigIntegerField()))


def merged_since(moment: datetime) -> dict[int, list[int]]:
    """The listings that were merged since, each with those that have had its votes."""
    result: dict[int, list[int]] = {}
    for listing_id, into, at in reversed(merges()):
        if at > moment:
            result[listing_id] = [into, *result.get(into, ()), *result.get(listing_id, ())]
    return result


def counted(*, closed_at: datetime, corrected_at: datetime | None) -> QuerySet[Any]:
    """The votes of a result: what counted when it was closed, without what staff voided until it was corrected.

    What voters take back later stays in it. `voted_for` is the listing that had each when it was closed.
    """
    rows: QuerySet[Any] = of_listings(closed_at=closed_at).counted(at=closed_at)
    if corrected_at is None:
        return rows
    return rows.exclude(Q(voided_at__lte=corrected_at) & ~Q(void_reason=Vote.TAKEN_BACK))


def settle(occasion: Occasion, winners: Sequence[Place], *, at: datetime) -> list[Award]:
    """Bring the awards in line with the places that win, first place first. Returns those that are new.

    Who keeps a place keeps the award. Called in the transaction that writes the result, which locks it.
    """
    placed = {rank: place for rank, place in enumerate(winners, start=1) if place.votes > 0}
    rows = occasion.awards.filter(revoked_at=None).select_related("listing__owner", "programme")
    valid = {award.rank: award for award in rows}
    winner_ids = {rank: place.listing_id for rank, place in placed.items()}
    lost = [award for rank, award in valid.items() if winner_ids.get(rank) != award.listing_id]
    for award in lost:
        award.revoked_at, award.revoked_for = at, CORRECTED
        award.save(update_fields=["revoked_at", "revoked_for"])
        _write(award, template="award_revoked")
    fresh = Award.objects.bulk_create(
        Award(**vars(occasion), **vars(place), rank=rank, given_at=at)
        for rank, place in placed.items()
        if rank not in valid or valid[rank] in lost
    )
    new = list(_in_full(fresh))
    credentials.issue(new)
    if lost or occasion.programme:
        for award in new:
            _write(award, template="award_given")
    owners = queueing.owners_of([award.listing_id for award in new])
    events.emit_each("award.won", things={award.pk: owners[award.listing_id] for award in new})
    show_awards(listing_ids=[award.listing_id for award in [*lost, *new]])
    changed("listings")
    changed("boards")
    return new


def _in_full(awards: Sequence[Award]) -> QuerySet[Award]:
    ids = [award.pk for award in awards]
    return Award.objects.filter(pk__in=ids).select_related("listing__owner", "programme").order_by("rank")


def _write(award: Award, *, template: str) -> None:
    """That an award came by a correction or a programme, unless its owner stopped such mail; that one went, always."""
    owner, is_won = award.listing.owner, award.revoked_at is None
    if owner is None or (is_won and not OF_LAUNCHES.is_on(user_id=owner.pk)):
        return
    unsubscribe_url = OF_LAUNCHES.stop_url(owner.pk) if is_won else ""
    with addresses_of_listing(award.listing):
        mail.send(
            template=f"leaderboards/mail/{template}",
            to=owner.email,
            key=f"{template}-{award.pk}",
            context={
                "award": award,
                "occasion": credentials.occasion(award),
                "page_url": on_site(credentials.page_path(award)),
                "cabinet_url": on_site(f"/listings/{award.listing.slug}/trophies"),
                "unsubscribe_url": unsubscribe_url,
            },
            envelope=mail.Envelope(person_id=owner.pk, thing=award.listing, unsubscribe_url=unsubscribe_url),
        )


def show_awards(*, listing_ids: Sequence[int]) -> None:
    """Bring the awards that listings show in line with those they have won in weeks, newest first."""
    won: dict[int, list[dict[str, Any]]] = {listing_id: [] for listing_id in listing_ids}
    for award in Award.objects.of_weeks().filter(listing__in=listing_ids).order_by("-week", "rank"):
        won[award.listing_id].append({**award.in_short(), "week": award.week.isoformat()})
    for listing_id, awards in won.items():
        Listing.objects.filter(pk=listing_id).update(awards=awards)
    public_data.refresh(listing_ids=list(won))
