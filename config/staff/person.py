"""One page for a person: what they have, what they bought, what opens their account, what staff may do, bans."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin, messages
from django.contrib.admin import AdminSite
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts import services, services_apps
from accounts.admin import UserAdmin
from accounts.models import ApiKey, ConnectedApp, User
from accounts.staff import audit, pages, rights
from accounts.staff.audit import Acting, acting
from accounts.staff.lists import staff_action
from claims.models import Claim
from config import personal_data
from config.account_data import EraseForm
from config.staff.seeing import see_as
from core import jobs
from core.api.errors import ApiError
from core.models import Job, Mail
from directory.models import Listing, Undo, Vote
from directory.moderation import banning
from directory.moderation.comparing import listings_of
from directory.moderation.staff.forms import WhyForm
from drafts.models import Draft
from orders.models import Invoice, Order

PEOPLE, MOST, NAMED, COUNTED = "people", 100, 10, 1000
PERSON_PATH = "<int:person_id>"
LISTED = 6  # rows of a kind on the page; its "All" leads to the list


class BanForm(WhyForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["text"].help_text = "They read both. Needed for “Other”."


def page_for(user_ids: list[int]) -> str:
    return f"{reverse('admin:accounts_user_ban')}?{urlencode({PEOPLE: ','.join(map(str, user_ids))})}"


def ban_page(request: HttpRequest, *, site: AdminSite) -> HttpResponse:
    people = _people(request)
    form = BanForm(request.POST or None)
    back = _back(people)
    if request.method == "POST" and form.is_valid():
        _ban(request, people, reason=form.cleaned_data["reason"])
        return HttpResponseRedirect(back)
    number = len(people)
    title = f"Ban {people[0].get_short_name()}?" if number == 1 else f"Ban {number} accounts?"
    button = "Ban this account" if number == 1 else f"Ban {number} accounts"
    return pages.Question(title=title, says=_follows(people), button=button, back=back, form=form).ask(
        request, site
    )


def _people(request: HttpRequest) -> list[User]:
    ids = list(filter(None, map(pages.key_of, request.GET.get(PEOPLE, "").split(","))))
    people = list(User.objects.filter(pk__in=ids[:MOST]).order_by("email"))
    if not people:
        raise Http404
    return people


def _back(people: list[User]) -> str:
    if len(people) == 1:
        return reverse("admin:accounts_user_change", args=[people[0].pk])
    return reverse("admin:accounts_user_changelist")


def _follows(people: list[User]) -> list[str]:
    ids = [person.pk for person in people]
    names = ", ".join(person.email for person in people[:NAMED])
    more = f" and {len(people) - NAMED} more" if len(people) > NAMED else ""
    listings = sum(listings_of(pk)[:COUNTED].count() for pk in ids)
    shared = Listing.objects.filter(co_owners__in=ids)[:COUNTED].count()
    votes = Vote.objects.filter(user__in=ids, voided_at=None)[:COUNTED].count()
    keys = ApiKey.objects.filter(user__in=ids, revoked_at=None)[:COUNTED].count()
    apps = ConnectedApp.objects.filter(user__in=ids)[:COUNTED].count()
    return [
        f"{names}{more}.",
        f"Listings: {listings} answer “removed” at once, and their owner reads the reason. Shared with them: {shared}, "
        "which stay.",
        f"Votes: {votes} stay counted. Void them under Votes if they were bought.",
        f"Keys and apps: {keys} and {apps} are refused from now on. All sign-ins end now.",
        "Open reports on those listings are closed with this decision, and their edits leave the queue.",
        "Paid orders stay as they are; finance sees them on the person's page. Undo for 30 days.",
    ]


def _ban(request: HttpRequest, people: list[User], *, reason: str) -> None:
    done = 0
    for person in people:
        try:
            with transaction.atomic():
                act = Acting(request, "people.ban")
                undo = banning.ban(user_id=person.pk, staff_id=act.staff_id, reason=reason, at=act.at)
                undo_at = reverse("admin:directory_listing_undo", args=[undo.pk])
                act.record("banned", on=person, reason=reason, undo=undo_at)
            done += 1
        except ApiError as error:
            messages.error(request, f"Not banned: {person.email}. {error.detail}")
    if done:
        messages.success(request, "The account is banned." if done == 1 else f"{done} accounts are banned.")


def current_ban(person: User) -> Undo | None:
    """The ban that is in force and may still be undone."""
    if not person.is_suspended:
        return None
    since = timezone.now() - timedelta(days=audit.UNDO_DAYS)
    bans = Undo.objects.filter(kind=Undo.Kind.BAN, user=person, undone_at=None, at__gt=since)
    return bans.order_by("-at").first()


@dataclass(frozen=True, kw_only=True)
class Some:
    """The first rows of a kind, and whether there are more."""

    rows: list[Any]
    is_more: bool


def some(rows: QuerySet[Any]) -> Some:
    items = list(rows[: LISTED + 1])
    return Some(rows=items[:LISTED], is_more=len(items) > LISTED)


def about(person: User, *, by: Any) -> dict[str, Any]:
    """Everything on the page, as far as the member of staff may see it; each kind is one statement with a bound."""
    result: dict[str, Any] = {
        "addresses": list(EmailAddress.objects.filter(user=person).order_by("-primary", "pk")[:LISTED]),
        "has_factor": Authenticator.objects.filter(user=person).exists(),
        "listings": some(Listing.objects.filter(owner=person).order_by("-created_at", "-pk")),
        "erasing": Job.objects.filter(
            kind=personal_data.ERASE_JOB, key=personal_data.erase_job_key(person.pk)
        ).first(),
    }
    kinds: tuple[tuple[str, str, Callable[[], Any]], ...] = (
        ("drafts.see", "drafts", lambda: Draft.objects.owned_by(person.pk).order_by("-created_at", "-pk")),
        ("orders.see", "orders", lambda: Order.objects.owned_by(person.pk).order_by("-created_at", "-pk")),
        (
            "claims.see",
            "claims",
            lambda: (
                Claim.objects.owned_by(person.pk).select_related("listing").order_by("-created_at", "-pk")
            ),
        ),
        (
            "keys.see",
            "api_keys",
            lambda: ApiKey.objects.filter(user=person, revoked_at=None).order_by("-created_at", "-pk"),
        ),
        (
            "keys.see",
            "apps",
            lambda: ConnectedApp.objects.filter(user=person).select_related("application").order_by("-pk"),
        ),
        ("mail.see", "mails", lambda: Mail.objects.filter(user=person).order_by("-queued_at", "-pk")),
    )
    return result | {name: some(rows()) for act, name, rows in kinds if rights.may(by, act)}


def sentence(person: User, parts: dict[str, Any]) -> tuple[str, str]:
    """How things stand with them, and how loud that is: the first that holds."""
    waiting = [row for row in parts["orders"].rows if row.review_reason] if "orders" in parts else []
    bounced = [
        row
        for row in (parts["mails"].rows if "mails" in parts else [])
        if row.state == Mail.State.BOUNCED and row.closed_at is None
    ]
    sentences: tuple[tuple[object, str, str], ...] = (
        (not person.is_active, "The account is closed. Nobody can sign in to it.", "bad"),
        (person.is_suspended, "The account is banned: keys and sign-ins are refused.", "bad"),
        (waiting, f"Order {waiting[0].number if waiting else ''} waits for a decision of finance.", "warn"),
        (
            not any(address.verified for address in parts["addresses"]),
            "The e-mail address is not confirmed: they cannot sign in yet.",
            "warn",
        ),
        (bounced, "Mail to them bounced: it does not arrive. It stands below.", "warn"),
    )
    return next(
        ((text, tone) for holds, text, tone in sentences if holds),
        ("Nothing is wrong with this account.", ""),
    )


class PersonPages(pages.Pages):
    """What is done on the page; the page itself is where the form was."""

    @pages.page(f"{PERSON_PATH}/see/", "accounts_user_see_as", "people.see", "people.hijack")
    def see(self, request: HttpRequest, person_id: int) -> HttpResponse:
        return see_as(request, person_id)

    @pages.page("ban/", "accounts_user_ban", "people.ban", asks_again=True)
    def ban(self, request: HttpRequest) -> HttpResponse:
        return ban_page(request, site=self.site)

    def show(self, request: HttpRequest, person_id: str) -> HttpResponse:
        person = _person(person_id)
        result = about(person, by=request.user)
        says, tone = sentence(person, result)
        acts = (
            "people.export",
            "people.erase",
            "people.edit",
            "people.ban",
            "people.hijack",
            "keys.revoke",
            "mail.resend",
        )
        return pages.show(
            request,
            self.site,
            "staff/person/page.html",
            title=person.get_short_name(),
            person=person,
            says=says,
            tone=tone,
            may={act.partition(".")[2]: rights.may(request.user, act) for act in acts},
            is_staff_account=person.is_staff or person.is_superuser,
            ban_at=page_for([person.pk]),
            current_ban=current_ban(person),
            **result,
        )

    @pages.page(f"{PERSON_PATH}/export/", "accounts_user_export", "people.export")
    def export(self, request: HttpRequest, person_id: int) -> HttpResponse:
        person = _person(person_id)
        if request.method != "POST":
            return _to(person)
        with acting(request, "people.export") as act:
            data = personal_data.export(user_id=person.pk, at=act.at)
            act.record("exported the data of", on=person)
        name = f"person-{person.pk}.json"
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "private, no-store",
        }
        return HttpResponse(data, content_type="application/json", headers=headers)

    @pages.page(f"{PERSON_PATH}/erase/", "accounts_user_erase", "people.erase", asks_again=True)
    def erase(self, request: HttpRequest, person_id: int) -> HttpResponse:
        """Says what goes and what stays; the address is typed, and a job does it."""
        person = _person(person_id)
        if person.is_staff or person.is_superuser:
            messages.error(request, "A staff account is not erased. Have its rights taken away first.")
            return _to(person)
        form = EraseForm(request.POST or None, expected=person.email)
        form.fields["email"].label = "Their e-mail address"
        if request.method == "POST" and form.is_valid():
            with acting(request, "people.erase") as act:
                key, line = (
                    personal_data.erase_job_key(person.pk),
                    act.record("requested the erasure of", on=person),
                )
                jobs.again(personal_data.ERASE_JOB, key=key, at=act.at, user_id=person.pk, line_id=line.pk)
                act.say("It is being erased. This page says when it is done.")
            return _to(person)
        return pages.Question(
            title=f"Erase {person.get_short_name()}?",
            says=_what_goes(person),
            button=f"Erase {person.get_short_name()}",
            back=_url(person),
            form=form,
            is_final=True,
        ).ask(request, self.site)

    @pages.page(f"{PERSON_PATH}/keys/<int:pk>/revoke/", "accounts_user_revoke_key", "keys.revoke")
    def revoke_key(self, request: HttpRequest, person_id: int, pk: int) -> HttpResponse:
        person = _person(person_id)
        close = partial(services.revoke_api_key, user=person, key_id=pk, at=timezone.now())
        return self._revoke(request, person, what="API key", close=close)

    @pages.page(f"{PERSON_PATH}/apps/<int:pk>/revoke/", "accounts_user_revoke_app", "keys.revoke")
    def revoke_app(self, request: HttpRequest, person_id: int, pk: int) -> HttpResponse:
        person = _person(person_id)
        close = partial(services_apps.disconnect_app, user=person, app_id=pk)
        return self._revoke(request, person, what="app", close=close)

    def _revoke(
        self, request: HttpRequest, person: User, *, what: str, close: Callable[[], object]
    ) -> HttpResponse:
        if request.method != "POST":
            return pages.Question(
                title=f"Revoke this {what}?",
                says=["What uses it is refused from now on. The person can make a new one."],
                button="Revoke",
                back=_url(person),
                is_final=True,
            ).ask(request, self.site)
        with acting(request, "keys.revoke") as act:
            close()
            act.record(f"revoked an {what} of", on=person)
            act.say("Revoked.")
        return _to(person)


def _what_goes(person: User) -> list[str]:
    listings = Listing.objects.filter(owner=person).count()
    drafts = Draft.objects.owned_by(person.pk).count()
    keys = ApiKey.objects.filter(user=person, revoked_at=None).count()
    papers = Invoice.objects.filter(order__owner=person).count()
    return [
        f"The account of {person.email} goes, with its sign-ins, {keys} keys and {drafts} drafts.",
        f"{listings} listings: live ones stay without an owner, others go.",
        f"{papers} invoices and credit notes stay for the books, as the law asks. Votes stay, without a name.",
    ]


def _person(person_id: str | int) -> User:
    return get_object_or_404(User, pk=pages.key_of(str(person_id)))


def _url(person: User) -> str:
    return reverse("admin:accounts_user_change", args=[person.pk])


def _to(person: User) -> HttpResponse:
    return HttpResponseRedirect(_url(person))


admin.site.unregister(User)


@admin.register(User)
class PersonAdmin(UserAdmin):
    actions = ["ban"]
    beside = (PersonPages,)

    @staff_action(act="people.ban", description="Ban…")
    def ban(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse:
        return HttpResponseRedirect(page_for(list(people.values_list("pk", flat=True))))

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **options: Any) -> HttpResponse:
        """The page; `?form` is the form, and what it sends."""
        if request.method not in pages.SAFE or "form" in request.GET:
            return super().change_view(request, object_id, *args, **options)
        rights.require(request.user, "people.see")
        return PersonPages(self.admin_site).show(request, object_id)
