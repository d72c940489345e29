"""Everything that update_draft changes, every bound it keeps, and that nothing else moves."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.models import Job
from directory.models import Listing
from drafts import limits
from drafts.models import Draft, DraftField
from tests.conftest import People
from tests.drafts.updating import AI, API, FAQ, FOUNDER, MILESTONE, QUOTE, Api, drafted, everything, send


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A ready draft with three values of the AI."""
    return drafted(people, site)


@pytest.mark.parametrize(
    "body",
    [{}, {"fields": {}}, {"lock_fields": [], "restore": [], "regenerate": []}, {"story": {}, "seo": {}}],
)
def test_an_empty_body_changes_nothing(api: Api, draft: Draft, body: Any) -> None:
    before = everything(draft)

    assert send(api, draft, body).status_code == 200
    assert everything(draft) == before


def field(answer: Any, name: str) -> tuple[Any, str, int, bool]:
    found = answer.json()["fields"][name]
    return found["value"], found["state"], len(found["evidence"]), found["locked"]


def test_a_typed_value_is_the_owners_own_and_the_original_stays_known(api: Api, draft: Draft) -> None:
    answer = send(api, draft, {"fields": {"name": "  Tidewell Pro ", "city": "Ghent", "country": "be"}})

    assert field(answer, "name") == ("Tidewell Pro", "edited", 0, False)
    assert field(answer, "city") == ("Ghent", "manual", 0, False)
    assert field(answer, "country") == ("BE", "manual", 0, False)
    assert field(answer, "tagline") == (AI["tagline"], "ai", 1, False)
    name = answer.json()["fields"]["name"]
    assert (name["ai_value"], name["updated_by"]) == ("Tidewell", "user")


@pytest.mark.parametrize("nothing", [None, "", "   "])
def test_nothing_removes_a_value_and_restore_brings_it_back(api: Api, draft: Draft, nothing: Any) -> None:
    removed = send(api, draft, {"fields": {"name": nothing}})
    restored = send(api, draft, {"restore": ["name"]})

    assert field(removed, "name") == (None, "deleted", 0, False)
    assert removed.json()["fields"]["name"]["reason"] == "removed_by_owner"
    assert removed.json()["missing"][0]["field"] == "name"
    assert field(restored, "name") == ("Tidewell", "ai", 1, False)


@pytest.mark.parametrize("nothing", [None, []])
def test_an_empty_list_is_none(api: Api, draft: Draft, nothing: Any) -> None:
    assert field(send(api, draft, {"fields": {"features": nothing}}), "features") == (
        None,
        "deleted",
        0,
        False,
    )


def test_a_lock_keeps_the_value_from_being_written_again(api: Api, draft: Draft) -> None:
    locked = send(api, draft, {"lock_fields": ["name", "tagline"]})
    typed = send(api, draft, {"fields": {"name": "Mine"}})
    before = everything(draft)
    refused = send(api, draft, {"fields": {"city": "Ghent"}, "regenerate": ["features", "name"]})

    assert field(locked, "name") == ("Tidewell", "override", 1, True)
    assert field(typed, "name") == ("Mine", "override", 0, True)
    assert (refused.status_code, refused.json()["code"]) == (400, "field_locked")
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/regenerate/1"]
    assert everything(draft) == before
    assert field(send(api, draft, {"restore": ["name"]}), "name") == ("Tidewell", "ai", 1, False)


def test_a_draft_that_is_still_written_cannot_be_written_again(api: Api, draft: Draft) -> None:
    Draft.objects.filter(pk=draft.pk).update(status="drafting")

    answer = send(api, draft, {"regenerate": ["name"]})

    assert (answer.status_code, answer.json()["code"], answer.json()["current"]) == (
        400,
        "draft_not_ready",
        "drafting",
    )


def test_an_unknown_category_is_refused_with_near_names(api: Api, draft: Draft) -> None:
    answer = send(api, draft, {"fields": {"categories": ["Invoicing", "Time traking", "Zzzzqqqq"]}})

    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "category_unknown")
    assert [error["pointer"] for error in problem["errors"]] == [
        "/fields/categories/1",
        "/fields/categories/2",
    ]
    assert problem["suggestions"] == {"Time traking": ["Time tracking"], "Zzzzqqqq": []}
    assert draft.field_rows.get(name="categories").value is None


