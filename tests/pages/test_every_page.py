"""What every page keeps to: its weight, its cost, its one address, its own origin, no fact that it does not show."""

import gzip
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from accounts import urls as accounts
from accounts.models import User
from claims import urls as claims
from config import urls as config
from directory import urls as directory
from directory.sites.catalogue import ensure_default_site
from drafts import urls as drafts
from leaderboards import urls as leaderboards
from orders import urls as orders
from tests.directory.outline import page as outlined
from tests.pages.makers import add_more_to_account
from tests.pages.reading import Read, read
from tests.pages.table import LISTED, OWN, PAGES, PUBLIC, Page
from tests.pages.world import add_more
from tests.words import raw_values

HERE = "http://127.0.0.1:8000"
RAW, TOGETHER, WARM_HOME = 60_000, 100_000, 20_000  # bytes
STATEMENTS = 12
READY_PACKED = (".woff2", ".png", ".webp")
Reader = Callable[[Page], Client]
# What answers with no page of its own: deeds, images, feeds, parts, redirects, and what a page above shows as well.
NO_PAGE = re.compile(
    r"share/|\.(png|svg|json|xml|txt|ico|ics|gz|csv)$|^feeds/|^badges/|^media/|^theme$|/(follow|remind|vote|check|again|progress|invites|refund|place|"
    r"edit|story|milestones|pictures|free|badge|remove|delete|rotate|cancel|back|part|export|waiting|words|move|logo|visit|week|enter/<int:listing_id>|types|test|redeliver|take)$|(on|off)\)\$$|lines/|documents/|pictures/removed/|reviews/<int|questions/<int|^listings$|^drafts$|^leaderboards$|^best(/<slug:category>)?$|"
    r"suggestions$|^webhooks/|^pay/|login/code/confirm/|password/set/|^docs/try$|confirm-email"
)


@cache
def packed(address: str) -> int:
    """How many bytes of a file travel."""
    path = finders.find(address.removeprefix("/static/"))
    assert isinstance(path, str), address
    body = Path(path).read_bytes()
    return len(body if path.endswith(READY_PACKED) else gzip.compress(body))


def test_every_page_is_in_the_table_and_well_formed(names: dict[str, str], reader: Reader) -> None:
    """A new page is put into the table, and so comes under everything that is proved of pages."""
    ours = [accounts, claims, config, directory, drafts, leaderboards, orders]
    own = [str(pattern.pattern) for urls in ours for pattern in urls.PAGES]
    routes = {resolve(page.at(names).partition("?")[0]).route for page in PAGES if page.status != 404}
    assert [route for route in own if route not in routes and not NO_PAGE.search(route)] == []

    raw = {}
    for page in PAGES:
        text = outlined(reader(page), page.at(names), page.status)
        assert 'src=""' not in text, page.name
        raw[page.name] = [] if page.name.startswith("docs") else raw_values(text)
    assert {name: values for name, values in raw.items() if values} == {}
    signed_in = reader(OWN[0])
    assert [page.name for page in LISTED if "/account" not in read(signed_in, page.at(names)).links] == []


def test_public_pages_are_light_have_one_address_and_state_what_they_show(
    names: dict[str, str], reader: Reader
) -> None:
    faults: dict[str, list[Any]] = {}
    kinds = set()
    for page in PUBLIC:
        address = page.at(names)
        noisy = f"{address}{'&' if '?' in address else '?'}utm_source=mail&ref=x"
        answer = reader(page).get(noisy, headers={"Accept-Encoding": "gzip"})
        found = Read(gzip.decompress(answer.content).decode())
        kinds |= {block["@type"] for block in found.data}
        own = f"/weeks/{names['this_week']}" if page.name == "week" else address
        faults[page.name] = [
            *_weight(page, found, len(answer.content)),
            *(one for one in found.loaded if not one.startswith("/")),
            *(fact for block in found.data for fact in _facts(block) if not _is_shown(fact, found)),
            *(found.canonical if page.is_listed and found.canonical != [f"{HERE}{own}"] else ()),
            *(() if found.canonical or not page.is_listed else ("no address",)),
        ]

    assert {name: wrong for name, wrong in faults.items() if wrong} == {}
    assert kinds == {"WebSite", "BreadcrumbList", "Product", "FAQPage", "Person", "BlogPosting", "Dataset"}


