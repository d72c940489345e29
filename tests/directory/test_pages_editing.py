"""The account pages on which owners edit their listings: before and after, then public."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from directory.models import InterviewAnswer, InterviewQuestion, Listing, ListingRevision, ListingUpdate, Site
from directory.moderation import reviewing
from tests.conftest import People
from tests.factories.listings import AT, make_listing
from tests.forms import fields_of

PARTS = ("edit", "updates", "versions")


@pytest.fixture
def listing(people: People, site: Site) -> Listing:
    return make_listing(owner=people.owner, city="Ghent", evidence={"city": []})


def at(listing: Listing, part: str) -> str:
    return f"/account/listings/{listing.pk}/{part}"


def words(response: Any) -> str:
    """The page's text without tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def form_of(owner: Client, address: str) -> dict[str, str]:
    """What the edit form sends when nothing is typed."""
    return fields_of(owner.get(address).content.decode())


def test_empty_links_questions_and_search_texts_are_folded(owner: Client, people: People) -> None:
    socials, faqs = {"x": "https://x.com/tidewell"}, [{"question": "Free?", "answer": "No."}]
    listing = make_listing("folded", owner=people.owner, socials=socials, faqs=faqs)
    form = owner.get(at(listing, "edit")).content.decode().split('id="editor"')[1].split("</form>")[0]

    open_parts = re.sub(r'(?s)<details class="(adding|group)">.*?</details>', "", form)
    assert [name in open_parts for name in ('name="socials-x"', 'name="socials-github"')] == [True, False]
    assert [name in open_parts for name in ('name="faqs-0-answer"', 'name="faqs-1-question"')] == [
        True,
        False,
    ]
    assert 'name="seo_title"' in form
    assert ('name="seo_title"' in open_parts, 'name="headline"' in open_parts) == (False, False)
    Listing.objects.update(headline="Paid on time")
    part = owner.get(at(listing, "edit")).content.decode()
    assert ("Add a headline or a summary" in form, "Add a summary<" in part) == (True, True)
    assert re.findall('name="(headline|short_description|summary)"', part) == [
        "headline",
        "short_description",
        "summary",
    ]


def test_an_edit_is_shown_before_it_is_public(owner: Client, listing: Listing) -> None:
    address = at(listing, "edit")
    unchanged = form_of(owner, address)
    assert "Nothing is changed" in words(owner.post(address, unchanged))
    typed = unchanged | {
        "tagline": "Paid <b>on time</b>",
        "city": "",
        "features": "One\n\n Two ",
        "founded_year": "2019",
        "socials-x": "https://x.com/tidewell",
        "faqs-0-question": "Free?",
        "faqs-0-answer": "No.",
    }

    shown = owner.post(address, typed)
    listing.refresh_from_db()
    assert "Check your 6 changes" in words(shown)
    assert "<b>on time</b>" not in shown.content.decode()
    assert (listing.city, ListingRevision.objects.count()) == ("Ghent", 0)

    answer = owner.post(address, typed | {"do": "publish"})
    listing.refresh_from_db()
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert (listing.tagline, listing.city, listing.features) == ("Paid <b>on time</b>", "", ["One", "Two"])
    assert (listing.founded_year, listing.socials) == (2019, {"x": "https://x.com/tidewell"})
    assert listing.faqs == [{"question": "Free?", "answer": "No."}]
    assert "Published: 6 changes" in words(owner.get(address))


def test_a_change_meanwhile_is_shown_before_it_is_lost(owner: Client, listing: Listing) -> None:
    address = at(listing, "edit")
    typed = form_of(owner, address) | {"city": "Rome", "do": "publish"}
    owner.post(address, form_of(owner, address) | {"city": "Milan", "do": "publish"})

    answer = owner.post(address, typed)
    shown = words(answer)

    assert "changed elsewhere while you were typing" in shown
    assert "There now: Milan" in shown
    assert 'value="Rome"' in answer.content.decode()
    assert (answer.status_code, Listing.objects.get().city) == (409, "Milan")


def test_what_is_refused_stands_there_again_with_the_reason(owner: Client, listing: Listing) -> None:
    address = at(listing, "edit")
    typed = form_of(owner, address) | {"country": "XX", "socials-x": "nowhere", "city": "Rome", "tagline": ""}

    refused = owner.post(address, typed | {"do": "publish"})
    page = refused.content.decode()

    assert refused.status_code == 400
    for text in (
        "two-letter code, such as DK",
        "begins with http",
        'value="XX"',
        'value="nowhere"',
        'value="Rome"',
    ):
        assert text in page
    typed = form_of(owner, address)
    lost = owner.post(address, typed | {"country": "", "socials-x": "", "do": "publish"})
    assert (lost.status_code, "can’t be without this" in words(lost)) == (400, True)
    assert Listing.objects.get().city == "Ghent"


