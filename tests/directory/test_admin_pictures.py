"""Covers and photos that staff add are drawn anew by the process that draws owners' pictures."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from directory.images import process as picture_process
from directory.models import BlogPost, Founder, Site
from tests.conftest import People, signed_in
from tests.factories.pictures import drawn, stored

POST = {"title": "T", "excerpt": "E", "markdown": "x", "slug": "post"}
FOUNDER = {"name": "F", "slug": "f", "socials": "{}", "created_at_0": "2026-11-01", "created_at_1": "09:00"}


@pytest.fixture
def staff(people: People, site: Site, storage: Path) -> Client:
    return signed_in(people.staff)


def add(staff: Client, site: Site, picture: Any) -> list[Any]:
    """The answers to a post with this cover and to a founder with this photo."""
    post, founder = POST | {"site": site.pk, "cover": picture}, FOUNDER | {"photo": picture}
    answers = []
    for place, form in (("blogpost", post), ("founder", founder)):
        picture.seek(0)
        answers.append(staff.post(f"/admin/directory/{place}/add/", form))
    return answers


def test_a_cover_and_a_photo_are_drawn_anew_and_taken_away(staff: Client, site: Site, storage: Path) -> None:
    assert [answer.status_code for answer in add(staff, site, drawn())] == [302, 302]

    post = BlogPost.objects.get()
    assert [file.parent.name for file in stored(storage)] == ["blog", "founders"]
    for file in stored(storage):
        assert b"script" not in file.read_bytes()
        with Image.open(file) as image:
            assert (image.format, image.size) == ("WEBP", (1600, 600))
    place = f"/admin/directory/blogpost/{post.pk}/change/"
    assert staff.post(place, POST | {"site": site.pk}).status_code == 302
    assert BlogPost.objects.get().cover.name == post.cover.name
    assert staff.post(place, POST | {"site": site.pk, "cover-clear": "on"}).status_code == 302
    assert (BlogPost.objects.get().cover.name, bool(Founder.objects.get().photo)) == ("", True)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (drawn(4001, 2000), "which is too many: at most 8 megapixels"),
        (drawn(400, 199), "fewer than 200 pixels"),
        (SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + b"x" * 90), "The picture is broken."),
        (SimpleUploadedFile("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "no picture of a kind"),
        (SimpleUploadedFile("a.png", b"x" * (4 * 1024 * 1024 + 1)), "more than 4 MB"),
    ],
    ids=["large", "small", "broken", "svg", "heavy"],
)
def test_what_is_no_picture_for_owners_is_none_for_staff(
    staff: Client, site: Site, storage: Path, picture: Any, words: str
) -> None:
    for answer, name in zip(add(staff, site, picture), ("cover", "photo"), strict=True):
        (message,) = answer.context["adminform"].form.errors[name]
        assert words in message
    assert (BlogPost.objects.count(), Founder.objects.count(), list(storage.rglob("*.*"))) == (0, 0, [])


def test_staff_wait_for_their_turn_as_owners_do(
    staff: Client, site: Site, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_process, "WAIT_SECONDS", 0.01)
    with picture_process._turn:
        answers = add(staff, site, drawn())

    for answer in answers:
        assert "Other pictures are being prepared" in answer.content.decode()
    assert (BlogPost.objects.count(), Founder.objects.count(), stored(storage)) == (0, 0, [])
