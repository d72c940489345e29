from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import Any

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet

from core.api.errors import NotFoundError
from core.api.links import on_site
from core.api.pagination import Page, paginate
from directory.categories.tree import below
from directory.errors import ListingNotFoundError
from directory.launches import badges
from directory.models import Category, Listing, ListingCategory, Site
from directory.search.cards import page_of, summaries
from directory.sites.lookup import addresses_of_listing
from leaderboards import limits
from leaderboards.models import Award
from leaderboards.trophies import credentials, programmes
from leaderboards.trophies.models import CabinetLook, Programme, ProgrammeEntry

WON = ("id", "listing_id", "week", "rank", "votes")
ID_MAX = 2**63 - 1
WIDTH, HEIGHT = 360, 176
MEDALS = ("golds", "silvers", "bronzes")
HALL_COLUMNS = ("week", "rank", "votes", "listing__slug", "programme__title")
OF_PROGRAMMES = (
    *("slug", "title", "description", "entry_from", "entry_until", "votes_from", "votes_until"),
    *("launched_from", "launched_until", "places"),
)


def awards(*, site: Site, listing_slug: str | None, page: int, per_page: int) -> Page:
    """Awards of live listings, newest week first, with the winning listing."""
    rows = Award.objects.of_weeks().filter(site=site, listing__stats__is_live=True)
    if listing_slug is not None:
        rows = rows.filter(listing__slug=listing_slug)
    places = page_of(rows.order_by("-week", "rank", "pk"), fields=WON, page=page, per_page=per_page)
    return replace(
        places, items=award_items([Award(**dict(zip(WON, row, strict=True))) for row in places.items])
    )


def award_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """One award of a listing of a person as list_awards has it, for the event about it."""
    rows = Award.objects.filter(pk=thing, listing__in=Listing.objects.owned_by(user_id))
    award = rows.select_related("listing").first()
    if award is None:
        return None
    with addresses_of_listing(award.listing):
        return award_items([award])[0]


def award_items(won: Sequence[Award]) -> list[dict[str, Any]]:
    cards = summaries(listing_ids=[award.listing_id for award in won])
    return [item(award, card) for award, card in zip(won, cards, strict=True)]


def item(award: Award, card: Mapping[str, Any]) -> dict[str, Any]:
    return {**award.in_short(), "listing": card, "badge_url": _badge_of(award, slug=card["slug"])}


def _badge_of(award: Award, *, slug: str) -> str:
    """The picture of an award: of a week its badge, of a programme the trophy."""
    if award.programme_id is not None:
        return on_site(f"/awards/{award.pk}.svg")
    return f"{badges.image_prefix(slug)}{award.code}.svg"


def trophy(award: Award, card: Mapping[str, Any]) -> dict[str, Any]:
    address = on_site(credentials.page_path(award))
    return {
        **item(award, card),
        "certificate_url": f"{address}/certificate",
        "credential_url": f"{address}.json",
        "programme": award.programme.slug if award.programme else None,
    }


def listed(awards: Sequence[Award]) -> list[tuple[Award, dict[str, Any]]]:
    """Awards whose listings are public, each with what list_awards says of one."""
    cards = {
        card["slug"]: card for card in summaries(listing_ids=list({award.listing_id for award in awards}))
    }
    return [(won, item(won, cards[won.listing.slug])) for won in awards if won.listing.slug in cards]


def _awards(site: Site) -> QuerySet[Award]:
    awards = Award.objects.valid().filter(site=site, listing__stats__is_live=True)
    return awards.select_related("programme", "listing").order_by("-week", "rank", "pk")


def get_trophy_cabinet(*, site: Site, slug: str) -> dict[str, Any]:
    """What a listing has won, newest first, and how its cabinet looks. Raises ListingNotFoundError."""
    statuses = (Listing.Status.LIVE, Listing.Status.SCHEDULED)
    listing = Listing.objects.filter(site=site, slug=slug, status__in=statuses).first()
    cards = summaries(listing_ids=[listing.pk]) if listing else []
    if listing is None or not cards:
        raise ListingNotFoundError("There is no such listing.")
    won = list(_awards(site).filter(listing=listing)[: limits.CABINET_ITEMS])
    style = style_of(listing.pk)
    return {
        "listing": cards[0],
        "finish": style.finish if style else None,
        "title": style.title or None if style else None,
        "items": [trophy(award, cards[0]) for award in won],
        "embed": embed(slug=slug, name=listing.name),
        "page_url": on_site(f"/listings/{slug}/trophies"),
    }


def style_of(listing_id: int) -> CabinetLook | None:
    """The newest one that was bought and not taken back."""
    return CabinetLook.objects.filter(listing=listing_id).order_by("-bought_at", "-pk").first()


def embed(*, slug: str, name: str) -> dict[str, str]:
    page, image = on_site(f"/listings/{slug}/trophies"), on_site(f"/listings/{slug}/trophies.svg")
    title = f"Trophies of {name}"
    alternative = " ".join(title.replace("\\", "").replace("[", "(").replace("]", ")").split())
    return {
        "html": (
            f'<a href="{escape(page)}"><img src="{escape(image)}" alt="{escape(title)}"'
            f' width="{WIDTH}" height="{HEIGHT}"></a>'
        ),
        "markdown": f"[![{alternative}]({image})]({page})",
    }


def award_of(*, site: Site, award_id: int) -> Award:
    """An award, a revoked one too, while its listing is shown. Raises NotFoundError."""
    rows = Award.objects.filter(site=site, listing__stats__is_live=True, pk=award_id)
    rows = rows.select_related("programme", "listing", "site") if 0 < award_id <= ID_MAX else rows.none()
    return NotFoundError.unless(rows.first(), "award")


