"""The listings that measurements know: those of the demo, then combined ones, any number of them.

Everything is deterministic: the same seed and number give the same listings on every machine.
"""

from collections.abc import Iterator

from benchmarks.listings.data.bulk import bulk
from benchmarks.listings.data.shapes import DemoListing
from config.demo import content

SEED = 7
YEAR = 2026


def handmade_count() -> int:
    """How many listings `manage.py load_demo` brings."""
    return len(content.listings())


def demo_listings(*, count: int, seed: int = SEED, year: int = YEAR) -> Iterator[DemoListing]:
    """The listings of the demo, then combined ones up to `count`. Founding years lie before `year`."""
    yield from (DemoListing.of_row(row) for row in content.listings()[:count])
    further = count - handmade_count()
    if further > 0:
        yield from bulk(start=0, count=further, seed=seed, year=year)
