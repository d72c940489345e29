"""The pages of webhooks: a secret is shown once, strangers see nothing, and what was sent can be sent again."""

import re
import sys
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from standardwebhooks import Webhook

from accounts import limits, services
from core import jobs
from core.models import Delivery, Endpoint
from tests.conftest import People
from tests.factories.events import RECEIVERS, Program, check_receiver
from tests.factories.staff import staff_client
from tests.servers.website import Website, plain

PASSWORD = "correct horse battery"
HERE = "/account/webhooks"


@pytest.fixture
def owner(people: People) -> Client:
    services.create_user(email=people.owner.email, password=PASSWORD)
    client = Client()
    client.post("/accounts/login/", {"login": people.owner.email, "password": PASSWORD})
    return client


@pytest.fixture
def stranger(people: People) -> Client:
    services.create_user(email=people.stranger.email, password=PASSWORD)
    client = Client()
    client.post("/accounts/login/", {"login": people.stranger.email, "password": PASSWORD})
    return client


@pytest.fixture
def program(people: People, website: Website, settings: Any) -> Program:
    settings.CRAWL_RESOLVE = {}
    return Program(website, user=people.owner)


def secret_in(response: Any) -> str:
    match = re.search(
        r'<output id="the-secret">(whsec_[A-Za-z0-9+/]{32})</output>', response.content.decode()
    )
    return match[1] if match else ""


def text(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def add(client: Client, url: str = "https://hooks.tidewell.com/in", **changes: Any) -> Any:
    return client.post(HERE, {"url": url, "types": ["draft.ready", "order.paid"], **changes})


def test_the_secret_is_shown_once_and_the_owner_is_told(
    owner: Client, people: People, mailoutbox: list[EmailMessage]
) -> None:
    response = add(owner)

    row = Endpoint.objects.get()
    assert (row.user, row.url) == (people.owner, "https://hooks.tidewell.com/in")
    assert row.types == ["draft.ready", "order.paid"]
    secret = secret_in(response)
    assert secret.startswith("whsec_")
    assert response["Cache-Control"] == "private, no-store"
    for page in (HERE, f"{HERE}/{row.pk}"):
        assert "whsec_" not in owner.get(page).content.decode()
    jobs.run_due(queues={"mail"})
    [mail] = mailoutbox
    assert (mail.to, mail.subject) == ([people.owner.email], "A webhook was added on Launch Directory")
    assert secret not in mail.body


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://hooks.tidewell.com/in", "Events are sent by https only."),
        ("https://127.0.0.1/in", "127.0.0.1 is not an address on the public internet."),
        ("https://localhost/in", "localhost is not a name on the public internet."),
        ("https://hooks.tidewell.com:8443/in", "Only the web's own ports can be opened"),
        ("https://user:pass@hooks.tidewell.com/in", "must not hold a user name or password."),
        ("ftp://hooks.tidewell.com/in", "The address must begin with http:// or https://."),
        ("", "Give the address."),
        ("https://hooks.tidewell.com/" + "x" * limits.ENDPOINT_URL, "at most 2000 characters"),
    ],
)
def test_what_is_not_https_on_the_public_internet_is_refused(owner: Client, url: str, says: str) -> None:
    response = add(owner, url)

    assert (response.status_code, Endpoint.objects.count()) == (400, 0)
    assert says in text(response).replace("&#x27;", "'")


def test_the_same_address_twice_no_type_a_type_that_is_none_and_one_too_many(owner: Client) -> None:
    assert add(owner).status_code == 200
    assert "with this address already" in text(add(owner))
    assert "Choose at least one event." in text(add(owner, types=[]))
    assert add(owner, "https://b.tidewell.com/", types=["draft.gone"]).status_code == 400
    assert Endpoint.objects.count() == 1
    for number in range(1, limits.ENDPOINTS):
        add(owner, f"https://hooks{number}.tidewell.com/")
    refused = add(owner, "https://more.tidewell.com/")
    assert (refused.status_code, Endpoint.objects.count()) == (400, limits.ENDPOINTS)
    assert "You can have 10 webhooks." in text(refused)


def test_adding_long_after_signing_in_takes_the_password_again(owner: Client) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=6)):
        response = add(owner)

    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert not Endpoint.objects.exists()


def test_strangers_see_and_change_nothing(stranger: Client, program: Program) -> None:
    row, before = program.endpoint, Endpoint.objects.values().get()
    here = f"{HERE}/{row.pk}"
    posts = ("types", "rotate", "test", "on", "off", "delete", "deliveries/1/redeliver")
    answers = [stranger.get(here).status_code, stranger.get(f"{here}/delete").status_code]
    answers += [stranger.post(f"{here}/{act}", {"types": ["draft.ready"]}).status_code for act in posts]

    assert answers == [404] * 9
    assert (Endpoint.objects.values().get(), Delivery.objects.count()) == (before, 0)
    assert row.url not in stranger.get(HERE).content.decode()
    assert Client().get(here)["Location"] == f"/accounts/login/?next={here}"


