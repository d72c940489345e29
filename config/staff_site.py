"""The back office: Django's admin behind the site's own sign-in."""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from accounts.mfa import lacks_second_factor


class StaffSite(admin.AdminSite):
    """Staff sign in where everybody does, so that limits, codes and the second factor cover them too."""

    index_template = "admin_start.html"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the person is staff, with the second factor where one is required."""
        return super().has_permission(request) and not lacks_second_factor(request.user)  # type: ignore[arg-type]

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """To the site's sign-in, or to turning on what is missing."""
        if super().has_permission(request) and lacks_second_factor(request.user):  # type: ignore[arg-type]
            messages.warning(request, "The back office needs a second factor. Turn it on first.")
            return HttpResponseRedirect(reverse("mfa_activate_totp"))
        answer: HttpResponse = secure_admin_login(super().login)(request, extra_context)
        return answer
