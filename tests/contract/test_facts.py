"""The facts of a draft stand in one table: a new one is an entry there, and no other list is forgotten."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from directory.facts import FACTS, GROUPS, LIST_COLUMNS, TEXT_COLUMNS
from directory.models import Listing
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.answer import Claim
from drafts.writing.facts import DRAFTED
from drafts.writing.judging import Judge
from drafts.writing.prompt import REQUESTED

AREAS = ("accounts", "claims", "config", "core", "directory", "drafts", "leaderboards", "orders")
TABLE = "directory/facts.py"
LISTS_OF_THEIR_OWN = {
    "directory/listings/staff/listing_form.py": "which tab of staff's form each stands in",
    "directory/search/pages.py": "the filters of the search page, and where matched words are looked for",
    "directory/search/narrowing.py": "the facets that are counted",
    "directory/search/public_data.py": "the columns that a card shows, and other lists follow",
    "directory/wording.py": "a function each, for values that are codes",
    "directory/listings/sources.py": "the order of the page of sources",
    "directory/search/documents.py": "the shape of a summary",
    "drafts/facts/fitting.py": "a function each",
    "drafts/drafting/comparing.py": "the rows of a comparison, in their order",
    "drafts/writing/facts/texts.py": "those that are read together",
    "drafts/writing/openai_writer.py": "those that stay the rules' own",
    "drafts/writing/sureness.py": "those that weights are learned for",
    "directory/listings/next_actions.py": "what the free check looks at, in its order",
    "directory/listings/sellable.py": "what a listing needs before it can be sold a launch",
    "leaderboards/open_data/tables.py": "the columns of a published table, each with its words",
    "orders/invoices.py": "who buys, as a document says it",
    "orders/forms.py": "the fields of a billing address, some of the same names",
    "orders/selectors/payers.py": "the same",
    "orders/products/ai_review.py": "what a review is made of",
}


def literal_names(tree: ast.AST) -> Iterator[set[str]]:
    """The facts that each tuple, list, set and dictionary names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            entries: list[ast.expr | None] = [*node.elts]
        elif isinstance(node, ast.Dict):
            entries = [*node.keys]
        else:
            continue
        yield {entry.value for entry in entries if isinstance(entry, ast.Constant)} & set(FACTS)


def test_facts_are_listed_in_one_place() -> None:
    files = [path for area in AREAS for path in Path(settings.BASE_DIR / area).rglob("*.py")]
    listed = {
        str(path.relative_to(settings.BASE_DIR))
        for path in files
        if "migrations" not in path.parts
        and "demo" not in path.parts
        and any(len(names) >= 3 for names in literal_names(ast.parse(path.read_text())))
    }

    assert listed - {TABLE} == set(LISTS_OF_THEIR_OWN)


def test_the_table_is_whole() -> None:
    columns = {column.name for column in Listing._meta.get_fields()}

    assert set(DRAFTED) == set(FACTS)
    assert sum(fact.weight for fact in FACTS.values()) == 100
    assert {fact.group for fact in FACTS.values()} == set(GROUPS)
    assert {name for name, fact in FACTS.items() if fact.is_column} <= columns
    assert {*TEXT_COLUMNS, *LIST_COLUMNS, "founded_year", "categories"} == set(FACTS)


def test_most_facts_are_asked_of_a_model_and_checked_against_the_lines_it_names() -> None:
    page = CrawledPage(url="https://acme.test/", status=200, html="<h1>Acme</h1><p>Nothing.</p>")
    site = read_site(CrawlReport(start_url=page.url, home_url=page.url, robots="allowed", pages=(page,)))
    judge = Judge(site=site, name="Acme", categories=frozenset({"Tools"}))

    claims = [Claim(field=name, value="Zyx", lines=site.pages[0].texts) for name in FACTS]

    assert judge.judged(claims).fields == {}
    assert set(FACTS) - set(REQUESTED) == {"stage", "demo_video_url", "logo_url"}
