"""Jobs: added once, claimed once, tried again, fenced off, buried."""

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from core import jobs
from core.jobs import reaping
from core.models import Job


@pytest.fixture
def kind(db: None) -> Iterator[dict[str, Any]]:
    """A kind of job whose runs are noted, and whose handler can be swapped."""
    seen: dict[str, Any] = {"runs": [], "dead": [], "do": lambda lease: None}

    @jobs.job(
        "tests.kind",
        attempts=3,
        lease_seconds=30,
        every=3600,
        on_dead=lambda **told: seen["dead"].append(told),
    )
    def handler(lease: jobs.Lease, *, word: str) -> None:
        seen["runs"].append(word)
        seen["do"](lease)

    yield seen
    del jobs.KINDS["tests.kind"]


def the_job() -> Job:
    return Job.objects.get(kind="tests.kind")


def test_the_same_key_is_added_once_and_runs_once(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="first")
    jobs.add("tests.kind", key="one", word="second")

    assert jobs.run_due() == 1
    assert jobs.run_due() == 0
    assert (kind["runs"], the_job().state) == (["first"], "done")


def test_a_job_that_is_not_due_waits(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", run_after=timezone.now() + timedelta(hours=1), word="later")

    assert (jobs.run_due(), the_job().state) == (0, "queued")


def test_what_is_asked_for_again_while_it_runs_is_not_begun_beside_itself(kind: dict[str, Any]) -> None:
    def ask(lease: jobs.Lease) -> None:
        jobs.again("tests.kind", key="one", at=timezone.now(), word="again")
        lease.guard()

    kind["do"] = ask
    jobs.add("tests.kind", key="one", word="first")

    assert (jobs.run_due(at_most=3), the_job().state, kind["runs"]) == (1, "done", ["first"])


def test_a_failure_is_put_off_and_after_the_last_attempt_buried_with_its_reason(kind: dict[str, Any]) -> None:
    def fail(lease: jobs.Lease) -> None:
        raise OSError("the disk is full")

    kind["do"] = fail
    jobs.add("tests.kind", key="one", word="w")
    for attempt in (1, 2, 3):
        jobs.run(job_id=the_job().pk)
        assert the_job().attempt == attempt
        Job.objects.update(run_after=timezone.now())

    row = the_job()
    assert (row.state, row.last_error) == ("dead", "OSError: the disk is full")
    assert kind["dead"] == [{"key": "one", "error": "OSError: the disk is full", "word": "w"}]


@pytest.mark.parametrize(
    ("error", "state"),
    [(jobs.PermanentError("no such account"), ("dead", 1)), (jobs.NotNowError(seconds=60), ("queued", 0))],
)
def test_what_time_cannot_heal_is_buried_at_once_and_waiting_its_turn_is_no_attempt(
    kind: dict[str, Any], error: Exception, state: tuple[str, int]
) -> None:
    def refuse(lease: jobs.Lease) -> None:
        raise error

    kind["do"] = refuse
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    assert (the_job().state, the_job().attempt) == state


@pytest.mark.parametrize(
    ("code", "minutes", "attempts"), [("55P03", 0, 0), ("40P01", 50, 0), ("40P01", 70, 1), ("57014", 0, 1)]
)
def test_giving_way_to_others_in_the_database_is_no_attempt_for_an_hour(
    kind: dict[str, Any], code: str, minutes: int, attempts: int
) -> None:
    def give_way(lease: jobs.Lease) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'given way' USING ERRCODE = '{code}'; END $$")

    kind["do"] = give_way
    jobs.add("tests.kind", key="one", word="w")
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=minutes))
    jobs.run_due()

    assert "given way" in the_job().last_error
    waits = the_job().run_after - timezone.now()
    assert (the_job().state, the_job().attempt, waits < timedelta(seconds=10)) == ("queued", attempts, True)


def test_a_worker_that_lost_its_lease_can_neither_renew_nor_write_nor_finish(kind: dict[str, Any]) -> None:
    def be_overtaken(lease: jobs.Lease) -> None:
        Job.objects.filter(pk=lease.job_id).update(token=uuid.uuid4())
        with pytest.raises(jobs.LeaseLostError):
            lease.guard()
        lease.renew()

    kind["do"] = be_overtaken
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    assert the_job().state == "running"


