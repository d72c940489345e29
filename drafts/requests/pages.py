"""HTML doors at the beginning: give a website, say which part of it is meant, have it read."""

from datetime import timedelta
from typing import Any, cast
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.sessions import signed_in, user_of
from core.api.errors import ApiError, InvalidRequestError, RateLimitedError
from core.fetch import split_url
from directory.errors import DuplicateListingError
from directory.sites.lookup import current_site
from drafts import limits
from drafts.facts.fitting import public_address, whole_site
from drafts.requests import submitting

WAITING, BEGUN = "drafts_waiting", "drafts_begun"
WAITS = timedelta(hours=1)


def remember(request: HttpRequest, *, url: str, address: str) -> None:
    """Have the website that was typed as `url` read as soon as whoever gave it has signed in."""
    request.session[WAITING] = {"url": url, "address": address, "at": timezone.now().timestamp()}


def begun(request: HttpRequest, *, url: str) -> str:
    """The draft that the sign-in began of this website, once; empty if there is none."""
    draft = request.session.get(BEGUN)
    if draft is None or draft["url"] != url:
        return ""
    del request.session[BEGUN]
    return str(draft["id"])


def begin(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Have the website read that waits. What refuses it now is told when the filled-in form is sent again."""
    session = getattr(request, "session", None)
    waiting = session.pop(WAITING, None) if session is not None else None
    now = timezone.now()
    if session is None or waiting is None or waiting["at"] < (now - WAITS).timestamp():
        return
    site = current_site(cast(HttpRequest, request))
    try:
        draft = submitting.submit_listing(owner=user, site=site, url=waiting["address"], at=now)
    except DuplicateListingError as error:
        session[BEGUN] = {"url": waiting["url"], "id": error.extras["draft_id"]}
    except ApiError:
        return
    else:
        session[BEGUN] = {"url": waiting["url"], "id": str(draft.pk)}


user_logged_in.connect(begin)


AGAIN = "You have a draft of this site already. Here it is."


@require_http_methods(["GET", "HEAD", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """`/submit`: one field. An address given before signing in comes along, and is read right after."""
    if request.method != "POST":
        url = request.GET.get("url", "")[: limits.URL]
        if request.user.is_authenticated and (draft_id := begun(request, url=url)):
            return HttpResponseRedirect(f"/drafts/{draft_id}")
        return render(request, "drafts/submit.html", {"url": url})
    url = request.POST.get("url", "").strip()[: limits.URL + 1]
    try:
        address = _address(url)
    except ApiError as error:
        return _refused(request, url, error)
    whole = whole_site(address)
    if whole and "as_given" not in request.POST:
        context = {"url": url, "whole": whole, "given": split_url(address).path}
        return render(request, "drafts/submit_page.html", context)
    if not request.user.is_authenticated:
        remember(request, url=url, address=address)
        return redirect_to_login(f"/submit?url={quote(url)}")
    return _submit(request, url, address)


@signed_in
def _submit(request: HttpRequest, url: str, address: str) -> HttpResponse:
    user = user_of(request)
    try:
        draft = submitting.submit_listing(
            owner=user, site=current_site(request), url=address, at=timezone.now()
        )
    except DuplicateListingError as error:
        messages.warning(request, AGAIN)
        return HttpResponseRedirect(f"/drafts/{error.extras['draft_id']}")
    except RateLimitedError:
        raise
    except ApiError as error:
        return _refused(request, url, error)
    return HttpResponseRedirect(f"/drafts/{draft.pk}")


def _address(url: str) -> str:
    """What was typed, as the public address that it stands for."""
    address = url if "://" in url or not url else f"https://{url}"
    if len(address) > limits.URL:
        raise InvalidRequestError(f"An address has at most {limits.URL} characters.")
    return public_address(address, pointer="/url")


def _refused(request: HttpRequest, url: str, error: ApiError) -> HttpResponse:
    return render(request, "drafts/submit.html", {"url": url, "error": error.detail}, status=400)
