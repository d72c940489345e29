"""Idempotency-Key from outside: a change happens once, and what was refused may be tried again."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection, transaction

from core.api import idempotency
from core.models import Replay
from directory.models import Site
from drafts.models import Draft
from tests.conftest import Api, People

PATH = "/api/v1/drafts"
FIRST, OTHER = {"url": "https://example.com/"}, {"url": "https://example.org/"}
NOW = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)


@contextmanager
def running(call: idempotency.Call) -> Iterator[None]:
    """Another request that holds the key and has not answered yet."""
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                idempotency.hold(call)
                held.set()
                done.wait(timeout=30)
        finally:
            connection.close()

    other = threading.Thread(target=hold)
    other.start()
    assert held.wait(timeout=30)
    try:
        yield
    finally:
        done.set()
        other.join()


def test_the_same_key_and_body_get_the_stored_answer(api: Api, site: Site) -> None:
    caller = api("listings:write")
    first = caller.post(PATH, FIRST, Idempotency_Key="one")
    again = caller.post(PATH, FIRST, Idempotency_Key='"one"')

    assert (first.status_code, again.status_code, again.content) == (201, 201, first.content)
    assert not first.has_header("Idempotent-Replayed")
    assert again["Idempotent-Replayed"] == "true"
    assert Draft.objects.count() == 1


def test_an_answer_is_kept_for_24_hours(api: Api, site: Site) -> None:
    caller = api("listings:write")
    with time_machine.travel(NOW, tick=False):
        first = caller.post(PATH, FIRST, Idempotency_Key="one")
    with time_machine.travel(NOW + timedelta(hours=24), tick=False):
        kept = caller.post(PATH, FIRST, Idempotency_Key="one")
    with time_machine.travel(NOW + timedelta(hours=24, seconds=1), tick=False):
        forgotten = caller.post(PATH, OTHER, Idempotency_Key="one")

    assert kept.content == first.content
    assert (forgotten.status_code, forgotten.json()["url"]) == (201, OTHER["url"])


def test_another_body_is_refused_and_changes_nothing(api: Api, site: Site) -> None:
    caller = api("listings:write")
    caller.post(PATH, FIRST, Idempotency_Key="one")
    answer = caller.post(PATH, OTHER, Idempotency_Key="one")

    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_reused")
    assert Draft.objects.count() == 1


def test_a_key_belongs_to_a_person_and_an_operation(api: Api, site: Site, people: People) -> None:
    mine = api("listings:write").post(PATH, FIRST, Idempotency_Key="one")
    theirs = api("listings:write", user=people.stranger).post(PATH, OTHER, Idempotency_Key="one")
    edited = api("listings:write").patch(f"{PATH}/{mine.json()['id']}", {}, Idempotency_Key="one")

    assert (mine.status_code, theirs.status_code, edited.status_code) == (201, 201, 200)
    assert not edited.has_header("Idempotent-Replayed")


def test_an_empty_patch_is_answered_again_without_its_answer_being_stored(api: Api, site: Site) -> None:
    caller = api("listings:write")
    path = f"{PATH}/{caller.post(PATH, FIRST).json()['id']}"
    first, again = (caller.patch(path, {}, Idempotency_Key="one") for _ in range(2))
    other = caller.patch(path, {"faqs": []}, Idempotency_Key="one")

    assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)
    assert (first.has_header("Idempotent-Replayed"), again["Idempotent-Replayed"]) == (False, "true")
    assert (other.status_code, other.json()["code"]) == (400, "idempotency_key_reused")
    assert bytes(Replay.objects.get().body) == b""


def test_what_a_persons_answers_take_is_bounded_and_no_change_happens_twice(
    api: Api, site: Site, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller, theirs = api("listings:write"), api("listings:write", user=people.stranger)
    theirs.post(PATH, FIRST, Idempotency_Key="theirs")
    first = caller.post(PATH, FIRST, Idempotency_Key="first")
    size = len(first.content)
    monkeypatch.setattr(idempotency, "BYTES_PER_PERSON", 3 * size)
    path = f"{PATH}/{first.json()['id']}"
    for number in range(2 * idempotency.TRIM_EVERY):
        caller.patch(path, {"seo": {"title": f"Title {number}"}}, Idempotency_Key=f"key-{number}")

    stored = sum(len(row.body) for row in Replay.objects.filter(user=people.owner))
    latest = caller.patch(path, {"seo": {"title": f"Title {number}"}}, Idempotency_Key=f"key-{number}")
    oldest = caller.post(PATH, FIRST, Idempotency_Key="first")
    assert stored < (3 + idempotency.TRIM_EVERY) * size * 1.1
    assert (latest.status_code, latest["Idempotent-Replayed"]) == (200, "true")
    assert (oldest.status_code, oldest.json()["code"]) == (400, "idempotency_key_reused")
    assert theirs.post(PATH, FIRST, Idempotency_Key="theirs")["Idempotent-Replayed"] == "true"
    assert Draft.objects.count() == 2


def test_a_refusal_is_not_kept(api: Api, site: Site) -> None:
    caller = api("listings:write")
    refused = caller.post(PATH, {"url": "http://127.0.0.1/"}, Idempotency_Key="one")
    taken = caller.post(PATH, FIRST, Idempotency_Key="one")

    assert (refused.status_code, taken.status_code) == (400, 201)


def test_while_the_first_is_running_the_second_is_told_to_wait(api: Api, site: Site, people: People) -> None:
    caller = api("listings:write")
    body = idempotency.fingerprint(method="POST", path=PATH, body=FIRST)
    call = idempotency.Call(user_id=people.owner.pk, operation="submit_listing", key="one", fingerprint=body)
    with running(call):
        answer = caller.post(PATH, FIRST, Idempotency_Key="one")
    after = caller.post(PATH, FIRST, Idempotency_Key="one")

    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (
        400,
        "request_in_progress",
        "1",
    )
    assert answer.json()["retry_after"] == 1
    assert after.status_code == 201
    assert Draft.objects.count() == 1


@pytest.mark.parametrize("key", ["", "a b", "a" * 256, '"open', '""'])
def test_what_is_no_key_is_refused_and_changes_nothing(api: Api, site: Site, key: str) -> None:
    answer = api("listings:write").post(PATH, FIRST, Idempotency_Key=key)

    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_invalid")
    assert Draft.objects.count() == 0


def test_reads_do_not_look_at_it(api: Api, site: Site) -> None:
    assert api().get("/api/v1/site", Idempotency_Key="a b").status_code == 200
