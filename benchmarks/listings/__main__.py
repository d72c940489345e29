"""python -m benchmarks.listings --listings N: the demo, then combined listings up to N, to measure with."""

import argparse
import os
import sys
from contextlib import nullcontext

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.listings.bulk import TABLES, TERMS, without_indexes  # noqa: E402
from benchmarks.listings.data.bulk import bulk  # noqa: E402
from benchmarks.listings.data.demo import SEED, YEAR, handmade_count  # noqa: E402
from benchmarks.listings.loading import Loader  # noqa: E402
from benchmarks.listings.progress import Progress  # noqa: E402
from config.demo.people import ensure_sites  # noqa: E402
from core.cache import changed  # noqa: E402
from directory.search.lexemes import recount_terms  # noqa: E402
from directory.search.tiers import refresh_tiers  # noqa: E402

MANY = 20_000


def load(count: int) -> None:
    """All that lists and search read."""
    call_command("load_demo", "--listings", str(min(count, handmade_count())))
    at = timezone.now().replace(microsecond=0)
    sites = ensure_sites(at=at)
    further = count - handmade_count()
    if further > 0:
        progress = Progress(total=further, out=sys.stdout)
        with without_indexes() if further >= MANY else transaction.atomic():
            loader = Loader(sites=sites, at=at)
            loader.add_more(bulk(start=0, count=further, seed=SEED, year=YEAR), told=progress.advance)
            loader.finish()
            refresh_tiers(site_id=sites["main"].pk)
        progress.finish()
    with without_indexes(TERMS) if further >= MANY else nullcontext():
        for site in sites.values():
            recount_terms(site_id=site.pk)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for table in (*TABLES, *TERMS):
            cursor.execute(f"VACUUM (ANALYZE) {table}")
    for stamp in ("listings", "categories", "boards"):
        changed(stamp)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--listings", type=int, required=True)
    load(parser.parse_args().listings)
