from collections.abc import Collection
from dataclasses import replace
from datetime import date
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.search import TrigramWordSimilarity
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.models import (
    BooleanField,
    Count,
    Exists,
    ExpressionWrapper,
    Func,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import JSONObject

from core.api.errors import NotFoundError
from core.api.links import on_site
from core.api.pagination import Page
from directory.countries import countries
from directory.listings import proofs
from directory.listings.profile import open_sections
from directory.models import Founder, ListingFounder, Site
from directory.search.cards import Counted, page_of, page_summaries, summaries
from directory.search.query.finding import search_listings
from directory.search.words import words_of


class Folded(Func):
    """A text without accents and capitals; a GIN index holds the names of founders like that."""

    function = "directory_folded"
    output_field = TextField()


PART = JSONObject(
    listing="listing_id",
    title="title",
    plan="listing__plan",
    unlocked="listing__unlocked_sections",
    has_story=ExpressionWrapper(~Q(listing__story={}), output_field=BooleanField()),
    story_title=KeyTextTransform("title", "listing__story"),
)
FIELDS = ("slug", "name", "title", "country", "photo", "companies")
NEAR = "0.4"  # of a name's trigrams: "lindqwist" has 0.54 of Lindqvist's, "frja" 0.4 of Freja's
PRODUCTS = 20


def list_founders(*, site: Site, q: str = "", country: str | None = None, page: int, per_page: int) -> Page:
    """Founders of live listings by name; each word of `q` is a part of the name, accents aside."""
    rows = _live(site, country=country).filter(_named(q)).order_by("name", "pk")
    result = page_of(rows, fields=FIELDS, page=page, per_page=per_page)
    return replace(result, items=[_card(**dict(zip(FIELDS, row, strict=True))) for row in result.items])


def find_founders(*, site: Site, q: str, country: str | None, page: int, per_page: int) -> tuple[Page, bool]:
    """Founders by their names or those of their products, each with a product; unasked, the newest first.

    Where nobody fits it gives those whose names come near, the nearest first, and True.
    """
    listings = _called(q, site=site) if q else []
    parts = _parts(site).filter(founder=OuterRef("pk"))
    hit = [ExpressionWrapper(Q(listing__in=listings), BooleanField()).desc()] if listings else []
    products = parts.order_by(*hit, "-listing__launched_at", "listing").values("listing__name")
    rows = _live(site, country=country).annotate(product=Subquery(products[:1]))
    named = _named(q)
    if listings:
        founders = ListingFounder.objects.filter(listing__in=listings).values_list("founder", flat=True)
        named |= Q(pk__in=list(founders))
    order = ("name", "pk") if named else ("-pk",)
    result = _with_products(rows.filter(named).order_by(*order), page=page, per_page=per_page)
    if result.total or not named:
        return result, False
    text: Any = Folded(Value(q))
    near = Q(folded__trigram_word_similar=text)
    rows = rows.filter(near).order_by(TrigramWordSimilarity(text, "folded").desc(), "name", "pk")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)", [NEAR])
        result = _with_products(rows, page=page, per_page=per_page)
    return result, bool(result.total)


def first_founders(*, site: Site, slugs: Collection[str]) -> dict[str, ListingFounder]:
    """Who stands beside each listing: the first of its founders."""
    rows = ListingFounder.objects.filter(listing__site=site, listing__slug__in=slugs)
    firsts = rows.order_by("listing", "position", "pk").distinct("listing")
    return {row.listing.slug: row for row in firsts.select_related("founder", "listing")}


def founder_countries(*, site: Site, chosen: str) -> list[tuple[str, str]]:
    """The countries that founders come from, and the one that is chosen, by their English names."""
    codes = {chosen, *_live(site, country=None).values_list("country", flat=True).order_by().distinct()}
    return [(code, name) for code, name in countries() if code in codes]


def get_founder(*, site: Site, slug: str) -> dict[str, Any]:
    """A founder with companies and stories. Raises NotFoundError without a live listing here."""
    parts = _parts(site).filter(founder=OuterRef("pk")).order_by("-listing__launched_at", "listing")
    founder: Any = (
        Founder.objects.filter(slug=slug)
        .annotate(parts=ArraySubquery(parts.values(data=PART)), companies=_companies(site))
        .first()
    )
    if founder is None or not founder.parts:
        raise NotFoundError("There is no such founder.")
    cards = summaries(listing_ids=[part["listing"] for part in founder.parts])
    companies = list(zip(cards, founder.parts, strict=True))
    return {
        **_card(**{name: getattr(founder, name) for name in FIELDS}),
        "bio": founder.bio or None,
        "socials": founder.socials,
        "companies": [{**card, "role": part["title"] or founder.title or None} for card, part in companies],
        "stories": [
            {
                "title": part["story_title"] or card["name"],
                "listing": card["slug"],
                "published_at": card["launched_at"],
            }
            for card, part in companies
            if part["has_story"] and "story" in open_sections(plan=part["plan"], unlocked=part["unlocked"])
        ],
    }


