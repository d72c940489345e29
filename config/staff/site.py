"""The back office: Django's admin behind the site's own sign-in, with a menu by job and rights by role."""

import functools
from typing import Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone

from accounts import limits
from accounts.adapter import lacks_second_factor
from accounts.staff import audit, pages, rights
from accounts.staff.audit import actor
from config.context import name_of_site
from config.staff import queues
from config.staff.find import find_page, menu
from config.staff.roles import StaffPages
from config.staff.seeing import stop_seeing
from config.staff.start import start

NUL = "%00"  # no text of the database holds one
NOT_YOURS = "Your role may not do this. Nothing was changed."


class NoteForm(forms.Form):
    text = forms.CharField(max_length=limits.NOTE)


def add_note(request: HttpRequest) -> HttpResponse:
    """Write a note on the thing that the form names, and go back to its page."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("admin:index"))
    kind = request.POST.get("kind", "")
    thing = _thing(kind, request.POST.get("key", ""))
    rights.require(request.user, rights.MODELS[kind][0])
    form = NoteForm(request.POST)
    if form.is_valid():
        audit.add_note(actor(request), thing, text=form.cleaned_data["text"], at=timezone.now())
        messages.success(request, "Note saved.")
    else:
        messages.error(request, f"A note has 1 to {limits.NOTE} characters. Nothing was saved.")
    page = reverse(f"admin:{kind.replace('.', '_')}_change", args=[thing.pk])
    return HttpResponseRedirect(f"{page}#notes")


def _thing(kind: str, key: str) -> Model:
    if kind not in audit.KINDS:
        raise Http404
    model = apps.get_model(kind)
    try:
        row = model._base_manager.filter(pk=model._meta.pk.to_python(key)).first()  # noqa: SLF001
    except (ValidationError, OverflowError) as error:
        raise Http404 from error
    if row is None:
        raise Http404
    return row


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
        finds = pages.staff_page(self, functools.partial(find_page, site=self), see="find.see")
        stops = pages.staff_page(self, stop_seeing, see="people.hijack")
        return [
            path("find/", finds, name="find"),
            path("notes/", pages.staff_page(self, add_note, see="people.notes"), name="add_note"),
            path("stop-seeing/", stops, name="stop_seeing"),
            *StaffPages(self).urls(),
            *super().get_urls(),
        ]

    def admin_view(self, view: Any, cacheable: Any = False) -> Any:  # noqa: FBT002
        """A page that is somebody else's is not there (404); an act that is somebody else's is refused (403).

        Nor is there what a key or a filter asks for that no row can have.
        """

        @functools.wraps(view)
        def guarded(request: HttpRequest, *args: Any, **options: Any) -> Any:
            if NUL in request.META["QUERY_STRING"]:
                raise Http404
            try:
                return view(request, *args, **options)
            except (IncorrectLookupParameters, ValidationError) as odd:
                raise Http404 from odd
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
