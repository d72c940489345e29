"""The page of error codes: every code that an answer may carry, with its meaning."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.api.errors import ApiError, InvalidRequestError
from core.api.routes import all_routes
from core.methods import require_safe

# A draft that failed carries a problem whose code is one of these.
DRAFT_FAILURES = {
    "unreachable": "The website did not answer, or its name has no address.",
    "timeout": "The website took too long to answer.",
    "tls_failed": "The website's certificate is not valid.",
    "redirect_refused": "The website redirects to where we do not follow.",
    "too_many_redirects": "The website redirects without end.",
    "robots_blocked": "robots.txt or the home page asks us not to read the website.",
    "robots_unreachable": "robots.txt could not be had, so the website counts as closed.",
    "site_error": "The home page answered with an error.",
    "not_html": "The address is not a web page.",
    "too_large": "The home page is larger than we read.",
    "script_only": "No page holds text without running scripts.",
}


def refusals(kind: type[ApiError] = ApiError) -> Iterator[type[ApiError]]:
    """Every refusal of the service that has a code of its own, the general ones first."""
    if "code" in vars(kind) and kind is not ApiError:
        yield kind
    for heir in kind.__subclasses__():
        yield from refusals(heir)


def error_codes() -> list[str]:
    """Every code that an operation may answer: the general ones, and those that operations declare."""
    general = {kind.code for kind in refusals() if kind.__module__.startswith("core.")}
    return sorted(general.union({ApiError.code}, *(route.spec.codes for route in all_routes())))


def kind_of(code: str, *, area: str = "") -> type[ApiError] | None:
    """What a code means: to an area that has a word of its own for it, else to all. None for one of single values."""
    if code == InvalidRequestError.code:
        return InvalidRequestError
    kinds = [kind for kind in refusals() if kind.code == code]
    general = [
        kind for kind in kinds if not any(kind is not entry and issubclass(kind, entry) for entry in kinds)
    ]
    return next(
        (kind for kind in general if kind.__module__.startswith(f"{area}.")), next(iter(general), None)
    )


def meaning(kind: type[ApiError]) -> str:
    words = " ".join((kind.__doc__ or "").split())
    return "" if words.rstrip(".") == kind.title else words


@require_safe
def errors(request: HttpRequest) -> HttpResponse:
    """`/docs/errors`: what each code means. A problem's `type` leads to its entry."""
    kinds = [(code, kind) for code in error_codes() if (kind := kind_of(code))]
    rows = [
        {"code": code, "status": kind.status, "title": kind.title, "meaning": meaning(kind)}
        for code, kind in kinds
    ]
    by_code = dict(kinds)
    failures = [(code, words) for code, words in DRAFT_FAILURES.items() if code not in by_code]
    return render(request, "docs/errors.html", {"rows": rows, "failures": failures})
