"""Pictures that a maker puts into a draft: prepared as on a listing, which has them once the draft is submitted."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from directory import limits
from directory.images import files
from directory.models import Listing, Upload
from drafts.models import Draft
from tests.conftest import Api, People, signed_in
from tests.factories.pictures import drawn, named, prepare, shown_files, stored, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(ready: dict[str, Any], storage: Path) -> str:
    return f"/drafts/{ready['id']}/pictures"


def alts() -> list[str]:
    return [row["alt"] for row in Draft.objects.get().media]


@pytest.fixture
def add(owner: Client, pages: str, django_capture_on_commit_callbacks: Any) -> Any:
    def added(*words: str) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            for number, alt in enumerate(words, start=1):
                owner.post(pages, {"picture": drawn(700, 400, colour=40 * number), "alt": alt})
            prepare()

    return added


def test_pictures_of_a_draft_join_its_listing_in_their_order_with_their_words(
    owner: Client, add: Any, pages: str, api: Api, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    add("First", "Second", "Third")
    owner.post(f"{pages}/{named(Draft.objects.get(), 3)}/move", {"to": "1"})
    owner.post(f"{pages}/words", {f"alt-{named(Draft.objects.get(), 2)}": "The <b> board"})
    assert alts() == ["Third", "The <b> board", "Second"]
    page = words_of(owner.get(pages, follow=True))
    assert (page.count('class="shot"'), "The &lt;b&gt; board" in page) == (4, True)
    assert all(file.parent.name == "drafts" for file in shown_files(storage))

    draft = pages.removesuffix("/pictures")
    assert "Your own pictures come here with a paid launch" in owner.get(f"{draft}/preview").content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        made = api("listings:write").post(f"/api/v1{draft}/submit").json()
        prepare()
    listing = Listing.objects.get(pk=made["listing_id"])
    assert [row["alt"] for row in listing.media] == ["Third", "The <b> board", "Second"]
    assert (alts(), Upload.objects.count()) == ([], 0)
    assert {file.parent.name for file in shown_files(storage)} == {str(listing.pk)}
    assert owner.post(pages, {"picture": drawn(), "alt": "Late"}, headers={"X-Part": "1"}).status_code == 400


def test_a_picture_that_is_prepared_after_submit_goes_to_the_listing(
    owner: Client, pages: str, api: Api
) -> None:
    owner.post(pages, {"picture": drawn(), "alt": "Late"})
    with CaptureQueriesContext(connection) as statements:
        assert "Being prepared." in owner.get(f"{pages}/waiting").content.decode()
    assert "drafts_draftfield" not in str(statements.captured_queries)  # asked every two seconds
    api("listings:write").post(f"/api/v1{pages.removesuffix('/pictures')}/submit")
    edit = f"/account/listings/{Listing.objects.get().pk}/edit"
    assert "Being prepared." in owner.get(edit).content.decode()
    prepare()
    assert ([row["alt"] for row in Listing.objects.get().media], alts()) == (["Late"], [])
    assert "Being prepared." not in owner.get(edit).content.decode()


def test_one_that_turns_out_to_be_broken_after_submit_is_told_where_the_others_are(
    owner: Client, pages: str, api: Api
) -> None:
    broken = SimpleUploadedFile("half.png", drawn().read()[:200])
    owner.post(pages, {"picture": broken, "alt": "Half of it"})
    api("listings:write").post(f"/api/v1{pages.removesuffix('/pictures')}/submit")
    prepare()
    page = words_of(owner.get(f"/account/listings/{Listing.objects.get().pk}/edit"))
    assert ("Not added.</b>" in page, "Half of it" in page) == (True, True)


def test_a_picture_without_a_word_on_it_is_refused_in_a_sentence(owner: Client, pages: str) -> None:
    refused = owner.post(pages, {"picture": drawn(), "alt": ""})
    assert refused.status_code == 400
    assert "Say in one sentence what it shows, and choose the file again." in words_of(refused)


def test_a_draft_takes_no_more_than_a_listing(owner: Client, pages: str, add: Any) -> None:
    add(*map(str, range(limits.PICTURES)))
    again = owner.post(pages, {"picture": drawn(colour=1), "alt": "More"}, headers={"X-Part": "1"})
    assert (again.status_code, len(alts())) == (400, limits.PICTURES)
    full = words_of(owner.post(pages, {"picture": drawn(), "alt": "Seventh"}))
    assert "A listing has at most 6 pictures. Remove one first." in full


def test_what_is_being_prepared_for_a_draft_takes_up_room_already(owner: Client, pages: str) -> None:
    answers = [
        owner.post(pages, {"picture": drawn(700, 400), "alt": "One"}, headers={"X-Part": "1"})
        for _ in range(limits.PICTURES + 1)
    ]

    assert [answer.status_code for answer in answers] == [200] * limits.PICTURES + [400]
    assert answers[-1].content.decode() == "A listing has at most 6 pictures. Remove one first."


def test_a_removed_picture_goes_with_its_file_and_strangers_reach_none(
    owner: Client,
    pages: str,
    add: Any,
    people: People,
    storage: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    add("Mine")
    stranger = signed_in(people.stranger)
    for door in ("", "/waiting", "/words", "/1/remove", "/1/move", "/uploads/1/remove"):
        answer = stranger.get(pages + door) if door == "/waiting" else stranger.post(pages + door)
        assert answer.status_code == 404, door
    assert (alts(), files.drop([Draft.objects.get().media[0]["file"]])) == (["Mine"], 0)

    mine = named(Draft.objects.get(), 1)
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/{mine}/remove")
    assert (alts(), stored(storage)) == ([], [])
    gone = owner.post(f"{pages}/{mine}/move", {"to": "2"}, headers={"X-Part": "1"}).content.decode()
    assert "This picture is not there any more." in gone


def test_a_tab_that_shows_an_older_order_reaches_the_picture_that_it_shows(
    owner: Client, add: Any, pages: str
) -> None:
    add("First", "Second", "Third")
    draft = Draft.objects.get()
    first, second = named(draft, 1), named(draft, 2)
    owner.post(f"{pages}/{first}/remove")  # elsewhere
    owner.post(f"{pages}/words", {f"alt-{second}": "The board"})
    assert alts() == ["The board", "Third"]
    refused = owner.post(f"{pages}/words", {f"alt-{first}": "x", f"alt-{second}": "y"}, follow=True)
    assert "This picture is not there any more." in words_of(refused)
    owner.post(f"{pages}/{second}/remove")
    assert alts() == ["Third"]


def test_the_same_picture_again_comes_last_and_has_its_words_until_they_are_new(
    owner: Client, add: Any, pages: str
) -> None:
    add("First", "Second")
    for alt, words in (("", ["Second", "First"]), ("Anew", ["Second", "Anew"])):
        owner.post(pages, {"picture": drawn(700, 400, colour=40), "alt": alt}, headers={"X-Part": "1"})
        prepare()
        assert alts() == words


def test_a_deleted_draft_leaves_no_picture_behind(
    owner: Client, pages: str, add: Any, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    add("Mine")
    owner.post(pages, {"picture": drawn(colour=200), "alt": "Waits"})
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages.removesuffix('/pictures')}/delete")
    assert (stored(storage), Upload.objects.count()) == ([], 0)
