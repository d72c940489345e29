"""Events arrive at least once, signed, in their own time, and nobody's wait for anybody else's."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from django.utils import timezone
from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

from accounts import services_endpoints
from core import events, jobs
from core.event_types import TYPES
from core.models import Delivery, Endpoint, Job
from directory.moderation import banning
from tests.conftest import People
from tests.factories.events import Program, emit, pass_time, run_due
from tests.servers.website import Website, endless, html, in_turn, plain, redirect

EVERY_TYPE = {
    "draft.ready", "draft.failed", "listing.scheduled", "listing.awaiting_badge", "listing.live", "listing.week_closed",
    "listing.reviewed", "listing.suspended", "claim.verified", "claim.contested", "claim.lapsed", "order.paid",
    "order.fulfilled", "order.refunded", "order.disputed", "award.won",
}  # fmt: skip
FAILS = plain("no", status=500)
AHEAD = 3600.0  # no machine is so slow that this passes within a test


def test_the_types_are_those_of_the_contract(db: None) -> None:
    assert set(TYPES) == EVERY_TYPE


def test_an_event_arrives_signed_with_type_timestamp_and_data(program: Program) -> None:
    before = timezone.now().replace(microsecond=0)
    emit(program, "7")
    run_due()

    [request] = program.requests()
    body = Webhook(program.secret).verify(request.body, request.headers)
    row = Delivery.objects.get()
    assert set(body) == {"type", "timestamp", "data"}
    assert (body["type"], body["data"]) == ("toy.made", {"id": "7", "name": "Tidewell – ü"})
    assert body["timestamp"] == f"{row.created_at:%Y-%m-%dT%H:%M:%SZ}"
    assert request.headers["webhook-id"] == f"msg_{row.event.hex}"
    assert abs(int(request.headers["webhook-timestamp"]) - before.timestamp()) < 60
    assert request.headers["content-type"] == "application/json"
    assert (row.state, row.tries, row.http_status, row.answer, row.next_at) == (
        "delivered",
        1,
        200,
        "thanks",
        None,
    )
    with pytest.raises(WebhookVerificationError):
        Webhook(program.secret).verify(request.body + b" ", request.headers)


def test_an_event_is_of_the_transaction_of_its_change(program: Program) -> None:
    with transaction.atomic():
        emit(program, "7")
        assert Delivery.objects.count() == 1
        transaction.set_rollback(True)
    run_due()

    assert (Delivery.objects.count(), program.requests()) == (0, [])


def test_only_those_who_want_it_are_told(people: People, program: Program, website: Website) -> None:
    other = Program(website, user=people.owner, types=["order.paid"], host="other.test")
    stranger = Program(website, user=people.stranger, host="stranger.test")
    second = Program(website, user=people.owner, host="second.test")
    emit(program, "7")
    run_due()

    hosts = sorted((request.host, request.headers["webhook-id"]) for request in website.requests)
    event = Delivery.objects.values_list("event", flat=True).distinct().get()
    assert hosts == [("hooks.test", f"msg_{event.hex}"), ("second.test", f"msg_{event.hex}")]
    assert [row.deliveries() for row in (other, stranger)] == [[], []]
    assert len(second.deliveries()) == 1


def test_the_tries_keep_id_and_body_and_come_when_the_contract_says(
    program: Program, website: Website
) -> None:
    website.pages["/events"] = FAILS
    emit(program, "7")
    run_due()
    waits, since = [], Delivery.objects.get().created_at
    for _ in range(9):
        row = Delivery.objects.get()
        waits.append(round((row.next_at - row.tried_at).total_seconds()))
        assert Job.objects.get(kind="core.send_events", state="queued").run_after == row.next_at
        pass_time(waits[-1] - AHEAD)
        run_due()
        assert Delivery.objects.get().tries == row.tries  # not before its moment
        pass_time(AHEAD)
        run_due()

    assert [sum(waits[:n]) for n in range(10)] == [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]
    row = Delivery.objects.get()
    assert (row.state, row.tries, row.http_status, row.next_at, row.created_at) == (
        "failed",
        10,
        500,
        None,
        since,
    )
    requests = program.requests()
    assert {(r.headers["webhook-id"], r.body) for r in requests} == {
        (f"msg_{row.event.hex}", row.body.encode())
    }
    assert not Job.objects.filter(kind="core.send_events", state__in=["queued", "dead"]).exists()


@pytest.mark.parametrize(
    ("reply", "status", "answer"),
    [
        (html("", status=204), 204, ""),
        (plain("x" * 5000), 200, "x" * 1024),
        (plain("a\x00b\x1b[31mc"), 200, "ab[31mc"),
    ],
)
def test_what_counts_as_delivered(
    program: Program, website: Website, reply: Any, status: int, answer: str
) -> None:
    website.pages["/events"] = reply
    emit(program, "7")
    run_due()

    row = Delivery.objects.get()
    assert (row.state, row.http_status, row.answer) == ("delivered", status, answer)


def test_redirects_are_not_followed(program: Program, website: Website) -> None:
    website.pages |= {"/events": redirect("https://hooks.test/elsewhere"), "/elsewhere": plain("secret")}
    emit(program, "7")
    run_due()

    row = Delivery.objects.get()
    assert (row.state, row.http_status, row.tries) == ("waiting", 302, 1)
    assert [request.path for request in website.requests] == ["/events"]


def test_a_body_without_end_is_read_no_further_than_its_first_kilobyte(
    program: Program, website: Website
) -> None:
    website.pages["/events"] = endless(b"y" * 4096)
    emit(program, "7")
    run_due()

    row = Delivery.objects.get()
    assert (row.state, row.answer) == ("delivered", "y" * 1024)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/events",
        "https://[::1]/events",
        "https://10.1.2.3/events",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/events",
        "https://0x7f.1/events",
        "https://[::ffff:127.0.0.1]/events",
        "https://localhost/events",
        "https://metadata.google.internal/",
        "https://hooks.example.com:8443/events",
    ],
)
def test_nothing_is_sent_to_a_private_address(program: Program, url: str) -> None:
    Endpoint.objects.update(url=url)  # as if it had got past the form
    emit(program, "7")
    run_due()

    row = Delivery.objects.get()
    assert (row.state, row.http_status, row.tries) == ("waiting", None, 1)
    assert row.answer.endswith(".")


def test_a_name_that_leads_inside_is_found_when_it_is_dialled(
    program: Program, website: Website, settings: Any, dns_server: Any
) -> None:
    settings.CRAWL_RESOLVE, settings.DNS_SERVERS = {}, [dns_server.address]
    dns_server.answer("rebound.example.com", "A", "127.0.0.1")
    Endpoint.objects.update(url="https://rebound.example.com/events")
    emit(program, "7")
    run_due()

    assert Delivery.objects.get().answer == "rebound.example.com leads to an address that is not public."
    assert website.requests == []


def test_a_rotated_secret_signs_on_for_a_day(people: People, program: Program) -> None:
    former = program.secret
    _, fresh = services_endpoints.rotate_secret(
        user=people.owner, endpoint_id=program.endpoint.pk, at=timezone.now()
    )
    emit(program, "7")
    run_due()
    [request] = program.requests()
    for secret in (former, fresh):
        assert Webhook(secret).verify(request.body, request.headers)["data"]["id"] == "7"

    Endpoint.objects.update(former_until=timezone.now() - timedelta(seconds=1))
    emit(program, "8")
    run_due()
    request = program.requests()[-1]
    assert Webhook(fresh).verify(request.body, request.headers)["data"]["id"] == "8"
    with pytest.raises(WebhookVerificationError):
        Webhook(former).verify(request.body, request.headers)


def test_a_site_that_changes_its_own_key_keeps_the_secrets_of_others(program: Program, settings: Any) -> None:
    with override_settings(SECRET_KEY="n" * 50, SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        emit(program, "7")
        run_due()

    assert [body["data"]["id"] for body in program.received()] == ["7"]


def test_five_days_of_failing_switch_it_off_with_a_mail(
    program: Program, website: Website, mailoutbox: list[Any]
) -> None:
    website.pages["/events"] = FAILS
    emit(program, "1", "2")
    run_due()
    assert program.row().off_at is None
    Endpoint.objects.update(failing_since=timezone.now() - timedelta(days=5, seconds=-30))
    pass_time(5)
    run_due()
    assert program.row().off_at is None
    Endpoint.objects.update(failing_since=timezone.now() - timedelta(days=5))
    pass_time(300)
    run_due()

    row = program.row()
    assert (row.off_reason, {d.state for d in program.deliveries()}) == ("failing", {"failed"})
    jobs.run_due(queues={"mail"})
    [mail] = mailoutbox
    assert mail.subject == "Events to https://hooks.test/events are switched off"
    assert f"/account/webhooks/{row.pk}" in mail.body
    assert "whsec" not in mail.body
    seen = len(program.requests())
    emit(program, "3")
    run_due()
    assert (len(program.requests()), Delivery.objects.count()) == (seen, 2)


def test_days_without_a_try_are_no_days_of_failing(program: Program, website: Website) -> None:
    """It failed, nothing happened for days, and the first try of the next event fails: that is one failure."""
    website.pages["/events"] = FAILS
    emit(program, "1")
    run_due()
    before = timezone.now() - timedelta(days=6)
    Delivery.objects.update(tried_at=before, state=Delivery.State.FAILED, next_at=None)
    Endpoint.objects.update(failing_since=before)
    emit(program, "2")
    run_due()

    assert (program.row().off_at, program.row().failing_since > before) == (None, True)


def test_one_success_ends_the_count_of_days(program: Program, website: Website) -> None:
    website.pages["/events"] = in_turn(FAILS, plain("thanks"))
    emit(program, "1")
    run_due()
    Endpoint.objects.update(failing_since=timezone.now() - timedelta(days=6))
    pass_time(5)
    run_due()

    assert (program.row().failing_since, program.row().off_at) == (None, None)
    assert [row.state for row in program.deliveries()] == ["delivered"]


def test_what_says_that_it_is_gone_is_switched_off_at_once(program: Program, website: Website) -> None:
    website.pages["/events"] = plain("", status=410)
    emit(program, "1")
    run_due()

    assert (program.row().off_reason, program.deliveries()[0].state) == ("gone", "failed")


def test_a_try_that_fails_after_it_was_switched_off_is_the_last(
    people: People, program: Program, website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    def switch(*, is_on: bool) -> None:
        here = {"user": people.owner, "endpoint_id": program.endpoint.pk}
        services_endpoints.switch(**here, is_on=is_on, at=timezone.now())

    post = events._post

    def meanwhile(*args: Any, **how: Any) -> Any:
        switch(is_on=False)
        return post(*args, **how)

    website.pages["/events"] = FAILS
    monkeypatch.setattr(events, "_post", meanwhile)
    emit(program, "7")
    run_due()

    [row] = program.deliveries()
    assert (row.state, row.next_at, row.http_status, row.tries) == ("failed", None, 500, 1)
    switch(is_on=True)
    pass_time(AHEAD)
    run_due()
    assert len(program.requests()) == 1


def test_what_waits_for_a_banned_person_goes_out_once_the_ban_is_undone(
    people: People, program: Program
) -> None:
    emit(program, "7")
    undo = banning.ban(user_id=people.owner.pk, staff_id=people.staff.pk, reason="Spam.", at=timezone.now())
    run_due()
    assert program.requests() == []

    banning.undo_ban(undo_id=undo.pk, staff_id=people.staff.pk, at=timezone.now())
    pass_time(120)
    jobs.add("core.resume_events", key="now")
    run_due()
    assert [row.state for row in program.deliveries()] == ["delivered"]


@pytest.mark.parametrize(("banned", "after"), [(25, ("failed", None)), (1, ("delivered", None))])
def test_what_a_ban_made_older_than_its_tries_goes_out_by_hand_alone(
    people: People, program: Program, banned: int, after: tuple[str, None]
) -> None:
    emit(program, "7")
    at = timezone.now() - timedelta(hours=banned)
    undo = banning.ban(user_id=people.owner.pk, staff_id=people.staff.pk, reason="Spam.", at=at)
    Delivery.objects.update(created_at=timezone.now() - timedelta(hours=25))
    jobs.add("core.resume_events", key="daily")
    run_due()
    banning.undo_ban(undo_id=undo.pk, staff_id=people.staff.pk, at=timezone.now())
    pass_time(120)
    jobs.add("core.resume_events", key="now")
    run_due()

    [row] = program.deliveries()
    assert (row.thing, row.state, row.next_at) == ("7", *after)
    assert len(program.requests()) == (after[0] == "delivered")


def test_what_cannot_be_made_holds_nothing_up(program: Program) -> None:
    emit(program, "gone", "broken", "7")
    run_due()

    rows = [(row.thing, row.state) for row in program.deliveries()]
    assert rows == [("broken", "failed"), ("7", "delivered")]
    assert [json.loads(request.body)["data"]["id"] for request in program.requests()] == ["7"]


def test_nothing_of_a_secret_is_stored_or_logged(program: Program, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    emit(program, "1")
    run_due()

    bare = program.secret.removeprefix("whsec_")
    stored = json.dumps([list(Endpoint.objects.values()), list(Delivery.objects.values())], default=str)
    assert bare not in stored + caplog.text
