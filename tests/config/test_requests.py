"""What is logged of requests, what every page carries, and odd requests in the shape of their address."""

import json
import logging
import os
import subprocess
import sys

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health
from config.embedded.paths import ROOT
from directory.models import Site


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """The lines of requests."""
    return [json.loads(record.getMessage()) for record in caplog.records if record.name == "requests"]


@pytest.fixture
def noted(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The log, which the requests' lines reach."""
    caplog.set_level(logging.INFO, logger="requests")
    logging.getLogger("requests").addHandler(caplog.handler)
    return caplog


def test_each_request_is_one_line_without_its_query(
    client: Client, site: Site, noted: pytest.LogCaptureFixture
) -> None:
    answer = client.get("/api/v1/listings?q=private", headers={"X-Request-Id": "look-for-this"})

    [line] = lines(noted)
    assert answer.status_code == 200
    assert isinstance(line.pop("seconds"), float)
    assert str(line.pop("timestamp")).startswith("20")
    assert line == {
        "event": "request",
        "method": "GET",
        "path": "/api/v1/listings",
        "status": 200,
        "request_id": "look-for-this",
        "operation": "search_listings",
    }


def test_secret_parts_of_a_path_are_not_written(
    client: Client, site: Site, noted: pytest.LogCaptureFixture
) -> None:
    client.get("/accounts/password/reset/key/9z-abcdef-0123456789/")

    assert [line["path"] for line in lines(noted)] == ["/accounts/password/reset/key/[secret]-[secret]/"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_what_only_watches_is_not_logged(
    client: Client, site: Site, noted: pytest.LogCaptureFixture, path: str
) -> None:
    client.get(path)

    assert lines(noted) == []


def test_nobody_is_sent_to_a_release_whose_migrations_have_not_run(
    client: Client, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_fully_migrated", [])
    last = MigrationRecorder.Migration.objects.filter(app="directory").latest("pk")
    last.delete()

    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "not_ready")
    assert answer.json()["checks"]["migrations"] == "pending"
    MigrationRecorder(connection).record_applied(last.app, last.name)
    assert client.get("/readyz").status_code == 200


def test_a_host_that_is_not_ours_is_refused_with_a_problem(client: Client, site: Site) -> None:
    answer = client.post("/mcp", {}, content_type="application/json", headers={"Host": "elsewhere.example"})

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["detail"] == "The Host header names no address of this service."


def test_and_at_a_page_with_a_page(client: Client, site: Site) -> None:
    answer = client.get("/account", headers={"Host": "elsewhere.example"})

    assert (answer.status_code, answer["Content-Type"]) == (400, "text/html; charset=utf-8")
    assert "The Host header names no address of this service." in answer.content.decode()


@pytest.mark.parametrize("path", ["/", "/admin/login/", "/accounts/login/"])
def test_pages_ask_for_no_powers(client: Client, site: Site, path: str) -> None:
    assert "camera=(), geolocation=()" in client.get(path)["Permissions-Policy"]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DATABASE_URL", "mysql://x", "DATABASE_URL must begin with postgres://"),
        ("DATABASE_URL", "postgres://x:port/y", "DATABASE_URL is not an address: "),
        ("EMAIL_URL", "pop://x", "EMAIL_URL must begin with smtp://"),
        ("EMAIL_URL", "smtp://[", "EMAIL_URL is not an address: "),
        ("PORT", "0", "PORT is '0'; use a number from 1 to 65535."),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL is 'LOUD'; use one of DEBUG, "),
        ("SECRET_KEY_FILE", "/nowhere", "SECRET_KEY_FILE: /nowhere cannot be read: "),
    ],
)
def test_settings_that_cannot_be_are_refused_in_one_sentence(name: str, value: str, sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env=os.environ | {name: value},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr.startswith(sentence), done.stderr.count("\n")) == (1, True, 1)
