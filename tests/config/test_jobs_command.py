"""`manage.py jobs`: the queue of record from a shell."""

import signal
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from config.management.commands import jobs as command_jobs
from core import jobs, mail
from core.models import Job
from directory.models import Site
from tests.conftest import People

pytestmark = pytest.mark.django_db


def said(*words: str, command: str = "jobs") -> str:
    out = StringIO()
    call_command(command, *words, stdout=out)
    return out.getvalue()


def test_a_job_is_listed_buried_run_again_and_forgotten() -> None:
    mail.queue(to="a@people.example", subject="S", text="T", html="", key="one")
    row = Job.objects.get()
    name = str(row.pk)
    states = []
    for words in (["bury", name], ["retry", name], ["forget", name], ["bury", name], ["forget", name]):
        said(*words)
        states += Job.objects.values_list("state", flat=True)

    assert states == ["dead", "queued", "queued", "dead"]
    assert not Job.objects.exists()


def test_what_is_listed_says_why_and_nothing_of_the_payload() -> None:
    mail.queue(to="a@people.example", subject="Your code", text="123456", html="", key="one")
    Job.objects.update(state="dead", last_error="OSError: refused\nmore")

    listed = said("list", "--state", "dead")

    assert "dead core.send_mail one attempt 0" in listed
    assert listed.endswith("OSError: refused\n")
    assert "123456" not in listed
    assert said("list", "--kind", "other.kind") == ""


def test_all_jobs_of_a_kind_are_changed_together() -> None:
    for key in ("one", "two"):
        mail.queue(to="a@people.example", subject="S", text="T", html="", key=key)
    assert said("list", "--limit", "1").count("\n") == 1

    said("bury", "--kind", "core.send_mail")
    assert set(Job.objects.values_list("state", flat=True)) == {"dead"}
    said("retry", "--kind", "core.send_mail")
    assert set(Job.objects.values_list("state", flat=True)) == {"queued"}
    with pytest.raises(CommandError, match="Name jobs by their id"):
        said("forget")


def test_what_waits_for_its_next_try_is_tried_now() -> None:
    for key, kind in (("one", mail.KIND), ("two", mail.KIND), ("other", mail.NOTE_KIND)):
        jobs.add(kind, key=key, run_after=timezone.now() + timedelta(hours=1))
    Job.objects.filter(key="two").update(attempt=5)

    assert said("hurry", "--kind", mail.KIND) == "2 are tried within seconds.\n"

    assert set(jobs.due().values_list("key", "attempt")) == {("one", 0), ("two", 5)}
    assert jobs.reap(queues=["mail"]) == 2  # what workers do every few seconds
    assert said("hurry", "--kind", mail.KIND) == "0 are tried within seconds.\n"


def test_what_waits_on_purpose_is_not_hurried() -> None:
    """Five minutes are for whoever takes a deletion back: only what failed before is tried now."""
    kind = "directory.forget_picture"
    for key in ("planned", "failed", "locked"):
        jobs.add(kind, key=key, run_after=timezone.now() + timedelta(minutes=5), undo_id=1)
    Job.objects.filter(key="failed").update(attempt=1)
    Job.objects.filter(key="locked").update(last_error="deadlock detected")

    assert said("hurry", "--kind", kind) == "2 are tried within seconds.\n"
    assert set(jobs.due().values_list("key", flat=True)) == {"failed", "locked"}


def test_a_mistyped_kind_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(CommandError, match=r"invalid choice: 'core.sendmail'.*core\.send_mail"):
        said("hurry", "--kind", "core.sendmail")


def test_queues_are_paused_and_resumed_in_words() -> None:
    assert said("mail", "--reason", "moving", command="pause") == "mail: paused; what is under way ends.\n"
    assert said("mail", command="pause") == "mail: paused already.\n"
    said(command="pause")
    still = said("mail", command="resume")
    assert still.startswith("mail: goes on.\nall: still paused since ")
    assert said(command="resume") == "all: goes on.\n"


def test_staff_see_in_the_status_page_what_is_paused_and_how_old_the_backup_is(
    client: Client, people: People, site: Site
) -> None:
    jobs.pause(queue="mail", reason="moving to another provider")
    assert "moving" not in client.get("/status").content.decode()

    client.force_login(people.staff)
    page = client.get("/status").content.decode()
    assert "Paused: mail" in page
    assert "moving to another provider" in page
    assert "none: BACKUP_TO is not set" in page
    jobs.note_heartbeat("backup")
    assert "0 hours ago" in client.get("/status").content.decode()


def test_an_unknown_job_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no job"):
        call_command("jobs", "retry", "00000000-0000-0000-0000-000000000000")


@pytest.mark.parametrize("words", [("retry", "nonsense"), ("forget", "nonsense"), ("run", "nonsense")])
def test_what_is_no_job_and_no_queue_is_refused_in_a_sentence(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="invalid"):
        call_command("jobs", *words)


@pytest.mark.django_db(transaction=True)
def test_what_is_due_is_done_without_redis_and_leaves_no_alarm(
    monkeypatch: pytest.MonkeyPatch, mailoutbox: list[Any]
) -> None:
    monkeypatch.setattr(command_jobs, "ALONE", 0.2)
    monkeypatch.setattr(command_jobs, "BETWEEN_LOOKS", 0.01)
    for key in ("one", "two"):
        mail.queue(to=f"{key}@people.example", subject="S", text="T", html="", key=key)

    said("run", "mail", "default")

    assert [message.to for message in mailoutbox] == [["one@people.example"], ["two@people.example"]]
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
