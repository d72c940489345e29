"""Staff see what was read and what failed, and can have it tried again."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import StaffAct
from core import jobs
from core.models import Job
from drafts.models import Draft
from tests.conftest import Caller, People, signed_in
from tests.servers.website import Website, plain

Api = Callable[..., Caller]


@pytest.fixture
def staff(people: People) -> Client:
    people.staff.is_superuser = True
    people.staff.save()
    return signed_in(people.staff)


def act(staff: Client, place: str, action: str, pk: object) -> str:
    chosen = {"action": action, "_selected_action": [str(pk)]}
    return staff.post(f"/admin/{place}/", chosen, follow=True).content.decode()


def test_a_draft_shows_its_pages_quotes_writer_and_cost(staff: Client, ready: dict[str, Any]) -> None:
    listed = staff.get("/admin/drafts/draft/").content.decode()
    shown = staff.get(f"/admin/drafts/draft/{ready['id']}/change/").content.decode()

    assert "extractive" in listed
    assert "https://tidewell.test/secret/plans" in shown
    assert "Invoices that chase themselves" in shown
    assert "<h1>Invoices that chase" not in shown


def test_a_failed_draft_is_tried_again(staff: Client, api: Api, site: Any, tidewell: Website) -> None:
    robots = tidewell.pages["/robots.txt"]
    tidewell.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /")
    body = api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"}).json()
    jobs.run_due()
    assert "robots_blocked" in staff.get("/admin/drafts/draft/").content.decode()
    tidewell.pages["/robots.txt"] = robots

    said = act(staff, "drafts/draft", "try_again", body["id"])
    jobs.run_due()

    assert "1 draft tried again." in said
    line = StaffAct.objects.get()
    assert (line.said, line.key) == ("had the website read again for", body["id"])
    assert (Draft.objects.get().status, Draft.objects.get().tries) == ("ready", 2)


def test_a_draft_that_is_ready_is_not_tried_again(staff: Client, ready: dict[str, Any]) -> None:
    said = act(staff, "drafts/draft", "try_again", ready["id"])

    assert "Only a failed draft can be tried again." in said
    assert not StaffAct.objects.exists()
    assert Draft.objects.get().status == "ready"


def test_a_dead_job_runs_again_and_its_payload_is_not_shown(staff: Client, api: Api) -> None:
    jobs.add(
        "core.send_mail",
        key="m-1",
        to="a@b.example",
        subject="S",
        text="secret-link",
        html="",
        unsubscribe_url="",
    )
    Job.objects.update(state="dead", last_error="SMTP is away", attempt=8)
    job = Job.objects.get()

    listed = staff.get("/admin/core/job/?state__exact=dead").content.decode()
    shown = staff.get(f"/admin/core/job/{job.pk}/change/").content.decode()
    said = act(staff, "core/job", "run_again", job.pk)

    assert "SMTP is away" in listed
    assert "secret-link" not in listed + shown
    assert "1 job run again." in said
    assert (Job.objects.get().state, Job.objects.get().attempt) == ("queued", 0)


@pytest.mark.parametrize("place", ["drafts/draft", "core/job"])
def test_others_do_not_get_in(client: Client, people: People, place: str) -> None:
    client.force_login(people.stranger)

    assert client.get(f"/admin/{place}/").status_code == 302
