"""A name that is a part of other words is taken out where it is a word, and stands in no way."""

from typing import Any

import pytest

from accounts.models import StaffNote
from config import personal_data
from directory.models import ListingRevision, Site
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing

NOTE = "Ed wrote twice, edited it and asked for Ed’s refund. 恩 said so."


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("Ed", "[removed] wrote twice, edited it and asked for [removed]’s refund. 恩 said so."),
        ("En", NOTE),
        ("A", NOTE),
        ("恩", NOTE.replace("恩", "[removed]")),
        ("Ed wrote", NOTE.replace("Ed wrote", "[removed]")),
    ],
)
def test_whoever_is_called_like_a_part_of_a_word_is_erased(
    site: Site, people: People, api: Api, name: str, note: str
) -> None:
    listing = make_listing(owner=people.owner)
    people.owner.name = name
    people.owner.save(update_fields=["name"])
    for words in ("Edited and kept", f"By {name} itself"):
        api("all").patch(f"/api/v1/me/listings/{listing.pk}", {"fields": {"tagline": words}})
    ListingRevision.objects.filter(after={"tagline": "Edited and kept"}).update(review="accepted")
    StaffNote.objects.create(by=people.staff, kind="directory.listing", key=str(listing.pk), text=NOTE, at=AT)

    personal_data.erase(user_id=people.owner.pk, at=AT)

    edits: list[Any] = list(ListingRevision.objects.order_by("pk").values_list("changed", "review", "after"))
    assert edits == [
        (["tagline"], "accepted", {"tagline": "Edited and kept"}),
        (["tagline"], "pending", {"tagline": "By [removed] itself"}),
    ]
    assert StaffNote.objects.get().text == note


def test_an_address_between_signs_of_markdown_is_taken_out(site: Site, people: People) -> None:
    listing, email = make_listing(owner=people.owner), people.owner.email
    text = f"Write to _{email}_ or **{email}**."
    StaffNote.objects.create(by=people.staff, kind="directory.listing", key=str(listing.pk), text=text, at=AT)

    personal_data.erase(user_id=people.owner.pk, at=AT)

    assert StaffNote.objects.get().text == "Write to _[removed]_ or **[removed]**."


def test_a_note_that_is_full_of_a_short_name_is_cut_to_its_column(site: Site, people: People) -> None:
    listing = make_listing(owner=people.owner)
    people.owner.name = "Ed"
    people.owner.save(update_fields=["name"])
    StaffNote.objects.create(
        by=people.staff, kind="directory.listing", key=str(listing.pk), text="Ed, " * 499, at=AT
    )

    personal_data.erase(user_id=people.owner.pk, at=AT)

    assert len(StaffNote.objects.get().text) == 2000
