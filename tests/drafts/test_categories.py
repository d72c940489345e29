"""Categories from a site's own words: set when sure, three offered when not, nothing decided by who uses it."""

import json
from functools import cache
from pathlib import Path

import pytest

from directory.data.categories import category_tree
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint
from tests.drafts.labelled import SITES, report_of, stands
from tests.drafts.test_extractive_odd import site_of

LABELS: dict[str, list[str]] = json.loads((SITES / "categories.json").read_text(encoding="utf-8"))
"""The categories that fit each site, by slug, labelled by reading."""
PARTS = Path(__file__).resolve().parents[2] / "benchmarks" / "parts"


@cache
def hints() -> tuple[CategoryHint, ...]:
    """The whole tree, as a writer takes it."""
    return tuple(
        CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in category_tree()
    )


@pytest.fixture(scope="module")
def slugs() -> dict[str, str]:
    """Slugs by name."""
    return {c.name: c.slug for c in category_tree()}


def test_categories_fit_sites_of_many_trades_and_languages(slugs: dict[str, str]) -> None:
    given = right = among = 0
    for name, accepted in LABELS.items():
        site = read_site(report_of(name))
        written = ExtractiveWriter(hints()).write(site, fields={"name", "categories"})
        drafted = written.fields["categories"]
        if drafted.value:
            given += 1
            right += slugs[drafted.value[0]] in accepted
            assert drafted.evidence
            assert all(stands(name, quote) for quote in drafted.evidence)
        among += bool({slugs[idea] for (idea,) in drafted.offered[:3]} & set(accepted))

    assert {slug for accepted in LABELS.values() for slug in accepted} <= set(slugs.values())
    assert right >= 0.85 * given
    assert right >= 0.60 * len(LABELS)
    assert among >= 0.80 * len(LABELS)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Invoices for law firms", "Invoicing"),
        ("Rechnungen schreiben für Restaurants", "Invoicing"),
        ("Nómina y recibos de sueldo para clínicas", "Payroll"),
        ("Программа складского учёта", "Inventory management"),
        ("Fakturowanie online", "Invoicing"),
        ("재고관리 프로그램", "Inventory management"),
        ("进销存与仓库管理", "Inventory management"),
        ("Stok takip ve depo yönetimi", "Inventory management"),
        ("Facturen maken en versturen", "Invoicing"),
    ],
)
def test_what_it_is_decides_in_any_language_and_never_who_uses_it(text: str, category: str) -> None:
    site = site_of(f'<title>{text}</title><meta name="description" content="{text}"><h1>{text}</h1>')

    drafted = ExtractiveWriter(hints()).write(site).fields["categories"]

    assert drafted.offered[0] == (category,)
    assert drafted.value in {None, (category,)}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Plant care on schedule: houseplants, photos", "Family and home"),
        ("Reparaturen, Schneiderei und Änderungen", "Home and local services"),
    ],
)
def test_what_sites_of_all_kinds_say_gives_way_to_what_few_say(text: str, category: str) -> None:
    site = site_of(f'<title>{text}</title><meta name="description" content="{text}"><h1>{text}</h1>')

    assert ExtractiveWriter(hints()).write(site).fields["categories"].offered[0] == (category,)


def test_a_site_that_says_nothing_of_a_category_gets_none_and_none_is_offered() -> None:
    site = site_of("<title>Zzyx</title><h1>Zzyx</h1><p>Qwrt plmk hgfd has nothing to do.</p>")

    assert ExtractiveWriter(hints()).write(site).fields["categories"].offered == ()


def test_sites_that_measure_are_labelled_in_the_tree_and_nothing_is_learned_from_them(
    slugs: dict[str, str],
) -> None:
    unseen, further, seen = (
        json.loads((PARTS / f"{name}_sites.json").read_text())["sites"]
        for name in ("unseen", "further", "seen")
    )
    chosen = json.loads((PARTS / "choices.json").read_text())

    labels = {
        slug
        for site in (*unseen, *seen)
        for slug in (
            *(site["gold"]["fields"]["categories"] or ()),
            *site["gold"].get("opt", {}).get("categories", ()),
        )
    }

    assert labels <= set(slugs.values())
    assert not {site["repo"] for site in unseen} & {site["repo"] for site in (*further, *seen)}
    assert not {site["id"] for site in unseen} & set(chosen)
