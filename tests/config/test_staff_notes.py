"""Notes of staff: on people, listings and orders, for those who may write them; the audit log has no word of them."""

import pytest
from django.db.models import Model
from django.test import Client

from accounts.models import StaffAct, StaffNote
from directory.models import Site
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.orders import make_order
from tests.factories.staff import staff_client

TEXT = "Rang on Monday: <b>their shop strips the badge</b>."


def page_of(thing: Model) -> str:
    return f"/admin/{thing._meta.app_label}/{thing._meta.model_name}/{thing.pk}/change/"


def write(client: Client, thing: Model, text: str = TEXT) -> str:
    sent = {"kind": thing._meta.label_lower, "key": thing.pk, "text": text}
    return client.post("/admin/notes/", sent, follow=True).content.decode()


def test_notes_stand_on_the_pages_of_what_they_are_about(site: Site, people: People) -> None:
    listing = make_listing("brindle", owner=people.owner)
    things = (people.owner, listing, make_order(site, owner=people.owner))
    finance, editor = staff_client("finance"), staff_client("editor")

    for thing in things:
        shown = write(finance, thing)
        assert "Note saved." in shown
        assert "Rang on Monday: &lt;b&gt;their shop" in shown
        assert "Rang on Monday" not in write(editor, thing)
    assert StaffNote.objects.count() == 3
    assert set(StaffAct.objects.values_list("act", "reason")) == {("people.notes", "")}
    timeline = finance.get(f"{page_of(listing)}?kind=staff").context["timeline"].events
    assert [event.says for event in timeline] == [TEXT]


@pytest.mark.parametrize("text", ["", "  ", "x" * 2001])
def test_a_note_has_words_and_an_end(site: Site, people: People, text: str) -> None:
    assert "Nothing was saved." in write(staff_client("moderator"), people.owner, text)
    assert not StaffNote.objects.exists()


def test_a_note_is_about_something_that_is_there(site: Site, people: People) -> None:
    moderator = staff_client("moderator")
    for kind, key in (("accounts.apikey", "1"), ("orders.order", "no number"), ("accounts.user", "0")):
        sent = {"kind": kind, "key": key, "text": TEXT}
        assert moderator.post("/admin/notes/", sent).status_code == 404
