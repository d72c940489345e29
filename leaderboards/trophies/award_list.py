"""Looking at awards: those of a site, and one for the event about it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.api.links import on_site
from core.api.pagination import Page
from directory.launches import badges
from directory.models import Listing, Site
from directory.search.cards import summaries
from directory.search.paging import page_of
from directory.sites.lookup import addresses_of_listing
from leaderboards.models import Award

WON = ("id", "listing_id", "week", "rank", "votes")


def awards(*, site: Site, listing_slug: str | None, page: int, per_page: int) -> Page:
    """Awards of live listings, newest week first, with the winning listing."""
    rows = Award.objects.of_weeks().filter(site=site, listing__stats__is_live=True)
    if listing_slug is not None:
        rows = rows.filter(listing__slug=listing_slug)
    places = page_of(rows.order_by("-week", "rank", "pk"), fields=WON, page=page, per_page=per_page)
    return replace(places, items=_items([Award(**dict(zip(WON, row, strict=True))) for row in places.items]))


def award_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """One award of a listing of a person as list_awards has it, for the event about it."""
    rows = Award.objects.filter(pk=thing, listing__in=Listing.objects.owned_by(user_id))
    award = rows.select_related("listing").first()
    if award is None:
        return None
    with addresses_of_listing(award.listing):
        return _items([award])[0]


def _items(won: Sequence[Award]) -> list[dict[str, Any]]:
    cards = summaries(listing_ids=[award.listing_id for award in won])
    return [item(award, card) for award, card in zip(won, cards, strict=True)]


def item(award: Award, card: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": award.pk,
        "code": award.code,
        "title": award.title,
        "rank": award.rank,
        "week": award.week,
        "votes": award.votes,
        "listing": card,
        "badge_url": _badge_of(award, slug=card["slug"]),
    }


def _badge_of(award: Award, *, slug: str) -> str:
    """The picture of an award: of a week its badge, of a programme the trophy."""
    if award.programme_id is not None:
        return on_site(f"/awards/{award.pk}.svg")
    return f"{badges.image_prefix(slug)}{award.code}.svg"
