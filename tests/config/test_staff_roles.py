"""Staff and roles: given and taken by administrators who just proved who they are, never from the last of them."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct, User
from accounts.staff import rights
from directory.models import Site
from tests.conftest import People, signed_in
from tests.factories.staff import fresh, make_staff, staff_client

LIST = "/admin/staff/"


@pytest.fixture
def boss(site: Site, people: People) -> Client:
    for role in rights.ROLES.values():
        Group.objects.get_or_create(name=role)
    return fresh(staff_client("administrator"))


def send(client: Client, where: str, **form: Any) -> str:
    return client.post(f"{LIST}{where}", form, follow=True).content.decode()


def roles_of(user: User) -> tuple[bool, list[str]]:
    found = User.objects.get(pk=user.pk)
    return found.is_staff, sorted(found.roles)


def test_somebody_becomes_staff_and_is_staff_no_more(boss: Client, people: People) -> None:
    owner = people.owner
    client = signed_in(owner)

    assert ": moderator." in send(boss, "add/", email=owner.email.upper(), roles=["moderator"])
    assert roles_of(owner) == (True, ["moderator"])
    assert client.get("/admin/directory/vote/risks/").status_code == 200
    Authenticator.objects.create(user=owner, type="totp", data={})
    rows = {row.pk: row for row in boss.get(LIST).context["staff"]}
    assert (rows[owner.pk].has_factor, rows[people.staff.pk].has_factor) == (True, False)

    assert ": no longer staff." in send(boss, f"{owner.pk}/")
    assert roles_of(owner) == (False, [])
    assert client.get("/admin/directory/vote/risks/").status_code == 302
    lines = StaffAct.objects.order_by("pk").values_list("act", "label", "before", "after")
    given, none, label = {"roles": ["moderator"]}, {"roles": []}, f"person {owner.pk}"
    assert list(lines) == [("staff.edit", label, none, given), ("staff.edit", label, given, none)]


def test_the_last_administrator_stays(boss: Client, people: People) -> None:
    me = User.objects.get(email="administrator@staff.example")
    User.objects.filter(is_superuser=True).update(is_active=False)

    assert "Make somebody else administrator first. Nothing was changed." in send(
        boss, f"{me.pk}/", roles=["editor"]
    )
    assert roles_of(me) == (True, ["administrator"])
    banned = make_staff("administrator", name="banned")
    User.objects.filter(pk=banned.pk).update(suspended_at=timezone.now())
    assert "Make somebody else administrator first." in send(boss, f"{me.pk}/", roles=["editor"])
    assert roles_of(me) == (True, ["administrator"])
    make_staff("administrator", name="second")
    assert ": editor." in send(boss, f"{me.pk}/", roles=["editor"])
    assert roles_of(me) == (True, ["editor"])


def test_who_may_not_be_staff_is_refused(boss: Client, people: People) -> None:
    unproved = User.objects.create(email="new@people.example")
    owner = people.owner

    assert "Nobody has this address" in send(boss, "add/", email="x@y.example", roles=["editor"])
    assert "not confirmed" in send(boss, "add/", email=unproved.email, roles=["editor"])
    User.objects.filter(pk=owner.pk).update(is_superuser=True, is_staff=True)
    assert "superuser may do everything" in send(boss, f"{owner.pk}/", roles=["editor"])
    assert (roles_of(unproved), roles_of(owner)) == ((False, []), (True, []))


def test_only_administrators_see_it_and_only_after_a_fresh_sign_in(site: Site, people: People) -> None:
    moderator, stale = staff_client("moderator"), staff_client("administrator")

    assert moderator.get(LIST).status_code == 404
    assert (
        moderator.post(f"{LIST}add/", {"email": people.owner.email, "roles": ["editor"]}).status_code == 403
    )
    assert stale.get(LIST).status_code == 200
    sent = stale.post(f"{LIST}add/", {"email": people.owner.email, "roles": ["administrator"]})
    assert (sent.status_code, roles_of(people.owner)) == (302, (False, []))


def test_a_command_gives_roles_and_makes_no_superuser_of_who_has_one(site: Site, capsys: Any) -> None:
    for role in rights.ROLES.values():
        Group.objects.get_or_create(name=role)
    call_command("create_user", "asta@staff.example", "--role", "finance", "--role", "editor")
    asta = User.objects.get(email="asta@staff.example")
    assert (roles_of(asta), asta.is_superuser) == ((True, ["editor", "finance"]), False)

    call_command("create_user", "asta@staff.example", "--role", "moderator", "--password", "a long password")
    assert roles_of(asta) == (True, ["editor", "finance", "moderator"])
    call_command("create_user", "root@staff.example", "--staff", "--password", "a long password")
    with pytest.raises(
        CommandError, match=r"superuser may do everything without a role\. Nothing was changed"
    ):
        call_command("create_user", "root@staff.example", "--role", "editor", "--password", "another one")
    root = User.objects.get(email="root@staff.example")
    assert (root.is_superuser, sorted(root.roles), root.check_password("a long password")) == (True, [], True)
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("create_user", "x@staff.example", "--staff", "--role", "editor")
    assert not User.objects.filter(email="x@staff.example").exists()