def test_an_unknown_category_is_named_beside_an_address_that_is_not_public(api: Api, draft: Draft) -> None:
    answer = send(api, draft, {"fields": {"categories": ["Zzzz"]}, "competitor_url": "http://10.0.0.1"})

    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [
        ("/fields/categories/0", "category_unknown"),
        ("/competitor_url", "url_not_public"),
    ]


def test_an_unknown_category_is_named_beside_what_breaks_its_shape(api: Api, draft: Draft) -> None:
    answer = send(api, draft, {"fields": {"categories": ["Invoicing", "Zzzzqqqq"], "country": 7}, "tags": []})

    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "invalid_request")
    assert sorted((error["pointer"], error["code"]) for error in problem["errors"]) == [
        ("/fields/categories/1", "category_unknown"),
        ("/fields/country", "invalid"),
        ("/tags", "unknown_property"),
    ]


def test_categories_are_taken_by_name_or_slug_first_is_primary(api: Api, draft: Draft) -> None:
    answer = send(api, draft, {"fields": {"categories": ["time-tracking", "INVOICING", "Time tracking"]}})

    assert field(answer, "categories") == (["Time tracking", "Invoicing"], "manual", 0, False)


def test_collections_are_replaced_and_texts_merged(api: Api, draft: Draft) -> None:
    send(
        api,
        draft,
        {"faqs": [FAQ, FAQ], "story": {"title": "A", "problem": "B"}, "seo": {"title": "T", "meta": "M"}},
    )
    answer = send(
        api,
        draft,
        {
            "faqs": [FAQ],
            "founders": [FOUNDER, {"name": "Cy Dee"}],
            "story": {"title": "C", "problem": ""},
            "milestones": [MILESTONE, {"date": "2025-01-01", "title": "Start"}],
            "seo": {"meta": None},
        },
    )

    found = answer.json()
    assert found["faqs"] == [{**FAQ, "state": "manual", "evidence": []}]
    assert found["founders"] == [
        {**FOUNDER, "state": "manual", "evidence": []},
        {"name": "Cy Dee", "title": None, "bio": None, "state": "manual", "evidence": []},
    ]
    assert found["story"] == {"title": "C"}
    assert [milestone["title"] for milestone in found["milestones"]] == ["First customer", "Start"]
    assert found["seo"] == {"title": "T", "meta": None}
    for name in ("faqs", "founders", "milestones"):
        assert send(api, draft, {name: []}).json()[name] == []


def test_a_founder_or_question_that_is_sent_back_unchanged_keeps_its_evidence(api: Api, draft: Draft) -> None:
    quoted(draft)

    found = send(
        api, draft, {"faqs": [FAQ, {**FAQ, "answer": "Yes."}], "founders": [{"name": "Ann Bee"}]}
    ).json()

    assert [(faq["state"], len(faq["evidence"])) for faq in found["faqs"]] == [("ai", 1), ("manual", 0)]
    assert [(person["state"], len(person["evidence"])) for person in found["founders"]] == [("ai", 1)]


def quoted(draft: Draft) -> None:
    """One question and one founder that the AI wrote."""
    draft.faqs = [{**FAQ, "state": "ai", "evidence": [QUOTE]}]
    draft.founders = [{"name": "Ann Bee", "title": None, "bio": None, "state": "ai", "evidence": [QUOTE]}]
    draft.save(update_fields=["faqs", "founders"])


def test_questions_and_people_that_were_replaced_can_be_restored(api: Api, draft: Draft) -> None:
    quoted(draft)
    before = api("all").get(f"{API}/{draft.pk}").json()
    send(api, draft, {"faqs": [{**FAQ, "answer": "Yes."}], "founders": [{"name": "Cy Dee"}]})
    send(api, draft, {"faqs": [], "founders": []})

    found = send(api, draft, {"restore": ["faqs", "founders"]}).json()

    assert (found["faqs"], found["founders"]) == (before["faqs"], before["founders"])
    assert [len(entry["evidence"]) for entry in (*found["faqs"], *found["founders"])] == [1, 1]