def test_a_dead_workers_job_is_taken_over_once_its_lease_has_ended(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    claimed = jobs.claim(job_id=the_job().pk)
    assert claimed is not None
    assert jobs.claim(job_id=the_job().pk) is None

    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.run_due()

    assert (kind["runs"], the_job().state, the_job().attempt) == (["w"], "done", 2)


def test_the_reaper_buries_a_job_whose_worker_died_each_time(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    past = timezone.now() - timedelta(minutes=5)
    Job.objects.update(state="running", attempt=3, lease_until=past, run_after=past, token=uuid.uuid4())

    jobs.reap(queues=["default"])

    assert (the_job().state, len(kind["dead"])) == ("dead", 1)


def stuck(kind: str, *, key: str, attempt: int = 0) -> Job:
    """A row as an older or a newer release may have left it."""
    past = timezone.now() - timedelta(minutes=5)
    return Job.objects.create(
        kind=kind, key=key, queue="default", run_after=past, created_at=past, attempt=attempt, max_attempts=5
    )


def test_kinds_nobody_knows_become_dead_letters_and_keep_nothing_else_waiting(
    kind: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    used_up = stuck("removed.kind", key="attempts used up", attempt=5)
    for number in range(reaping.AT_ONCE + 1):
        stuck("removed.kind", key=str(number))
    jobs.add("tests.kind", key="one", word="good")
    Job.objects.filter(kind="tests.kind").update(hint_until=None)

    assert jobs.reap(queues=["default"]) == 1
    jobs.reap(queues=["default"])

    used_up.refresh_from_db()
    assert (used_up.state, used_up.last_error) == ("dead", reaping.UNKNOWN_KIND)
    assert not Job.objects.filter(kind="removed.kind").exclude(state="dead").exists()
    assert the_job().state == "queued"
    buried = [record for record in caplog.records if record.getMessage() == "job buried"]
    assert ("removed.kind", "attempts used up") in {(record.kind, record.key) for record in buried}  # type: ignore[attr-defined]


def test_the_release_that_knows_a_kind_takes_it_back_from_the_dead(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    known = jobs.KINDS.pop("tests.kind")
    jobs.reap(queues=["default"])
    buried = the_job().state
    jobs.KINDS["tests.kind"] = known
    jobs.reap(queues=["default"])
    jobs.run_due()

    assert (buried, the_job().state) == ("dead", "done")


def test_a_burial_whose_on_dead_fails_is_a_burial_that_says_so(db: None) -> None:
    def raise_fault(**_: Any) -> None:
        raise ValueError("no such draft")

    @jobs.job("tests.fragile", attempts=1, on_dead=raise_fault)
    def fail(lease: jobs.Lease) -> None:
        raise OSError("the disk is full")

    try:
        jobs.add("tests.fragile", key="ran")
        jobs.run_due()
        stuck("tests.fragile", key="lost", attempt=5)
        jobs.reap(queues=["default"])
    finally:
        del jobs.KINDS["tests.fragile"]

    rows = dict(Job.objects.values_list("key", "last_error"))
    assert set(Job.objects.values_list("state", flat=True)) == {"dead"}
    assert rows["ran"] == "OSError: the disk is full\nAfter that, on_dead failed: ValueError: no such draft"
    assert rows["lost"].endswith("on_dead failed: ValueError: no such draft")


def test_each_service_of_a_kind_gets_what_it_takes_in_their_order(db: None) -> None:
    seen: list[tuple[Any, ...]] = []

    def first(*, week: date, at: datetime) -> None:
        seen.append(("first", week, at.tzinfo is not None))

    def second(*, week: str, lease: jobs.Lease) -> None:
        seen.append(("second", week, lease.key))

    jobs.does("tests.two", first, second)
    try:
        jobs.add("tests.two", key="one", week="2026-11-23")
        jobs.run_due()
    finally:
        del jobs.KINDS["tests.two"]

    assert seen == [("first", date(2026, 11, 23), True), ("second", "2026-11-23", "one")]
    assert Job.objects.get(kind="tests.two").state == "done"


def test_a_moment_that_was_added_is_not_the_leases(db: None) -> None:
    seen: list[object] = []

    def service(*, at: str) -> None:
        seen.append(at)

    jobs.does("tests.moment", service)
    try:
        jobs.add("tests.moment", key="one", at="2026-11-23T00:00:00Z")
        jobs.run_due()
    finally:
        del jobs.KINDS["tests.moment"]

    assert seen == ["2026-11-23T00:00:00Z"]


def test_a_reason_that_no_text_column_takes_is_stored_without_the_offence(kind: dict[str, Any]) -> None:
    def fail(lease: jobs.Lease) -> None:
        raise ValueError("title is 'a\0b'")

    kind["do"] = fail
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    assert (the_job().state, the_job().last_error) == ("queued", "ValueError: title is 'ab'")


def test_what_a_clock_that_ran_ahead_has_put_off_is_due_once_it_is_right_again(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    ahead = timezone.now() + timedelta(days=3)
    Job.objects.update(created_at=ahead, run_after=ahead, hint_until=ahead)

    assert (jobs.run_due(), jobs.reap(queues=["default"]), jobs.run_due()) == (0, 1, 1)


def test_a_lease_that_a_clock_ran_ahead_with_ends(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    jobs.claim(job_id=the_job().pk)
    Job.objects.update(lease_until=timezone.now() + timedelta(days=3))

    assert (jobs.run_due(), the_job().attempt) == (1, 2)


def test_each_run_is_one_line(kind: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    jobs.add("tests.kind", key="one", word="w")
    jobs.run_due()

    (line,) = [vars(record) for record in caplog.records if record.name == "core.jobs.queue"]
    said = {name: line[name] for name in ("kind", "key", "attempt", "outcome", "job_id")}
    assert said == {
        "kind": "tests.kind",
        "key": "one",
        "attempt": 1,
        "outcome": "done",
        "job_id": str(the_job().pk),
    }
    assert 0 <= line["seconds"] < 60


def test_dead_jobs_alone_are_forgotten(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")

    assert jobs.forget(job_id=the_job().pk) is False
    Job.objects.update(state="dead")
    assert (jobs.forget(job_id=the_job().pk), Job.objects.count()) == (True, 0)


def test_a_dead_job_can_be_revived(kind: dict[str, Any]) -> None:
    jobs.add("tests.kind", key="one", word="w")
    Job.objects.update(state="dead", attempt=3)

    assert jobs.revive(job_id=the_job().pk, at=timezone.now()) is True
    jobs.run_due()
    assert the_job().state == "done"


def test_a_periodic_job_is_added_once_for_its_time_slot(kind: dict[str, Any]) -> None:
    jobs.add_periodic()
    jobs.run_due(queues=[])
    jobs.add_periodic()

    assert Job.objects.filter(kind="tests.kind").count() == 1


def test_a_periodic_job_that_still_waits_is_not_added_once_more(kind: dict[str, Any]) -> None:
    jobs.add_periodic()
    Job.objects.filter(kind="tests.kind").update(key="every-3600s:1")

    assert "tests.kind" not in jobs.add_periodic()
    Job.objects.filter(kind="tests.kind").update(state="done")
    assert "tests.kind" in jobs.add_periodic()


def test_what_is_paused_is_neither_begun_nor_hinted_at_nor_buried_until_it_is_resumed(
    kind: dict[str, Any],
) -> None:
    jobs.add("tests.kind", key="one", word="w")
    Job.objects.create(
        kind="tests.gone", key="1", queue="default", run_after=timezone.now(), created_at=timezone.now()
    )
    Job.objects.update(hint_until=None)
    assert (jobs.pause(queue="default", reason="a"), jobs.pause(queue="default", reason="b")) == (True, False)

    assert (jobs.run_due(), jobs.claim(job_id=the_job().pk)) == (0, None)
    assert jobs.reap(queues=["default"]) == 0
    assert set(Job.objects.values_list("state", "attempt")) == {("queued", 0)}
    assert jobs.pauses()["default"].reason == "a"
    jobs.resume(queue="default")
    assert (jobs.run_due(), kind["runs"]) == (1, ["w"])


def test_while_everything_is_paused_nothing_periodic_begins(kind: dict[str, Any]) -> None:
    jobs.pause(queue=jobs.ALL, reason="restored")

    assert jobs.add_periodic() == []
    assert "beat" in jobs.heartbeats()
    jobs.add("tests.kind", key="one", word="w")
    assert jobs.run_due() == 0
    assert jobs.resume(queue=jobs.ALL)
    assert "tests.kind" in jobs.add_periodic()


def test_a_place_is_taken_once_however_many_ask_at_the_moment_it_is_free() -> None:
    inside, most, name = set[int](), 0, f"contended-{uuid.uuid4()}"

    def ask(number: int) -> None:
        nonlocal most
        for turn in range(100):
            with suppress(jobs.NotNowError), jobs.place(name, places=1, holder=f"{number}-{turn}"):
                inside.add(number)
                cache.get(name)  # a moment in which others ask
                most = max(most, len(inside))
                inside.discard(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))

    assert most == 1
