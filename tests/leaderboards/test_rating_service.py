"""Ratings from an operator's rating service, asked over a real socket."""

import json
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from core import jobs
from directory.models import Listing, Site
from leaderboards import ratings
from leaderboards.models import DomainRating
from leaderboards.ratings import Rating, chosen_source, store_ratings
from tests.factories.listings import make_listing
from tests.waiting import undisturbed


class Service(BaseHTTPRequestHandler):
    """Answers as `answers` says for each domain."""

    answers: ClassVar[dict[str, tuple[int, Any]]] = {}
    asked: ClassVar[list[tuple[str, str]]] = []
    pause, over = 0.0, threading.Event()

    def do_GET(self) -> None:
        domain = parse_qs(urlsplit(self.path).query)["domain"][0]
        self.asked.append((domain, self.headers.get("Authorization", "")))
        status, body = self.answers.get(domain, (404, {}))
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        for piece in (raw[at : at + 1] for at in range(len(raw))) if self.pause else (raw,):
            self.wfile.write(piece)
            self.over.wait(self.pause)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def service(settings: Any) -> Iterator[type[Service]]:
    Service.answers, Service.asked, Service.pause, Service.over = {}, [], 0.0, threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        settings.DOMAIN_RATING_URL = f"http://127.0.0.1:{server.server_port}/rating"
        settings.DOMAIN_RATING_KEY, settings.DOMAIN_RATING_SOURCE = "secret", "graph"
        yield Service
        Service.over.set()
        server.shutdown()


def test_known_ratings_are_stored_and_everything_else_stays_unknown(
    site: Site, service: type[Service]
) -> None:
    for slug in ("known", "unknown", "broken", "absurd", "deep"):
        make_listing(slug)
    service.answers = {
        "known.example": (200, {"domain_rating": 61.6}),
        "broken.example": (500, {}),
        "absurd.example": (200, {"domain_rating": 1e9}),
        "deep.example": (200, b"[" * 100_000),
    }

    jobs.add("leaderboards.refresh_ratings", key="today")
    jobs.run_due()

    assert dict(Listing.objects.values_list("slug", "domain_rating")) == {
        "known": 62,
        "unknown": None,
        "broken": None,
        "absurd": None,
        "deep": None,
    }
    assert DomainRating.objects.get().source == "graph"
    assert {credential for _, credential in service.asked} == {"Bearer secret"}


def test_a_service_that_drips_holds_a_thread_no_longer_than_it_may(
    site: Site, service: type[Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(ratings, "PATIENCE_SECONDS", 0.8)
    domains = [f"{number}.example" for number in range(9)]
    service.answers, service.pause = dict.fromkeys(domains, (200, b" " * 9 + b'{"domain_rating": 1}')), 0.2
    source = chosen_source()
    assert source is not None

    with undisturbed() as clock:
        assert list(source.ratings(domains, today=date(2026, 11, 23))) == []

    assert (clock.seconds < 2, len(service.asked) < 4) == (True, True)


def test_what_the_service_does_not_know_keeps_nothing_else_from_being_asked_for(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "RATED_AN_HOUR", 1)
    for slug in ("known", "unknown"):
        make_listing(slug)
    DomainRating.objects.create(domain="known.example", value=5, source="graph", date=date(2026, 1, 1))

    asked = {domain for _ in range(64) for domain in ratings.domains_to_rate(at=timezone.now())}

    assert asked == {"known.example", "unknown.example"}


def test_without_a_service_nothing_is_asked(site: Site, settings: Any) -> None:
    settings.DOMAIN_RATING_URL = ""
    make_listing("known")

    jobs.add("leaderboards.refresh_ratings", key="today")
    jobs.run_due()

    assert DomainRating.objects.count() == 0


@pytest.mark.parametrize(("days", "change"), [(29, None), (30, 8), (31, 8)])
def test_a_change_is_told_once_there_is_a_figure_of_thirty_days_before(
    site: Site, days: int, change: int | None
) -> None:
    listing, today = make_listing(domain="brindle.test"), timezone.now().date()
    rows = ((40, today - timedelta(days=days)), (48, today))
    store_ratings(
        ratings=[Rating(domain="brindle.test", value=value, source="graph", date=day) for value, day in rows],
        at=timezone.now(),
    )

    listing.refresh_from_db()
    assert (listing.domain_rating, listing.domain_rating_detail["change_30d"]) == (48, change)
