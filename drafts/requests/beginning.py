"""A website that somebody gave before signing in: it waits in their session, and the sign-in has it read.

Only a form of ours, sent by this browser, puts an address there. So no link that a stranger made has anything read.
"""

from datetime import timedelta
from typing import Any, cast

from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from core.api.errors import ApiError
from directory.errors import DuplicateListingError
from directory.sites.lookup import current_site
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
