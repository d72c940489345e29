"""One size of the search measurement: asks every query of every engine and tells as JSON."""

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
django.setup()

from django.db import connection  # noqa: E402

from benchmarks.parts.search_peer import Peer  # noqa: E402
from benchmarks.parts.search_questions import Question, questions  # noqa: E402
from directory.models import Category, Listing, ListingStats, Site  # noqa: E402
from directory.search.query.browsing import browse_ids  # noqa: E402
from directory.search.query.finding import search_listings  # noqa: E402

REPEATS, HITS, WARM = 3, 10, 20
SIZES = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relname IN (
    'directory_searchdocument', 'directory_searchterm', 'directory_listing', 'directory_listingcard'
)
UNION ALL SELECT relname, pg_relation_size(oid) FROM pg_class WHERE relname LIKE 'search\\_%'
ORDER BY relname
"""
Engine = Callable[[str], list[int]]
Times = list[tuple[float, int]]


def ours(site: Site) -> Engine:
    """Our search, as the operation calls it."""
    return lambda text: list(search_listings(site=site, q=text, page=1, per_page=HITS).page.items)


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds, and the answer."""
    began = time.perf_counter()
    answer = call()
    return (time.perf_counter() - began) * 1000, answer


def measured(asked: Iterable[Question], engines: dict[str, Engine]) -> dict[str, dict[str, Times]]:
    """Ask every engine in turn; of three answers the fastest counts, as other work disturbs the rest."""
    found: dict[str, dict[str, Times]] = {name: {} for name in engines}
    for one in asked:
        runs: dict[str, list[tuple[float, list[int]]]] = {name: [] for name in engines}
        for _ in range(REPEATS):
            for name, engine in engines.items():
                runs[name].append(timed(lambda engine=engine, text=one.text: engine(text)))
        texts = texts_of({pk for answers in runs.values() for pk in answers[0][1]})
        for name, answers in runs.items():
            place = next(
                (
                    number
                    for number, pk in enumerate(answers[0][1], 1)
                    if one.has_answer and one.is_right(name=texts[pk][0], tagline=texts[pk][1])
                ),
                0,
            )
            found[name].setdefault(one.kind, []).append((min(took for took, _ in answers), place))
    return found


def texts_of(ids: Collection[int]) -> dict[int, tuple[str, str]]:
    """Names and taglines."""
    rows = Listing.objects.filter(pk__in=ids).values_list("pk", "name", "tagline")
    return {pk: (name, tagline) for pk, name, tagline in rows}


def shares(rows: Times) -> dict[str, float]:
    """Median and 95th percentile in ms, recall at 10, mean reciprocal rank."""
    times = sorted(took for took, _ in rows)
    return {
        "p50": times[len(times) // 2],
        "p95": times[math.ceil(len(times) * 0.95) - 1],
        "recall": sum(place > 0 for _, place in rows) / len(rows),
        "mrr": sum(1 / place for _, place in rows if place) / len(rows),
    }


def lists(site: Site, asked: Iterable[Question]) -> dict[str, float]:
    """The 95th percentile, in ms, of lists without words and with words and filters."""
    common = [one.text for one in asked if one.kind == "common"][:20]
    root, leaf = (
        Category.objects.filter(parent__isnull=is_root, counts__site=site)
        .order_by("-counts__total_listings")
        .first()
        for is_root in (True, False)
    )
    ways: dict[str, Callable[[str], Any]] = {
        f"{sort}, page {page} of 100": lambda _, sort=sort, page=page: browse_ids(
            site=site, sort=sort, page=page, per_page=100
        )
        for sort in ("votes", "newest")
        for page in (1, 1000)
    }
    filters: dict[str, dict[str, Any]] = {
        "root category": {"category": root.slug},
        "leaf category": {"category": leaf.slug},
        "country": {"country": "EE"},
        "country, category and stage": {"country": "EE", "category": leaf.slug, "stage": "growing"},
        "domain": {"domain": "nothing.example"},
    }
    for name, chosen in filters.items():
        ways[name] = lambda _, chosen=chosen: search_listings(site=site, page=1, per_page=20, **chosen)
    worded: dict[str, dict[str, Any]] = {
        "common word": {},
        "common word, root category": {"category": root.slug},
        "common word, country": {"country": "EE"},
        "common word, newest": {"sort": "newest"},
        "common word, votes": {"sort": "votes"},
    }
    for name, chosen in worded.items():
        ways[name] = lambda word, chosen=chosen: search_listings(
            site=site, q=word, page=1, per_page=20, **chosen
        )
    ways["common word, page 50"] = lambda word: search_listings(site=site, q=word, page=50, per_page=20)
    found = {}
    for name, way in ways.items():
        rows = [
            (min(timed(lambda way=way, word=word: way(word))[0] for _ in range(REPEATS)), 0)
            for word in common
        ]
        found[name] = shares(rows)["p95"]
    return found


def main() -> None:
    """Ask, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=100)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    site = Site.objects.get(key="main")
    with tempfile.TemporaryDirectory(prefix="tantivy-") as folder:
        peer = Peer(Path(folder))
        built, _ = timed(lambda: peer.fill(site_id=site.pk))
        peer_bytes = sum(path.stat().st_size for path in Path(folder).iterdir())
        engines = {"ours": ours(site), "tantivy": peer.fuzzy, "tantivy_staged": peer.staged}
        asked = questions(each=options.each)
        measured(asked[: WARM * 10], engines)
        answers = measured(asked, engines)
    with connection.cursor() as cursor:
        cursor.execute(SIZES)
        used = dict(cursor.fetchall())
        cursor.execute("SELECT version(), current_setting('shared_buffers')")
        version, buffers = cursor.fetchone()
    told = {
        "listings": ListingStats.objects.count(),
        "kinds": {
            name: {kind: shares(rows) for kind, rows in kinds.items()} for name, kinds in answers.items()
        },
        "lists": lists(site, asked),
        "bytes": {**used, "tantivy": peer_bytes},
        "tantivy_seconds": built / 1000,
        "postgresql": f"{version.split(' on ')[0]}, shared_buffers {buffers}",
    }
    options.out.write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
