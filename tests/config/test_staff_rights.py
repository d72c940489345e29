"""Every address and every act of the back office, with every role, held against the table of rights."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import DatabaseError, transaction
from django.http import Http404
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver

from accounts.models import StaffAct, User
from accounts.staff import audit, rights
from accounts.staff.lists import StaffAdmin
from directory.models import Category, Site
from tests.conftest import People, signed_in
from tests.factories.listings import AT, make_category
from tests.factories.staff import make_staff, staff_client

ROLES = ["", *rights.ROLES.values()]
# Pages without an act of their own: they show what the role has, or nothing of ours.
OPEN = {
    "index",
    "login",
    "logout",
    "password_change",
    "password_change_done",
    "jsi18n",
    "autocomplete",
    "app_list",
}
SUPERUSERS = {"auth", "account", "mfa"}


def addresses(patterns: list[Any], model: Any = None) -> Iterator[tuple[URLPattern, Any]]:
    """Each address of the admin, with the list it belongs to."""
    lists = {(m._meta.app_label, m._meta.model_name): options for m, options in admin.site._registry.items()}
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            place = tuple(str(pattern.pattern).strip("/").split("/"))
            yield from addresses(pattern.url_patterns, lists.get(place, model))  # type: ignore[arg-type]
        else:
            yield pattern, model


def ask(pattern: URLPattern, user: User, *, method: str = "GET", data: Any = None) -> int:
    """The status that an address answers a person with; what is missing is given as 0."""
    request = RequestFactory().generic(method, "/admin/x/", **(data or {}))
    request.user, request.session = user, SessionStore()
    request._messages, request._dont_enforce_csrf_checks = CookieStorage(request), True  # type: ignore[attr-defined]
    arguments = {
        name: "0" if kind.regex == "[^/]+" else kind.to_python("0" * (32 if "a-f" in kind.regex else 1))
        for name, kind in _parts(pattern)
    }
    try:
        with transaction.atomic():
            return int(pattern.callback(request, **arguments).status_code)
    except Http404 as absent:
        return 404 if not absent.args or absent.__cause__ is not None else 200


def _parts(pattern: URLPattern) -> Any:
    return pattern.pattern.converters.items()


@pytest.mark.parametrize("role", ROLES)
def test_each_role_reaches_its_pages_and_no_other(site: Site, role: str) -> None:
    user = make_staff(role)
    wrong, walked = [], 0
    for pattern, options in addresses(admin.site.get_urls()):
        if options is None and not hasattr(pattern.callback, "see"):
            assert pattern.name in {*OPEN, "view_on_site", None}, pattern
            continue
        if pattern.name is None:  # an address of former times, which redirects to the form
            continue
        see, edit = rights.MODELS.get(options.opts.label_lower, ("", "")) if options else ("", "")
        see = getattr(pattern.callback, "see", see)
        do = getattr(pattern.callback, "do", edit)
        walked += 1
        reached = ask(pattern, user)
        if not (see and rights.may(user, see)) and reached != 404:
            wrong.append(("seen", pattern.name, reached))
        if see and rights.may(user, see) and (pattern.name or "").endswith("_changelist") and reached != 200:
            wrong.append(("not seen", pattern.name, reached))
        is_list = (pattern.name or "").endswith(("_changelist", "_history"))
        if not (do and rights.may(user, do)) and not is_list:
            posted = ask(pattern, user, method="POST")
            if posted not in {403, 405}:
                wrong.append(("done", pattern.name, posted))
    assert wrong == []
    assert walked > 150


@pytest.mark.parametrize("role", ROLES)
def test_each_role_does_its_acts_in_lists_and_no_other(site: Site, role: str) -> None:
    user, wrong = make_staff(role), []
    lists = {options: pattern for pattern, options in addresses(admin.site.get_urls()) if _is_list(pattern)}
    for options, pattern in lists.items():
        for action in options.actions or () if isinstance(options, StaffAdmin) else ():
            name = action if isinstance(action, str) else action.__name__
            act = getattr(options.get_action(name)[0], "act", options.edit_act)
            body = f"action={name}&index=0&_selected_action={_nothing(options)}"
            sent = {"data": body, "content_type": "application/x-www-form-urlencoded"}
            see = rights.MODELS.get(options.opts.label_lower, ("", ""))[0]
            is_theirs = bool(see) and rights.may(user, act) and rights.may(user, see)
            answered = ask(pattern, user, method="POST", data=sent)
            if (answered != 403) != is_theirs:
                wrong.append((options.opts.label_lower, name, answered))
    assert wrong == []


def _nothing(options: Any) -> str:
    """A key that no row has."""
    return str(uuid.UUID(int=0)) if options.opts.pk.get_internal_type() == "UUIDField" else "0"


def _is_list(pattern: URLPattern) -> bool:
    return (pattern.name or "").endswith("_changelist")


def test_every_list_stands_in_the_frame_and_the_table() -> None:
    ours = {
        model._meta.label_lower: options
        for model, options in admin.site._registry.items()
        if model._meta.app_label not in SUPERUSERS
    }

    assert {name for name in ours if name not in rights.MODELS} == set()
    assert {name for name, options in ours.items() if not isinstance(options, StaffAdmin)} == set()
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
        client = signed_in(user)
        pages[user] = client.get("/admin/accounts/staffact/").content.decode()

    assert [("did this" in pages[user], "did that" in pages[user]) for user in (boss, other)] == [
        (True, True),
        (False, True),
    ]


def test_staff_change_their_password_where_everybody_does(site: Site) -> None:
    person, client = make_staff("editor"), Client()
    person.set_password("correct horse battery")
    person.save()
    client.force_login(person)

    answer = client.get("/admin/password_change/", follow=True)

    assert answer.redirect_chain == [("/accounts/password/change/", 302)]
    assert 'autocomplete="username"' in answer.content.decode()
