"""Updates, milestones, the story and the interview: what their owner writes and what everybody sees of it."""

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.services import create_user
from core.api import caching
from directory import limits
from directory.models import (
    Follow,
    InterviewAnswer,
    InterviewQuestion,
    Listing,
    ListingUpdate,
    Milestone,
    Site,
)
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing

STEP = {"date": "2026-02-28", "title": "First customer"}
PAID = ({"plan": "paid"}, {"unlocked_sections": ["story", "milestones", "media"]})


@pytest.fixture
def listing(people: People, site: Site) -> Listing:
    return make_listing(owner=people.owner)


def at(listing: Listing, part: str = "") -> str:
    return f"/api/v1/me/listings/{listing.pk}{part}"


def test_an_update_is_on_the_page_and_says_how_many_are_told(api: Api, listing: Listing) -> None:
    for number in range(3):
        follower = create_user(email=f"f{number}@people.example")
        Follow.objects.create(listing=listing, user=follower, created_at=AT)

    answer = api("listings:write").post(at(listing, "/updates"), {"title": " News ", "body": "One\r\ntwo"})

    posted = answer.json()
    assert (answer.status_code, posted["title"], posted["body"]) == (201, "News", "One\ntwo")
    assert posted["followers_notified"] == 3
    assert posted["page_url"].endswith(f"/listings/tidewell#update-{posted['id']}")
    (shown,) = api().get("/api/v1/listings/tidewell").json()["latest_updates"]
    assert shown == {name: posted[name] for name in ("id", "title", "body", "posted_at")}
    assert f'href="/listings/tidewell#update-{posted["id"]}"' in Client().get("/updates").content.decode()
    Listing.objects.update(status="archived")
    assert "update-" not in Client().get("/updates").content.decode()


@pytest.mark.parametrize("status", ["suspended", "rejected", "archived"])
def test_what_is_off_the_site_tells_nobody_anything(
    api: Api, people: People, site: Site, status: str
) -> None:
    listing = make_listing(owner=people.owner, status=status)

    answer = api("listings:write").post(at(listing, "/updates"), {"title": "News", "body": "Text"})

    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["current"]) == (400, "invalid_state", status)
    assert problem["allowed"] == sorted(Listing.MOVES[status])
    assert ListingUpdate.objects.count() == 0


@pytest.mark.parametrize("unlocked", PAID, ids=["paid", "unlocked"])
def test_paid_sections_are_absent_until_they_are_unlocked_and_their_owner_sees_them(
    api: Api, listing: Listing, unlocked: dict[str, Any]
) -> None:
    caller = api("all")
    step = caller.post(at(listing, "/milestones"), STEP)
    story = caller.put(at(listing, "/story"), {"title": "Late payers", "problem": "Three unpaid invoices."})
    assert (step.status_code, step.json()["visible"], story.status_code) == (201, False, 200)

    public = api().get("/api/v1/listings/tidewell").json()
    own = caller.get(at(listing)).json()
    assert {"story", "milestones", "media"} & public.keys() == set()
    assert public["unlocked_sections"] == own["unlocked_sections"] == []
    assert own["story"] == {"title": "Late payers", "problem": "Three unpaid invoices."}
    assert own["milestones"] == [step.json()]

    Listing.objects.filter(pk=listing.pk).update(**unlocked)
    cache.clear()
    caching.ANSWERS.clear()
    public = api().get("/api/v1/listings/tidewell").json()
    own = caller.get(at(listing)).json()
    assert public["story"] == own["story"]
    assert public["milestones"] == own["milestones"] == [{**step.json(), "visible": True}]
    assert public["unlocked_sections"] == own["unlocked_sections"] == ["story", "milestones", "media"]


def test_milestones_come_and_go_and_the_versions_keep_them(
    api: Api, listing: Listing, people: People
) -> None:
    caller = api("all")
    full = {**STEP, "description": "A studio.", "url": "https://a.example/1"}
    first = caller.post(at(listing, "/milestones"), full).json()
    same = caller.post(at(listing, "/milestones"), full).json()
    assert first == {"id": first["id"], "visible": False, **full}

    answer = caller.delete(at(listing, f"/milestones/{first['id']}"))
    again = caller.delete(at(listing, f"/milestones/{first['id']}"))
    strange = api("all", user=people.stranger).delete(at(listing, f"/milestones/{same['id']}"))

    assert (answer.status_code, answer.json()) == (200, {"deleted": True, "id": first["id"]})
    assert (again.status_code, strange.status_code) == (404, 404)
    other = make_listing("other", owner=people.stranger)
    theirs = Milestone.objects.create(listing=other, date=AT.date(), title="Theirs")
    assert caller.delete(at(listing, f"/milestones/{theirs.pk}")).status_code == 404
    assert other.milestones.count() == 1
    own = caller.get(at(listing)).json()
    assert [step["id"] for step in own["milestones"]] == [same["id"]]
    assert [version["changed"] for version in own["versions"]] == [["milestones"]] * 3


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({**STEP, "date": "2026-02-30"}, "/date"),
        ({**STEP, "date": "20260228"}, "/date"),
        ({**STEP, "url": "http://a.example/1"}, "/url"),
        ({"date": "2026-02-28"}, "/title"),
        ({**STEP, "title": " "}, "/title"),
        ({**STEP, "visible": True}, "/visible"),
    ],
)
def test_a_milestone_that_breaks_a_rule_is_not_added(
    api: Api, listing: Listing, body: Any, pointer: str
) -> None:
    answer = api("listings:write").post(at(listing, "/milestones"), body)

    assert (answer.status_code, [error["pointer"] for error in answer.json()["errors"]]) == (400, [pointer])
    assert Milestone.objects.count() == 0


