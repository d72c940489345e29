"""A shop that sells, a buyer, and a stand-in for the EU's service for VAT numbers."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from directory.models import Listing, Site
from tests.conftest import Caller, People
from tests.factories.listings import make_listing
from tests.servers.model import KEY, Handler, ModelServer, completion
from tests.servers.website import Website, html

NEEDS = {"done_for_you": {"options": {"website": "https://tidewell.com/"}}}
NOWHERE = "http://127.0.0.1:9"  # a port that nobody listens on


@pytest.fixture(autouse=True)
def german_seller(request: Any, settings: Any) -> None:
    """A seller in Germany; VIES is away."""
    settings.SELLER_COUNTRY, settings.VAT_OSS, settings.VIES_URL = "DE", True, NOWHERE
    if {"site", "db", "transactional_db", "people"} & set(request.fixturenames):
        request.getfixturevalue("site")


def _reviews(handler: Handler, body: dict[str, Any]) -> None:
    """One finding, which quotes the name of whatever listing is asked about."""
    name = json.loads(body["messages"][-1]["content"])["listing"]["name"]
    finding = {"kind": "unclear", "title": "The name", "text": "Say what it is.", "quotes": [name]}
    handler.send(200, completion(json.dumps({"findings": [finding]})))


@pytest.fixture(scope="session")
def reviewer() -> Iterator[ModelServer]:
    """A language model that finds one thing."""
    with ModelServer(_reviews) as running:
        yield running


@pytest.fixture(autouse=True)
def with_a_model(reviewer: ModelServer, settings: Any) -> None:
    """A shop that can write reviews."""
    settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = KEY, reviewer.base_url


@pytest.fixture
def buyer(api: Callable[..., Caller]) -> Caller:
    """The owner's key."""
    return api("all")


@pytest.fixture
def draft(site: Site, people: People) -> Listing:
    """A saved listing of the owner, ready to launch."""
    return make_listing("tidewell", owner=people.owner, status="draft", launch_week=None)


@pytest.fixture
def live(site: Site, people: People) -> Listing:
    """A live listing of the owner, on the free plan."""
    return make_listing("brindle", owner=people.owner)


class Vies(Website):
    """Says of numbers what it was told; of others that they are not registered."""

    def __init__(self) -> None:
        super().__init__(otherwise=_said(isValid=False, userError="INVALID"))

    def knows(self, number: str, reply: Any = None) -> None:
        """A registered number, or what is answered of it."""
        self.pages[f"/ms/{number[:2]}/vat/{number[2:]}"] = reply or _said(
            isValid=True, userError="VALID", requestIdentifier="WAPIAAAA1"
        )


def _said(**answer: Any) -> Any:
    return html(json.dumps(answer), content_type="application/json")


@pytest.fixture
def vies(settings: Any, german_seller: None) -> Iterator[Vies]:
    """A running stand-in."""
    with Vies() as running:
        host, port = running.address
        settings.VIES_URL = f"http://{host}:{port}"
        yield running


def cart(*items: Any, **more: Any) -> dict[str, Any]:
    """A body; an item may be a product's code alone."""
    rows = [{"product": item, **NEEDS.get(item, {})} if isinstance(item, str) else item for item in items]
    return {"items": rows, **more}


def codes(answer: Any) -> list[tuple[str, str]]:
    """Where something is wrong, and what."""
    assert answer.status_code == 400, answer.content
    return [(error["pointer"], error["code"]) for error in answer.json()["errors"]]


@pytest.fixture
def me(owner: Client) -> Client:
    """The owner, who pays."""
    return owner
