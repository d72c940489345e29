"""The back office: Django's admin behind the site's own sign-in, with a menu by job and rights by role."""

import functools
from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import path, reverse

from accounts.mfa import lacks_second_factor
from accounts.staff import pages, rights
from config.context import name_of_site
from config.staff import queues
from config.staff.find import find_page
from config.staff.menu import menu
from config.staff.notes import add_note
from config.staff.roles import StaffPages
from config.staff.seeing import stop_seeing
from config.staff.start import start

NOT_YOURS = "Your role may not do this. Nothing was changed."


class StaffSite(admin.AdminSite):
    """Staff sign in where everybody does, so that limits, codes and the second factor cover them too."""

    index_template = "admin_start.html"
    enable_nav_sidebar = False  # the menu is ours

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

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Where everybody changes theirs: its limits and the mail about it are for staff too."""
        return HttpResponseRedirect(reverse("account_change_password"))

    def get_urls(self) -> list[Any]:
        """With the pages that belong to no area."""
        finds = pages.staff_page(self, functools.partial(find_page, site=self), see="find.see")
        stops = pages.staff_page(self, stop_seeing, see="people.hijack")
        writes = pages.staff_page(self, add_note, see="people.notes")
        return [
            path("find/", finds, name="find"),
            path("notes/", writes, name="add_note"),
            path("stop-seeing/", stops, name="stop_seeing"),
            *StaffPages(self).urls(),
            *super().get_urls(),
        ]

    def admin_view(self, view: Any, cacheable: Any = False) -> Any:  # noqa: FBT002
        """A page that is somebody else's is not there (404); an act that is somebody else's is refused (403)."""

        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **options: Any) -> Any:
            try:
                return view(request, *args, **options)
            except PermissionDenied as refusal:
                if request.method in pages.SAFE:
                    raise Http404 from refusal
                context = {
                    **self.each_context(request),
                    "title": "Not yours",
                    "says": str(refusal) or NOT_YOURS,
                }
                return render(request, "staff/refused.html", context, status=403)

        return super().admin_view(guarded, cacheable)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """What every page of the back office shows: the menu, and in which role one is here."""
        name = name_of_site(request)
        user: Any = request.user
        is_staff = self.has_permission(request)
        return {
            "site_title": f"{name} back office",
            "site_header": name,
            "site_url": "/",
            "has_permission": is_staff,
            "is_popup": False,
            "is_nav_sidebar_enabled": False,
            "log_out": reverse("account_logout"),
            "menu": menu(request) if is_staff else [],
            "role": rights.role_of(user) if is_staff else "",
        }

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        """The start page: what waits for whoever looks, counted anew so that all of the page agrees."""
        queues.forget()
        context = {**self.each_context(request), **start(request), **(extra_context or {})}
        return TemplateResponse(request, self.index_template or "", context)