def test_a_test_event_arrives_once_and_is_listed_with_its_answer(
    owner: Client, program: Program, website: Website
) -> None:
    website.pages["/events"] = plain("<b>thanks</b>", status=500)
    here = f"{HERE}/{program.endpoint.pk}"
    owner.post(f"{here}/test")

    [(name, data)] = program.work()
    assert (name, data) == ("test", {"message": "This is a test. Nothing happened."})
    [row] = program.deliveries()
    assert (row.state, row.tries, row.next_at) == ("failed", 1, None)
    page = owner.get(here)
    assert "Failed 1 try 500" in text(page)
    assert "&lt;b&gt;thanks&lt;/b&gt;" in page.content.decode()
    assert f"msg_{row.event.hex}" in text(page)


def test_redeliver_sends_the_same_again_from_its_first_try(
    owner: Client, program: Program, website: Website
) -> None:
    website.pages["/events"] = plain("no", status=500)
    here = f"{HERE}/{program.endpoint.pk}"
    owner.post(f"{here}/test")
    program.work()
    website.pages["/events"] = plain("thanks")
    [row] = program.deliveries()
    owner.post(f"{here}/deliveries/{row.pk}/redeliver")
    program.work()

    first, second = program.requests()
    assert (first.headers["webhook-id"], first.body) == (second.headers["webhook-id"], second.body)
    [row] = program.deliveries()
    assert (row.state, row.attempt, row.tries, row.answer) == ("delivered", 1, 2, "thanks")
    gone = owner.post(f"{here}/deliveries/{row.pk + 1}/redeliver")
    assert gone.status_code == 404


def test_a_new_secret_is_shown_once_and_both_sign(owner: Client, program: Program) -> None:
    response = owner.post(f"{HERE}/{program.endpoint.pk}/rotate")
    fresh = secret_in(response)

    assert fresh not in {"", program.secret}
    assert "The secret before it works for another 24 hours." in text(response)
    owner.post(f"{HERE}/{program.endpoint.pk}/test")
    program.work()
    [request] = program.requests()
    for secret in (fresh, program.secret):
        assert Webhook(secret).verify(request.body, request.headers)["type"] == "test"


def test_a_secret_made_twice_ends_none_of_those_before(owner: Client, program: Program) -> None:
    here = f"{HERE}/{program.endpoint.pk}"
    made = [secret_in(owner.post(f"{here}/rotate")) for _ in range(2)]
    owner.post(f"{here}/test")
    program.work()

    [request] = program.requests()
    for secret in (program.secret, *made):
        assert Webhook(secret).verify(request.body, request.headers)["type"] == "test"
    for _ in range(12):
        owner.post(f"{here}/rotate")
    owner.post(f"{here}/test")
    jobs.run_due(queues={"default"})
    assert len(program.requests()[-1].headers["webhook-signature"].split()) == 10


def test_switched_off_chosen_anew_and_deleted(owner: Client, program: Program, website: Website) -> None:
    website.pages["/events"] = plain("no", status=500)
    here = f"{HERE}/{program.endpoint.pk}"
    owner.post(f"{here}/test")
    owner.post(f"{here}/off")
    assert "Switched off by you. Nothing has been sent since" in text(owner.get(here))
    assert [row.state for row in program.deliveries()] == ["failed"]
    assert "Switch it on first." in text(owner.post(f"{here}/test", follow=True))
    assert len(program.deliveries()) == 1

    owner.post(f"{here}/on")
    assert program.row().off_at is None
    owner.post(f"{here}/types", {"types": ["award.won", "claim.lapsed"]})
    assert program.row().types == ["award.won", "claim.lapsed"]
    assert owner.post(f"{here}/types", {"types": []}).status_code == 400
    assert program.row().types == ["award.won", "claim.lapsed"]

    assert "Nothing more is sent" in text(owner.get(f"{here}/delete"))
    owner.post(f"{here}/delete")
    assert (Endpoint.objects.count(), Delivery.objects.count()) == (0, 0)
    assert program.work() == []


def test_tests_and_redeliveries_are_counted(owner: Client, program: Program, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 0.05  # three an hour
    statuses = [owner.post(f"{HERE}/{program.endpoint.pk}/test").status_code for _ in range(4)]

    assert (statuses, Delivery.objects.count()) == ([302, 302, 302, 429], 3)


def test_staff_see_what_fails_and_no_secret(program: Program) -> None:
    Endpoint.objects.update(failing_since=timezone.now())
    staff = staff_client("administrator")
    page = staff.get("/admin/core/endpoint/?failing_since__isnull=False").content.decode()

    assert "https://hooks.test/events" in page
    assert "Failing" in page
    assert program.secret not in page
    assert bytes(program.row().nonce).hex() not in page
    assert (
        "https://hooks.test/events"
        not in staff.get("/admin/core/endpoint/?off_at__isnull=False").content.decode()
    )


def test_the_receiver_in_python_checks_what_we_sign(people: People) -> None:
    check_receiver([sys.executable, str(RECEIVERS / "receiver.py")])
