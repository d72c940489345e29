"""Pictures of a listing: sent by its owner, prepared by a job, shown where that section is open, removed with files."""

import os
import struct
import uuid
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone
from PIL import Image

from core import jobs
from core.models import Job
from directory import limits
from directory.images import process as picture_process
from directory.listings import media
from directory.models import Listing, ListingRevision, Site, Undo, Upload
from tests.conftest import People
from tests.directory.test_pictures import bomb
from tests.factories.listings import make_listing

pytestmark = pytest.mark.django_db


@pytest.fixture
def storage(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def listing(people: People, site: Site, storage: Path) -> Listing:
    return make_listing(owner=people.owner, plan="paid")


@pytest.fixture
def owner(people: People) -> Client:
    client = Client()
    client.force_login(people.owner)
    return client


def drawn(width: int = 2400, height: int = 900, *, colour: int = 90) -> SimpleUploadedFile:
    made = BytesIO()
    Image.new("RGB", (width, height), (10, colour, 60)).save(made, "PNG")
    return SimpleUploadedFile("../screen.png", made.getvalue() + b"<script>1</script>")


def noise(kind: str = "JPEG", size: tuple[int, int] = (2000, 1250), **options: Any) -> SimpleUploadedFile:
    """A picture of more colours than a drawing has."""
    made = BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(made, kind, **options)
    return SimpleUploadedFile(f"photo.{kind.lower()}", made.getvalue())


def stored(storage: Path) -> list[Path]:
    """All files of pictures."""
    return sorted(path for path in storage.rglob("*") if path.is_file())


def shown_files(storage: Path) -> list[Path]:
    """Those that were made of what was sent."""
    return [file for file in stored(storage) if file.parent.name != "originals"]


def place_of(listing: Listing) -> str:
    return f"/account/listings/{listing.pk}/pictures"


def prepare() -> None:
    """Do the jobs that are due, those that had to wait for others too."""
    for _ in range(limits.PICTURES):
        jobs.run_due()
        Job.objects.filter(state="queued").update(run_after=timezone.now())


def words_of(page: Any) -> str:
    return " ".join(page.content.decode().split())


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
        owner.post(f"{pages}/1/remove")
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
        owner.post(f"{pages}/2/remove")
    (removal,) = Undo.objects.all()
    undo = f"{pages}/removed/{removal.pk}"
    assert (alts(), shown_files(storage)) == (["1", "3"], files)
    assert f'formaction="{undo}"' in owner.get(pages, follow=True).content.decode()
    stranger = Client()
    stranger.force_login(people.stranger)
    assert stranger.post(undo).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(undo)
    minutes_later()
    assert (alts(), shown_files(storage), Undo.objects.exists()) == (["1", "2", "3"], files, False)

    with django_capture_on_commit_callbacks(execute=True):
        owner.post(f"{pages}/1/remove")
    late = f"{pages}/removed/{Undo.objects.get().pk}"
    with django_capture_on_commit_callbacks(execute=True):
        minutes_later()
    assert "put back any more" in owner.post(late, follow=True).content.decode()
    assert (alts(), len(shown_files(storage)) < len(files)) == (["2", "3"], True)

    with django_capture_on_commit_callbacks(execute=True):  # staff leave nothing to put back
        owner.post(f"{pages}/1/remove")
        media.take_down_pictures(listing_id=listing.pk, reason="Not theirs.", at=timezone.now())
    assert (shown_files(storage), Undo.objects.exists()) == ([], False)


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
    stranger = Client()
    stranger.force_login(people.stranger)
    assert [stranger.get(f"{pages}{part}").status_code for part in ("", "/waiting")] == [404, 404]
    acts = {"/1/remove": {}, "/words": {"alt-1": "x"}, "/1/move": {"to": "2"}, "/uploads/1/remove": {}}
    assert {stranger.post(f"{pages}{act}", form).status_code for act, form in acts.items()} == {404}
    assert stranger.post(pages, {"picture": drawn(), "alt": "Mine"}).status_code == 404
    prepare()
    assert [row["alt"] for row in Listing.objects.get().media] == ["The board"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"picture": drawn(100, 900), "alt": "x"}, "fewer than 200 pixels"),
        ({"picture": SimpleUploadedFile("a.png", b"<svg onload=1>"), "alt": "x"}, "no picture of a kind"),
        (
            {"picture": SimpleUploadedFile("a.png", b"\x89PNG" + b"0" * 5_000_000), "alt": "x"},
            "more than 4 MB",
        ),
        ({"picture": drawn(3990, 3000), "alt": "x"}, "which is too many"),
        ({"picture": SimpleUploadedFile("a.png", bomb(60000, 60000)), "alt": "x"}, "which is too many"),
        ({"picture": SimpleUploadedFile("a.jpg", b"\xff\xd8\xff\xe0"), "alt": "x"}, "is broken"),
        ({"picture": SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\nabcdefgh"), "alt": "x"}, "is broken"),
        ({"picture": SimpleUploadedFile("a.webp", b"RIFFxxxxWEBPVP9 "), "alt": "x"}, "is broken"),
        ({"picture": SimpleUploadedFile("a.gif", b"GIF89a" + b"x" * 90), "alt": "x"}, "no picture of a kind"),
        ({"picture": drawn(), "alt": ""}, "This field is required"),
        ({"alt": "x"}, "This field is required"),
    ],
)
def test_what_is_no_picture_for_a_listing_is_refused(
    owner: Client, listing: Listing, storage: Path, given: dict[str, Any], says: str
) -> None:
    if "picture" in given:
        given["picture"].seek(0)
    refused = owner.post(f"/account/listings/{listing.pk}/pictures", given)

    assert (refused.status_code, says in refused.content.decode()) == (400, True)
    prepare()
    assert (Listing.objects.get().media, Upload.objects.count(), stored(storage)) == ([], 0, [])


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("options", [{}, {"lossless": True}], ids=["lossy", "lossless"])
def test_every_kind_tells_its_size_before_it_is_decoded(
    owner: Client, listing: Listing, storage: Path, kind: str, options: dict[str, Any]
) -> None:
    small = noise(kind, (199, 400), **options)

    refused = owner.post(place_of(listing), {"picture": small, "alt": "x"})

    assert (refused.status_code, "fewer than 200 pixels" in refused.content.decode()) == (400, True)
    assert stored(storage) == []


