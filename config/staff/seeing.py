"""Staff see the site as a person does: a mark in their own session, read-only, for half an hour at most.

Nobody is signed in as somebody else: the session stays the member of staff's, and only pages that are looked at
outside of the back office get the person in their place.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import rotate_token
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.audit import acting
from config.page_answers import PROGRAMS
from core.middleware import Middleware

MARK, LONGEST = "seen_as", timedelta(minutes=30)
ACT = "people.hijack"
AS_STAFF = ("/admin/", "/theme", *PROGRAMS)  # the back office is theirs; programs never read sessions
CLOSED = ("/accounts/", "/oauth/", "/account/keys", "/account/webhooks", "/account/apps", "/account/data")
LOGOUT = "/accounts/logout/"
STAFF = "The site is not seen as staff, nor as somebody whose account is closed or banned."


@dataclass(frozen=True, kw_only=True)
class ViewAs:
    person: User
    until: datetime


def see_as(request: HttpRequest, person_id: int) -> HttpResponse:
    """Begin; the person's account is the first page."""
    person = get_object_or_404(User, pk=person_id)
    page = HttpResponseRedirect(reverse("admin:accounts_user_change", args=[person.pk]))
    if request.method != "POST":
        return page
    if not _may_be_seen(person):
        messages.error(request, STAFF)
        return page
    if MARK in request.session:
        _end(request)
    until = timezone.now() + LONGEST
    with acting(request, ACT) as act:
        act.record("began to see the site as", on=person, after={"until": until})
    request.session[MARK] = {"person": person.pk, "until": until.isoformat()}
    return HttpResponseRedirect(reverse("account_overview"))


def stop_seeing(request: HttpRequest) -> HttpResponse:
    person_id = request.session.get(MARK, {}).get("person")
    if request.method != "POST" or person_id is None:
        return HttpResponseRedirect(reverse("admin:index"))
    _end(request)
    return HttpResponseRedirect(reverse("admin:accounts_user_change", args=[person_id]))


def _may_be_seen(person: User) -> bool:
    return person.is_active and not (person.is_staff or person.is_superuser or person.is_suspended)


def _end(request: HttpRequest) -> None:
    """What other tabs send from pages of the person meets the check of its token, which is another from now on."""
    mark = request.session.pop(MARK)
    rotate_token(request)
    if request.user.is_authenticated:
        with acting(request, ACT) as act:
            act.record("stopped seeing the site as", on=User(pk=mark["person"]))


class SeesAs(Middleware):
    """Puts the person into the place of the member of staff, while that lasts, and refuses all but looking."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_staffs = request.path.startswith(AS_STAFF) or settings.SESSION_COOKIE_NAME not in request.COOKIES
        if is_staffs or MARK not in request.session:
            return self.get_response(request)
        seen, changes = _seen(request), request.method not in pages.SAFE
        signs_out = request.path == LOGOUT and changes
        if seen is None or signs_out:
            _end(request)
            messages.info(request, "You see the site as yourself again.")
            # What such a page sends was meant for the person, so it is not done in the name of who looked.
            is_refused = changes and not signs_out
        else:
            request.user, request.seen_as = seen.person, seen  # type: ignore[attr-defined]
            is_refused = changes or request.path.startswith(CLOSED)
        return render(request, "seen_refused.html", status=403) if is_refused else self.get_response(request)


def _seen(request: HttpRequest) -> ViewAs | None:
    """As whom this session sees the site; None when it is over, or when one of both may no longer."""
    mark = request.session[MARK]
    until = datetime.fromisoformat(mark["until"])
    person = User.objects.filter(pk=mark["person"]).first()
    if until <= timezone.now() or person is None or not _may_be_seen(person):
        return None
    return ViewAs(person=person, until=until) if rights.may(request.user, ACT) else None
