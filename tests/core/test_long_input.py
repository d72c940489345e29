"""What is sent takes a time that grows with its length, and not with the square of it, at any door."""

import time
import unicodedata
from collections.abc import Iterator

import pytest
from django.test import Client

from core.logs import blot
from core.normal_forms import Form, normalize
from directory.models import Site
from drafts.machinery import photos_in
from drafts.writing.text import plain
from tests.conftest import Api

MANY = 50_000
# Python sorts these for half a minute of a processor each
PILES = {"two kinds": "e" + "\u0301" * MANY + "\u0327" * MANY, "that part": "\u0f73" * MANY}
DRAFT = "/api/v1/drafts/3f6c1f0e-7d0b-4f8e-9a55-0d8f1c2b7a10"
SECONDS = 5.0


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    began = time.thread_time()
    yield
    assert time.thread_time() - began < SECONDS


@pytest.mark.parametrize("pile", PILES.values(), ids=PILES)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_a_pile_is_in_order_by_thirties(form: Form, pile: str) -> None:
    result = normalize(form, pile)

    assert result.replace("\u034f", "").count(result[-1]) >= MANY
    assert all(len(part) <= 62 for part in result.split("\u034f"))


@pytest.mark.parametrize(
    "text", ["plain", "Cafe\u0301 ﬁn ｱﾞ", "e" + "\u0301" * 30, "กำลัง हिन्दी 日本語 한국어"]
)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_all_other_text_is_as_python_has_it(form: Form, text: str) -> None:
    assert normalize(form, text * 50) == unicodedata.normalize(form, text * 50)


@pytest.mark.parametrize("pile", PILES.values(), ids=PILES)
def test_every_door_answers(api: Api, client: Client, site: Site, pile: str) -> None:
    address = f"mira@{pile}.example"
    answers = [
        api("all").patch(DRAFT, {"fields": {"description": pile}}),
        client.post("/oauth/register", {"client_name": pile[:1000]}, content_type="application/json"),
        *(client.post("/accounts/login/", {"login": text, "password": "x"}) for text in (address, pile)),
        client.post("/accounts/login/code/", {"email": address}),
        client.post("/winners", {"email": address}),
    ]

    assert {answer.status_code for answer in answers} <= {200, 400}


@pytest.mark.parametrize("pile", PILES.values(), ids=PILES)
def test_a_website_is_read(pile: str) -> None:
    page = f"<html><body><p>Mira Vale</p><img src='/mira.jpg' alt='{pile}'></body></html>"

    assert photos_in([("https://tidewell.com/team", page)], people=[("Mira Vale", "")]) == []
    assert plain(pile)


def test_a_cookie_longer_than_any_is_none(client: Client, site: Site) -> None:
    long = 'theme=dark; a="' + '\\"' * 50_000 + '"'

    assert 'data-theme="dark"' in client.get("/", headers={"Cookie": "theme=dark"}).content.decode()
    assert 'data-theme="dark"' not in client.get("/", headers={"Cookie": long}).content.decode()


def test_a_long_address_is_logged_at_once() -> None:
    assert blot("Not Found: /" + "=" * 150_000).endswith("==")


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/listings?q=a", "/search?q=a", "/mcp?q=a", "/account/"])
def test_an_address_longer_than_any_is_refused(client: Client, site: Site, path: str) -> None:
    """Caches have addresses as keys: a thousand of 300 KB each took a web process beyond its memory."""
    answers = [client.get(path + "+" * length) for length in (8_000, 20_000)]

    assert answers[0].status_code in {200, 302, 404, 405}
    assert (answers[1].status_code, answers[1].json()["code"]) == (400, "invalid_request")