def test_updates_and_interview_are_written_there(owner: Client, listing: Listing) -> None:
    owner.post(at(listing, "updates"), {"title": "News", "body": "Text"})
    assert "0 people follow it" in words(owner.get(at(listing, "updates")))
    assert owner.post(at(listing, "updates"), {"title": "Only"}).status_code == 400
    question = InterviewQuestion.objects.create(question="Why?")
    owner.post("/account/interview", {f"answer-{question.pk}": "Because."})

    assert ListingUpdate.objects.get().title == "News"
    assert InterviewAnswer.objects.get().answer == "Because."


def test_story_and_milestones_are_groups_of_the_editor(
    owner: Client, listing: Listing, people: People
) -> None:
    address, first = at(listing, "edit"), {"milestones-0-date": "2026-02-28"}
    for name in ("story", "milestones"):
        assert owner.get(at(listing, name))["Location"] == f"{address}#in-{name}"
    typed = (
        form_of(owner, address) | first | {"story-title": "Late payers", "story-problem": "Three invoices."}
    )
    refused = owner.post(address, typed | {"do": "publish"})
    assert (refused.status_code, "What happened: " in words(refused)) == (400, True)
    typed = form_of(owner, address) | {"milestones-0-title": "First customer"}
    assert "Check your 3 changes" in words(owner.post(address, typed))
    assert "Published: 3 changes." in words(owner.post(address, typed | {"do": "publish"}, follow=True))

    listing.refresh_from_db()
    assert listing.story == {"title": "Late payers", "problem": "Three invoices."}
    shown = owner.get(address)
    assert words(shown).count("not public yet: it comes with a paid launch") == 2
    assert "The whole gallery comes with a paid launch" in words(shown)
    assert re.search(
        r"Everything is published Text waits until you publish it; pictures show at once\.",
        words(shown),
    )
    later = {"milestones-1-date": "2026-01-31", "milestones-1-title": "Founded", "story-problem": ""}
    owner.post(address, form_of(owner, address) | later | {"do": "publish"})
    listing.refresh_from_db()
    assert listing.story == {"title": "Late payers"}
    steps = form_of(owner, address)
    assert [steps[f"milestones-{number}-title"] for number in (0, 1)] == ["Founded", "First customer"]
    gone = owner.post(address, steps | {"remove": "milestones-0", "do": "publish"})
    assert (gone.status_code, [step.title for step in listing.milestones.all()]) == (302, ["First customer"])

    shown = words(owner.get(at(listing, "versions")))
    assert shown.count("Not reviewed yet") == 3
    reviewing.put_back(
        revision_ids=[ListingRevision.objects.order_by("pk")[1].pk],
        reviewer_id=people.staff.pk,
        at=AT,
        reason="Not a story.",
    )
    shown = words(owner.get(at(listing, "versions")))
    assert "Put back on 18 Nov 2026, 09:00 UTC Not a story." in shown


def test_the_page_shows_the_owners_words_and_says_whose_the_listing_is(
    owner: Client, listing: Listing
) -> None:
    typed = {"headline": "Paid on time", "summary": "For **studios**.", "seo_title": "Invoices <3"}
    owner.post(at(listing, "edit"), form_of(owner, at(listing, "edit")) | typed | {"do": "publish"})
    make_listing("nobodys")

    page = Client().get("/listings/tidewell").content.decode()
    for text in ('<h2 dir="auto">Paid on time</h2>', "<strong>studios</strong>", "<title>Invoices &lt;3"):
        assert text in page
    assert "Added by someone who says they made it. Not verified." in page
    assert "Nobody has claimed this listing" in Client().get("/listings/nobodys").content.decode()


@pytest.mark.parametrize("part", PARTS)
def test_they_are_for_the_owner_alone(listing: Listing, people: People, part: str) -> None:
    stranger = Client()
    assert stranger.get(at(listing, part)).status_code == 302
    stranger.force_login(people.stranger)

    assert stranger.get(at(listing, part)).status_code == 404
    assert stranger.post(at(listing, part), {"city": "Rome", "do": "publish"}).status_code in {404, 405}
    assert Listing.objects.get().city == "Ghent"
