"""The logo is fetched by a job, redrawn, served by us, and shown on draft and listing; what is refused is told."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from PIL import Image

from core import jobs
from directory.models import Listing, Site
from drafts.models import Draft
from tests.conftest import Caller, People
from tests.drafts.conftest import HOME
from tests.factories.listings import make_category
from tests.servers.website import Website, html, plain

API = "/api/v1/drafts"
MARK = '<link rel="icon" href="/logo.png"><img class="logo" src="/logo.png" alt="Tidewell logo">'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>1</script><circle r="4"/></svg>'


def png() -> bytes:
    made = BytesIO()
    Image.new("RGB", (64, 64), (10, 90, 60)).save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def storage(settings: Any, tmp_path: Any) -> Any:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


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

    owner = Client()
    owner.force_login(people.owner)
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
    owner = Client()
    owner.force_login(people.owner)

    shown = " ".join(owner.get(f"/drafts/{draft['id']}").content.decode().split())
    assert draft["status"] == "ready"
    assert said in shown.split("We couldn’t use this picture.")[1][:200]
    assert not [path for path in storage.rglob("*") if path.is_file()]

    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    owner.post(f"/drafts/{draft['id']}/edit", {"regenerate": "logo_url"})
    jobs.run_due()
    jobs.run_due()
    assert Draft.objects.get(pk=draft["id"]).logo["file"]


def test_a_closed_picture_is_not_fetched(tidewell: Website, drafted: Any, storage: Any) -> None:
    tidewell.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /logo.png")
    tidewell.pages["/logo.png"] = html(png(), content_type="image/png")
    draft = drafted()

    assert "robots.txt" in Draft.objects.get(pk=draft["id"]).logo["problem"]
    assert "/logo.png" not in [request.path for request in tidewell.requests]
