"""What staff type where the database takes anything is what readers are promised, or is refused in words."""

import json
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from config.demo.content import listings, posts
from directory.back_office.checks import check_attributes, check_faqs, check_socials, check_story
from directory.data.categories import category_tree
from directory.models import BlogPost, Category, Founder, Milestone, Site
from tests.factories.listings import make_listing

LONG = "x" * 301
ATTRIBUTE = {"key": "api", "label": "API", "kind": "stated", "fields": ["features"], "phrases": ["rest api"]}
POST = {"title": "T", "excerpt": "E", "markdown": "x", "slug": "post"}
CATEGORY = {"name": "C", "slug": "c", "position": "0", "attributes": "[]"}
FOUNDER = {"name": "F", "slug": "f", "socials": "{}", "created_at_0": "2026-11-01", "created_at_1": "09:00"}


def refusals(staff: Client, place: str, form: dict[str, Any]) -> set[str]:
    """The names of the fields that a form is refused for."""
    answer = staff.post(f"/admin/{place}/add/", form)
    return set(answer.context["adminform"].form.errors) if answer.context else set()


@pytest.mark.parametrize("slug", ["Big", "under_score", "-first", "é", "a b", "a" * 221])
def test_a_slug_is_one_that_the_api_can_be_asked_for(staff: Client, site: Site, slug: str) -> None:
    assert refusals(staff, "directory/blogpost", {**POST, "site": site.pk, "slug": slug}) == {"slug"}
    assert refusals(staff, "directory/category", {**CATEGORY, "slug": slug}) == {"slug"}
    assert refusals(staff, "directory/founder", {**FOUNDER, "slug": slug}) == {"slug"}
    assert (BlogPost.objects.count(), Category.objects.count(), Founder.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize(
    ("place", "form", "field"),
    [
        ("directory/blogpost", {**POST, "faqs-0-question": "a"}, "faqs"),
        ("directory/blogpost", {**POST, "faqs-0-question": LONG, "faqs-0-answer": "b"}, "faqs"),
        ("directory/blogpost", {**POST, "excerpt": " "}, "excerpt"),
        ("directory/category", {**CATEGORY, "faqs-0-question": "Why?"}, "faqs"),
        ("directory/category", {**CATEGORY, "attributes": '[{"key": "api"}]'}, "attributes"),
        ("directory/founder", {**FOUNDER, "socials": '{"x": "javascript:alert(1)"}'}, "socials"),
        ("directory/founder", {**FOUNDER, "socials": '["https://x.com/a"]'}, "socials"),
    ],
)
def test_forms_refuse_it_by_name(staff: Client, site: Site, place: str, form: Any, field: str) -> None:
    assert refusals(staff, place, {"site": site.pk, **form}) == {field}


def test_what_is_right_is_stored(staff: Client, site: Site) -> None:
    row = {"faqs-0-question": "Why?", "faqs-0-answer": "So."}
    assert refusals(staff, "directory/blogpost", {**POST, "site": site.pk, **row}) == set()
    assert refusals(staff, "directory/category", {**CATEGORY, **row}) == set()
    assert refusals(staff, "directory/founder", {**FOUNDER, "socials": '{"x": "https://x.com/f"}'}) == set()

    assert (
        BlogPost.objects.get().faqs == Category.objects.get().faqs == [{"question": "Why?", "answer": "So."}]
    )
    assert Founder.objects.get().socials == {"x": "https://x.com/f"}


def test_an_address_without_a_scheme_is_taken_for_https(staff: Client, site: Site) -> None:
    step = {
        "listing": make_listing().pk,
        "date": "2026-11-01",
        "title": "First",
        "url": "tidewell.example/first",
    }
    staff.post("/admin/directory/milestone/add/", step)

    assert Milestone.objects.get().url == "https://tidewell.example/first"


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (check_faqs, [{"question": "", "answer": "b"}]),
        (check_faqs, [{"question": LONG, "answer": "b"}]),
        (check_faqs, [{"question": "a", "answer": 5}]),
        (check_faqs, [{"question": "a", "answer": "b", "more": "c"}]),
        (check_faqs, [{"question": "a", "answer": "b"}] * 11),
        (check_socials, {"friendster": "https://a.example"}),
        (check_socials, {"x": "https://a.example/" + "x" * 500}),
        (check_socials, {"x": None}),
        (check_story, {"title": "x" * 201}),
        (check_story, {"plot": "twist"}),
        (check_story, "once upon a time"),
        (check_attributes, {"key": "api"}),
        (check_attributes, [ATTRIBUTE | {"kind": "guess"}]),
        (check_attributes, [ATTRIBUTE | {"fields": ["no_such_field"]}]),
        (check_attributes, [ATTRIBUTE | {"phrases": []}]),
        (check_attributes, [ATTRIBUTE | {"equals": "free"}]),
        (check_attributes, [ATTRIBUTE | {"kind": "choices"}]),
    ],
)
def test_what_is_not_it_is_refused(check: Any, value: Any) -> None:
    with pytest.raises(ValidationError):
        check(value)


def test_all_that_is_delivered_may_be_saved_again() -> None:
    for category in category_tree():
        check_faqs([{"question": faq.question, "answer": faq.answer} for faq in category.faqs])
        check_attributes(json.loads(json.dumps([vars(row) for row in category.attributes])))
    for post in posts():
        check_faqs(post["faqs"])
    for row in listings():
        check_socials(row["facts"]["socials"])
        check_story(row["facts"]["story"])
        for founder in row["founders"]:
            check_socials(founder["socials"])
