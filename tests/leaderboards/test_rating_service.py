"""Ratings from an operator's rating service, asked over a real socket."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from core import jobs
from directory.models import Listing, Site
from leaderboards.models import DomainRating
from tests.factories.listings import make_listing


class Service(BaseHTTPRequestHandler):
    """Answers as `answers` says for each domain."""

    answers: ClassVar[dict[str, tuple[int, Any]]] = {}
    asked: ClassVar[list[tuple[str, str]]] = []

    def do_GET(self) -> None:
        domain = parse_qs(urlsplit(self.path).query)["domain"][0]
        self.asked.append((domain, self.headers.get("Authorization", "")))
        status, body = self.answers.get(domain, (404, {}))
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def service(settings: Any) -> Iterator[type[Service]]:
    Service.answers, Service.asked = {}, []
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        settings.DOMAIN_RATING_URL = f"http://127.0.0.1:{server.server_port}/rating"
        settings.DOMAIN_RATING_KEY, settings.DOMAIN_RATING_SOURCE = "secret", "graph"
        yield Service
        server.shutdown()


def test_known_ratings_are_stored_and_everything_else_stays_unknown(
    site: Site, service: type[Service]
) -> None:
    for slug in ("known", "unknown", "broken", "absurd"):
        make_listing(slug)
    service.answers = {
        "known.example": (200, {"domain_rating": 61.6}),
        "broken.example": (500, {}),
        "absurd.example": (200, {"domain_rating": 1e9}),
    }

    jobs.add("leaderboards.refresh_ratings", key="today")
    jobs.run_due()

    assert dict(Listing.objects.values_list("slug", "domain_rating")) == {
        "known": 62,
        "unknown": None,
        "broken": None,
        "absurd": None,
    }
    assert DomainRating.objects.get().source == "graph"
    assert {credential for _, credential in service.asked} == {"Bearer secret"}


def test_without_a_service_nothing_is_asked(site: Site, settings: Any) -> None:
    settings.DOMAIN_RATING_URL = ""
    make_listing("known")

    jobs.add("leaderboards.refresh_ratings", key="today")
    jobs.run_due()

    assert DomainRating.objects.count() == 0
