"""What every page carries: a strict content security policy, a page in words for each refusal, its twin in Markdown."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from core import replica
from core.api import throttling
from core.api.bodies import unreadable_parameters
from core.api.errors import ApiError, FieldError, InvalidRequestError, RateLimitedError
from core.api.handler import respond
from core.api.links import on_site
from core.middleware import API, Middleware
from directory.images.pictures import SCREEN_BYTES
from directory.models import FormerSlug, Site
from directory.sites.lookup import current_site

ENDING, HOME = ".md", "/index.md"
HTML, MARKDOWN = "text/html", "text/markdown"
PRIVATE = (
    "/account",
    "/accounts/",
    "/admin/",
    "/drafts/",
    "/oauth/",
    "/submit",
    "/checkout",
    "/static/",
    "/media/",
)
UNSAID = (
    "form, button, script, style, svg, img, nav, template, .crumbs, [hidden], [aria-hidden=true],"
    " a[href^='/accounts/login']"
)
MODULES = {
    "config.home",
    "leaderboards.pages",
    "directory.editorial.pages",
    "directory.launches.pages.weeks",
    "directory.listings.pages.profile",
    "directory.people.pages",
    "directory.search.pages",
    "directory.shown.pages.badges",
    "directory.shown.pages.feeds",
    "directory.shown.pages.sharing",
    "directory.shown.pages.sitemaps",
}
POLICY = {
    "default-src": "'none'",
    "style-src": "'self'",
    "font-src": "'self'",
    "img-src": "'self'",
    "script-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
# What tells an operator's monitor how the service is.
UNCOUNTED = ("/healthz", "/readyz")
SEARCH = "/search"
TOO_LARGE = (
    f"All fields and files of a form have at most {settings.LARGEST_BODY >> 20} MB together; "
    f"a picture has at most {SCREEN_BYTES >> 20} MB."
)
# What the pages never use, nor what they embed.
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
PROGRAMS = ("/api/", "/mcp", "/oauth/token", "/oauth/register", "/oauth/revoke", "/.well-known/")


def header(policy: dict[str, str], *, form_targets: tuple[str, ...] = ()) -> str:
    """The policy as a header; browsers apply form-action to where a form's answer redirects as well."""
    targets = " ".join([policy["form-action"], *form_targets])
    return "; ".join(f"{name} {value}" for name, value in {**policy, "form-action": targets}.items())


class PageAnswers(Middleware):
    """Puts the policy on each answer and turns a refusal that a page did not handle into a page."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handle one request. A view may set `form_targets` on its answer, or the whole header."""
        if request.path.startswith(API):
            return self.get_response(request)
        response = _unreadable(request) or _too_large(request) or self.get_response(request)
        if not response.has_header("Content-Security-Policy"):
            targets = getattr(response, "form_targets", ())
            response["Content-Security-Policy"] = header(POLICY, form_targets=targets)
        if response.get("Content-Type", "").startswith("text/html") and not response.has_header(
            "Cache-Control"
        ):
            response["Cache-Control"] = "private, no-cache"
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A page, or a program's answer, for a refusal by one of our services; anything else is Django's to handle."""
        if not isinstance(exception, ApiError):
            return None
        if request.path.startswith(PROGRAMS):
            return respond(exception, request=request)
        if exception.status in {404, 410} and PAGE.match(request.path):
            to = moved_path(site=current_site(request), path=request.path)
            if to:
                return HttpResponsePermanentRedirect(to)
        return refusal_page(request, exception)


class PageLimits(Middleware):
    """Counts pages: of a person who is signed in, or else of a network. Stands behind what knows the person."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith((*PROGRAMS, *UNCOUNTED)):
            return self.get_response(request)
        person = f"user:{request.user.pk}" if request.user.is_authenticated else ""
        policy = "search" if request.path.startswith(SEARCH) else "page"
        allowance = throttling.count(policy, caller=person or throttling.network_caller(request))
        request.allowance = allowance  # type: ignore[attr-defined]
        if allowance.is_exceeded:
            return refusal_page(request, allowance.error())
        return self.get_response(request)


