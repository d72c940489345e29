"""Posts and their questions, as staff write them and readers see them."""

from typing import Any

from django.test import Client
from django.utils import timezone

from directory.models import BlogPost, InterviewQuestion, Site
from tests.conftest import Api
from tests.directory.test_admin import act


def test_a_post_is_written_published_and_deleted(staff: Client, api: Api, site: Site, happening: Any) -> None:
    post = {
        "site": site.pk,
        "slug": "first-week",
        "title": "Your first week",
        "excerpt": "In short.",
        "author": "Ada",
        "markdown": "# Hello\n\n<script>alert(1)</script>",
        "faqs-0-order": "2",
        "faqs-0-question": "And then?",
        "faqs-0-answer": "Launch.",
        "faqs-1-order": "1",
        "faqs-1-question": "Where do I begin?",
        "faqs-1-answer": "Here.",
        "faqs-2-order": "3",
        "faqs-2-question": "",
        "faqs-2-answer": "",
        "published_at_0": "2026-11-01",
        "published_at_1": "09:00:00",
    }
    none = api().get("/api/v1/blog").json()["total"]
    with happening():
        answer = staff.post("/admin/directory/blogpost/add/", post)
    one = api().get("/api/v1/blog").json()
    page = api().client.get("/blog/first-week").content.decode()
    faqs = api().get("/api/v1/blog/first-week").json()["faqs"]
    with happening():
        act(staff, "directory/blogpost", "delete_selected", BlogPost.objects.get().pk)
        staff.post(
            "/admin/directory/blogpost/",
            {
                "action": "delete_selected",
                "_selected_action": [str(BlogPost.objects.get().pk)],
                "post": "yes",
            },
        )

    assert (answer.status_code, none, one["total"]) == (302, 0, 1)
    assert one["items"][0]["slug"] == "first-week"
    assert "<script>alert(1)" not in page
    assert [(row["question"], row["answer"]) for row in faqs] == [
        ("Where do I begin?", "Here."),
        ("And then?", "Launch."),
    ]
    assert api().get("/api/v1/blog").json()["total"] == 0


def test_questions_of_a_post_are_rows_that_are_added_and_taken_out(staff: Client, site: Site) -> None:
    rows = [{"question": "Why <b>?", "answer": "So."}, {"question": "When?", "answer": "Now."}]
    post = BlogPost.objects.create(
        site=site, slug="p", title="P", excerpt="E", markdown="x", faqs=rows, updated_at=timezone.now()
    )
    place = f"/admin/directory/blogpost/{post.pk}/change/"
    page = staff.get(place).content.decode()
    names = ("site", "slug", "title", "excerpt", "markdown")
    form = dict(zip(names, (site.pk, "p", "P", "E", "x"), strict=True))
    typed = {"faqs-0-question": "", "faqs-0-answer": "", "faqs-1-question": "When?", "faqs-1-answer": "Now."}
    added = {"faqs-2-question": "Who?", "faqs-2-answer": "We."}

    assert 'value="Why &lt;b&gt;?"' in page
    assert ('name="faqs-3-question"' in page, 'name="faqs-4-question"' in page) == (True, False)
    assert 'name="faqs"' not in page
    assert staff.post(place, form | typed | added).status_code == 302
    post.refresh_from_db()
    assert post.faqs == [{"question": "When?", "answer": "Now."}, {"question": "Who?", "answer": "We."}]
    assert staff.post(place, form | {"faqs-0-question": "Half?", "faqs-0-answer": ""}).status_code == 200
    post.refresh_from_db()
    assert [row["question"] for row in post.faqs] == ["When?", "Who?"]


def test_questions_are_put_in_order_in_their_list(
    staff: Client, api: Api, site: Site, happening: Any
) -> None:
    first, second = (
        InterviewQuestion.objects.create(question=f"Question {order}?", order=order) for order in (1, 2)
    )
    before = [item["id"] for item in api().get("/api/v1/interview-questions").json()["items"]]
    form = {"form-TOTAL_FORMS": 2, "form-INITIAL_FORMS": 2, "_save": "Save"}
    for place, (question, order) in enumerate(((first, 7), (second, 2))):
        form |= {f"form-{place}-id": question.pk, f"form-{place}-order": order}
        form |= {f"form-{place}-is_active": "on"}
    with happening():
        staff.post("/admin/directory/interviewquestion/", form)

    assert before == [first.pk, second.pk]
    assert [item["id"] for item in api().get("/api/v1/interview-questions").json()["items"]] == [
        second.pk,
        first.pk,
    ]
