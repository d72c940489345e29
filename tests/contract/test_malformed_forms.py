"""A multipart form that cannot be read is a 400 at every door, and changes nothing."""

import json

import pytest
from django.test import Client

from accounts.models import User
from directory.models import Site
from orders.models import Payment
from tests.conftest import People, signed_in
from tests.contract.test_hostile_input import ADDRESSES
from tests.factories.listings import make_listing
from tests.factories.oauth import Agent


def upload(file_name: bytes) -> bytes:
    """A picture's form."""
    return (
        b'--b\r\nContent-Disposition: form-data; name="picture"; filename="' + file_name + b'"\r\n'
        b"Content-Type: image/png\r\n\r\nx\r\n--b--\r\n"
    )


MULTIPART = "multipart/form-data; boundary=b"
MALFORMED = {
    "no boundary": ("multipart/form-data", b"aaa"),
    "long boundary": (f"multipart/form-data; boundary={'b' * 300}", b"--b\r\n\r\nx\r\n--b--\r\n"),
    "long header": (MULTIPART, b"--b\r\nX-Long: " + b"x" * 2000 + b"\r\n\r\nx\r\n--b--\r\n"),
    "long file name": (MULTIPART, upload(b"n" * 5000 + b".png")),
    "odd letters": ("multipart/form-data; boundary=\xe9", b"aaa"),
}
NUL = (MULTIPART, upload(b"a\x00.png"))
STRANGERS_FORMS = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/admin/login/",
    "/theme",
]
OWNERS_FORMS = ["/submit", "/account/interview", "/theme"]


def test_no_door_fails_by_it(people: People, site: Site) -> None:
    make_listing("tidewell", owner=people.owner)
    content_type, body = MALFORMED["no boundary"]
    owner = signed_in(people.owner)

    statuses = {
        path: owner.post(path, data=body, content_type=content_type).status_code for path in ADDRESSES
    }

    assert {path: status for path, status in statuses.items() if status >= 500} == {}
    assert len(statuses) > 100


@pytest.mark.parametrize("kind", MALFORMED)
def test_forms_refuse_it(people: People, site: Site, kind: str) -> None:
    content_type, body = MALFORMED[kind]
    owner, stranger = Client(), Client()
    owner.force_login(people.owner)
    token = Client(enforce_csrf_checks=True)
    token.get("/accounts/login/")
    guarded = {"X-CSRFToken": token.cookies["csrftoken"].value}

    statuses = [
        *(stranger.post(path, data=body, content_type=content_type).status_code for path in STRANGERS_FORMS),
        *(owner.post(path, data=body, content_type=content_type).status_code for path in OWNERS_FORMS),
        token.post("/accounts/login/", data=body, content_type=content_type, headers=guarded).status_code,
    ]

    assert set(statuses) == {400}
    assert User.objects.count() == 3


@pytest.mark.parametrize("kind", [*MALFORMED, "nul"])
def test_a_picture_whose_form_cannot_be_read_is_refused(people: People, site: Site, kind: str) -> None:
    listing = make_listing("tidewell", owner=people.owner)
    content_type, body = {**MALFORMED, "nul": NUL}[kind]
    owner = signed_in(people.owner)

    answer = owner.post(f"/account/listings/{listing.pk}/pictures", data=body, content_type=content_type)

    assert answer.status_code == 400
    listing.refresh_from_db()
    assert listing.media == []


@pytest.mark.parametrize("kind", MALFORMED)
@pytest.mark.parametrize("provider", ["stripe", "paypal", "btcpay"])
def test_webhooks_take_no_forms(site: Site, provider: str, kind: str) -> None:
    content_type, body = MALFORMED[kind]

    answer = Client().post(f"/webhooks/{provider}", data=body, content_type=content_type)

    assert answer.status_code in {400, 404}  # 404: this installation does not take its money
    assert not Payment.objects.exists()


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
@pytest.mark.parametrize(
    "content_type", ["multipart/form-data", MULTIPART, "application/json", "text/plain", ""]
)
def test_oauth_takes_the_form_of_its_standard_alone(site: Site, path: str, content_type: str) -> None:
    answer = Client().post(path, data=b"grant_type=refresh_token&token=a", content_type=content_type)

    assert (answer.status_code, json.loads(answer.content)["error"]) == (400, "invalid_request")
    assert "application/x-www-form-urlencoded" in json.loads(answer.content)["error_description"]


def test_consent_takes_a_plain_form_alone(people: People, site: Site) -> None:
    agent = Agent(people.owner)
    answers = [
        agent.browser.post(agent.address(), {"decision": "allow"}),
        agent.browser.post(agent.address(), {"decision": "allow"}, content_type="application/json"),
        agent.browser.post(agent.address(), data=b"aaa", content_type="multipart/form-data"),
    ]

    assert [(answer.status_code, answer.has_header("Location")) for answer in answers] == [(400, False)] * 3