def _weight(page: Page, found: Read, travels: int) -> list[str]:
    """What is too heavy: the HTML, all that a first visit loads, or the home page when the rest is known."""
    raw = len(found.text.encode())
    together = travels + sum(packed(one) for one in set(found.loaded) if one.startswith("/static/"))
    is_light = travels <= WARM_HOME or page.name != "home"
    return [] if raw <= RAW and together <= TOGETHER and is_light else [f"{raw}, {travels}, {together}"]


def test_forty_rows_cost_no_statement_more_than_one(
    names: dict[str, str], reader: Reader, ines: User, client: Client
) -> None:
    before = _costs(names, reader)
    add_more(owner=ines, rows=40)
    add_more_to_account(owner=ines, site=ensure_default_site(), at=timezone.now(), rows=40)
    after = _costs(names, reader)

    assert {name: (before[name], after[name]) for name in before if after[name] != before[name]} == {}
    assert {page.name: after[page.name] for page in PUBLIC if after[page.name] > STATEMENTS} == {}
    for path in ("/categories/invoicing", "/founders", "/blog", "/awards", "/weeks/this"):
        own = f"/weeks/{names['this_week']}" if path == "/weeks/this" else path
        assert read(client, f"{path}?page=2&utm_source=x").canonical == [f"{HERE}{own}?page=2"]


def _costs(names: dict[str, str], reader: Reader) -> dict[str, int]:
    costs = {}
    for page in PAGES:
        client, address = reader(page), page.at(names)
        client.get(address)  # what a process keeps is kept now
        with CaptureQueriesContext(connection) as statements:
            client.get(address)
        costs[page.name] = len(statements)
    return costs


def test_what_moved_leads_on_and_what_is_gone_says_so(names: dict[str, str], client: Client) -> None:
    for path in ("", "/sources", "/alternatives", "/badges", "/report", "/claim"):
        moved = client.get(f"/listings/tidal{path}")
        gone = read(client, f"/listings/gone{path}", status=410)
        assert (moved.status_code, moved.headers.get("Location")) == (301, f"/listings/tidewell{path}")
        assert "It is no longer part of this directory." in gone.words


def _facts(data: Any, name: str = "") -> list[tuple[str, Any]]:
    """Each fact of structured data with its name; what only says how to read them is left out."""
    if isinstance(data, dict):
        return [
            fact for key, inside in data.items() if not key.startswith("@") for fact in _facts(inside, key)
        ]
    if isinstance(data, list):
        return [fact for inside in data for fact in _facts(inside, name)]
    return [(name, data)]


def _is_shown(fact: tuple[str, Any], page: Read) -> bool:
    """Words by the letter, days as the pages write them, addresses as links; a free price is the word."""
    name, value = fact
    if name in {"position", "query-input", "urlTemplate"}:
        return True
    if name in {"price", "priceCurrency"}:
        return str(value) in {"0", "EUR"} and "Free" in page.words
    if name.startswith("date"):
        return any(str(value).startswith(str(day)[:10]) for day in page.all("//time/@datetime"))
    if name == "sameAs" and urlsplit(value).netloc in page.words:
        return True  # the link to a website leads through a page that counts
    if str(value).startswith(("http://", "https://")):
        own = str(value).removeprefix(HERE)
        return (
            str(value) in [*page.links, *page.canonical] or own in [*page.links, *page.loaded] or own == "/"
        )
    return " ".join(str(value).split()) in page.words