def test_links_that_were_replaced_can_be_restored(api: Api, draft: Draft) -> None:
    draft.field_rows.create(
        group="company_socials",
        name="x",
        value="https://x.com/tidewell",
        state="ai",
        evidence=[QUOTE],
        ai_value="https://x.com/tidewell",
        ai_evidence=[QUOTE],
        updated_at=timezone.now(),
    )
    send(api, draft, {"company_socials": {"x": None, "github": "https://github.com/tidewell"}})

    found = send(api, draft, {"restore": ["company_socials"]}).json()["company_socials"]

    assert (found["x"]["value"], found["x"]["state"]) == ("https://x.com/tidewell", "ai")
    assert (found["github"]["value"], found["github"]["state"]) == (None, "not_found")


def test_the_cost_of_a_change_does_not_grow_with_what_is_changed(api: Api, draft: Draft) -> None:
    def cost(**values: str) -> int:
        with CaptureQueriesContext(connection) as statements:
            assert send(api, draft, {"fields": values, "lock_fields": list(values)}).status_code == 200
        return len(statements)

    one = cost(city="Ghent")
    nine = cost(
        **{name: f"{name} of mine" for name in list(limits.TEXT_FIELDS)[:5]}, city="Ghent", country="BE"
    )

    assert nine == one


def test_links_are_kept_by_platform_and_an_empty_one_goes(api: Api, draft: Draft) -> None:
    first = send(
        api,
        draft,
        {
            "company_socials": {"x": "https://x.com/tidewell"},
            "founder_socials": {"github": "https://github.com/a"},
        },
    ).json()
    second = send(
        api, draft, {"company_socials": {"x": "", "linkedin": "https://linkedin.com/company/t"}}
    ).json()

    assert first["company_socials"]["x"]["value"] == "https://x.com/tidewell"
    assert first["founder_socials"]["github"]["state"] == "manual"
    assert (second["company_socials"]["x"]["value"], second["company_socials"]["x"]["state"]) == (
        None,
        "deleted",
    )
    assert second["company_socials"]["linkedin"]["state"] == "manual"
    assert second["founder_socials"] == first["founder_socials"]


def test_a_competitor_is_read_in_the_background_and_an_empty_one_clears(api: Api, draft: Draft) -> None:
    answer = send(api, draft, {"competitor_url": "https://gullwing-books.com/x"})
    assert answer.status_code == 200, answer.json()
    started = answer.json()["competitor"]
    cleared = send(api, draft, {"competitor_url": ""}).json()["competitor"]

    assert started == {"url": "https://gullwing-books.com/x", "status": "reading", "comparison": []}
    assert Job.objects.get(kind="drafts.read_competitor").payload["url"] == "https://gullwing-books.com/x"
    assert cleared == {"url": None, "status": "none", "comparison": []}


@pytest.mark.parametrize(
    ("url", "code"), [("ftp://a.example/", "invalid_url"), ("http://127.0.0.1/", "url_not_public")]
)
def test_a_competitor_that_cannot_be_public_is_refused(api: Api, draft: Draft, url: str, code: str) -> None:
    answer = send(api, draft, {"competitor_url": url, "fields": {"name": "Other"}})

    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/competitor_url"]
    assert (draft.field_rows.get(name="name").value, Job.objects.count()) == ("Tidewell", 0)


def test_a_submitted_draft_updates_its_listing(api: Api, draft: Draft) -> None:
    send(api, draft, {"fields": {"categories": ["Invoicing"]}})
    saved = api("listings:write").post(f"{API}/{draft.pk}/submit").json()

    send(api, draft, {"fields": {"tagline": "Paid on time", "categories": ["Time tracking"]}, "faqs": [FAQ]})

    listing = Listing.objects.get(pk=saved["listing_id"])
    assert (listing.tagline, listing.faqs, listing.status) == ("Paid on time", [FAQ], "draft")
    assert [row.category.slug for row in listing.filed.all()] == ["time-tracking"]


