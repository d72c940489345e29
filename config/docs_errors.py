"""The page of error codes: every code that an answer may carry, with its meaning."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.errors import ApiError, InvalidRequestError

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


def meaning(kind: type[ApiError]) -> str:
    """What a refusal means, unless its title has said so."""
    words = " ".join((kind.__doc__ or "").split())
    return "" if words.rstrip(".") == kind.title else words


@require_safe
def errors(request: HttpRequest) -> HttpResponse:
    """`/docs/errors`: what each code means. A problem's `type` leads to its entry."""
    by_code: dict[str, type[ApiError]] = {InvalidRequestError.code: InvalidRequestError}
    for kind in refusals():
        by_code.setdefault(kind.code, kind)
    rows = [
        {"code": code, "status": kind.status, "title": kind.title, "meaning": meaning(kind)}
        for code, kind in sorted(by_code.items())
    ]
    failures = [(code, words) for code, words in DRAFT_FAILURES.items() if code not in by_code]
    return render(request, "docs/errors.html", {"rows": rows, "failures": failures})
