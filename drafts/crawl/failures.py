"""Says in plain words, to the owner of a site, why it could not be read."""

from core.fetch import FetchError, raw_host
from drafts.crawl.report import CrawlFailedError
from drafts.crawl.robots import RobotsFile

# What keeps robots.txt from coming and would keep every other page of the host from coming too.
_NO_SITE = frozenset({"address_not_public", "connect_failed", "dns_failed", "tls_failed"})

_OF_FETCHES = {
    "address_not_public": "url_not_public",
    "dns_failed": "unreachable",
    "connect_failed": "unreachable",
    "bad_response": "unreachable",
    "content_type_refused": "not_html",
}
"""What the owner is told in place of the fetcher's own code."""
_FETCH_WORDS = {
    "invalid_url": "This is not an address we can open. Use one like https://example.com.",
    "address_not_public": "{host} is not on the public internet, so we did not open it.",
    "dns_failed": "We could not find {host}: its name has no address. Check the spelling, then try again.",
    "connect_failed": "{host} did not answer when we tried to open it. Try again once the site is up.",
    "bad_response": "{host} gave an answer that is not a web page. Try again once the site is up.",
    "redirect_refused": "{detail} We do not follow such a redirect. Put it right, then try again.",
    "tls_failed": "The certificate of {host} is not valid, so we did not read it. Renew it, then try again.",
    "timeout": "{host} took too long to answer, so we stopped. Try again later.",
    "too_large": "The home page of {host} is larger than we read. Make it smaller, then try again.",
    "too_many_redirects": "{host} redirects without end. Give the address where its home page stands.",
    "content_type_refused": "{url} is not a web page. Give the address of the product's home page.",
}
_STATUS_WORDS = {
    401: "{host} asks for a password. Give an address that everybody can open.",
    403: "{host} refused us (403). If a firewall keeps robots out, let {token} through, then try again.",
    404: "There is no page at {url} (404). Check the address, then try again.",
    410: "There is no page at {url} any more (410). Check the address, then try again.",
    429: "{host} asked us to come back later (429). Try again in an hour.",
}


def from_fetch(error: FetchError, *, url: str) -> CrawlFailedError:
    words = _FETCH_WORDS[error.code]
    return CrawlFailedError(
        code=_OF_FETCHES.get(error.code, error.code),
        detail=words.format(host=_host(url), url=url, detail=error.detail),
    )


def from_status(status: int, *, url: str, token: str) -> CrawlFailedError:
    """The home page answered, but not with itself."""
    words = _STATUS_WORDS.get(status, "{host} answered with an error ({status}). Try again later.")
    return CrawlFailedError(
        code="site_error", detail=words.format(host=_host(url), url=url, token=token, status=status)
    )


def from_robots(file: RobotsFile, *, url: str, token: str) -> CrawlFailedError:
    """robots.txt closes the home page, or could not be had, which means the same."""
    host = raw_host(url)
    if file.problem in _NO_SITE:
        return from_fetch(FetchError(file.problem, ""), url=url)
    if file.state == "closed":
        why = f"it answered {file.problem}" if file.problem.isdigit() else "it gave no answer we can use"
        return CrawlFailedError(
            code="robots_unreachable",
            detail=f"We could not read robots.txt on {host} ({why}). Until then the site counts as closed. "
            "Try again later.",
        )
    return CrawlFailedError(
        code="robots_blocked",
        detail=f"robots.txt on {host} asks us not to read {url}, so we didn't. "
        f"If you want a draft, let {token} in there, then try again.",
    )


def not_for_robots(url: str) -> CrawlFailedError:
    return CrawlFailedError(
        code="robots_blocked",
        detail=f"The home page of {raw_host(url)} asks robots not to use it (noai or none), so we didn't. "
        "Take that out, then try again.",
    )


def script_only(url: str) -> CrawlFailedError:
    """No page holds text without running scripts."""
    return CrawlFailedError(
        code="script_only",
        detail=f"We found no text on {raw_host(url)}: its pages need scripts to show it, and we run none. "
        "Put the text into the pages, then try again.",
    )


def _host(url: str) -> str:
    return url if "://" not in url else raw_host(url)
