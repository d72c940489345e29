"""Endpoints take their turn: one that hangs, is slow or whose worker died holds nobody else up."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core import events, jobs
from core.models import Delivery, Endpoint, Job
from tests.conftest import People
from tests.factories.events import Program, emit, pass_time, run_due
from tests.servers.website import Website, hang


def test_an_endpoint_that_hangs_holds_nobody_else(
    people: People, program: Program, website: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(events, "SLOW_SECONDS", 0.2)
    with Website(otherwise=hang()) as stuck:
        bad = Program(stuck, user=people.stranger, host="stuck.test")
        stuck.pages.clear()
        emit(bad, "1", "2")
        emit(program, "mine")
        jobs.run_due(queues={"default"}, at_most=1)
        assert [(row.http_status, row.tries) for row in bad.deliveries()] == [
            (None, 1),
            (None, 0),
        ]  # then others' turn
        assert bad.deliveries()[0].answer == "stuck.test took too long to answer."
        assert bad.row().slow_until > timezone.now()
        assert Job.objects.filter(key=f"rest-of-{bad.endpoint.pk}", state="queued").count() == 1

        with jobs.place("slow-events", places=1, holder="another"):  # as if another slow one were at it
            run_due()
    assert [row.tries for row in bad.deliveries()] == [1, 0]
    assert [row.state for row in program.deliveries()] == ["delivered"]


def test_slow_endpoints_share_one_place_and_the_others_have_theirs(
    people: People, program: Program, website: Website
) -> None:
    slow = Program(website, user=people.stranger, host="slow.test")
    Endpoint.objects.filter(pk=slow.endpoint.pk).update(slow_until=timezone.now() + timedelta(minutes=5))
    with jobs.place("slow-events", places=1, holder="another"):
        emit(slow, "1")
        emit(program, "2")
        run_due()
        assert [row.state for row in slow.deliveries()] == ["waiting"]
        assert [row.state for row in program.deliveries()] == ["delivered"]
    pass_time(3)
    run_due()
    assert [row.state for row in slow.deliveries()] == ["delivered"]


def test_who_finds_the_endpoint_taken_leaves_it_to_the_one_who_has_it(program: Program) -> None:
    emit(program, "1")
    with jobs.place(f"endpoint:{program.endpoint.pk}", places=1, holder="another"):
        run_due()
        assert Delivery.objects.get().state == "waiting"
    assert Job.objects.filter(kind="core.send_events", state="done").count() == 1

    Delivery.objects.update(next_at=timezone.now() - timedelta(minutes=2))  # and that one has died since
    jobs.add("core.resume_events", key="now")
    run_due()
    assert Delivery.objects.get().state == "delivered"


@pytest.mark.parametrize(("seconds", "state"), [(-1, "delivered"), (5, "waiting")])
def test_the_next_job_takes_the_place_of_one_whose_worker_died(
    program: Program, seconds: int, state: str
) -> None:
    emit(program, "1", "2")
    dead, next_one = Job.objects.filter(kind="core.send_events").order_by("pk")
    lease_until = timezone.now() + timedelta(seconds=seconds)
    Job.objects.filter(pk=dead.pk).update(state="running", attempt=1, lease_until=lease_until)
    with jobs.place(f"endpoint:{program.endpoint.pk}", places=1, holder=str(dead.pk)):
        jobs.run(job_id=next_one.pk)

    assert {row.state for row in program.deliveries()} == {state}


def test_a_worker_that_died_after_sending_sends_the_same_again_within_seconds(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any, **__: Any) -> None:
        raise SystemExit

    emit(program, "1")
    job = Job.objects.get(kind="core.send_events")
    with monkeypatch.context() as dying:
        dying.setattr(events, "_record", die)
        for _ in range(6):  # more than any other job may die
            with pytest.raises(SystemExit):
                jobs.run(job_id=job.pk)
            assert Job.objects.get(pk=job.pk).lease_until < timezone.now() + timedelta(seconds=10)
            Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.reap(queues=["default"])
    run_due()

    sent = {(request.headers["webhook-id"], request.body) for request in program.requests()}
    assert (len(sent), len(program.requests())) == (1, 7)
    row = Delivery.objects.get()
    assert (row.state, row.tries) == ("delivered", 1)