def verify_award(*, site: Site, award_id: int) -> dict[str, Any]:
    """An award with what makes it valid. Raises NotFoundError."""
    award = award_of(site=site, award_id=award_id)
    checks = credentials.checks(award)
    ((_, item),) = listed([award])
    return {
        "award": item,
        "valid": all(check.passed for check in checks),
        "checks": [vars(check) for check in checks],
        "credential_url": on_site(f"{credentials.page_path(award)}.json"),
        "issued_at": award.given_at,
        "revoked_at": award.revoked_at,
        "reason": award.revoked_for or None,
    }


def get_hall_of_fame(*, site: Site, year: int | None, category: str | None, page: int, per_page: int) -> Page:
    """Who won, most firsts first, then seconds, thirds, and the earliest win."""
    rows = Award.objects.valid().filter(site=site, listing__stats__is_live=True)
    if year is not None:
        rows = rows.filter(week__year=year)
    if category is not None:
        rows = rows.filter(Exists(_filed(category)))
    medals = {name: Count("pk", filter=Q(rank=rank)) for rank, name in enumerate(MEDALS, start=1)}
    ranked = (
        rows.values("listing", slug=F("listing__slug"))
        .annotate(**medals, first=Min("week"))
        .order_by(*(f"-{name}" for name in MEDALS), "first", "listing")
    )
    places = paginate(ranked, page=page, per_page=per_page)
    won = rows.filter(listing__in=[row["listing"] for row in places.items])
    by_slug = defaultdict(list)
    visible = won.select_related("programme", "listing").only(*HALL_COLUMNS).order_by("-week", "rank", "pk")
    for _, item in listed(list(visible)):
        by_slug[item["listing"]["slug"]].append(item)
    items = [
        {
            "listing": by_slug[row["slug"]][0]["listing"],
            "awards": by_slug[row["slug"]],
            **{name: row[name] for name in MEDALS},
        }
        for row in places.items
        if row["slug"] in by_slug
    ]
    return replace(places, items=items)


def _filed(category: str) -> QuerySet[ListingCategory]:
    within = below(Category.objects.filter(slug=category).values_list("pk", flat=True))
    return ListingCategory.objects.filter(listing=OuterRef("listing"), category__in=within)


def years_of_fame(*, site: Site) -> list[int]:
    years = Award.objects.valid().filter(site=site).dates("week", "year", order="DESC")
    return [day.year for day in years]


@dataclass(frozen=True, kw_only=True)
class Named:
    programme: Programme
    item: dict[str, Any]


def list_programmes(*, site: Site, status: str | None, at: datetime) -> list[dict[str, Any]]:
    """Programmes, those whose voting ends last first."""
    rows = _programmes(site)
    matching = [row for row in rows if status is None or row.status(at=at) == status]
    return _items(matching[: limits.PROGRAMMES_LISTED], at=at)


def _programmes(site: Site) -> QuerySet[Programme]:
    is_live = Q(entries__listing__stats__is_live=True)
    rows = Programme.objects.filter(site=site).annotate(live_entries=Count("entries", filter=is_live))
    return rows.prefetch_related("categories").order_by("-votes_until", "-pk")


def open_to(listing: Listing, *, at: datetime) -> list[tuple[Programme, bool]]:
    """The programmes that a live listing may enter now, each with whether it has."""
    if not listing.is_live:
        return []
    rows = Programme.objects.filter(site=listing.site_id, entry_from__lte=at, entry_until__gt=at)
    is_in = Exists(ProgrammeEntry.objects.filter(programme=OuterRef("pk"), listing=listing))
    offered = rows.annotate(is_in=is_in).order_by("entry_until", "pk")[: limits.PROGRAMMES_OFFERED]
    return [(row, row.is_in) for row in offered if row.is_in or not programmes.broken_rule(row, listing)]


def named_programme(*, site: Site, slug: str, at: datetime) -> Named:
    """One programme. Raises NotFoundError."""
    programme = NotFoundError.unless(_programmes(site).filter(slug=slug).first(), "programme")
    return Named(programme=programme, item=_items([programme], at=at)[0])


def _items(rows: Sequence[Any], *, at: datetime) -> list[dict[str, Any]]:
    won = Award.objects.valid().filter(programme__in=[row.pk for row in rows], listing__stats__is_live=True)
    winners = defaultdict(list)
    for award, item in listed(list(won.select_related("programme", "listing").order_by("rank"))):
        winners[award.programme_id].append(item)
    return [
        {
            **{name: getattr(row, name) for name in OF_PROGRAMMES},
            "status": row.status(at=at).value,
            "categories": [{"slug": kind.slug, "name": kind.name} for kind in row.categories.all()],
            "entries": row.live_entries,
            "winners": winners[row.pk],
            "page_url": on_site(f"/programmes/{row.slug}"),
        }
        for row in rows
    ]


def entries_of(programme: Programme, *, at: datetime) -> list[dict[str, Any]]:
    """Who entered: while voting runs and afterwards by places, before that as they came."""
    rows = programmes.count(programme, entries=programmes.present(programme), at=at)
    has_places = at >= programme.votes_from
    if not has_places:
        rows = sorted(rows, key=lambda row: row.entry_id)
    cards = {card["slug"]: card for card in summaries(listing_ids=[row.listing_id for row in rows])}
    slugs = dict(Listing.objects.filter(pk__in=[row.listing_id for row in rows]).values_list("pk", "slug"))
    return [
        {
            "rank": rank if has_places else None,
            "has_no_place": not row.votes,
            "votes": row.votes,
            "listing": cards[slugs[row.listing_id]],
        }
        for rank, row in enumerate(rows, start=1)
        if slugs[row.listing_id] in cards
    ]
