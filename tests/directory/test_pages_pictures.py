"""Pictures of a listing: sent by its owner, prepared by a job, shown where that section is open, removed with files."""

import os
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from PIL import Image

from core import jobs
from core.api.errors import InvalidRequestError
from core.models import Job
from directory import limits
from directory.listings import media
from directory.models import Listing, ListingRevision, Undo, Upload
from tests.conftest import People, signed_in
from tests.factories.listings import make_listing
from tests.factories.pictures import drawn, named, noise, place_of, prepare, shown_files, stored, words_of

pytestmark = pytest.mark.django_db


def test_a_picture_is_prepared_by_a_job_that_its_owner_sees_going_on(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = place_of(listing)
    assert owner.post(pages, {"picture": drawn(), "alt": 'The <b> "board"'}).status_code == 302

    (original,) = stored(storage)
    assert (original.parent.name, original.suffix) == ("originals", "")
    assert Client().get(f"/media/originals/{original.name}").status_code == 404
    assert Listing.objects.get().media == []
    for page in (pages, f"{pages}/waiting"):
        assert "Being prepared." in owner.get(page, follow=True).content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        prepare()
    assert "Being prepared." not in owner.get(pages, follow=True).content.decode()
    part = owner.get(f"{pages}/waiting").content.decode()
    assert ("Being prepared." in part, part.count('class="shot"'), Upload.objects.count()) == (False, 1, 0)
    assert original not in stored(storage)

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/{named(listing, 1)}/remove")
    assert Client().get("/api/v1/listings/tidewell").json()["media"] == []
    with django_capture_on_commit_callbacks(execute=True):
        minutes_later()
    assert stored(storage) == []


def minutes_later() -> None:
    """When what was removed is not put back any more."""
    Job.objects.filter(kind="directory.forget_picture").update(run_after=Now())
    jobs.run_due()


def test_a_removed_picture_is_put_back_where_it_stood_for_some_minutes(
    owner: Client, listing: Listing, people: People, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = place_of(listing)
    for number in (1, 2, 3):
        owner.post(pages, {"picture": drawn(400, 300, colour=60 * number), "alt": f"{number}"})
    prepare()
    files = shown_files(storage)

    def alts() -> list[str]:
        return [row["alt"] for row in Listing.objects.get().media]

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/{named(listing, 2)}/remove")
    (removal,) = Undo.objects.all()
    undo = f"{pages}/removed/{removal.pk}"
    assert (alts(), shown_files(storage)) == (["1", "3"], files)
    assert f'formaction="{undo}"' in owner.get(pages, follow=True).content.decode()
    stranger = signed_in(people.stranger)
    assert stranger.post(undo).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(undo)
    minutes_later()
    assert (alts(), shown_files(storage), Undo.objects.exists()) == (["1", "2", "3"], files, False)

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/{named(listing, 1)}/remove")
    late = f"{pages}/removed/{Undo.objects.get().pk}"
    with django_capture_on_commit_callbacks(execute=True):
        minutes_later()
    assert "put back any more" in owner.post(late, follow=True).content.decode()
    assert (alts(), len(shown_files(storage)) < len(files)) == (["2", "3"], True)

    with django_capture_on_commit_callbacks(execute=True):  # staff leave nothing to put back
        owner.post(f"{pages}/{named(listing, 1)}/remove")
        media.take_down_pictures(listing_id=listing.pk, reason="Not theirs.", at=timezone.now())
    assert (shown_files(storage), Undo.objects.exists()) == ([], False)


def test_what_was_removed_from_one_listing_is_not_put_back_on_another(
    owner: Client, listing: Listing, people: People
) -> None:
    other = make_listing("other", owner=people.stranger, plan="paid")
    row = {"type": "image", "file": f"pictures/{other.pk}/one.jpg", "alt": "Theirs"}
    removal = Undo.objects.create(
        kind="picture", listing=other, details={"pictures": [row], "number": 1}, at=timezone.now()
    )

    page = owner.post(f"{place_of(listing)}/removed/{removal.pk}", follow=True).content.decode()

    assert "put back any more" in page
    assert (Listing.objects.get(pk=listing.pk).media, Undo.objects.count()) == ([], 1)


def test_a_picture_is_drawn_anew_in_the_sizes_that_pages_ask_for(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(place_of(listing), {"picture": drawn(), "alt": 'The <b> "board"'})
        prepare()

    files = stored(storage)
    main = next(file for file in files if file.suffix == ".png")
    ends = [".png", *(f"-{width}.{kind}" for width in (640, 1280, 1600) for kind in ("avif", "webp"))]
    assert files == sorted(main.with_name(main.stem + end) for end in ends)
    for file in files:
        width = int(file.stem.rpartition("-")[2]) if "-" in file.stem else 1600
        with Image.open(file) as image:
            assert (image.format, image.size) == (file.suffix[1:].upper(), (width, width * 600 // 1600))
        assert b"script" not in file.read_bytes()

    (told,) = Client().get("/api/v1/listings/tidewell").json()["media"]
    address = f"/media/{main.relative_to(storage)}"
    assert (told["url"].endswith(address), told["width"], told["alt"]) == (True, 1600, 'The <b> "board"')
    assert [source["type"] for source in told["sources"]] == ["image/avif", "image/webp"]
    page = words_of(Client().get("/listings/tidewell"))
    assert f'src="{address}" width="1600" height="600"' in page
    assert 'alt="The &lt;b&gt; &quot;board&quot;"' in page
    stem = address.removesuffix(".png")
    assert f'srcset="{stem}-640.avif 640w, {stem}-1280.avif 1280w, {stem}-1600.avif 1600w"' in page
    served = Client().get(f"{stem}-640.avif")
    assert (served.status_code, served["Content-Type"]) == (200, "image/avif")
    assert served["Cache-Control"] == "public, max-age=31536000, immutable"


def test_what_a_photo_says_of_its_place_is_nowhere_once_it_is_prepared(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    exif = Image.Exif()
    exif[0x010E] = "Rua das Flores 12, Porto"
    exif[0x0112] = 6  # lies on its side
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(place_of(listing), {"picture": noise(size=(800, 500), exif=exif), "alt": "Our shop"})
        prepare()

    (row,) = Listing.objects.get().media
    assert (row["width"], row["height"], row["file"].rpartition(".")[2]) == (500, 800, "jpg")
    assert len(stored(storage)) == 3
    assert not [file for file in stored(storage) if b"Flores" in file.read_bytes()]


def test_where_the_section_is_closed_only_the_owner_sees_them(
    owner: Client, listing: Listing, people: People
) -> None:
    Listing.objects.update(plan="free")
    pages = f"/account/listings/{listing.pk}/pictures"
    owner.post(pages, {"picture": drawn(), "alt": "The board"})
    prepare()

    assert "media" not in Client().get("/api/v1/listings/tidewell").json()
    assert "The board" not in Client().get("/listings/tidewell").content.decode()
    shown = owner.get(pages, follow=True).content.decode()
    assert ('alt="The board"' in shown, "comes with a paid launch" in shown) == (True, True)
    stranger = signed_in(people.stranger)
    assert [stranger.get(f"{pages}{part}").status_code for part in ("", "/waiting")] == [404, 404]
    acts = {"/1/remove": {}, "/words": {"alt-1": "x"}, "/1/move": {"to": "2"}, "/uploads/1/remove": {}}
    assert {stranger.post(f"{pages}{act}", form).status_code for act, form in acts.items()} == {404}
    assert stranger.post(pages, {"picture": drawn(), "alt": "Mine"}).status_code == 404
    prepare()
    assert [row["alt"] for row in Listing.objects.get().media] == ["The board"]


def test_one_that_waits_can_be_taken_back_before_anybody_prepares_it(
    owner: Client, listing: Listing, people: People, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    upload = Upload.objects.get()

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{place_of(listing)}/uploads/{upload.pk}/remove")
        prepare()

    assert (Upload.objects.count(), Listing.objects.get().media, stored(storage)) == (0, [], [])


def test_several_come_at_once_in_their_order_and_each_is_described(
    owner: Client, listing: Listing, storage: Path
) -> None:
    pages = place_of(listing)
    several = [drawn(400, 300, colour=colour) for colour in (30, 60, 90)]
    assert owner.post(pages, {"picture": several, "alt": ""}).status_code == 302
    prepare()

    rows = Listing.objects.get().media
    assert [row["alt"] for row in rows] == ["", "", ""]
    asked = "Please say what each shows, for people who can’t see it."
    assert owner.get(pages, follow=True).content.decode().count(asked) == 1
    visited = Client().get("/listings/tidewell").content.decode()
    assert (visited.count(f'alt="A picture of {listing.name}"'), "Not described yet" in visited) == (3, False)
    first, second, third = (row["file"] for row in rows)
    names = [named(listing, number) for number in (1, 2, 3)]
    typed = {f"alt-{name}": words for name, words in zip(names, ("", "The board", " "), strict=True)}
    assert owner.post(f"{pages}/words", typed, follow=True).context["rows"][2]["alt"] is None
    refused = owner.post(f"{pages}/words", typed | {f"alt-{names[1]}": "x" * 201}, follow=True)
    assert [(m.level_tag, str(m)) for m in refused.context["messages"]] == [
        ("error", "Say in up to 200 letters what a picture shows.")
    ]
    owner.post(f"{pages}/{names[2]}/move", {"to": "1"})
    owner.post(f"{pages}/9/move", {"to": "1"})
    owner.post(f"{pages}/{names[0]}/move", {"to": "x"})
    assert [(row["file"], row["alt"]) for row in Listing.objects.get().media] == [
        (third, ""),
        (first, ""),
        (second, "The board"),
    ]


def test_new_pictures_and_their_words_are_edits_that_staff_look_at(
    owner: Client, listing: Listing, people: People, storage: Path
) -> None:
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    prepare()
    owner.post(f"{place_of(listing)}/words", {f"alt-{named(listing, 1)}": "See https://elsewhere.test"})

    words, picture = ListingRevision.objects.order_by("-pk")
    assert (words.changed, words.review, words.by) == (["media"], "pending", people.owner)
    assert (picture.changed, picture.before, len(picture.after["media"])) == (["media"], {"media": []}, 1)
    staff = signed_in(people.staff)
    staff.post(f"/admin/directory/listingrevision/{picture.pk}/put-back/", {"seen": "pending"})


def test_one_that_is_prepared_when_its_sender_has_the_listing_no_more_is_not_shown(
    listing: Listing, people: People, owner: Client
) -> None:
    owner.post(f"/account/listings/{listing.pk}/pictures", {"picture": drawn(400, 300), "alt": "The board"})
    Listing.objects.update(owner=people.stranger)

    prepare()

    assert (Listing.objects.get().media, Upload.objects.get().status) == ([], "refused")


def test_there_are_six_at_most_and_staff_remove_them(
    owner: Client, listing: Listing, people: People, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = f"/account/listings/{listing.pk}/pictures"
    for colour in (1, 2, 3, 4, 5, 6, 7):
        owner.post(pages, {"picture": drawn(400, 300, colour=30 * colour), "alt": f"{colour}"})
    prepare()
    assert [row["alt"] for row in Listing.objects.get().media] == ["1", "2", "3", "4", "5", "6"]

    staff = signed_in(people.staff)
    with django_capture_on_commit_callbacks(execute=True):
        staff.post(f"/admin/directory/listing/{listing.pk}/clear/", {"reason": "Not of this product."})
    assert (Listing.objects.get().media, shown_files(storage)) == ([], [])


def test_of_as_many_as_there_may_be_one_that_comes_again_moves_and_another_finds_no_room() -> None:
    rows = [{"file": f"pictures/1/{number}.jpg", "alt": str(number)} for number in range(limits.PICTURES)]

    assert media.joined(rows, rows[0] | {"alt": ""}) == [*rows[1:], rows[0]]
    with pytest.raises(InvalidRequestError):
        media.joined(rows, {"file": "pictures/1/another.jpg", "alt": ""})


def test_files_that_no_listing_names_are_swept_a_day_later(
    owner: Client, listing: Listing, storage: Path
) -> None:
    owner.post(f"/account/listings/{listing.pk}/pictures", {"picture": drawn(700, 300), "alt": "Shown"})
    prepare()
    *files, shown = sorted(shown_files(storage), key=lambda file: file.suffix == ".png")
    stray, fresh, gone = (shown.with_name("a.webp"), shown.with_name("b.webp"), storage / "pictures/0/c.webp")
    gone.parent.mkdir()
    day_ago = (timezone.now() - timedelta(hours=25)).timestamp()
    for file in (stray, fresh, gone):
        file.write_bytes(b"x")
    for file in (*files, shown, stray, gone):
        os.utime(file, (day_ago, day_ago))

    jobs.add("directory.sweep_pictures", key=str(uuid.uuid4()))
    jobs.run_due()

    assert Job.objects.get(kind="directory.sweep_pictures").state == "done"
    assert (len(files), shown_files(storage)) == (4, sorted([*files, shown, fresh]))


def test_a_picture_that_is_added_again_at_once_keeps_its_files(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = f"/account/listings/{listing.pk}/pictures"
    owner.post(pages, {"picture": drawn(400, 300), "alt": "Shown"})
    prepare()

    with django_capture_on_commit_callbacks(execute=True):  # as if the first had stood still after its commit
        owner.post(f"{pages}/{named(listing, 1)}/remove")
        owner.post(pages, {"picture": drawn(400, 300), "alt": "Shown again"})
        prepare()
        minutes_later()

    files = shown_files(storage)
    assert ([row["alt"] for row in Listing.objects.get().media], len(files)) == (["Shown again"], 3)


def test_one_picture_at_a_time_is_prepared_of_all_peoples(
    owner: Client, listing: Listing, storage: Path
) -> None:
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    with jobs.place("pictures", places=1, holder="another"):
        jobs.run_due()
        assert (Upload.objects.get().status, Job.objects.get(kind="directory.prepare_picture").attempt) == (
            "preparing",
            0,
        )

    prepare()
    assert len(Listing.objects.get().media) == 1
