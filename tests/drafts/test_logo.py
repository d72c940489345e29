"""The logo is fetched by a job, redrawn, served by us, and shown on draft and listing; what is refused is told."""

import os
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core import jobs
from core.models import Job
from directory.facts import FACTS
from directory.models import Listing, Site
from drafts.models import Draft
from drafts.pictures import logos
from tests.conftest import Caller, People, signed_in
from tests.drafts.conftest import HOME
from tests.factories.listings import make_category
from tests.factories.pictures import drawn, made_ready_meanwhile, prepare
from tests.forms import fields_of
from tests.servers.website import Website, html, plain

API = "/api/v1/drafts"
MARK = '<link rel="icon" href="/logo.png"><img class="logo" src="/logo.png" alt="Tidewell logo">'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>1</script><circle r="4"/></svg>'


def png() -> bytes:
    made = BytesIO()
    Image.new("RGB", (64, 64), (10, 90, 60)).save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def drafted(
    api: Callable[..., Caller], site: Site, tidewell: Website, storage: Any
) -> Callable[[], dict[str, Any]]:
    """Submits the site and does all its jobs."""
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])
    tidewell.pages["/"] = html(HOME.replace("<header>", f"<header>{MARK}") % "")

    def draft() -> dict[str, Any]:
        made = api("all").post(API, {"url": "https://tidewell.test/"}).json()
        jobs.run_due()
        jobs.run_due()
        found: dict[str, Any] = api("all").get(f"{API}/{made['id']}").json()
        return found

    return draft


def test_it_is_redrawn_stored_once_and_shown(
    api: Callable[..., Caller], people: People, tidewell: Website, drafted: Any, storage: Any
) -> None:
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    draft = drafted()
    assert draft["fields"]["logo_url"]["value"] == "https://tidewell.test/logo.png"

    owner = signed_in(people.owner)
    (file,) = (path for path in storage.rglob("*") if path.is_file())
    address = f"{django_settings.MEDIA_URL}logos/{file.name}"
    assert f'src="{address}"' in owner.get(f"/drafts/{draft['id']}").content.decode()
    served = Client().get(address)
    assert (served.status_code, served["Content-Type"]) == (200, "image/webp")
    assert "sandbox" in served["Content-Security-Policy"]
    assert served["X-Content-Type-Options"] == "nosniff"

    api("all").post(f"{API}/{draft['id']}/submit")
    listing = Listing.objects.get()
    found = api("all").get(f"/api/v1/me/listings/{listing.pk}").json()
    assert found["logo_url"].endswith(address)
    assert f'src="{address}"' in owner.get(f"/listings/{listing.slug}").content.decode()

    tidewell.pages["/new.svg"] = html(SVG.encode(), content_type="image/svg+xml")
    api("all").patch(f"{API}/{draft['id']}", {"fields": {"logo_url": "https://tidewell.test/new.svg"}})
    jobs.run_due()
    listing.refresh_from_db()
    assert listing.logo.name.endswith(".svg")
    served = Client().get(f"{django_settings.MEDIA_URL}{listing.logo.name}")
    assert (served["Content-Type"], b"script" in b"".join(served.streaming_content)) == (
        "image/svg+xml",
        False,
    )

    api("all").patch(f"{API}/{draft['id']}", {"fields": {"logo_url": None}})
    listing.refresh_from_db()
    assert (listing.logo.name, listing.logo_url) == ("", "")


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (None, "404"),
        (plain("no picture"), "is of type text/plain"),
        (html(b"\x89PNG\r\n\x1a\n", content_type="image/png"), "no picture of a kind"),
    ],
)
def test_what_cannot_be_taken_over_is_told_and_the_draft_goes_on(
    people: People, tidewell: Website, drafted: Any, storage: Any, page: Any, said: str
) -> None:
    if page is not None:
        tidewell.pages["/logo.png"] = page
    draft = drafted()
    owner = signed_in(people.owner)

    shown = " ".join(owner.get(f"/drafts/{draft['id']}").content.decode().split())
    assert draft["status"] == "ready"
    assert said in shown.split("we couldn’t use it.")[1][:200]
    assert 'Pictures<span class="small faint">logo<' not in shown
    assert not [path for path in storage.rglob("*") if path.is_file()]
    wanted = {entry["field"]: entry["hint"] for entry in draft["missing"]}
    weights = {name: fact.weight for name, fact in FACTS.items()}
    assert draft["completeness"] == 100 - sum(weights[name] for name in wanted)
    assert "no picture to use" in wanted["logo_url"]

    assert '<b>Logo missing:</b> <span class="muted">lists show this letter.' in shown
    posted = fields_of(owner.get(f"/drafts/{draft['id']}").content.decode())
    assert posted["logo_url"] == ""  # the address shows nothing, and saving the rest leaves what was read
    assert owner.post(f"/drafts/{draft['id']}/edit", posted | {"city": "Ghent"}).status_code == 302
    row = Draft.objects.get(pk=draft["id"]).field_rows.get(group="fields", name="logo_url")
    assert (row.value, row.state) == ("https://tidewell.test/logo.png", "ai")

    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    owner.post(f"/drafts/{draft['id']}/edit", {"regenerate": "logo_url"})
    jobs.run_due()
    jobs.run_due()
    stored = Draft.objects.get(pk=draft["id"])
    assert stored.logo["file"]
    assert stored.completeness == draft["completeness"] + weights["logo_url"]


def test_a_closed_picture_is_not_fetched(tidewell: Website, drafted: Any, storage: Any) -> None:
    tidewell.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /logo.png")
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    draft = drafted()

    assert Draft.objects.get(pk=draft["id"]).logo["problem"].startswith("robots.txt asked us not to")
    assert "/logo.png" not in [request.path for request in tidewell.requests]


