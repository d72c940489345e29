"""HTML door of the drafts area for invited founders: the page that a mailed link opens."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from drafts.errors import InviteClosedError
from drafts.invites import inviting
from drafts.invites.forms import PLATFORMS, ProfileForm
from drafts.models import Invite


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, token: str) -> HttpResponse:
    """`/invites/<token>`: says who asks and what will be shown, then takes the profile, once."""
    result = inviting.find_invite(token=token)
    if reason := result.closed_reason(at=timezone.now()):
        return _page(request, result, closed=reason)
    form = ProfileForm(request.POST or None, initial=inviting.profile_of(result))
    if request.method != "POST" or not form.is_valid():
        return _page(request, result, form=form)
    try:
        inviting.accept_invite(token=token, profile=form.profile(), at=timezone.now())
    except InviteClosedError as error:
        return _page(request, result, closed=error.detail)
    return _page(request, result, thanks=form.cleaned_data["name"])


def _page(
    request: HttpRequest,
    invite: Invite,
    *,
    form: ProfileForm | None = None,
    closed: str = "",
    thanks: str = "",
) -> HttpResponse:
    context = {
        "invite": invite,
        "domain": invite.draft.domain,
        "inviter": invite.draft.owner.email,
        "is_public": inviting.is_public(invite.draft),
        "form": form,
        "links": [form[name] for name in PLATFORMS] if form else [],
        "closed": closed,
        "thanks": thanks,
    }
    is_refused = bool(closed) or bool(form is not None and form.errors)
    response = render(request, "drafts/invite.html", context, status=400 if is_refused else 200)
    # The address is the secret: no cache keeps it, no other site is told it, no index lists it.
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response
