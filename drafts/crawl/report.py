"""What a crawl brings home: the pages it read, the ones it left out, and why."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from drafts.crawl.robots import RobotsFile


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The bounds of one crawl. `requests` counts pages that gave nothing, too.

    `site_seconds` leaves time for writing the draft within a minute of the start.
    """

    pages: int = 12
    requests: int = 20
    page_bytes: int = 2 * 1024 * 1024
    site_bytes: int = 8 * 1024 * 1024
    site_tags: int = 100_000
    page_seconds: float = 20.0
    site_seconds: float = 45.0
    robots_seconds: float = 10.0
    sitemap_seconds: float = 5.0
    sitemap_files: int = 5
    sitemap_urls: int = 1000
    connections: int = 2
    max_delay: float = 10.0
    links: int = 2000
    closed_pages: int = 12


Robots = Literal["allowed", "partly", "blocked"]
Skipped = Literal["robots", "type", "size", "limit", "error"]
_Telling = Literal["comparison", "pricing", "faq", "team", "contact", "legal", "security", "about"]
PageKind = Literal["home", _Telling, "jobs", "blog", "docs", "features", "other"]
"""In the order in which the name of a page is held against them."""


@dataclass(frozen=True, kw_only=True)
class CrawledPage:
    """One address of the crawl. `html` is decoded text and empty when the page was skipped.

    `sha256` is the hex digest of the body's bytes as received after decompression; `size` counts those bytes.
    """

    url: str
    status: int | None
    size: int = 0
    kind: PageKind = "other"
    html: str = ""
    title: str = ""
    sha256: str = ""
    skipped: Skipped | None = None
    detail: str = ""
    fetched_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class CrawlReport:
    """The result of one crawl: pages in reading order, home first.

    Warnings: script_only (the home page shows its text only by script), noindex (it asks search engines to
    leave it out), other_domain (it redirected to another registered domain). `robots_files` may be given to
    another crawl within 24 hours.
    """

    start_url: str
    home_url: str
    robots: Robots
    pages: tuple[CrawledPage, ...]
    warnings: tuple[str, ...] = field(default=())
    robots_files: tuple[RobotsFile, ...] = field(default=())

    @property
    def read(self) -> tuple[CrawledPage, ...]:
        """The pages that may be used as evidence."""
        return tuple(page for page in self.pages if page.skipped is None and page.html)


@dataclass(frozen=True, kw_only=True)
class CrawlProgress:
    pages_read: int
    pages_planned: int
    page: CrawledPage


OnPage = Callable[[CrawlProgress], None]


class CrawlFailedError(Exception):
    """The site cannot be drafted from. `code` is stable; `detail` is a sentence for its owner.

    Codes: invalid_url, url_not_public, unreachable, timeout, tls_failed, redirect_refused,
    too_many_redirects, robots_blocked, robots_unreachable, site_error (the home page answered 4xx or 5xx),
    not_html, too_large, script_only. `page` is the home page as far as it was asked for: robots.txt was open then.
    """

    def __init__(self, *, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.page: CrawledPage | None = None
