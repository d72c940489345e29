"""Every link and every button of the back office, by role: none leads its reader to a refusal."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlparse

from django.contrib import admin
from django.test import Client
from django.urls import Resolver404, ResolverMatch, resolve
from lxml import html

from accounts.models import User
from accounts.staff import rights
from core.models import Job
from directory.listings.editing import update_my_listing
from directory.models import Founder, Listing, ListingRevision, Report
from tests.conftest import signed_in
from tests.factories.listings import AT
from tests.factories.staff import fresh, make_staff
from tests.pages.staff import staff_addresses

OPEN = {"index", "logout", "login", "jsi18n", "autocomplete", "password_change", "view_on_site", "app_list"}
LISTS = {(m._meta.app_label, m._meta.model_name): options for m, options in admin.site._registry.items()}


def asked_of(match: ResolverMatch, *, is_sent: bool) -> tuple[str, ...]:
    """The acts one of which an address needs; none where it is open to all staff."""
    if (match.url_name or "") in OPEN:
        return ()
    if (match.url_name or "").endswith("_history"):
        return ("audit.see",)  # it leads to the audit log, narrowed to the row
    page: Any = match.func
    if hasattr(page, "see"):
        return (page.do if is_sent else page.see,)
    label, _, rest = (match.url_name or "").partition("_")
    model, _, _ = rest.rpartition("_")
    see, edit = rights.MODELS.get(f"{label}.{model}", ("", ""))
    options = LISTS.get((label, model))
    if not is_sent or (match.url_name or "").endswith("_changelist"):
        acts = {
            getattr(options, name, None)
            for name in getattr(options, "actions", None) or ()
            if isinstance(name, str)
        }
        done = [str(getattr(act, "act", edit)) for act in acts if act]
        return (see,) if not is_sent else (edit, *done)
    return (edit,)


def leads(text: str, *, at: str) -> Iterator[tuple[str, bool]]:
    """Where the links and the forms of a page lead, and whether something is sent there."""
    page = html.fromstring(text)
    for link in page.xpath("//main//a[@href]"):
        yield urlparse(urljoin(at, link.get("href"))).path, False
    for form in page.xpath("//main//form[translate(@method,'POST','post')='post']"):
        buttons = form.xpath(".//button[@formaction]")
        if form.xpath(".//button[not(@formaction)] | .//input[@type='submit'] | .//select[@name='action']"):
            yield urlparse(urljoin(at, form.get("action") or at)).path, True
        for button in buttons:
            yield urlparse(urljoin(at, button.get("formaction"))).path, True


def test_no_link_and_no_button_leads_to_a_refusal(names: dict[str, str], ines: User) -> None:
    listing = Listing.objects.get(slug="tidewell")
    update_my_listing(owner_id=ines.pk, listing_id=listing.pk, changes={"fields": {"city": "Ghent"}}, at=AT)
    Report.objects.create(listing=listing, reason="spam", created_at=AT)
    Job.objects.create(
        kind="core.send_mail", key="dead", state="dead", created_at=AT, run_after=AT, payload={}
    )
    assert ListingRevision.objects.exists()
    addresses = [address for address in staff_addresses() if not address.endswith("/history/")]

    found = {role: refused(role, addresses) for role in rights.ROLES.values()}

    assert {role: wrong for role, (wrong, _) in found.items() if wrong} == {}
    assert {role for role, (_, walked) in found.items() if walked < 50} == set()
    # staff without a role have their start page, whose links are open to all staff
    nobody = signed_in(make_staff(""))
    assert [path for path, _ in leads(nobody.get("/admin/").content.decode(), at="/admin/")] == ["/"]


def test_every_list_shows_the_rows_that_it_has(names: dict[str, str], ines: User) -> None:
    founder = Founder.objects.create(slug="ines", name="Ines", created_at=AT)
    boss, empty = make_staff("administrator"), []
    client = signed_in(boss)
    for app, model in LISTS:
        page = client.get(f"/admin/{app}/{model}/")
        rows = page.context["cl"] if page.status_code == 200 else None
        if rows and rows.root_queryset.exists() and not rows.result_list:
            empty.append(model)

    assert empty == []
    assert founder.name in client.get("/admin/directory/founder/?q=ine").content.decode()


def refused(role: str, addresses: list[str]) -> tuple[set[tuple[str, ...]], int]:
    """What on the pages that a role may see leads it to a refusal, and how many links and buttons there were."""
    user, client = make_staff(role), Client()
    client.force_login(user)
    client, wrong, walked = fresh(client), set(), 0
    for address in addresses:
        if not is_for(user, acts_of(address, is_sent=False)):
            continue  # `tests.config.test_staff_rights` opens each of these
        answer = client.get(address)
        if answer.status_code != 200 or not answer.get("Content-Type", "").startswith("text/html"):
            continue
        for path, is_sent in set(leads(answer.content.decode(), at=address)):
            if path.startswith("/admin/"):
                walked += 1
                acts = acts_of(path, is_sent=is_sent)
                if not is_for(user, acts):
                    wrong.add((address, path, *acts))
    return wrong, walked


def is_for(user: User, acts: tuple[str, ...]) -> bool:
    return not acts or any(act and rights.may(user, act) for act in acts)


def acts_of(path: str, *, is_sent: bool) -> tuple[str, ...]:
    """The acts of a path; one that leads nowhere has one that nobody may do."""
    try:
        return asked_of(resolve(path), is_sent=is_sent)
    except Resolver404:
        return ("",)