def test_a_webp_with_transparency_tells_its_size_too(owner: Client, listing: Listing, storage: Path) -> None:
    made = BytesIO()
    Image.new("RGBA", (300, 150), (1, 2, 3, 90)).save(made, "WEBP", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0")
    assert made.getvalue()[12:16] == b"VP8X"

    refused = owner.post(place_of(listing), {"picture": SimpleUploadedFile("a", made.getvalue()), "alt": "x"})

    assert (refused.status_code, "fewer than 200 pixels" in refused.content.decode()) == (400, True)


def lying(size: tuple[int, int]) -> SimpleUploadedFile:
    """A PNG whose header says another size than its pixels have."""
    body = bytearray(drawn(400, 300).read())
    struct.pack_into(">II", body, 16, *size)
    return SimpleUploadedFile("a.png", bytes(body))


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lying((401, 300)), "The file is no picture of a kind we show."),
        (SimpleUploadedFile("a.png", drawn(400, 300).read()[:60]), "The picture is broken."),
        (SimpleUploadedFile("a.jpg", noise().read()[:3000]), "The picture is broken."),
    ],
    ids=["lies", "png", "jpeg"],
)
def test_what_turns_out_to_be_broken_is_told_where_it_was_added_and_goes_with_a_press(
    owner: Client,
    listing: Listing,
    storage: Path,
    broken: Any,
    says: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    broken.seek(0)
    pages = place_of(listing)
    assert owner.post(pages, {"picture": broken, "alt": "The board"}).status_code == 302
    with django_capture_on_commit_callbacks(execute=True):
        prepare()

    upload = Upload.objects.get()
    assert f"Not added.</b> {says} <span" in words_of(owner.get(pages, follow=True))
    assert (upload.status, Listing.objects.get().media, stored(storage)) == ("refused", [], [])
    owner.post(f"{pages}/uploads/{upload.pk}/remove")
    assert ("Not added." in owner.get(pages, follow=True).content.decode(), Upload.objects.count()) == (
        False,
        0,
    )


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
    assert (
        owner.get(pages, follow=True).content.decode().count("Please say it for people who can’t see it.")
        == 3
    )
    first, second, third = (row["file"] for row in rows)
    typed = {"alt-1": "", "alt-2": "The board", "alt-3": " "}
    assert owner.post(f"{pages}/words", typed, follow=True).context["rows"][2]["alt"] is None
    refused = owner.post(f"{pages}/words", typed | {"alt-2": "x" * 201}, follow=True)
    assert [(m.level_tag, str(m)) for m in refused.context["messages"]] == [
        ("error", "Say in up to 200 letters what a picture shows.")
    ]
    owner.post(f"{pages}/3/move", {"to": "1"})
    owner.post(f"{pages}/9/move", {"to": "1"})
    owner.post(f"{pages}/1/move", {"to": "x"})
    assert [(row["file"], row["alt"]) for row in Listing.objects.get().media] == [
        (third, ""),
        (first, ""),
        (second, "The board"),
    ]


def test_of_several_those_that_are_none_are_named(owner: Client, listing: Listing, storage: Path) -> None:
    several = [drawn(400, 300), SimpleUploadedFile("notes.txt", b"no picture")]

    refused = owner.post(place_of(listing), {"picture": several, "alt": ""})

    assert (refused.status_code, "notes.txt: The file is no picture" in refused.content.decode()) == (
        400,
        True,
    )
    assert Upload.objects.count() == 1


def test_scripts_send_one_at_a_time_and_hear_why_one_was_refused(
    owner: Client, listing: Listing, storage: Path
) -> None:
    part = {"HTTP_X_PART": "1"}
    assert owner.post(place_of(listing), {"picture": drawn(400, 300)}, **part).status_code == 200
    refused = owner.post(place_of(listing), {"picture": drawn(100, 300)}, **part)

    assert (refused.status_code, refused["Content-Type"]) == (400, "text/plain")
    assert refused.content.decode() == "The picture has fewer than 200 pixels on one side."


def test_new_pictures_and_their_words_are_edits_that_staff_look_at(
    owner: Client, listing: Listing, people: People, storage: Path
) -> None:
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    prepare()
    owner.post(f"{place_of(listing)}/words", {"alt-1": "See https://elsewhere.test"})

    words, picture = ListingRevision.objects.order_by("-pk")
    assert (words.changed, words.review, words.by) == (["media"], "pending", people.owner)
    assert (picture.changed, picture.before, len(picture.after["media"])) == (["media"], {"media": []}, 1)
    staff = Client()
    staff.force_login(people.staff)
    staff.post(f"/admin/directory/listingrevision/{picture.pk}/put-back/", {"seen": "pending"})


def test_there_are_six_at_most_and_staff_remove_them(
    owner: Client, listing: Listing, people: People, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    pages = f"/account/listings/{listing.pk}/pictures"
    for colour in (1, 2, 3, 4, 5, 6, 7):
        owner.post(pages, {"picture": drawn(400, 300, colour=30 * colour), "alt": f"{colour}"})
    prepare()
    assert [row["alt"] for row in Listing.objects.get().media] == ["1", "2", "3", "4", "5", "6"]

    staff = Client()
    staff.force_login(people.staff)
    with django_capture_on_commit_callbacks(execute=True):
        staff.post(f"/admin/directory/listing/{listing.pk}/clear/", {"reason": "Not of this product."})
    assert (Listing.objects.get().media, shown_files(storage)) == ([], [])


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
        owner.post(f"{pages}/1/remove")
        owner.post(pages, {"picture": drawn(400, 300), "alt": "Shown again"})
        prepare()
        minutes_later()

    files = shown_files(storage)
    assert ([row["alt"] for row in Listing.objects.get().media], len(files)) == (["Shown again"], 3)


class Unread:
    """A body that nobody may read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("It was read.")

    readline = read


def test_a_file_larger_than_any_form_is_refused_unread(
    owner: Client, listing: Listing, storage: Path
) -> None:
    answer = owner.generic(
        "POST",
        f"/account/listings/{listing.pk}/pictures",
        content_type="multipart/form-data; boundary=x",
        **{"CONTENT_LENGTH": str(100 * 1024 * 1024), "wsgi.input": Unread()},
    )

    assert (answer.status_code, stored(storage)) == (400, [])
    assert "a picture has at most 4 MB." in answer.content.decode()


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


def test_nobody_has_more_than_a_few_that_wait(
    people: People, owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PICTURES_WAITING", 2)
    pages, answers = place_of(listing), []
    for colour in (30, 60, 90):
        answers.append(owner.post(pages, {"picture": drawn(400, 300, colour=colour), "alt": "x"}))

    assert [answer.status_code for answer in answers] == [302, 302, 400]
    assert "2 of your pictures are being prepared. Add more in a minute." in answers[2].content.decode()
    assert Upload.objects.count() == 2


def test_what_ends_the_process_that_prepares_is_refused(
    owner: Client, listing: Listing, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_process, "SECONDS", 0.01)
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    prepare()

    assert "takes too long" in owner.get(place_of(listing), follow=True).content.decode()
    assert Listing.objects.get().media == []


def test_what_fails_on_our_side_is_told_too(
    owner: Client, listing: Listing, storage: Path, django_capture_on_commit_callbacks: Any
) -> None:
    owner.post(place_of(listing), {"picture": drawn(), "alt": "The board"})
    for file in stored(storage):
        file.unlink()
    prepare()

    assert (
        "Preparing it failed on our side. Add it again."
        in owner.get(place_of(listing), follow=True).content.decode()
    )
