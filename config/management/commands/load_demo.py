"""`manage.py load_demo`: a directory that looks alive, or a very large one to measure with."""

from argparse import ArgumentParser, ArgumentTypeError
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, transaction
from django.utils import timezone

from config.demo.boards import add_boards
from config.demo.data.demo import demo_listings, handmade_count
from config.demo.data.shapes import DemoListing
from config.demo.history import add_history, add_texts
from config.demo.loading import Loader
from config.demo.logos import store_logos
from config.demo.progress import Progress
from config.demo.sites import ensure_sites
from core.cache import changed
from directory.models import Listing, Site
from directory.search.index import recount_terms, refresh_tiers
from directory.search.index.bulk import TABLES, TERMS, without_indexes
from directory.services.catalogue import load_categories

STAMPS = ("listings", "categories", "blog", "boards")
MANY = 20_000


def count(text: str) -> int:
    """How many listings; at most as many as there are names for."""
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise ArgumentTypeError("use a number from 1 to 1000000")
    return int(text)


class Command(BaseCommand):
    """Load the invented content. What is there already stays as it is, so a second run changes nothing."""

    help = (
        "Load demo data: about 300 hand-written listings with their history, and as many more as asked for."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How much."""
        parser.add_argument("--listings", type=count, default=handmade_count(), help="how many in all")

    def handle(self, *args: Any, **options: Any) -> None:
        """Hand-written listings first, with all that happened to them; then the rest, for measuring."""
        at = timezone.now().replace(microsecond=0)
        load_categories()
        store_logos()
        sites = ensure_sites(at=at)
        there = Listing.objects.filter(site=sites["main"])
        before = there.count()
        wanted = options["listings"]
        progress = Progress(total=wanted, out=self.stdout)
        demos = demo_listings(count=wanted, year=at.year)
        known = list(islice(demos, handmade_count()))
        self._load_handmade(known, sites=sites, at=at)
        progress.advance(len(known))
        further = wanted - len(known)
        if further > 0:
            with self._transaction(further):
                loader = Loader(sites=sites, at=at)
                loader.add_more(demos, told=progress.advance)
                loader.finish()
                refresh_tiers(site_id=sites["main"].pk)
        progress.finish()
        with without_indexes(TERMS) if further >= MANY else nullcontext():
            for site in sites.values():
                recount_terms(site_id=site.pk)
        self._vacuum()
        for stamp in STAMPS:
            changed(stamp)
        total = there.count()
        self.stdout.write(f"{total - before} demo listings are new; {total} listings are there.")

    @staticmethod
    @transaction.atomic
    def _load_handmade(known: list[DemoListing], *, sites: dict[str, Site], at: datetime) -> None:
        loader = Loader(sites=sites, at=at)
        placed = loader.add_known(known)
        loader.finish()
        add_history(placed, at=at)
        add_texts(site=sites["main"], at=at)
        if placed:
            add_boards(placed, at=at)

    @staticmethod
    def _transaction(further: int) -> AbstractContextManager[None]:
        return without_indexes() if further >= MANY else transaction.atomic()

    @staticmethod
    def _vacuum() -> None:
        """Bring the planner's statistics and, outside of a transaction, the visibility maps up to date."""
        command = "ANALYZE" if connection.in_atomic_block else "VACUUM (ANALYZE)"
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
            for table in (*TABLES, "directory_searchterm"):
                cursor.execute(f"{command} {table}")
            cursor.execute("RESET statement_timeout")