def test_rules_that_cannot_be_read_ask_for_nothing(
    api: Callable[..., Caller], tidewell: Website, drafted: Any, storage: Any
) -> None:
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    draft = drafted()
    tidewell.pages["/robots.txt"] = plain("away", status=503)

    api("all").patch(f"{API}/{draft['id']}", {"fields": {"logo_url": "https://tidewell.test/logo.png?2"}})
    jobs.run_due()

    assert Draft.objects.get().logo["problem"].startswith("robots.txt could not be read")
    assert "/logo.png?2" not in [request.path for request in tidewell.requests]


def test_an_owner_sends_a_logo_that_the_draft_and_its_listing_show(
    api: Callable[..., Caller], people: People, drafted: Any, storage: Any
) -> None:
    draft = drafted()
    place = f"/drafts/{draft['id']}"
    owner, stranger = Client(), Client()
    owner.force_login(people.owner)
    stranger.force_login(people.stranger)
    assert stranger.post(f"{place}/logo", {"picture": drawn(300, 200)}).status_code == 404
    owner.post(f"{place}/logo", {"picture": SimpleUploadedFile("a.png", b"no picture")})
    assert "Not used. The file is no picture" in owner.get(place).content.decode()

    assert owner.post(f"{place}/logo", {"picture": drawn(300, 200)})["Location"] == f"{place}#logo"
    assert "Being prepared." in owner.get(place).content.decode()
    assert "Being prepared." in owner.get(f"{place}/logo/waiting").content.decode()
    prepare()

    found = api("all").get(f"{API}/{draft['id']}").json()["fields"]["logo_url"]
    (file,) = (path for path in storage.rglob("*.webp"))
    address = f"{django_settings.MEDIA_URL}logos/{file.name}"
    assert (found["value"].endswith(address), found["state"] in {"edited", "manual"}) == (True, True)
    assert f'src="{address}"' in owner.get(place).content.decode()
    assert api("all").post(f"{API}/{draft['id']}/submit").status_code in {200, 201}
    assert Listing.objects.get().logo.name == f"logos/{file.name}"

    owner.post(f"{place}/logo", {"picture": drawn(300, 200, colour=200)})
    with made_ready_meanwhile():
        answer = owner.get(f"{place}/logo/waiting").content.decode()
    listing = Listing.objects.get()
    assert f"{django_settings.MEDIA_URL}{listing.logo.name}" in answer
    assert listing.logo.name not in {"", f"logos/{file.name}"}
    assert listing.revisions.get().changed == ["logo_url"]

    owner.post(f"/account/listings/{listing.pk}/logo", {"picture": drawn(300, 200)})
    prepare()
    assert (Listing.objects.get().logo.name, Draft.objects.get().logo["file"]) == (f"logos/{file.name}",) * 2


def test_who_takes_an_upload_back_has_the_websites_logo_though_the_website_is_away(
    api: Callable[..., Caller], people: People, tidewell: Website, drafted: Any, storage: Any
) -> None:
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    draft = drafted()
    place = f"/drafts/{draft['id']}"
    jobs.run_due()
    original = Draft.objects.get().logo["file"]
    owner = Client()
    owner.force_login(people.owner)
    owner.post(f"{place}/logo", {"picture": drawn(300, 200)})
    prepare()
    for file in storage.rglob("logos/*"):
        os.utime(file, (0, 0))
    jobs.add("directory.sweep_pictures", key=str(uuid.uuid4()))
    jobs.run_due()
    page = owner.get(place).content.decode()
    assert ("Uploaded by you" in page, "You wrote" in page) == (True, False)
    tidewell.pages["/logo.png"] = plain("away", status=503)

    owner.post(f"{place}/edit", {"restore": "logo_url"})
    jobs.run_due()

    stored = Draft.objects.get()
    assert (stored.logo["file"], stored.logo["problem"]) == (original, "")
    assert stored.completeness == draft["completeness"]
    assert default_storage.exists(original)


def test_a_logo_is_fetched_in_its_turn(tidewell: Website, drafted: Any, storage: Any) -> None:
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    with jobs.place("crawl-pictures", places=1, holder="a slow server"), ExitStack() as others:
        for number in range(2, int(django_settings.CRAWL_PROCESSES) + 1):
            others.enter_context(jobs.place("crawl-pictures", places=number, holder=f"slow {number}"))
        draft = Draft.objects.get(pk=drafted()["id"])
        job = Job.objects.get(kind="drafts.fetch_logo")
        assert (draft.logo["file"], draft.logo["problem"], job.state, job.attempt) == ("", "", "queued", 0)

    told = ("We’re fetching the website’s logo.", f'src="/drafts/{draft.pk}/logo/waiting" stay every="2"')
    owner = signed_in(draft.owner)
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    assert [words in page for words in (*told, "Add a logo")] == [True, True, False]
    prepare()
    assert Draft.objects.get().logo["file"]
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    assert [words in page for words in (*told, "Add a logo")] == [False, False, False]


def test_what_came_of_fetching_a_logo_is_not_told_of_the_one_named_since(
    api: Callable[..., Caller], tidewell: Website, drafted: Any, storage: Any
) -> None:
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    draft, newer = drafted(), "https://tidewell.test/newer.png"
    api("all").patch(f"{API}/{draft['id']}", {"fields": {"logo_url": newer}})

    logos.give_up(draft_id=draft["id"], url="https://tidewell.test/logo.png", error="died")

    logo = Draft.objects.get().logo or {}
    assert (logo["url"], logo["file"], logo["problem"]) == (newer, "", "")
