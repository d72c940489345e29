"""Find the words of categories that stand on sites of all kinds: most labelled sites that say one belong elsewhere."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.learn import HINTS, Labelled, labelled, name_of  # noqa: E402
from drafts.writing.extractive.categories import like_categories  # noqa: E402
from drafts.writing.identity import identify  # noqa: E402
from drafts.writing.likeness import COMMON_WORDS, Likeness, Term, stemmed  # noqa: E402
from drafts.writing.text import folded  # noqa: E402

SITES, RIGHT = 5, 0.2
"""On so many sites at least, and right on such a share of them at most."""
SAID = 0.9
"""What a word weighs at least that is said of a site, not only mentioned."""


def words_said(ranked: list[Likeness], accepted: list[str]) -> dict[Term, bool]:
    """The single words that a site says of itself, and whether one of them names a category that fits."""
    said: dict[Term, bool] = {}
    for one in ranked:
        for hit in one.hits:
            if hit.weight >= SAID and len(hit.term) == 1:
                said[hit.term] = said.get(hit.term, False) or one.hint.slug in accepted
    return said


def common(sites: Iterator[dict[Term, bool]]) -> list[str]:
    """The words that are common to sites of all kinds, as the category tree has them."""
    told: dict[Term, list[bool]] = {}
    for said in sites:
        for term, is_right in said.items():
            told.setdefault(term, []).append(is_right)
    wrong = {term for term, ways in told.items() if len(ways) >= SITES and sum(ways) <= RIGHT * len(ways)}
    words = {folded(phrase) for hint in HINTS for phrase in (hint.name, *hint.terms) if " " not in phrase}
    return sorted({min((w for w in words if stemmed([w]) == term), key=len) for term in wrong})


def _said(one: Labelled) -> dict[Term, bool]:
    names = identify(one.site, name_of(one.site)).names
    return words_said(like_categories(one.site, HINTS, names=names), one.gold["categories"])


def main() -> None:
    """Print them, and write them down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append", type=Path, default=[], help="a folder of labelled sites")
    parser.add_argument("--write", action="store_true", help=f"write {COMMON_WORDS.relative_to(ROOT)}")
    options = parser.parse_args()
    sites = (one for one in labelled(options.corpus) if isinstance(one.gold.get("categories"), list))
    words = common(_said(one) for one in sites)
    print("\n".join(words))
    if options.write:
        COMMON_WORDS.write_text("\n".join(words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
