"""The way of a website to a listing on pages, with no script: submit, watch, check, save, launch."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from core import jobs
from directory.models import Listing, Site
from drafts.models import Draft, DraftField
from tests.conftest import Caller, People, signed_in
from tests.drafts.conftest import HOME, blank_draft
from tests.servers.website import Website, html


def field(draft_id: Any, name: str) -> DraftField:
    return DraftField.objects.get(draft=draft_id, group="fields", name=name)


def words(response: Any) -> str:
    """The text of a page with white space folded."""
    return " ".join(response.content.decode().split())


def test_an_address_typed_before_signing_in_comes_along(site: Site, client: Client) -> None:
    assert "Website of the product" in words(client.get("/submit"))
    response = client.post("/submit", {"url": "tidewell.test?b=1&c"})

    assert response["Location"] == "/accounts/login/?next=/submit%3Furl%3Dtidewell.test%253Fb%253D1%2526c"
    assert 'value="tidewell.test?b=1&amp;c"' in words(client.get("/submit?url=tidewell.test%3Fb%3D1%26c"))
    assert Draft.objects.count() == 0


def test_the_whole_way_to_a_place_in_the_queue(
    owner: Client, ready: dict[str, Any], tidewell: Website
) -> None:
    draft = Draft.objects.get(pk=ready["id"])
    page = words(owner.get(f"/drafts/{draft.pk}"))
    assert "From the website" in page
    assert not re.search(r"\bAI(?: |, )(?:wrote|text|from)", page)
    line = page.split('id="field-tagline"')[1].split('class="beneath"')[1].split("</p>")[0]
    assert re.search('Word for word</span> on <a href="https?://tidewell.test/[^>]*>its home page</a>', line)
    assert "robots.txt asked us not to read 1 page<" in page
    assert re.search("Written (just now|.*minutes? ago) from 3 pages", page)
    told = ("Only you see it.", "Each value shows the sentence it’s from.", "Not on the website.")
    assert [sentence for sentence in told if sentence not in page] == []

    saved = owner.post(f"/drafts/{draft.pk}/edit", {"make": "listing"})
    listing = Listing.objects.get()
    assert saved["Location"] == f"/account/listings/{listing.pk}"
    assert "Choose how to launch." in words(owner.get(saved["Location"]))

    owner.post(f"/account/listings/{listing.pk}/free")
    listing.refresh_from_db()
    assert listing.status == "awaiting_badge"
    page = words(owner.get(f"/account/listings/{listing.pk}"))
    assert "We did not find it there." in page
    code = re.search(r'<output id="badge-code">(.*?)</output>', page)
    assert code is not None
    assert "&lt;a href=" in code[1]

    found = owner.post(f"/account/listings/{listing.pk}/badge", follow=True)
    assert "didn’t see the badge" in words(found)
    badge = code[1].replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    tidewell.pages["/"] = html(HOME % badge)
    found = owner.post(f"/account/listings/{listing.pk}/badge", follow=True)
    listing.refresh_from_db()
    assert listing.status == "scheduled"
    assert "Badge found." in words(found)


def test_progress_refreshes_itself_with_and_without_scripts_and_says_where_it_stands(
    owner: Client, people: People, site: Site, tidewell: Website
) -> None:
    response = owner.post("/submit", {"url": "tidewell.test"})
    page = words(owner.get(response["Location"]))
    assert "Reading tidewell.test" in page
    assert '<noscript> <meta http-equiv="refresh" content="5"> </noscript>' in page
    queued = "<b>Step 1 of 4: in the queue.</b> %s Once it starts, it usually takes about a minute."
    assert queued % "Yours is next." in page
    earlier, mine = timezone.now() - timedelta(minutes=4), Draft.objects.filter(domain="tidewell.test")
    other = people.stranger
    for number in range(2):
        Draft.objects.create(
            site=site,
            owner=other,
            url=f"https://w{number}.test/",
            site_key=f"w{number}.test",
            domain=f"w{number}.test",
            created_at=earlier,
            updated_at=earlier,
        )
    assert queued % "2 websites before yours." in words(owner.get(response["Location"]))
    Draft.objects.filter(owner=other).delete()
    mine.update(stage="reading", pages_read=3)
    page = words(owner.get(response["Location"]))
    assert "<b>Step 3 of 4: reading the pages.</b> 3 pages read so far." in page
    assert "No news" not in page
    mine.update(updated_at=earlier)
    assert "No news for 4 minutes, which is longer than usual." in words(owner.get(response["Location"]))
    part = owner.get(response["Location"] + "/progress")
    assert "<live-part" in part.content.decode()
    assert "<html" not in part.content.decode()

    jobs.run_due()

    assert owner.get(response["Location"] + "/progress").content == b""
    assert "Check the draft of Tidewell" in words(owner.get(response["Location"]))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "address"),
        ("http://127.0.0.1/", "public"),
        ("ftp://tidewell.test", "http"),
        ("x" * 3000, "at most 2048 characters"),
    ],
)
def test_what_cannot_be_drafted_is_refused_with_the_text_kept(
    owner: Client, site: Site, url: str, said: str
) -> None:
    response = owner.post("/submit", {"url": url})

    assert response.status_code == 400
    assert "<title>Error: Submit a product" in response.content.decode()
    assert said in words(response).split('id="url-error"')[1].split("</p>")[0]
    assert Draft.objects.count() == 0


def test_a_second_draft_of_a_site_leads_to_the_first(owner: Client, site: Site, tidewell: Website) -> None:
    first = owner.post("/submit", {"url": "https://tidewell.test/"})
    second = owner.post("/submit", {"url": "www.tidewell.test"})

    assert second["Location"] == first["Location"]
    assert Draft.objects.count() == 1


def test_a_failed_draft_says_why_and_can_be_tried_again(owner: Client, site: Site, tidewell: Website) -> None:
    tidewell.pages["/"] = html("gone", status=404)
    address = owner.post("/submit", {"url": "tidewell.test"})["Location"]
    jobs.run_due()
    page = words(owner.get(address))
    assert "We could not draft tidewell.test" in page
    assert "There is no page at https://tidewell.test/ (404)." in page

    tidewell.pages["/"] = html(HOME % "")
    assert owner.post(address + "/again")["Location"] == address
    jobs.run_due()

    assert "Check the draft of Tidewell" in words(owner.get(address))


def test_only_what_was_changed_is_marked_as_the_owners(
    people: People, owner: Client, ready: dict[str, Any]
) -> None:
    texts = {name: value["value"] for name, value in ready["fields"].items()}
    posted = {
        name: "\r\n".join(value) if isinstance(value, list) else value or "" for name, value in texts.items()
    }
    posted["tagline"] = "Invoices that chase <b>themselves</b> politely"
    response = owner.post(f"/drafts/{ready['id']}/edit", posted)

    assert response["Location"] == f"/drafts/{ready['id']}#field-tagline"
    states = dict(DraftField.objects.filter(draft=ready["id"], group="fields").values_list("name", "state"))
    assert {name for name, state in states.items() if state == "edited"} == {"tagline"}
    page = words(owner.get(response["Location"]))
    assert "Edited by you" in page
    assert "<ins>&lt;b&gt;</ins>themselves<ins>&lt;/b&gt;" in page
    assert "This quote backs the original, not your edit" in page


def test_tools_save_what_was_typed_and_do_their_work(owner: Client, ready: dict[str, Any]) -> None:
    address = f"/drafts/{ready['id']}/edit"
    response = owner.post(address, {"tagline": "Mine", "lock": "name"})
    assert response["Location"].endswith("#field-name")
    assert (field(ready["id"], "tagline").value, field(ready["id"], "tagline").state) == ("Mine", "edited")
    assert field(ready["id"], "name").is_locked

    owner.post(address, {"unlock": "name"})
    assert (field(ready["id"], "name").is_locked, field(ready["id"], "name").state) == (False, "ai")

    owner.post(address, {"restore": "tagline"})
    assert field(ready["id"], "tagline").value == "Invoices that chase themselves"

    owner.post(address, {"founded_year": ""})
    assert field(ready["id"], "founded_year").state == "deleted"

    owner.post(address, {"regenerate": "founded_year"})
    jobs.run_due()
    assert (field(ready["id"], "founded_year").value, field(ready["id"], "founded_year").state) == (
        "2021",
        "ai",
    )


def test_another_suggestion_that_brought_nothing_new_says_so_once_at_its_field(
    owner: Client, ready: dict[str, Any]
) -> None:
    nothing = "We read the pages once more and have nothing else to suggest."
    owner.post(f"/drafts/{ready['id']}/edit", {"regenerate": "demo_video_url"})
    assert nothing not in words(owner.get(f"/drafts/{ready['id']}"))  # still looking

    jobs.run_due()
    page = words(owner.get(f"/drafts/{ready['id']}"))
    assert nothing in page.split('id="field-demo_video_url"')[1].split('id="field-')[0]
    assert page.count(nothing) == 1
    assert nothing not in words(owner.get(f"/drafts/{ready['id']}"))


def test_a_refused_value_comes_back_with_its_text_and_nothing_is_saved(
    owner: Client, ready: dict[str, Any]
) -> None:
    response = owner.post(f"/drafts/{ready['id']}/edit", {"tagline": "Kept", "name": "x" * 501})
    page = words(response)

    assert response.status_code == 400
    assert "<title>Error: Check the draft" in page
    assert 'href="#input-name"' in page
    assert "x" * 501 in page
    assert " Kept</textarea>" in page
    assert field(ready["id"], "tagline").value == "Invoices that chase themselves"


def test_what_a_listing_needs_is_said_and_saved_texts_stay(people: People, owner: Client, site: Site) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    response = owner.post(f"/drafts/{draft.pk}/edit", {"name": "Tidewell", "make": "listing"})

    assert response.status_code == 400
    assert "A listing needs a name, a tagline or a short description, and one category." in words(response)
    assert field(draft.pk, "name").value == "Tidewell"
    assert Listing.objects.count() == 0


def test_hostile_values_of_a_website_stay_text(people: People, owner: Client, site: Site) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    evidence = [
        {
            "quote": "<script>alert(1)</script>",
            "url": "javascript:alert(1)",
            "link": "javascript:alert(2)",
            "source": "text",
        }
    ]
    DraftField.objects.filter(draft=draft, name="description").update(
        value="</textarea><script>alert(1)</script>", state="ai", evidence=evidence
    )
    DraftField.objects.filter(draft=draft, name="logo_url").update(value='"><img src=x>', state="ai")
    page = owner.get(f"/drafts/{draft.pk}").content.decode()

    assert "<script>alert" not in page
    assert "<img" not in page
    assert 'href="javascript:' not in page


@pytest.mark.parametrize("path", ["", "/progress", "/preview", "/edit", "/again", "/invites", "/delete"])
def test_other_peoples_drafts_are_not_there(people: People, site: Site, path: str) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    address = f"/drafts/{draft.pk}{path}"
    client = Client()
    send: Callable[..., Any] = client.get if path in {"", "/progress", "/preview"} else client.post
    assert send(address).status_code == 302

    client.force_login(people.stranger)
    assert send(address).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/submit",
        "/drafts/{}/edit",
        "/drafts/{}/again",
        "/drafts/{}/invites",
        "/drafts/{}/delete",
        "/account/listings/1/free",
    ],
)
def test_every_change_needs_its_token(people: People, site: Site, path: str) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.owner)

    assert client.post(path.format(draft.pk), {"url": "tidewell.test", "name": "x"}).status_code == 403
    assert Draft.objects.count() == 1
    assert field(draft.pk, "name").value is None


@pytest.mark.parametrize("act", ["", "/free", "/badge"])
def test_other_peoples_listings_are_not_there(
    people: People, api: Callable[..., Caller], ready: dict[str, Any], act: str
) -> None:
    listing_id = api("all").post(f"/api/v1/drafts/{ready['id']}/submit").json()["listing_id"]
    client = signed_in(people.stranger)
    send: Callable[..., Any] = client.post if act else client.get

    assert send(f"/account/listings/{listing_id}{act}").status_code == 404
    assert Listing.objects.get().status == "draft"


def test_the_lists_say_in_a_sentence_where_each_stands(people: People, owner: Client, site: Site) -> None:
    assert "No drafts yet" in words(owner.get("/account/drafts"))
    assert "No listings yet" in words(owner.get("/account/listings"))

    blank_draft(owner=people.owner, site=site)
    failed = blank_draft(owner=people.owner, site=site, host="other.test")
    error = {"detail": "other.test did not answer.", "code": "unreachable"}
    Draft.objects.filter(pk=failed.pk).update(status="failed", error=error, updated_at=timezone.now())
    page = words(owner.get("/account/drafts"))

    assert "Ready to check." in page
    assert "other.test did not answer." in page


TOLD = (
    "The home page builds its text with scripts. We don’t run them, so we saw little.",
    "The home page asks search engines not to show it.",
    "The address led to another domain, so we read that one.",
    "One page gives orders to programs that read it. We ignored them.",
)


def test_every_warning_is_told_in_words(owner: Client, people: People, site: Site) -> None:
    codes = ("script_only", "noindex", "other_domain", "instructions")
    draft = blank_draft(owner=people.owner, site=site)
    Draft.objects.filter(pk=draft.pk).update(warnings=list(codes))

    shown = words(owner.get(f"/drafts/{draft.pk}"))

    assert [code for code in codes if code in shown] == []
    assert [sentence for sentence in TOLD if sentence not in shown] == []


def test_the_listing_check_stands_in_the_draft(owner: Client, ready: dict[str, Any]) -> None:
    Draft.objects.filter(pk=ready["id"]).update(faqs=[])

    page = owner.get(f"/drafts/{ready['id']}").content.decode()
    assert "Listing check, free" in page
    assert "Answer three questions." in page

    Draft.objects.filter(pk=ready["id"]).update(faqs=[{"question": f"{n}?", "answer": "Yes."} for n in "abc"])
    assert "Answer three questions." not in owner.get(f"/drafts/{ready['id']}").content.decode()
    Draft.objects.filter(pk=ready["id"]).update(faqs=[{"question": f"{n}?", "answer": "Yes."} for n in "ab"])
    assert (
        "Answer one more question.</a></b> 2 of 3 so far."
        in owner.get(f"/drafts/{ready['id']}").content.decode()
    )
