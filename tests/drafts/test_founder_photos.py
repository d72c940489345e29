"""Founders' photos of their website: offered by markup alone, fetched by a press, named, taken down by another."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from directory.models import Founder, Listing, Site
from directory.search import public_data
from drafts.crawl.photo_ties import photos_in
from drafts.models import Draft, FounderPhoto
from tests.conftest import Caller, People, signed_in
from tests.drafts.conftest import HOME
from tests.factories.listings import make_category
from tests.factories.pictures import noise, prepare, shown_files
from tests.servers.website import Website, html, plain

API = "/api/v1/drafts"
TEAM = """<title>Team</title><h1>The team</h1>
<div><img src="/freja.png" alt="Freja Holm"><h3>Freja Holm</h3><p>Founder and CEO</p></div>
<div><img src="/group.png" alt="Our team"><h3>Karel Novak</h3><p>Co-founder</p></div>"""
OFFER = "tidewell.test/team</a> shows a photo under this name."
PAGE = "https://tidewell.test/team"


@pytest.fixture
def drafted(api: Callable[..., Caller], site: Site, tidewell: Website, storage: Any) -> Callable[[], Draft]:
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])
    tidewell.pages["/"] = html(HOME % '<a href="/team">Team</a>')
    tidewell.pages["/team"] = html(TEAM)
    tidewell.pages["/freja.png"] = html(
        noise("PNG", (900, 600)).read() + b"<script>1</script>", content_type="image/png"
    )

    def draft() -> Draft:
        api("all").post(API, {"url": "https://tidewell.test/"})
        prepare()
        return Draft.objects.get()

    return draft


def owner_of(user: Any) -> Client:
    return signed_in(user)


def press(client: Client, act: str, *, draft: Draft) -> Any:
    return client.post(f"/drafts/{draft.pk}/photos/{FounderPhoto.objects.get().pk}/{act}")


def test_a_photo_is_offered_taken_with_one_press_named_and_taken_down(
    people: People,
    tidewell: Website,
    drafted: Any,
    storage: Any,
    api: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    draft, owner = drafted(), owner_of(people.owner)
    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    assert (page.count("shows a photo under this name."), OFFER in page) == (1, True)
    assert ("/freja.png" in tidewell.paths, '"/freja.png' in page) == (False, False)

    assert press(owner_of(people.stranger), "take", draft=draft).status_code == 404
    assert press(owner, "take", draft=draft)["Location"] == f"/drafts/{draft.pk}#field-founders"
    part = f"/drafts/{draft.pk}/photos/{FounderPhoto.objects.get().pk}/waiting"
    assert 'every="2"' in owner.get(part).content.decode()
    assert owner_of(people.stranger).get(part).status_code == 404
    prepare()
    assert "Take it down" in owner.get(part).content.decode()
    (file,) = shown_files(storage)
    with Image.open(file) as image:
        assert (image.format, image.size) == ("WEBP", (320, 320))
    address = f"/media/founders/{file.name}"
    assert f'src="{address}"' in owner.get(f"/drafts/{draft.pk}").content.decode()

    api("all").post(f"{API}/{draft.pk}/submit")
    Listing.objects.update(status="live", launched_at="2026-11-01T00:00:00Z")
    public_data.refresh(listing_ids=[Listing.objects.get().pk])
    shown = Client().get("/founders/freja-holm").content.decode()
    assert (f'src="{address}"' in shown, f'from <a href="{PAGE}"' in shown) == (True, True)
    editor = f"/account/listings/{Listing.objects.get().pk}/edit"
    assert "Take it down" in owner.get(editor).content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        press(owner, "remove", draft=draft)
    assert (shown_files(storage), Founder.objects.get(slug="freja-holm").photo.name) == ([], "")
    assert OFFER in owner.get(editor).content.decode()
    press(owner, "take", draft=draft)  # now for the listing itself
    prepare()
    assert f'src="{address}"' in Client().get("/founders/freja-holm").content.decode()


def test_a_photo_is_taken_down_after_its_draft_was_deleted_by_the_owner_alone(
    people: People, drafted: Any, storage: Any, api: Any, django_capture_on_commit_callbacks: Any
) -> None:
    draft, owner = drafted(), owner_of(people.owner)
    press(owner, "take", draft=draft)
    prepare()
    api("all").post(f"{API}/{draft.pk}/submit")
    draft.delete()
    listing, founder = Listing.objects.get(), Founder.objects.get(slug="freja-holm")
    down = f"/account/listings/{listing.pk}/founders/freja-holm/photo/remove"
    assert f'formaction="{down}"' in owner.get(f"/account/listings/{listing.pk}/edit").content.decode()

    assert owner_of(people.stranger).post(down).status_code == 404
    founder.refresh_from_db()
    assert founder.photo
    with django_capture_on_commit_callbacks(execute=True):
        assert owner.post(down)["Location"].endswith(f"/{listing.pk}/edit#field-founders")
    founder.refresh_from_db()
    assert (founder.photo.name, founder.photo_source, shown_files(storage)) == ("", "", [])


def test_what_the_person_or_staff_put_up_stays(people: People, drafted: Any, storage: Any, api: Any) -> None:
    draft, owner = drafted(), owner_of(people.owner)
    api("all").post(f"{API}/{draft.pk}/submit")
    Founder.objects.filter(slug="freja-holm").update(photo="founders/own.webp")
    press(owner, "take", draft=draft)
    prepare()
    press(owner, "remove", draft=draft)

    assert Founder.objects.get(slug="freja-holm").photo.name == "founders/own.webp"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (plain("no"), "is of type text/plain"),
        (html(b"\x89PNG\r\n\x1a\n", content_type="image/png"), "The file is no picture of a kind we show."),
    ],
    ids=["text", "broken"],
)
def test_why_it_is_not_used_is_told_where_it_was_offered(
    people: People, tidewell: Website, drafted: Any, storage: Any, answer: Any, says: str
) -> None:
    tidewell.pages["/freja.png"] = answer
    draft, owner = drafted(), owner_of(people.owner)
    press(owner, "take", draft=draft)
    prepare()

    page = owner.get(f"/drafts/{draft.pk}").content.decode()
    assert (says in page.split("We couldn’t use the photo.")[1][:300], shown_files(storage)) == (True, [])


def test_a_photo_that_robots_txt_closes_is_not_fetched(
    people: People, tidewell: Website, drafted: Any, storage: Any
) -> None:
    tidewell.pages["/robots.txt"] = plain("User-agent: *\nDisallow: /freja.png")
    draft, owner = drafted(), owner_of(people.owner)
    press(owner, "take", draft=draft)
    prepare()

    assert (
        "robots.txt asked us not to fetch this picture." in owner.get(f"/drafts/{draft.pk}").content.decode()
    )
    assert "/freja.png" not in tidewell.paths


PEOPLE = [("Freja Holm", "CEO"), ("Ines Mörk", "")]
PERSON = '<script type="application/ld+json">{"@type": "Person", "name": "%s", "image": %s}</script>'


@pytest.mark.parametrize(
    ("body", "addresses"),
    [
        ('<img alt=" freja  HOLM " src="a.png">', {"Freja Holm": "https://x.test/team/a.png"}),
        ('<img alt="Freja Holm, CEO" src="/a.png">', {"Freja Holm": "https://x.test/a.png"}),
        (
            '<img alt="Ines M&ouml;rk" src="data:image/gif;base64,R0" data-src="//cdn.test/i.jpg">',
            {"Ines Mörk": "https://cdn.test/i.jpg"},
        ),
        (
            '<figure><img alt="" src="/f.png"><figcaption>Freja Holm<br>CEO</figcaption></figure>',
            {"Freja Holm": "https://x.test/f.png"},
        ),
        (PERSON % ("Freja Holm", '{"url": "/j.png"}'), {"Freja Holm": "https://x.test/j.png"}),
        (
            PERSON % ("Freja Holm", '["/j.png"]') + '<img alt="Freja Holm" src="/a.png">',
            {"Freja Holm": "https://x.test/j.png"},
        ),
        ('<img alt="" src="/a.png"><h3>Freja Holm</h3>', {}),
        ('<img alt="Freja Holm and Ines Mörk" src="/a.png">', {}),
        ('<img alt="Freja Holm’s dog" src="/a.png">', {}),
        ('<img alt="Freja Holm" src="/a.png"><img alt="Ines Mörk" src="/a.png">', {}),
        ('<figure><img src="/a.png"><img src="/b.png"><figcaption>Freja Holm</figcaption></figure>', {}),
        (PERSON % ("Karel Novak", '"/k.png"') + "<p>Freja Holm</p>", {}),
        ('<img alt="Freja Holm" src="javascript:alert(1)"><img alt="Freja Holm">', {}),
        (PERSON % ("Freja Holm", '{"url": {"url": 1}}') + "<script type=application/ld+json>{</script>", {}),
    ],
)
def test_only_markup_ties_a_picture_to_a_name(body: str, addresses: dict[str, str]) -> None:
    ties = photos_in([("https://x.test/team/", f"<p>Freja Holm, Ines Mörk</p>{body}")], people=PEOPLE)

    assert {name: url for name, url, _ in ties} == addresses
