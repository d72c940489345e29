"""What roles of staff may do, and what stays of what they did."""

import pytest
from django.contrib import admin
from django.db import DatabaseError, transaction
from django.test import Client

from accounts.models import StaffAct
from accounts.staff import audit, rights
from accounts.staff.lists import StaffAdmin
from directory.models import Category, Site
from tests.conftest import People
from tests.factories.listings import AT, make_category
from tests.factories.staff import make_staff, staff_client

SUPERUSERS = {"auth", "account", "mfa", "oauth2_provider"}


def test_every_list_stands_in_the_frame_and_the_table() -> None:
    ours = {
        model._meta.label_lower: options
        for model, options in admin.site._registry.items()
        if model._meta.app_label not in SUPERUSERS
    }

    assert {name for name in ours if name not in rights.MODELS} == set()
    assert {name for name, options in ours.items() if not isinstance(options, StaffAdmin)} <= {"sites.site"}
    assert {act for acts in rights.MODELS.values() for act in acts if act} <= rights.ACTS.keys()


def test_a_refusal_says_whose_act_it_is(site: Site) -> None:
    make_staff("finance", name="asta")
    make_staff("finance", name="noor")
    editor = staff_client("editor")

    refused = editor.post("/admin/orders/refund/add/", {})
    absent = editor.get("/admin/orders/refund/")

    assert (refused.status_code, absent.status_code) == (403, 404)
    assert (
        rights.refusal("orders.refund") == "Refunds are made by finance and administrators. Ask Asta or Noor."
    )


def test_an_act_leaves_a_line_that_stays(site: Site, people: People) -> None:
    boss, category = staff_client("administrator"), make_category("paper", name="Paper")
    form = {"name": "Print and paper", "slug": "paper", "position": "0", "faqs": "[]", "attributes": "[]"}

    sent = boss.post(f"/admin/directory/category/{category.pk}/change/", form)

    assert sent.status_code == 302, sent.context["errors"]
    line = StaffAct.objects.get()
    assert (line.role, line.act, line.kind, line.key) == (
        "administrator",
        "categories.edit",
        "directory.category",
        str(category.pk),
    )
    assert (line.before["name"], line.after["name"]) == ("Paper", "Print and paper")
    log = boss.get(f"/admin/directory/category/{category.pk}/history/", follow=True).content.decode()
    assert "Administrator (administrator)" in log
    assert "Print and paper" in log
    for change in (lambda: StaffAct.objects.update(said="x"), StaffAct.objects.all().delete):
        with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
            change()


def test_whoever_may_not_see_the_whole_log_sees_their_own_acts(site: Site) -> None:
    boss, other = make_staff("administrator"), make_staff("moderator")
    for user, said in ((boss, "did this"), (other, "did that")):
        by = audit.Actor(user_id=user.pk, role="x")
        audit.record(by, "listings.suspend", said, at=AT, on=Category(name="Paper"))
    pages = {}
    for user in (boss, other):
        client = Client()
        client.force_login(user)
        pages[user] = client.get("/admin/accounts/staffact/").content.decode()

    assert [("did this" in pages[user], "did that" in pages[user]) for user in (boss, other)] == [
        (True, True),
        (False, True),
    ]
