"""The bounds and kinds of what update_draft takes."""

import json
from typing import Any

import pytest

from drafts import limits
from drafts.models import Draft
from tests.conftest import People
from tests.drafts.updating import FAQ, FOUNDER, MILESTONE, Api, drafted, everything, send
from tests.factories.mcp import Mcp


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    """A ready draft with three values of the AI."""
    return drafted(people, site)


def list_of(items: int, length: int = 1) -> list[str]:
    return [f"{number:02}".ljust(length, "x")[:length] for number in range(items)]


LINKS = ("demo_video_url", "logo_url")
PRIVATE = (
    "https://ann:secret@a.example/",
    "https://127.0.0.1/",
    "https://10.0.0.8/logo.png",
    "https://[::1]/",
    "https://localhost/",
    "https://intranet/",
    "https://printer.local/",
    "https://2130706433/",
)
FORMED = {"country", "demo_video_url", "logo_url"}
TOO_LONG = [
    *(
        ({"fields": {name: "x" * (length + 1)}}, f"/fields/{name}", length)
        for name, length in limits.TEXT_FIELDS.items()
        if name not in FORMED
    ),
    ({"fields": {"country": "x" * 501}}, "/fields/country", 500),
    ({"fields": {"logo_url": "https://a.example/" + "x" * 483}}, "/fields/logo_url", 500),
    ({"fields": {"demo_video_url": "https://a.example/" + "x" * 483}}, "/fields/demo_video_url", 500),
    *(({"fields": {name: list_of(21, 2)}}, f"/fields/{name}", 20) for name in limits.LIST_FIELDS),
    *(({"fields": {name: ["ok", "x" * 201]}}, f"/fields/{name}/1", 200) for name in limits.LIST_FIELDS),
    ({"lock_fields": ["name"] * 21}, "/lock_fields", 20),
    ({"regenerate": ["name"] * 6}, "/regenerate", 5),
    ({"restore": ["name"] * 21}, "/restore", 20),
    ({"faqs": [FAQ] * 11}, "/faqs", 10),
    ({"faqs": [{**FAQ, "question": "x" * 301}]}, "/faqs/0/question", 300),
    ({"faqs": [FAQ, {**FAQ, "answer": "x" * 1501}]}, "/faqs/1/answer", 1500),
    ({"founders": [FOUNDER] * 7}, "/founders", 6),
    ({"founders": [{"name": "x" * 161}]}, "/founders/0/name", 160),
    ({"founders": [{**FOUNDER, "title": "x" * 161}]}, "/founders/0/title", 160),
    ({"founders": [{**FOUNDER, "bio": "x" * 3001}]}, "/founders/0/bio", 3000),
    *(({"story": {name: "x" * 8001}}, f"/story/{name}", 8000) for name in ("title", *limits.STORY_SECTIONS)),
    ({"milestones": [MILESTONE] * 51}, "/milestones", 50),
    ({"milestones": [{**MILESTONE, "title": "x" * 201}]}, "/milestones/0/title", 200),
    ({"milestones": [{**MILESTONE, "description": "x" * 2001}]}, "/milestones/0/description", 2000),
    ({"milestones": [{**MILESTONE, "url": "https://a.example/" + "x" * 483}]}, "/milestones/0/url", 500),
    *(
        ({group: {platform: "https://a.example/" + "x" * 483}}, f"/{group}/{platform}", 500)
        for group in ("company_socials", "founder_socials")
        for platform in limits.PLATFORMS
    ),
    ({"competitor_url": "https://a.example/" + "x" * 2031}, "/competitor_url", 2048),
    ({"seo": {"title": "x" * 71}}, "/seo/title", 70),
    ({"seo": {"meta": "x" * 171}}, "/seo/meta", 170),
]


@pytest.mark.parametrize(("body", "pointer", "limit"), TOO_LONG, ids=[pointer for _, pointer, _ in TOO_LONG])
def test_one_over_each_bound_is_refused_by_name_and_changes_nothing(
    api: Api, draft: Draft, body: Any, pointer: str, limit: int
) -> None:
    before = everything(draft)

    answer = send(api, draft, {"seo": {"title": "Mine"}, **body} if "seo" not in body else body)

    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "invalid_request")
    assert [(e["pointer"], e["code"], e.get("limit")) for e in problem["errors"]] == [
        (pointer, "max_length", limit)
    ]
    assert everything(draft) == before


