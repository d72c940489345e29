"""Banning people: one from their page, several from a list, with what follows said before."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts.models import ApiKey, ConnectedApp, User
from accounts.staff import audit, pages
from accounts.staff.audit import Acting
from core.api.errors import ApiError
from directory.models import Listing, Undo, Vote
from directory.moderation import banning
from directory.moderation.comparing import listings_of
from directory.moderation.staff.forms import WhyForm

PEOPLE, MOST, NAMED, COUNTED = "people", 100, 10, 1000


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
