"""What is published on the website itself is fetched as everything of strangers: bounded, from public addresses."""

from claims.methods.base import CheckResult, Method, Target
from claims.reach import Host
from core.fetch import Fetched, Fetcher, FetchError, split_url

HTML = ("text/html", "application/xhtml+xml")
RESULTS = {
    "timeout": "timeout",
    "address_not_public": "blocked_address",
    "redirect_refused": "redirect_off_site",
}


class OffSiteError(Exception):
    """A redirect away from the host that is claimed."""


class OnWebsite(Method):
    strength = 2
    works_on = frozenset({Host.OWN, Host.FREE_MAIL, Host.RENTED})


def get_page(target: Target, url: str, *, seconds: float, max_bytes: int) -> Fetched | CheckResult:
    """The page, or why there is none. A page that is too large is what was read of it."""

    def may_follow(next_url: str) -> None:
        if not target.reach.covers(next_url):
            raise OffSiteError(split_url(next_url).hostname or "")

    try:
        with Fetcher() as fetcher:
            page = fetcher.get(url, max_bytes=max_bytes, timeout=seconds, may_follow=may_follow)
    except OffSiteError as error:
        detail = (
            f"{url} redirects to {error}, which is another host; what is there does not count for this one."
        )
        return CheckResult(result="redirect_off_site", detail=detail, raw=f"{url} -> {error}")
    except FetchError as error:
        if error.partial is None:
            result = RESULTS.get(error.code, "unreachable")
            return CheckResult(result=result, detail=error.detail, raw=f"{url}: {error.code}: {error.detail}")
        page = error.partial
    if 200 <= page.status < 300:
        return page
    result = "not_found" if 400 <= page.status < 500 else "unreachable"
    detail = f"{page.url} answered {page.status}."
    return CheckResult(result=result, detail=detail, raw=f"{page.status} {page.url}")
