"""Staff see the site as a person does: nothing is changed or opened by it, it ends, and both ends are in the log."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct, User
from directory.models import MailChoice, Site
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.staff import make_staff, staff_client


def begin(client: Client, person: User) -> str:
    return client.post(f"/admin/accounts/user/{person.pk}/see/", follow=True).content.decode()


def lines() -> list[tuple[str, str]]:
    return list(StaffAct.objects.order_by("pk").values_list("said", "label"))


@pytest.fixture
def moderator(site: Site, people: People) -> Client:
    make_listing("brindle", owner=people.owner)
    return staff_client("moderator")


def test_staff_look_as_a_person_and_change_nothing(moderator: Client, people: People) -> None:
    owner, now = people.owner, timezone.now()

    page = begin(moderator, owner)
    assert f"You are signed in as {owner.email}." in page
    assert "You see the site as" in page
    assert "Brindle" in moderator.get("/account/listings").content.decode()

    refused = moderator.post("/account/mail", {"updates": "off"})
    assert (refused.status_code, "Nothing can be changed" in refused.content.decode()) == (403, True)
    closed = (
        "/account/keys",
        "/account/webhooks",
        "/account/apps",
        "/account/data",
        "/accounts/password/change/",
        "/oauth/authorize",
    )
    assert [moderator.get(path).status_code for path in closed] == [403] * len(closed)
    assert moderator.get("/api/v1/me").status_code == 401
    assert not MailChoice.objects.exists()
    assert "Moderator" in moderator.get("/admin/").content.decode()
    assert User.objects.filter(pk=owner.pk, last_login=owner.last_login).exists()

    stopped = moderator.post("/admin/stop-seeing/")
    assert stopped["Location"] == f"/admin/accounts/user/{owner.pk}/change/"
    assert "moderator@staff.example" in moderator.get("/account").content.decode()
    label = f"person {owner.pk}"
    assert lines() == [("began to see the site as", label), ("stopped seeing the site as", label)]
    until = datetime.fromisoformat(StaffAct.objects.earliest("pk").after["until"])
    assert timedelta(minutes=29) < until - now < timedelta(minutes=32)


@pytest.mark.parametrize("change", ["time", "role", "person", "sign out"])
def test_it_ends_by_itself(moderator: Client, people: People, change: str) -> None:
    begin(moderator, people.owner)
    later = timezone.now() + timedelta(minutes=31 if change == "time" else 0)
    if change == "role":
        User.objects.get(email="moderator@staff.example").groups.clear()
    if change == "person":
        User.objects.filter(pk=people.owner.pk).update(is_staff=True)
    if change == "sign out":
        assert moderator.post("/accounts/logout/").status_code == 302

    with time_machine.travel(later):
        page = moderator.get("/account", follow=True).content.decode()

    assert f"signed in as {people.owner.email}" not in page
    assert ("Sign in" if change == "sign out" else "as yourself again") in page
    assert [said for said, _ in lines()] == ["began to see the site as", "stopped seeing the site as"]


def test_what_their_page_sends_after_the_end_is_not_done_in_the_name_of_who_looked(
    moderator: Client, people: People
) -> None:
    begin(moderator, people.owner)
    moderator.handler.enforce_csrf_checks = True
    moderator.get("/account/profile")
    form = {"name": "Somebody Else", "csrfmiddlewaretoken": moderator.cookies["csrftoken"].value}

    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        late = moderator.post("/account/profile", form)
        own = moderator.get("/account").content.decode()
        later = moderator.post("/account/profile", form)

    assert (late.status_code, "not done in your name" in late.content.decode()) == (403, True)
    assert later.status_code == 403
    assert not User.objects.filter(name="Somebody Else").exists()
    assert "moderator@staff.example" in own


def test_nobody_looks_as_staff_and_not_every_role_looks(moderator: Client, people: People) -> None:
    for person in (people.staff, make_staff("finance")):
        assert "not seen as staff" in begin(moderator, person)
    assert staff_client("editor").post(f"/admin/accounts/user/{people.owner.pk}/see/").status_code == 403
    assert "You see the site as" not in moderator.get("/account").content.decode()
    assert lines() == []
