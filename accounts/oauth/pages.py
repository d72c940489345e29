"""HTML doors for connected apps."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts import selectors_apps, services_apps
from accounts.forms import SCOPE_WORDS
from accounts.sessions import signed_in_form, signed_in_page, user_of
from core.api.links import absolute


@signed_in_page
def connected_apps(request: HttpRequest) -> HttpResponse:
    """`/account/apps`: what acts for the person, and since when."""
    apps = selectors_apps.connected_apps(user=user_of(request), at=timezone.now())
    rows = [(app, [SCOPE_WORDS[scope][0] for scope in app.scopes if scope in SCOPE_WORDS]) for app in apps]
    return render(request, "accounts/connected_apps.html", {"rows": rows, "mcp_url": absolute("/mcp")})


@signed_in_form
def disconnect_app(request: HttpRequest, app_id: int) -> HttpResponse:
    """`/account/apps/<id>/disconnect`: says what will happen, then does it."""
    app = selectors_apps.connected_app(user=user_of(request), app_id=app_id, at=timezone.now())
    if request.method != "POST":
        return render(request, "accounts/disconnect_app.html", {"app": app})
    services_apps.disconnect_app(user=user_of(request), app_id=app_id)
    messages.success(request, f"“{app.identity.name}” can no longer act for you.")
    return HttpResponseRedirect("/account/apps")