def test_a_listing_has_fifty_milestones_at_most(api: Api, listing: Listing) -> None:
    Milestone.objects.bulk_create(Milestone(listing=listing, date=AT.date(), title="T") for _ in range(50))

    answer = api("listings:write").post(at(listing, "/milestones"), STEP)

    assert (answer.status_code, answer.json()["errors"][0]["limit"]) == (400, 50)
    assert Milestone.objects.count() == 50


def test_a_story_takes_the_place_of_the_one_before(api: Api, listing: Listing) -> None:
    caller = api("all")
    caller.put(at(listing, "/story"), {"title": "One", "story": "It began."})

    body = caller.put(at(listing, "/story"), {"title": "Two", "journey": None, "lessons": ""}).json()
    again = caller.put(at(listing, "/story"), {"title": "Two"}).json()
    emptied = caller.put(at(listing, "/story"), {}).json()

    assert body["listing"]["story"] == {"title": "Two"}
    assert body["changes"] == [
        {"field": "story", "before": {"title": "One", "story": "It began."}, "after": {"title": "Two"}}
    ]
    assert (again["changes"], again["version_id"]) == ([], None)
    assert emptied["listing"]["story"] is None
    assert caller.put(at(listing, "/story"), {"title": "T" * 201}).status_code == 400


def test_texts_may_be_as_long_as_their_bounds_in_any_script_and_escaped(
    api: Api, listing: Listing, site: Site
) -> None:
    """As most programs send them: twelve bytes for an emoji."""
    questions = [InterviewQuestion.objects.create(question=f"Why {n}?", order=n) for n in range(30)]
    story = dict.fromkeys(limits.STORY_SECTIONS, "\U0001f680" * 8000)
    answers = [{"question_id": entry.pk, "answer": "\U0001f680" * 4000} for entry in questions]
    fields = {"fields": {"description": "\U0001f680" * 20_000, "summary": "\U0001f680" * 20_000}}

    statuses = [
        api("listings:write").put(at(listing, "/story"), json.dumps(story).encode()).status_code,
        api("listings:write")
        .put("/api/v1/me/interview", json.dumps({"answers": answers}).encode())
        .status_code,
        api("listings:write").patch(at(listing), json.dumps(fields).encode()).status_code,
    ]

    assert statuses == [200, 200, 200]


def test_answers_stay_until_they_are_emptied(api: Api, people: People, site: Site) -> None:
    first, second = (
        InterviewQuestion.objects.create(question=f"Why {number}?", order=number) for number in (2, 1)
    )
    caller = api("listings:write")

    def answered(*answers: Any) -> Any:
        return caller.put("/api/v1/me/interview", {"answers": list(answers)})

    answered({"question_id": first.pk, "answer": " One "}, {"question_id": second.pk, "answer": "Two"})
    body = answered({"question_id": first.pk, "answer": "Uno"}).json()
    assert [(item["question_id"], item["answer"]) for item in body["items"]] == [
        (second.pk, "Two"),
        (first.pk, "Uno"),
    ]
    for refused in (
        answered({"question_id": first.pk + 99, "answer": "x"}, {"question_id": second.pk, "answer": ""}),
        answered(*[{"question_id": first.pk, "answer": "x"}] * 2),
        answered({"question_id": first.pk}),
        answered({"question_id": first.pk, "answer": None}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert refused.json()["errors"][0]["pointer"] == "/answers/0/answer"
    assert InterviewAnswer.objects.count() == 2
    InterviewQuestion.objects.filter(pk=second.pk).update(is_active=False)
    body = answered({"question_id": second.pk, "answer": ""}).json()
    assert [item["question_id"] for item in body["items"]] == [first.pk]
    assert not InterviewAnswer.objects.filter(user=people.stranger).exists()
