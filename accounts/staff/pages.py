"""Pages of staff beside the lists: who may open them, what every one shows, and the page that asks before an act."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.account.authentication import get_authentication_records
from django import forms
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.sessions import ask_again
from accounts.staff import rights

SAFE = {"GET", "HEAD", "OPTIONS"}
FRESH = timedelta(minutes=15)
View = Callable[..., HttpResponse]


def staff_page(site: AdminSite, view: View, *, see: str, do: str = "", asks_again: bool = False) -> View:
    """A page for `get_urls`: looking needs `see`, sending needs `do`.

    With `asks_again` the password is typed again when the last time is over a quarter of an hour ago.
    """

    @functools.wraps(view)
    def checked(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        rights.require(request.user, see if request.method in SAFE else do or see)
        if asks_again and not is_fresh(request):
            return ask_again(request)
        return view(request, *args, **options)

    checked.see, checked.do = see, do or see  # type: ignore[attr-defined]  # the walk through all pages reads them
    return site.admin_view(checked)


def page(
    address: str, name: str, see: str, do: str = "", *, asks_again: bool = False
) -> Callable[[View], View]:
    """Above a method of a list or of `Pages`: its address, its name, and what looking and sending need."""

    def placed(view: View) -> View:
        view.door = address, name, {"see": see, "do": do, "asks_again": asks_again}  # type: ignore[attr-defined]
        return view

    return placed


def paths_of(owner: Any, site: AdminSite) -> list[URLPattern]:
    views = [
        (name, view.door)
        for kind in type(owner).__mro__
        for name, view in vars(kind).items()
        if hasattr(view, "door")
    ]
    return [
        path(address, staff_page(site, getattr(owner, view), **rights_of), name=name)
        for view, (address, name, rights_of) in views
    ]


class Pages:
    def __init__(self, site: AdminSite) -> None:
        self.site = site

    def urls(self) -> list[URLPattern]:
        return paths_of(self, self.site)


def is_fresh(request: HttpRequest) -> bool:
    """Whether the person proved who they are within the last quarter of an hour."""
    proofs = [record["at"] for record in get_authentication_records(request, request.user)]
    return bool(proofs) and max(proofs) > (timezone.now() - FRESH).timestamp()


def show(
    request: HttpRequest, site: AdminSite, template: str, *, title: str, **context: Any
) -> TemplateResponse:
    existing = {**site.each_context(request), "title": title, **context}
    return TemplateResponse(request, template, existing)


@dataclass(frozen=True, kw_only=True)
class Sides:
    """Two things beside each other: what each row is about, with the words of both."""

    heads: tuple[str, str]
    rows: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked before an act that moves much or cannot be undone."""

    title: str
    says: Sequence[str]  # what goes, what stays: one sentence each
    button: str
    back: str
    form: forms.Form | None = None
    sides: Sides | None = None
    is_final: bool = False  # wears red and says that it cannot be undone

    def ask(self, request: HttpRequest, site: AdminSite) -> TemplateResponse:
        """The page that asks; its button posts back to the same address."""
        return show(request, site, "staff/confirm.html", title=self.title, question=self)


def text_box(
    label: str,
    most: int | None = None,
    help_text: str = "",
    *,
    rows: int = 0,
    required: bool = True,
    **attrs: str,
) -> forms.CharField:
    """A field for a text of a few lines, or of one, as the forms of the back office have it."""
    attributes: dict[str, Any] = {"class": "input", **attrs}
    widget = forms.Textarea(attrs={**attributes, "rows": rows}) if rows else forms.TextInput(attrs=attributes)
    return forms.CharField(
        label=label, max_length=most, help_text=help_text, required=required, widget=widget
    )


def key_of(text: str) -> int:
    """The key of a row in an address; 0, which none has, for what cannot be one."""
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def chip(text: object, kind: str = "", *, title: str = "") -> SafeString:
    """A small label in a list: kind is one of good, warn, bad, ai, paid, info, or nothing."""
    return format_html('<span class="chip {}" title="{}">{}</span>', kind, title, text)
