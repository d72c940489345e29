"""Loads demo listings portion by portion; those whose slug a site has already are left as they are."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any
from zlib import crc32

from benchmarks.listings import accounts
from benchmarks.listings.bulk import PublicRows, copy_rows
from benchmarks.listings.copying import ListingRows, new_ids
from benchmarks.listings.data.shapes import DemoListing
from benchmarks.listings.rows import FEATURED_FOR, Place, details_of, source_of
from config.demo.people import visitors
from directory.models import Category, Listing, Site
from directory.search.documents import Source, category_tree

PORTION = 2000
ELSEWHERE = 5
FILED = ("listing_id", "category_id", "position")
STATS = ("listing_id", "site_id", "is_live", "votes", "followers", "views", "hot")
LAUNCH = ("site_id", "listing_id", "week", "kind", "votes", "booked_at", "launched_at")
FEATURED = ("listing_id", "begins_at", "ends_at")
FOUNDED = ("listing_id", "founder_id", "title", "position")
Placed = list[tuple[DemoListing, Source]]


class Loader:
    """Copies demo listings in. Call `finish` when all are in."""

    def __init__(self, *, sites: dict[str, Site], at: datetime) -> None:
        """Onto these sites, as of this moment."""
        self.sites = sites
        self.at = at
        self.people = visitors(at=at)
        self.categories = dict(Category.objects.values_list("slug", "pk"))
        self.rows = ListingRows()
        self.public = PublicRows(tree=category_tree())

    def finish(self) -> None:
        """Add the new listings to the counts of sites and categories."""
        self.public.count()

    def add_more(self, demos: Iterable[DemoListing], *, told: Callable[[int], None]) -> None:
        """Any number of further listings, whose owners are visitors; `told` hears how many came in."""
        rest = iter(demos)
        while portion := list(islice(rest, PORTION)):
            self._copy(portion)
            told(len(portion))

    def _visitor(self, demo: DemoListing) -> int | None:
        return self.people[crc32(demo.slug.encode()) % len(self.people)] if demo.claimed_by_method else None

    def _copy(self, demos: Sequence[DemoListing]) -> None:
        missing = self._missing(demos)
        ids = new_ids("directory_listing", count=len(missing))
        placed = [
            (demo, self._source(demo, site=site, listing_id=listing_id))
            for listing_id, (demo, site) in zip(ids, missing, strict=True)
        ]
        copy_rows(
            "directory_listing",
            self.rows.columns,
            (self.rows.row(source, details=self._details(demo)) for demo, source in placed),
        )
        sources = [source for _, source in placed]
        copy_rows("directory_listingcategory", FILED, _filed(sources))
        copy_rows("directory_listingstats", STATS, self._stats(placed))
        copy_rows("directory_launch", LAUNCH, self._launches(placed))
        copy_rows("directory_featuredplace", FEATURED, _featured(sources, at=self.at))
        self.public.add(sources)
        known = accounts.founders((person for demo, _ in placed for person in demo.founders), at=self.at)
        copy_rows("directory_listingfounder", FOUNDED, _founded(placed, known=known))

    def _details(self, demo: DemoListing) -> dict[str, Any]:
        return {**details_of(demo, at=self.at), "owner_id": self._visitor(demo)}

    def _missing(self, demos: Sequence[DemoListing]) -> list[tuple[DemoListing, Site]]:
        wanted = [(demo, self.sites[key]) for demo in demos for key in demo.sites]
        there = set(
            Listing.objects.filter(
                site__in=self.sites.values(), slug__in=[demo.slug for demo in demos]
            ).values_list("site_id", "slug")
        )
        return [(demo, site) for demo, site in wanted if (site.pk, demo.slug) not in there]

    def _source(self, demo: DemoListing, *, site: Site, listing_id: int) -> Source:
        votes = demo.votes if site.key == "main" else demo.votes // ELSEWHERE
        place = Place(listing_id=listing_id, site_id=site.pk, votes=votes)
        return source_of(demo, place=place, categories=self.categories, at=self.at)

    def _stats(self, placed: Placed) -> Iterator[tuple[object, ...]]:
        main = self.sites["main"].pk
        for demo, source in placed:
            seen = _here(demo.views, source, main=main)
            followers = _here(demo.followers, source, main=main)
            yield source.id, source.site_id, source.public_status == "live", source.votes, followers, seen, 0

    def _launches(self, placed: Placed) -> Iterator[tuple[object, ...]]:
        main = self.sites["main"].pk
        for demo, source in placed:
            if source.launch_week:
                votes = _here(demo.launch_votes, source, main=main)
                yield (
                    source.site_id,
                    source.id,
                    source.launch_week,
                    source.plan,
                    votes,
                    source.created_at,
                    source.launched_at,
                )


def _here(count: int, source: Source, *, main: int) -> int:
    return count if source.site_id == main else count // ELSEWHERE


def _filed(sources: Sequence[Source]) -> Iterator[tuple[int, int, int]]:
    for source in sources:
        for position, category_id in enumerate(source.category_ids):
            yield source.id, category_id, position


def _featured(sources: Sequence[Source], *, at: datetime) -> Iterator[tuple[object, ...]]:
    for source in sources:
        if source.featured_until and source.launched_at:
            begins_at = max(source.launched_at, source.featured_until - FEATURED_FOR)
            yield source.id, min(begins_at, at), source.featured_until


def _founded(placed: Placed, *, known: dict[str, int]) -> Iterator[tuple[int, int, str, int]]:
    for demo, source in placed:
        for position, person in enumerate(demo.founders):
            yield source.id, known[person.slug], person.title, position
