"""`manage.py load_demo`: a directory that looks alive."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand
from django.db import connection, transaction
from django.utils import timezone

from config.demo.content import Row, copies, listings, read
from config.demo.engagement import add_engagement
from config.demo.history import add_boards, add_history, add_texts
from config.demo.listings import Drawn, add_listings, add_pictures, drawing, store_faces, store_logos
from config.demo.people import ensure_sites, visitors
from config.demo.reviews import add_reviews
from core.cache import changed
from directory.models import Listing, Site
from directory.search.lexemes import recount_terms
from directory.search.tiers import refresh_tiers
from directory.sites.catalogue import load_categories

STAMPS = ("listings", "categories", "blog", "boards")
PORTION = 500


def count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise ArgumentTypeError("use a number from 1 to 1000000")
    return int(text)


class Command(BaseCommand):
    help = "Load demo data: some 370 listings with their history, and copies of them if more are asked for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--listings", type=count, default=len(listings()), help="how many in all")

    def handle(self, *args: Any, **options: Any) -> None:
        """The listings of the file first, with all that happened to them; then copies, which have counters alone."""
        at = timezone.now().replace(microsecond=0)
        load_categories()
        for name, svg in read("logos.json").items():
            if not default_storage.exists(name):
                default_storage.save(name, ContentFile(svg.encode()))
        sites = ensure_sites(at=at)
        existing = Listing.objects.filter(site=sites["main"])
        before, requested = existing.count(), options["listings"]
        rows = listings()[:requested]
        there = set(existing.values_list("slug", flat=True))
        with drawing(row for row in rows if row["facts"]["slug"] not in there) as drawn:
            _load(rows, sites=sites, drawn=drawn, at=at)
        done = len(rows)
        more = copies(count=requested - done)
        while portion := list(islice(more, PORTION)):
            with transaction.atomic():
                add_listings(portion, sites=sites, at=at)
            done += len(portion)
            self.stdout.write(f"{done:,} of {requested:,}")
        for site in sites.values():
            refresh_tiers(site_id=site.pk)
            recount_terms(site_id=site.pk)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for stamp in STAMPS:
            changed(stamp)
        total = existing.count()
        self.stdout.write(f"{total - before} demo listings are new; {total} listings are there.")


@transaction.atomic
def _load(rows: Sequence[Row], *, sites: dict[str, Site], drawn: Drawn, at: datetime) -> None:
    logos, photos = store_logos(drawn), store_faces(drawn)
    placed = add_listings(rows, sites=sites, at=at, logos=logos, photos=photos)
    add_engagement(placed, people=visitors(at=at), at=at)
    add_history(placed, at=at)
    add_reviews(placed, at=at)
    add_texts(site=sites["main"], at=at)
    add_pictures(placed, drawn=drawn)
    if placed:
        add_boards(placed, at=at)
