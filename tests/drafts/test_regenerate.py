"""regenerate marks fields and answers at once; a job writes them; whatever goes wrong, the old values stay."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from claims.ownership.owning import give_to
from core import jobs
from core.models import Job
from directory.models import Listing
from drafts.models import Draft, DraftPage
from tests.conftest import People, signed_in
from tests.drafts.updating import API, Api, everything
from tests.forms import fields_of

KIND = "drafts.redraft"


def field(body: dict[str, Any], name: str) -> tuple[Any, str, int]:
    found = body["fields"][name]
    return found["value"], found["state"], len(found["evidence"])


@pytest.fixture
def path(api: Api, ready: dict[str, Any]) -> str:
    """The address of a ready draft whose tagline and city its owner has typed."""
    path = f"{API}/{ready['id']}"
    api("listings:write").patch(path, {"fields": {"tagline": "Mine", "city": "Rome"}})
    return path


def test_answers_at_once_and_a_job_writes_the_named_fields_again_from_the_kept_pages(
    api: Api, path: str, tidewell: Any
) -> None:
    visits = len(tidewell.requests)
    answer = api("listings:write").patch(path, {"regenerate": ["tagline", "stage"]})

    marked = answer.json()
    assert (answer.status_code, answer["Retry-After"]) == (200, "2")
    assert (marked["status"], marked["progress"]["stage"], marked["poll_after_seconds"]) == (
        "ready",
        "rewriting",
        2,
    )
    assert marked["next_actions"][0]["operation"] == "get_draft"
    assert (
        marked["next_actions"][0]["why"]
        == "Looking for another suggestion: tagline, stage. Ask again in 2 seconds."
    )
    assert field(marked, "tagline") == ("Mine", "edited", 0)

    jobs.run_due()

    answer = api("all").get(path)
    written = answer.json()
    assert field(written, "tagline") == ("Invoices that chase themselves", "ai", 1)
    assert field(written, "city") == ("Rome", "edited", 0)
    assert field(written, "stage") == (None, "not_found", 0)
    assert (written["progress"]["stage"], written["poll_after_seconds"]) == ("ready", None)
    assert (answer.has_header("Retry-After"), len(tidewell.requests)) == (False, visits)


@pytest.mark.parametrize(
    ("decision", "kept"),
    [
        ({"fields": {"tagline": "Later"}}, ("Later", "edited", 0)),
        ({"lock_fields": ["tagline"]}, ("Mine", "override", 0)),
        ({"fields": {"tagline": None}}, (None, "deleted", 0)),
        ({"restore": ["tagline"]}, ("Invoices that chase themselves", "ai", 1)),
    ],
)
def test_what_its_owner_decides_meanwhile_wins(
    api: Api, path: str, decision: dict[str, Any], kept: tuple[Any, str, int]
) -> None:
    caller = api("all")
    caller.patch(path, {"regenerate": ["tagline"]})

    decided = caller.patch(path, decision).json()
    jobs.run_due()

    assert (decided["poll_after_seconds"], field(decided, "tagline")) == (None, kept)
    assert field(caller.get(path).json(), "tagline") == kept


def test_a_lock_of_the_same_call_refuses_it(api: Api, path: str) -> None:
    answer = api("all").patch(path, {"regenerate": ["stage", "tagline"], "lock_fields": ["tagline"]})

    assert (answer.status_code, answer.json()["code"]) == (400, "field_locked")
    assert "restore unlocks it" in answer.json()["detail"]
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/regenerate/1"]
    assert field(api("all").get(path).json(), "tagline") == ("Mine", "edited", 0)


def test_a_job_that_dies_leaves_the_old_values_and_says_so(api: Api, path: str) -> None:
    api("all").patch(path, {"regenerate": ["tagline"]})
    late = timezone.now() - timedelta(hours=1)
    Job.objects.filter(kind=KIND).update(state="running", attempt=3, lease_until=late, run_after=late)

    jobs.reap(queues=["ai"])

    found = api("all").get(path).json()
    assert Job.objects.get(kind=KIND).state == "dead"
    assert field(found, "tagline") == ("Mine", "edited", 0)
    assert (found["status"], found["poll_after_seconds"]) == ("ready", None)
    assert found["writer"]["note"] == "Writing again failed on our side; the values are as they were."


def test_the_days_limit_refuses_at_once_and_changes_nothing(api: Api, path: str) -> None:
    draft = Draft.objects.get()
    Draft.objects.update(redrafts=10**4, redrafts_on=timezone.now().date())
    before = everything(draft)

    answer = api("all").patch(path, {"regenerate": ["tagline"], "fields": {"name": "Other"}})

    assert (answer.status_code, answer.json()["code"]) == (400, "regenerate_limit")
    assert (everything(draft), Job.objects.filter(kind=KIND).count()) == (before, 0)


def test_where_no_page_was_read_there_is_nothing_to_write_from(api: Api, path: str) -> None:
    Draft.objects.update(pages_read=0)

    answer = api("all").patch(path, {"regenerate": ["tagline"]})

    assert (answer.status_code, answer.json()["code"]) == (400, "draft_not_ready")
    assert Job.objects.filter(kind=KIND).count() == 0


def test_what_was_written_again_goes_into_the_listing(api: Api, path: str) -> None:
    caller = api("all")
    listing_id = caller.post(f"{path}/submit").json()["listing_id"]
    caller.patch(path, {"regenerate": ["tagline"]})
    assert Listing.objects.get(pk=listing_id).tagline == "Mine"

    jobs.run_due()

    assert Listing.objects.get(pk=listing_id).tagline == "Invoices that chase themselves"


def test_where_another_owns_the_listing_by_now_it_goes_into_the_draft_alone(
    api: Api, path: str, people: People
) -> None:
    caller = api("all")
    listing_id = caller.post(f"{path}/submit").json()["listing_id"]
    caller.patch(path, {"regenerate": ["tagline"]})
    give_to(
        listing_id=listing_id,
        owner_id=people.stranger.pk,
        reason="Her company",
        staff_id=people.staff.pk,
        at=timezone.now(),
    )

    jobs.run_due()

    assert field(caller.get(path).json(), "tagline") == ("Invoices that chase themselves", "ai", 1)
    assert Listing.objects.get(pk=listing_id).tagline == "Mine"


def test_a_listing_loses_no_fact_it_needs_to_a_site_that_no_longer_says_it(api: Api, path: str) -> None:
    caller = api("all")
    listing_id = caller.post(f"{path}/submit").json()["listing_id"]
    DraftPage.objects.update(html="<p>Moved.</p>", title="")
    caller.patch(path, {"regenerate": ["name", "categories"]})

    jobs.run_due()

    listing = Listing.objects.get(pk=listing_id)
    found = caller.get(path).json()
    assert (listing.name, listing.filed.count()) == ("Tidewell", 1)
    assert (field(found, "name")[:2], found["poll_after_seconds"]) == (("Tidewell", "ai"), None)


def test_the_page_says_what_is_being_written_and_asks_again(people: People, path: str) -> None:
    client = signed_in(people.owner)
    address = path.removeprefix("/api/v1")
    response = client.post(f"{address}/edit", {"regenerate": "tagline"})

    page = client.get(response["Location"]).content.decode()
    assert "Looking for another suggestion: Tagline." in page
    assert f'<live-part src="{address}/progress"' in page
    assert "Looking for another suggestion: Tagline." in client.get(f"{address}/progress").content.decode()

    jobs.run_due()

    assert client.get(f"{address}/progress").content == b""
    page = client.get(address).content.decode()
    assert "Looking for another suggestion" not in page
    assert fields_of(page)["tagline"] == "Invoices that chase themselves"