def _unreadable(request: HttpRequest) -> HttpResponse | None:
    """The refusal of a query that is not UTF-8, which would be taken for another one."""
    if request.path.startswith(PROGRAMS) or not unreadable_parameters(request.META.get("QUERY_STRING", "")):
        return None
    return refusal_page(request, InvalidRequestError("The query of this address is not UTF-8."))


def _too_large(request: HttpRequest) -> HttpResponse | None:
    """The refusal of a form that is larger than any, before anything of it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if request.path.startswith(PROGRAMS) or not length.isdecimal() or int(length) <= settings.LARGEST_BODY:
        return None
    wrong = FieldError(code="too_large", pointer="", message=TOO_LARGE, limit=settings.LARGEST_BODY)
    return refusal_page(
        request, InvalidRequestError("The form is too large. Nothing of it was read.", errors=[wrong])
    )


def refusal_page(request: HttpRequest, error: ApiError) -> HttpResponse:
    """404, 429 or a page that says why not, with the status of the refusal."""
    if error.status == 404:
        return render(request, "404.html", status=404)
    if isinstance(error, RateLimitedError):
        response = render(request, "429.html", {"retry_after": error.retry_after}, status=429)
        response["Retry-After"] = str(error.retry_after)
        return response
    response = render(request, "refused.html", {"error": error}, status=error.status)
    for name, value in error.headers.items():
        response[name] = value
    return response


class PublicPages(Middleware):
    """The last middleware: all that is about the request has been settled."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, parts: Any
    ) -> HttpResponse | None:
        """The page from the replica, or None, and then from the primary as ever."""
        if (
            view.__module__ not in MODULES
            or request.method not in {"GET", "HEAD"}
            or settings.SESSION_COOKIE_NAME in request.COOKIES
            or "HTTP_AUTHORIZATION" in request.META
        ):
            return None
        return replica.answered(partial(view, request, *args, **parts))


class MarkdownPages(Middleware):
    """Answers with the page's main part as Markdown where that is asked for."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"} or request.path.startswith((*PROGRAMS, *PRIVATE)):
            return self.get_response(request)
        is_twin = request.path.endswith(ENDING)
        if is_twin:
            request.path = request.path_info = (
                "/" if request.path == HOME else request.path.removesuffix(ENDING)
            )
        is_markdown = is_twin or request.get_preferred_type([HTML, MARKDOWN]) == MARKDOWN
        response = self.get_response(request)
        if not response.get("Content-Type", "").startswith(HTML):
            return response
        patch_vary_headers(response, ["Accept"])
        if is_markdown and response.status_code == 200:  # a refusal is a page for whoever asked
            response.content = as_markdown(response.content.decode(), path=request.get_full_path()).encode()
            response["Content-Type"] = f"{MARKDOWN}; charset=utf-8"
            response["X-Robots-Tag"] = "noindex"
        return response


def as_markdown(page: str, *, path: str) -> str:
    """The main part of a page of ours, without what is for hands and eyes alone; addresses are whole."""
    from bs4 import BeautifulSoup  # noqa: PLC0415  (10 MB in each process, with its parsers)
    from markdownify import ATX, MarkdownConverter  # noqa: PLC0415

    main = BeautifulSoup(page, "lxml").find("main")
    if main is None:
        return ""
    for unsaid in main.select(UNSAID):
        unsaid.decompose()
    for link in main.select("a[href^='/']"):
        link["href"] = on_site(str(link["href"]))
    text = MarkdownConverter(heading_style=ATX, bullets="-", escape_misc=True).convert_soup(main)
    lines = [line.rstrip() for line in text.strip().splitlines()]
    text_lines = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join([*text_lines, "", f"Source: {on_site(path)}", ""])


PAGE = re.compile(r"/(listings|categories)/([a-z0-9-]+)(|/sources|/alternatives|/badges|/report|/claim)\Z")


def moved_path(*, site: Site, path: str) -> str:
    """The address to go to instead, or nothing."""
    match = PAGE.match(path)
    if match is None:
        return ""
    kind, slug, part = match.groups()
    rows = FormerSlug.objects.filter(slug=slug)
    if kind == "listings":
        now = rows.filter(site=site, listing__isnull=False).values_list("listing__slug", flat=True).first()
    else:
        now = rows.filter(category__isnull=False).values_list("category__slug", flat=True).first()
    return f"/{kind}/{now}{part}" if now and now != slug else ""
