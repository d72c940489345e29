"""Demo listings as rows of the sites, with times counted back from the moment of loading."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from config.demo.content import CONTENT, Row, read
from config.demo.people import founders, maker_email, makers
from directory import weeks
from directory.images import files
from directory.images.pictures import QUICKLY, Made, gallery_of, logo_of, photo_of
from directory.models import (
    Category,
    FeaturedPlace,
    Launch,
    Listing,
    ListingCategory,
    ListingFounder,
    ListingStats,
    Site,
)
from directory.search import public_data
from directory.search.documents import moment

LISTED_BEFORE_LAUNCH, CRAWLED_BEFORE = timedelta(days=16), timedelta(days=3)
READ_WITHIN = timedelta(days=40)
FEATURED_FOR, FEATURED_LEFT = timedelta(days=7), timedelta(days=5)
ELSEWHERE = 5  # on the second site a listing has this part of its votes
PROCESSES = 2
PICTURES = CONTENT / "pictures"
PREVIEW = "preview.png"


@dataclass(frozen=True, kw_only=True)
class Placed:
    row: Row
    listing: Listing
    share: int

    def count(self, name: str) -> int:
        return int(self.row[name]) // self.share


def add_listings(
    rows: Sequence[Row],
    *,
    sites: dict[str, Site],
    at: datetime,
    logos: Mapping[str, str] = MappingProxyType({}),
    photos: Mapping[str, str] = MappingProxyType({}),
) -> list[Placed]:
    """Add those that are missing, with all that lists, profiles and search show of them."""
    slugs = [row["facts"]["slug"] for row in rows]
    existing = set(
        Listing.objects.filter(site__in=sites.values(), slug__in=slugs).values_list("site_id", "slug")
    )
    owners = makers(rows, at=at)
    placed = [
        Placed(
            row=row,
            listing=_listing(row, site=sites[key], owner_id=owners.get(maker_email(row)), logos=logos, at=at),
            share=1 if sites[key].is_default else ELSEWHERE,
        )
        for row in rows
        for key in row["sites"]
        if (sites[key].pk, row["facts"]["slug"]) not in existing
    ]
    Listing.objects.bulk_create(entry.listing for entry in placed)
    _add_parts(placed, founder_ids=founders(rows, owners=owners, photos=photos, at=at))
    _add_counts(placed, at=at)
    public_data.refresh(listing_ids=[entry.listing.pk for entry in placed])
    return placed


def _listing(
    row: Row, *, site: Site, owner_id: int | None, logos: Mapping[str, str], at: datetime
) -> Listing:
    facts = {**row["facts"], "logo": logos.get(row["facts"]["slug"], row["facts"]["logo"])}
    week = None if row["launch_week"] is None else weeks.week_of(at) + row["launch_week"] * weeks.WEEK
    launched_at = at - timedelta(days=row["listed_days_ago"] or 1)
    if week:
        launched_at = min(weeks.start(week), at)
    is_upcoming = bool(row["launch_week"] and row["launch_week"] > 0)
    # a website is read again from time to time
    read_again_at = at - READ_WITHIN + timedelta(days=(row["listed_days_ago"] or 0) % READ_WITHIN.days)
    crawled_at = max((at if is_upcoming else launched_at) - CRAWLED_BEFORE, read_again_at - CRAWLED_BEFORE)
    created_at = (at if is_upcoming else launched_at) - LISTED_BEFORE_LAUNCH
    return Listing(
        **facts,
        site=site,
        status=Listing.Status.SCHEDULED if is_upcoming else Listing.Status.LIVE,
        host=facts["domain"],
        owner_id=owner_id if facts["claimed_by_method"] else None,
        evidence=_evidence(row, at=crawled_at),
        featured_until=at + FEATURED_LEFT if row["is_featured"] else None,
        launch_week=week,
        launched_at=None if is_upcoming else launched_at,
        claim_checked_at=crawled_at if facts["claimed_by_method"] else None,
        last_crawled_at=crawled_at,
        created_at=created_at,
        updated_at=at if is_upcoming else launched_at,
    )


def _evidence(row: Row, *, at: datetime) -> dict[str, list[dict[str, Any]]]:
    return {
        field: [
            {
                "quote": text,
                "url": url,
                "link": f"{url}#:~:text={quote(text, safe='')}",
                "page_title": row["pages"][url],
                "source": source,
                "start": None,
                "end": None,
                "page_sha256": hashlib.sha256(f"{row['pages'][url]}\n{text}".encode()).hexdigest(),
                "fetched_at": moment(at),
            }
            for text, url, source in quotes
        ]
        for field, quotes in row["quotes"].items()
    }


def _add_parts(placed: Collection[Placed], *, founder_ids: dict[str, int]) -> None:
    categories = dict(Category.objects.values_list("slug", "pk"))
    ListingCategory.objects.bulk_create(
        ListingCategory(listing=entry.listing, category_id=categories[slug], position=position)
        for entry in placed
        for position, slug in enumerate(entry.row["categories"])
    )
    ListingFounder.objects.bulk_create(
        ListingFounder(
            listing=entry.listing,
            founder_id=founder_ids[person["slug"]],
            title=person["title"],
            position=position,
        )
        for entry in placed
        for position, person in enumerate(entry.row["founders"])
    )


def _add_counts(placed: Collection[Placed], *, at: datetime) -> None:
    ListingStats.objects.bulk_create(
        ListingStats(
            listing=entry.listing,
            site_id=entry.listing.site_id,
            is_live=entry.listing.is_live,
            **{name: entry.count(name) for name in ("votes", "followers", "views")},
        )
        for entry in placed
    )
    Launch.objects.bulk_create(
        Launch(
            site_id=entry.listing.site_id,
            listing=entry.listing,
            week=entry.listing.launch_week,
            kind=entry.listing.plan,
            votes=entry.count("launch_votes"),
            booked_at=entry.listing.created_at,
            launched_at=entry.listing.launched_at,
        )
        for entry in placed
        if entry.listing.launch_week
    )
    FeaturedPlace.objects.bulk_create(
        FeaturedPlace(
            listing=entry.listing,
            begins_at=min(max(entry.listing.launched_at, entry.listing.featured_until - FEATURED_FOR), at),
            ends_at=entry.listing.featured_until,
        )
        for entry in placed
        if entry.listing.featured_until and entry.listing.launched_at
    )


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What is being made of the pictures, by the slug of a listing or founder."""

    logos: Mapping[str, Future[Made]]
    faces: Mapping[str, Future[Made]]
    screens: Mapping[str, Sequence[Future[Made]]]