def beside_founder(*, site: Site, slug: str) -> dict[str, Any]:
    """What the page of a maker has beside the profile: who they are here, with whom they work, what they proved."""
    over = Q(listing__launches__launched_at__isnull=False)
    launches = Count("listing__launches", filter=over)
    first = Min("listing__launches__launched_at", filter=over)
    rows = _parts(site).filter(founder__slug=slug).select_related("founder", "listing")
    parts = list(rows.annotate(launches=launches, first=first)[:PRODUCTS])
    if not parts:
        raise NotFoundError("There is no such founder.")
    founder, mine = parts[0].founder, [part.listing for part in parts]
    ids = [listing.pk for listing in mine]
    others = ListingFounder.objects.filter(listing__in=ids).exclude(founder=founder).select_related("founder")
    return {
        "ids": ids,
        "user_id": founder.user_id,
        "photo_source": founder.photo_source,
        "works_with": list(
            {row.founder_id: row.founder for row in others.order_by("position", "pk")}.values()
        ),
        "proved": [
            (listing, proofs.noun_of(listing.claimed_by_method))
            for listing in mine
            if listing.claimed_by_method
        ],
        "listings": mine,
        "unclaimed": next((listing for listing in mine if not listing.owner_id), None),
        "launches": sum(part.launches for part in parts),
        "first": min((part.first for part in parts if part.first), default=None),
    }


def makers_of_week(*, site: Site, week: date, besides: Collection[int], most: int) -> list[ListingFounder]:
    """Makers of other products that launched in a week, one of each, those with a photo first. One statement."""
    rows = _parts(site).filter(listing__launches__week=week, listing__launches__is_hidden=False)
    others = rows.exclude(listing__in=besides).exclude(founder__founded__listing__in=besides)
    ordered = others.select_related("founder", "listing").order_by(
        "-listing__stats__votes", "listing", "position"
    )
    people: dict[int, ListingFounder] = {}
    listings: set[int] = set()
    for row in ordered[: most * 4]:
        if row.listing_id not in listings:
            people.setdefault(row.founder_id, row)
        listings.add(row.listing_id)
    return sorted(people.values(), key=lambda row: not row.founder.photo)[:most]


def _live(site: Site, *, country: str | None) -> QuerySet[Founder]:
    rows = Founder.objects.filter(Exists(_parts(site).filter(founder=OuterRef("pk"))))
    rows = rows.alias(folded=Folded("name")).annotate(companies=_companies(site))
    return rows.filter(country=country) if country else rows


def _named(q: str) -> Q:
    """That each word is a part of the name; of punctuation alone, nothing."""
    words = q.split() if any(letter.isalnum() for letter in q) else []
    return Q(*(Q(folded__contains=Folded(Value(word))) for word in words))


def _called(q: str, *, site: Site) -> list[int]:
    """The listings whose names have all the words, as typed or as they were meant."""
    result = search_listings(site=site, q=q, page=1, per_page=PRODUCTS)
    words = words_of(result.corrected_query or q)
    cards = page_summaries(result.page, besides={})
    names = [" ".join(words_of(card["name"])) for card in cards]
    return [
        pk
        for pk, name in zip(result.page.items, names, strict=True)
        if words and all(word in name for word in words)
    ]


def _with_products(rows: QuerySet[Any], *, page: int, per_page: int) -> Page:
    result = page_of(rows, fields=(*FIELDS, "product"), page=page, per_page=per_page)
    cards = [
        {**_card(**dict(zip(FIELDS, row, strict=True))), "product": product} for *row, product in result.items
    ]
    return replace(result, items=cards)


def _parts(site: Site) -> QuerySet[ListingFounder]:
    return ListingFounder.objects.filter(listing__stats__site=site, listing__stats__is_live=True)


def _companies(site: Site) -> Counted:
    return Counted(_parts(site).filter(founder=OuterRef("pk")).values("pk"))


def _card(*, slug: str, name: str, title: str, country: str, photo: Any, companies: int) -> dict[str, Any]:
    return {
        "slug": slug,
        "name": name,
        "title": title or None,
        "country": country or None,
        "photo_url": on_site(default_storage.url(str(photo))) if photo else None,
        "companies_count": companies,
        "page_url": on_site(f"/founders/{slug}"),
    }
