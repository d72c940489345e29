"""`manage.py jobs`: the queue of record from a shell."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from core import mail
from core.models import Job

pytestmark = pytest.mark.django_db


def said(*words: str) -> str:
    out = StringIO()
    call_command("jobs", *words, stdout=out)
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


def test_an_unknown_job_is_refused() -> None:
    with pytest.raises(CommandError, match="There is no job"):
        call_command("jobs", "retry", "00000000-0000-0000-0000-000000000000")