@contextmanager
def drawing(rows: Iterable[Row]) -> Iterator[Drawn]:
    """Make what pages show of these listings' pictures, beside whatever the caller does meanwhile."""
    rows = list(rows)
    slugs = {row["facts"]["slug"] for row in rows}
    logos = _files("logos", slugs)
    faces = _files("faces", {person["slug"] for row in rows for person in row["founders"]})
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        yield Drawn(
            logos={slug: pool.submit(logo_of, path.read_bytes()) for slug, path in logos.items()},
            faces={slug: pool.submit(photo_of, path.read_bytes()) for slug, path in faces.items()},
            screens={
                slug: [
                    pool.submit(gallery_of, path.read_bytes(), effort=QUICKLY)
                    for path in sorted(PICTURES.glob(f"screens/{slug}-*.webp"))
                ]
                for slug in slugs.intersection(read("pictures.json"))
            },
        )


def _files(kind: str, slugs: Set[str]) -> dict[str, Path]:
    return {path.stem: path for path in PICTURES.glob(f"{kind}/*.webp") if path.stem in slugs}


def store_logos(drawn: Drawn) -> dict[str, str]:
    stored = {}
    for slug, made in drawn.logos.items():
        stored[slug], content = files.named(made.result())
        files.store(stored[slug], content)
    return stored


def store_faces(drawn: Drawn) -> dict[str, str]:
    stored = {}
    for slug, made in drawn.faces.items():
        ((end, content),) = made.result().files.items()
        stored[slug] = f"founders/{hashlib.sha256(content).hexdigest()[:24]}{end}"
        files.store(stored[slug], content)
    return stored


def add_pictures(placed: Sequence[Placed], *, drawn: Drawn) -> None:
    """Show them: in the gallery where a plan has one, else as the picture that its website gives of itself."""
    words = read("pictures.json")
    pictured = [entry.listing for entry in placed if entry.listing.slug in drawn.screens]
    for listing in pictured:
        folder = f"{files.PICTURES}/{listing.pk}"
        pictures = [
            {"alt": alt, **files.store_picture(made.result(), folder=folder)}
            for alt, made in zip(words[listing.slug], drawn.screens[listing.slug], strict=True)
        ]
        if listing.plan == Listing.Plan.PAID:
            listing.media = [{"type": "image", **picture} for picture in pictures]
        else:
            listing.site_picture = {"source": f"{listing.url}/{PREVIEW}", **pictures[0]}
    Listing.objects.bulk_update(pictured, ["media", "site_picture"])
