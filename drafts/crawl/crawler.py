"""Reads a product's website: politely, within a minute, whatever the site does."""

import time
from collections.abc import Mapping
from dataclasses import replace

from django.conf import settings

from core.domains import domain_of
from core.fetch import Fetcher, FetchError, InvalidUrlError, canonical_url, join_url
from drafts.crawl import failures
from drafts.crawl.report import Budget, CrawlFailedError, CrawlReport, OnPage
from drafts.crawl.robots import Gate, RobotsFile
from drafts.crawl.tour import Pace, Tour
from drafts.crawl.visits import MAX_REDIRECTS, NOT_FOR_US, Reader, Visit

DEFAULT_BUDGET = Budget()


def crawl(
    *,
    url: str,
    fetcher: Fetcher,
    on_page: OnPage | None = None,
    budget: Budget = DEFAULT_BUDGET,
    robots_files: Mapping[str, RobotsFile] | None = None,
) -> CrawlReport:
    """Read the site at `url`. Raises CrawlFailedError when nothing can be drafted from it.

    `on_page` is called on the caller's thread after each page. `robots_files` holds files of an earlier
    crawl by origin; those that are no longer fresh are asked for again.
    """
    try:
        start = canonical_url(url)
    except InvalidUrlError as error:
        raise failures.from_fetch(FetchError("invalid_url", error.detail), url=url) from error
    ends_at = time.monotonic() + budget.site_seconds
    gate = Gate(
        fetcher=fetcher,
        token=settings.CRAWLER_TOKEN,
        seconds=budget.robots_seconds,
        ends_at=ends_at,
        robots_files=robots_files or {},
    )
    reader = Reader(fetcher=fetcher, gate=gate, budget=budget, ends_at=ends_at)
    pace = Pace(ends_at=ends_at)
    home = _visit_home(start, reader=reader, gate=gate, pace=pace, max_delay=budget.max_delay)
    tour = Tour(home=home, reader=reader, gate=gate, pace=pace, budget=budget, on_page=on_page)
    tour.run()
    if not any(visit.is_readable for visit in tour.visits):
        raise _nothing_read(home, url=start)
    return _report(start, home, tour.visits, gate)


def _nothing_read(home: Visit, *, url: str) -> CrawlFailedError:
    too_large = FetchError("too_large", home.page.detail)
    is_large = home.page.skipped == "size"
    failure = failures.from_fetch(too_large, url=url) if is_large else failures.script_only(home.page.url)
    failure.page = home.page
    return failure


def _visit_home(url: str, *, reader: Reader, gate: Gate, pace: Pace, max_delay: float) -> Visit:
    """The home page at the end of its redirects, a meta refresh being one of them."""
    hops: tuple[str, ...] = ()
    while True:
        robots = gate.of(url)
        if not robots.allows(url):
            raise failures.from_robots(robots.file, url=url, token=gate.token)
        if not pace.wait(min(robots.delay, max_delay)):
            raise failures.from_fetch(FetchError("timeout", ""), url=url)
        visit = reader.visit(url, kind="home", max_redirects=MAX_REDIRECTS - len(hops))
        _refuse_home(visit, gate)
        hops += visit.hops
        target = _refresh_target(visit)
        if not target or target in {visit.page.url, *hops}:
            return replace(visit, hops=hops)
        hops += (visit.page.url,)
        if len(hops) > MAX_REDIRECTS:
            raise failures.from_fetch(FetchError("too_many_redirects", ""), url=url)
        url = target


def _refuse_home(visit: Visit, gate: Gate) -> None:
    """Raises CrawlFailedError unless the page was read. One that is merely too large may still lead on."""
    page = visit.page
    if page.skipped is None or page.skipped == "size":
        return
    failure = _why_refused(visit, gate)
    failure.page = None if page.skipped == "robots" else page
    raise failure


def _why_refused(visit: Visit, gate: Gate) -> CrawlFailedError:
    page = visit.page
    if visit.error is not None:
        return failures.from_fetch(visit.error, url=page.url)
    if page.skipped == "robots" and visit.directives & NOT_FOR_US:
        return failures.not_for_robots(page.url)
    if page.skipped == "robots":
        return failures.from_robots(gate.of(page.url).file, url=page.url, token=gate.token)
    if page.skipped == "error" and page.status is not None:
        return failures.from_status(page.status, url=page.url, token=gate.token)
    code = "content_type_refused" if page.skipped == "type" else "timeout"
    return failures.from_fetch(FetchError(code, page.detail), url=page.url)


def _refresh_target(visit: Visit) -> str:
    if not visit.markup.refresh:
        return ""
    try:
        return canonical_url(join_url(visit.base, visit.markup.refresh))
    except InvalidUrlError:
        return ""


def _report(start: str, home: Visit, visits: tuple[Visit, ...], gate: Gate) -> CrawlReport:
    pages = tuple(visit.page for visit in visits)
    stated = {
        "script_only": home.markup.is_shell,
        "noindex": "noindex" in home.directives,
        "other_domain": domain_of(start) != domain_of(home.page.url),
    }
    return CrawlReport(
        start_url=start,
        home_url=home.page.url,
        robots="partly" if any(page.skipped == "robots" for page in pages) else "allowed",
        pages=pages,
        warnings=tuple(warning for warning, is_true in stated.items() if is_true),
        robots_files=gate.files,
    )
