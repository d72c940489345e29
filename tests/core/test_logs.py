"""No log line holds what opens something."""

import json
import logging
from typing import Any

import pytest
from django.core.signing import Signer, dumps
from django.test import Client
from django.test.client import RequestFactory

from core.logs import formatter

TOKEN = Signer(sep=".", salt="x").sign("abcdefghijklmnopqrstuvwxyzabcdef")
SECRETS = [
    f"/invites/{TOKEN}",
    f"/accounts/confirm-email/{dumps(7, salt='account')}/",
    "/accounts/password/reset/key/3-d2k9mf-0123456789abcdef0123456789abcdef/",
    f"/unsubscribe/{TOKEN}?list=weekly",
    f"/unsubscribe?token={TOKEN}",
]
PLAIN = [
    "/listings/a-product-with-quite-a-long-name/updates",
    "/api/v1/drafts/0b0e1f9a-6a4e-4c59-9a7e-1f2d3c4b5a69/invites",
    "/leaderboards/billboard?week=2026-11-16",
    'File "/srv/accounts/migrations/0003_client_registration.py", line 3',
]


def secret(path: str) -> str:
    return max(path.replace("=", "/").replace("?", "/").split("/"), key=len)


def lines(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(formatter().format(record) for record in caplog.records)


@pytest.mark.django_db
@pytest.mark.parametrize("path", SECRETS, ids=range(len(SECRETS)))
def test_a_refused_form_behind_a_mailed_link_is_logged_without_the_link(
    caplog: pytest.LogCaptureFixture, path: str
) -> None:
    Client(enforce_csrf_checks=True).post(path)
    request: Any = RequestFactory().get(path)
    logging.getLogger("django.request").error("Internal Server Error: %s", path, extra={"request": request})

    told = lines(caplog)

    assert secret(path) not in told
    assert "[secret]" in told
    assert json.loads(told.splitlines()[-1])["request"].startswith("<WSGIRequest")


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["short", "only-small-letters-without-any-digit-in-it", "a.py-b"])
def test_what_a_route_calls_a_token_is_never_logged(caplog: pytest.LogCaptureFixture, token: str) -> None:
    Client(enforce_csrf_checks=True).post(f"/invites/{token}")

    (told,) = [json.loads(line) for line in lines(caplog).splitlines() if "CSRF" in line]
    assert told["event"] == "Forbidden (CSRF cookie not set.): /invites/[secret]"
    assert token not in lines(caplog)


@pytest.mark.parametrize("path", PLAIN)
def test_what_opens_nothing_stays_readable(caplog: pytest.LogCaptureFixture, path: str) -> None:
    logging.getLogger("django.request").error("Internal Server Error: %s", path)

    assert json.loads(lines(caplog))["event"] == f"Internal Server Error: {path}"