@pytest.mark.parametrize(
    ("typed", "kept", "listed"),
    [
        ({"founded_year": "2019"}, "2019", 2019),
        ({"country": "be"}, "BE", "BE"),
        ({"country": "Belgium"}, "BE", "BE"),
        ({"country": "Deutschland"}, "DE", "DE"),
        ({"contact_email": "ann@tidewell.example"}, "ann@tidewell.example", "ann@tidewell.example"),
        ({"stage": "Early Access"}, "Early Access", "early-access"),
    ],
)
def test_a_listing_takes_what_has_its_form(
    api: Api, draft: Draft, typed: dict[str, str], kept: str, listed: Any
) -> None:
    (name,) = typed
    send(api, draft, {"fields": {"categories": ["Invoicing"]}})
    saved = api("listings:write").post(f"{API}/{draft.pk}/submit").json()

    answer = send(api, draft, {"fields": typed})

    assert answer.json()["fields"][name]["value"] == kept
    assert getattr(Listing.objects.get(pk=saved["listing_id"]), name) == listed


def test_a_submitted_draft_leaves_alone_what_was_changed_on_the_listing_since(api: Api, draft: Draft) -> None:
    send(
        api,
        draft,
        {"fields": {"categories": ["Invoicing"]}, "milestones": [MILESTONE], "founders": [FOUNDER]},
    )
    saved = api("listings:write").post(f"{API}/{draft.pk}/submit").json()
    socials = {"x": "https://x.com/tidewell"}
    listing = Listing.objects.get(pk=saved["listing_id"])
    listing.tagline, listing.faqs, listing.socials = "Paid on time", [FAQ], socials
    listing.story, listing.evidence = {"title": "How it began"}, {"name": [QUOTE], "features": [QUOTE]}
    listing.save()
    listing.milestones.create(date="2026-05-01", title="Hundred customers")

    send(api, draft, {"fields": {"city": "Ghent", "tags": ["books"]}, "seo": {"title": "Tidewell"}})

    listing.refresh_from_db()
    assert (listing.city, listing.tags, listing.seo_title) == ("Ghent", ["books"], "Tidewell")
    assert (listing.tagline, listing.faqs, listing.socials) == ("Paid on time", [FAQ], socials)
    assert listing.story == {"title": "How it began"}
    assert {row.title for row in listing.milestones.all()} == {"First customer", "Hundred customers"}
    assert [row.founder.name for row in listing.founded_by.all()] == ["Ann Bee"]
    assert set(listing.evidence) == {"name", "features"}

    send(api, draft, {"milestones": [], "fields": {"city": None}})

    assert list(listing.milestones.all()) == []
    assert {"field": "city", "reason": "removed_by_owner"} in Listing.objects.get(pk=listing.pk).not_found


@pytest.mark.parametrize(("scope", "status"), [(None, 401), ("account:read", 403), ("orders:write", 403)])
def test_needs_the_scope(api: Api, draft: Draft, scope: str | None, status: int) -> None:
    before = everything(draft)

    assert api(scope).patch(f"{API}/{draft.pk}", {"fields": {"name": "x"}}).status_code == status
    assert everything(draft) == before


def test_somebody_elses_draft_is_not_there(api: Api, draft: Draft, people: People) -> None:
    before = everything(draft)
    caller = api("listings:write", user=people.stranger)

    for body in ({"fields": {"name": "x"}}, {"regenerate": ["name"]}, {}):
        assert caller.patch(f"{API}/{draft.pk}", body).status_code == 404
    assert everything(draft) == before


@pytest.mark.django_db(transaction=True)
def test_edits_at_the_same_time_never_lose_one_anothers_fields(api: Api, draft: Draft) -> None:
    edits = [
        {"fields": {name: f"{name} of mine"}}
        for name in ("name", "tagline", "city", "stage", "pricing_summary")
    ]
    edits += [{"story": {"title": "T"}}, {"story": {"problem": "P"}}, {"seo": {"meta": "M"}}, {"faqs": [FAQ]}]

    def call(body: Any) -> int:
        try:
            return int(send(api, draft, body).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(call, edits)) == {200}

    found = api("all").get(f"{API}/{draft.pk}").json()
    for edit in edits:
        for name, value in edit.get("fields", {}).items():
            assert found["fields"][name]["value"] == value
    assert found["story"] == {"title": "T", "problem": "P"}
    assert (found["seo"]["meta"], len(found["faqs"])) == ("M", 1)
    assert Draft.objects.get().revision == len(edits)
    assert DraftField.objects.filter(draft=draft).count() == len(limits.FIELDS)
    assert found["updated_at"] <= timezone.now().strftime("%Y-%m-%dT%H:%M:%SZ")