@pytest.mark.parametrize("by", ["operation", "tool"])
def test_each_bound_itself_is_accepted(api: Api, draft: Draft, by: str) -> None:
    texts = {name: "x" * length for name, length in limits.TEXT_FIELDS.items() if name not in FORMED}
    links = dict.fromkeys(("demo_video_url", "logo_url"), "https://a.example/" + "x" * 482)
    body = {
        "fields": {
            **texts,
            **links,
            **{name: list_of(20, 200) for name in limits.LIST_FIELDS if name != "categories"},
        },
        "faqs": [{"question": "q" * 300, "answer": "あ" * 1500}] * 10,
        "founders": [{"name": f"{n}" * 160, "title": "t" * 160, "bio": "び" * 3000} for n in range(6)],
        "story": dict.fromkeys(("title", *limits.STORY_SECTIONS), "す" * 8000),
        "milestones": [{**MILESTONE, "title": "t" * 200, "description": "で" * 2000}] * 50,
        "seo": {"title": "t" * 70, "meta": "m" * 170},
        "company_socials": {"x": "https://x.com/" + "y" * 486},
    }

    assert len(json.dumps(body)) > 1024 * 1024
    if by == "operation":
        shown = send(api, draft, body)
        assert shown.status_code == 200
        found = shown.json()
    else:
        arguments = {"id": str(draft.pk), **body}
        token = api("listings:write").headers["Authorization"].removeprefix("Bearer ")
        found = Mcp(token).result("update_draft", arguments)["structuredContent"]
    assert {name: found["fields"][name]["value"] for name in texts} == texts
    assert {name: found["fields"][name]["value"] for name in links} == links
    assert len(found["fields"]["tags"]["value"]) == 20
    assert (len(found["faqs"]), len(found["founders"]), len(found["milestones"])) == (10, 6, 50)
    assert found["story"] == body["story"]
    assert found["seo"] == body["seo"]


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"plan": "paid"}, "/plan", "unknown_property"),
        ({"": "paid"}, "/", "unknown_property"),
        ({"non_field_errors": "paid"}, "/non_field_errors", "unknown_property"),
        ({"fields": {"price": "5"}}, "/fields/price", "unknown_property"),
        ({"fields": {"": "5"}}, "/fields/", "unknown_property"),
        ({"fields": {"non_field_errors": "5"}}, "/fields/non_field_errors", "unknown_property"),
        ({"fields": {"name": 5}}, "/fields/name", "invalid"),
        ({"fields": {"name": ["a"]}}, "/fields/name", "invalid"),
        ({"fields": {"name": "a\u0000b"}}, "/fields/name", "control_character"),
        ({"fields": {"features": "a"}}, "/fields/features", "not_a_list"),
        ({"fields": {"features": [None]}}, "/fields/features/0", "null"),
        ({"fields": {"country": "Beljium"}}, "/fields/country", "country"),
        ({"fields": {"country": "ZZ"}}, "/fields/country", "country"),
        *(
            ({"fields": {"name": f"Tide{mark}well"}}, "/fields/name", "hidden_character")
            for mark in ("\u202e", "\u2066", "\u200b", "\ufeff")
        ),
        ({"fields": {"name": "\u200d\u200c"}}, "/fields/name", "hidden_character"),
        ({"fields": {"name": "a\u0085b"}}, "/fields/name", "control_character"),
        ({"founders": [{"name": "Ann\u202eBee"}]}, "/founders/0/name", "hidden_character"),
        *(
            ({group: {"x": link}}, f"/{group}/x", "link")
            for group in ("company_socials", "founder_socials")
            for link in PRIVATE
        ),
        *(({"fields": {name: link}}, f"/fields/{name}", "link") for name in LINKS for link in PRIVATE),
        *(({"milestones": [{**MILESTONE, "url": link}]}, "/milestones/0/url", "link") for link in PRIVATE),
        ({"fields": {"founded_year": 2019}}, "/fields/founded_year", "invalid"),
        ({"fields": {"logo_url": "javascript:alert(1)"}}, "/fields/logo_url", "link"),
        ({"fields": []}, "/fields", "not_an_object"),
        ({"lock_fields": ["price"]}, "/lock_fields/0", "unknown_field"),
        ({"regenerate": ["price"]}, "/regenerate/0", "unknown_field"),
        ({"restore": [1]}, "/restore/0", "invalid"),
        ({"faqs": [{"question": "Why?"}]}, "/faqs/0/answer", "required"),
        ({"faqs": [{**FAQ, "order": 1}]}, "/faqs/0/order", "unknown_property"),
        ({"founders": [{"title": "CEO"}]}, "/founders/0/name", "required"),
        ({"milestones": [{"title": "x"}]}, "/milestones/0/date", "required"),
        ({"milestones": [{**MILESTONE, "date": "28.02.2026"}]}, "/milestones/0/date", "invalid"),
        ({"milestones": [{**MILESTONE, "date": "2026-02-30"}]}, "/milestones/0/date", "invalid"),
        ({"milestones": [{**MILESTONE, "date": "2026-2-3"}]}, "/milestones/0/date", "invalid"),
        ({"milestones": [{**MILESTONE, "date": " 2026-02-03"}]}, "/milestones/0/date", "invalid"),
        ({"restore": ["story"]}, "/restore/0", "unknown_field"),
        ({"lock_fields": ["faqs"]}, "/lock_fields/0", "unknown_field"),
        ({"milestones": [{**MILESTONE, "url": "http://a.example/"}]}, "/milestones/0/url", "link"),
        (
            {"company_socials": {"myspace": "https://a.example/"}},
            "/company_socials/myspace",
            "unknown_property",
        ),
        ({"founder_socials": {"x": "not a link"}}, "/founder_socials/x", "link"),
        ({"story": {"moral": "x"}}, "/story/moral", "unknown_property"),
        ({"seo": {"h1": "x"}}, "/seo/h1", "unknown_property"),
    ],
)
def test_a_wrong_kind_of_value_is_refused_by_name_and_changes_nothing(
    api: Api, draft: Draft, body: Any, pointer: str, code: str
) -> None:
    before = everything(draft)

    answer = send(api, draft, body)

    assert answer.status_code == 400
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [(pointer, code)]
    assert everything(draft) == before


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Cafe\u0301  ", "Café"),
        (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("\U0001f469\u200d\U0001f680 Orbit", "\U0001f469\u200d\U0001f680 Orbit"),
        ("a\tb", "a\tb"),
    ],
)
def test_names_are_trimmed_and_composed_and_keep_the_joiners_that_scripts_need(
    api: Api, draft: Draft, typed: str, kept: str
) -> None:
    assert send(api, draft, {"fields": {"name": typed}}).json()["fields"]["name"]["value"] == kept


def test_all_failing_values_are_named_at_once(api: Api, draft: Draft) -> None:
    answer = send(
        api, draft, {"fields": {"name": "x" * 501, "tags": list_of(21)}, "seo": {"title": "x" * 71}}
    )

    pointers = {error["pointer"] for error in answer.json()["errors"]}
    assert pointers == {"/fields/name", "/fields/tags", "/seo/title"}
