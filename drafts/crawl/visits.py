"""Reads pages of a site within its budget, and says what came of each."""

import hashlib
import html
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.fetch import Fetched, Fetcher, FetchError, join_url, split_url
from drafts.crawl.charset import decode
from drafts.crawl.markup import MAX_TAGS, Link, Markup, TooMuchMarkupError, count_tags, read_markup
from drafts.crawl.report import Budget, CrawledPage, PageKind, Skipped
from drafts.crawl.robots import ClosedError, Gate

MAX_REDIRECTS = 5
PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/plain")
# Only these answers are the page itself; error pages and refusals are never evidence.
READ_STATUSES = frozenset({200, 203})
NOT_FOR_US = frozenset({"noai", "none"})

_SKIPPED: dict[str, Skipped] = {"content_type_refused": "type", "too_large": "size"}
_LOOKS_LIKE_HTML = re.compile(
    rb"^[\s\xef\xbb\xbf]*<(?:!doctype|html|head|body|meta|title|div|p|h1|!--|\?xml)", re.I
)
_BINARY = re.compile(rb"^%PDF|^PK\x03\x04|^\x89PNG|^GIF8|^\xff\xd8\xff")


class ElsewhereError(Exception):
    """The page redirects to this address on another site."""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One page with what the crawler needs of it; `error` says why it could not be fetched."""

    page: CrawledPage
    markup: Markup = field(default_factory=Markup)
    directives: frozenset[str] = frozenset()
    hops: tuple[str, ...] = ()
    error: FetchError | None = None

    @property
    def links(self) -> tuple[Link, ...]:
        """The page's links, all of them closed when the page says so."""
        if "nofollow" not in self.directives:
            return self.markup.links
        return tuple(replace(link, is_open=False) for link in self.markup.links)

    @property
    def base(self) -> str:
        return join_url(self.page.url, self.markup.base) or self.page.url

    @property
    def is_readable(self) -> bool:
        """Whether the page holds words that a draft can be written from, be it in its markup alone."""
        return self.page.skipped is None and (not self.markup.is_shell or self.markup.is_described)


@dataclass(kw_only=True)
class _Share:
    """The bytes one request may take, and those it took."""

    granted: int
    used: int = 0


class Reader:
    """Reads pages of one site within its budget of time, bytes and tags. Used by several threads."""

    def __init__(self, *, fetcher: Fetcher, gate: Gate, budget: Budget, ends_at: float) -> None:
        self._fetcher = fetcher
        self._gate = gate
        self._budget = budget
        self._ends_at = ends_at
        self._bytes = budget.site_bytes
        self._tags = budget.site_tags
        self._lock = threading.Lock()

    def seconds_left(self, most: float) -> float:
        """The time one request may take: its own bound, or what is left for the whole site."""
        return min(most, self._ends_at - time.monotonic())

    def visit(
        self,
        url: str,
        *,
        kind: PageKind,
        max_redirects: int = MAX_REDIRECTS,
        is_ours: Callable[[str], bool] | None = None,
    ) -> Visit:
        """Fetch and read one page. Redirects must stay open to robots, and where `is_ours` says."""

        def may_follow(target: str) -> None:
            if is_ours is not None and not is_ours(target):
                raise ElsewhereError(target)
            self._gate.check(target)

        seconds = self.seconds_left(self._budget.page_seconds)
        with self._share() as share:
            if seconds <= 0 or share.granted <= 0:
                return Visit(page=left_page(url, kind=kind))
            try:
                answer = self._fetcher.get(
                    url,
                    accept=PAGE_TYPES,
                    max_bytes=share.granted,
                    timeout=seconds,
                    max_redirects=max_redirects,
                    may_follow=may_follow,
                )
            except ClosedError as error:
                return Visit(page=closed_page(str(error), kind=kind))
            except ElsewhereError as error:
                place = split_url(str(error)).netloc
                return Visit(page=_failed(url, kind, "error", f"It leads to another site, {place}."))
            except FetchError as error:
                share.used = len(error.partial.body) if error.partial else 0
                return self._unfetched(url, kind, error)
            share.used = len(answer.body)
            return self._read(answer, kind)

    def sitemap(self, url: str) -> bytes:
        """The body of a sitemap, or nothing when it cannot be had."""
        seconds = self.seconds_left(self._budget.sitemap_seconds)
        with self._share() as share:
            if seconds <= 0 or share.granted <= 0:
                return b""
            try:
                self._gate.check(url)
                answer = self._fetcher.get(
                    url, max_bytes=share.granted, timeout=seconds, may_follow=self._gate.check
                )
            except (ClosedError, FetchError):
                return b""
            share.used = len(answer.body)
            return answer.body if answer.status in READ_STATUSES else b""

    @contextmanager
    def _share(self) -> Iterator["_Share"]:
        """Takes a page's bytes from the site's budget, and gives back what the page did not need."""
        with self._lock:
            share = _Share(granted=min(self._budget.page_bytes, self._bytes))
            self._bytes -= share.granted
        try:
            yield share
        finally:
            with self._lock:
                self._bytes += share.granted - share.used

    def _read(self, answer: Fetched, kind: PageKind) -> Visit:
        hops = answer.hops
        if answer.status not in READ_STATUSES:
            return Visit(page=_unused(answer, kind, "error", f"It answered {answer.status}."), hops=hops)
        if _is_other_type(answer):
            return Visit(page=_unused(answer, kind, "type", "It is not a text page."), hops=hops)
        text = _as_html(answer)
        try:
            tags = count_tags(text, most=min(MAX_TAGS, self._tags))
        except TooMuchMarkupError:
            return Visit(page=_unused(answer, kind, "size", "It holds more tags than we read."), hops=hops)
        with self._lock:
            self._tags -= tags
        markup = read_markup(text, max_links=self._budget.links)
        directives = markup.robots | _directives(
            answer.headers.get("x-robots-tag", ""), token=self._gate.token
        )
        if directives & NOT_FOR_US:
            page = _unused(answer, kind, "robots", "The page itself asks robots not to use it.")
        else:
            page = replace(_unused(answer, kind, None, ""), html=text, title=markup.title)
        return Visit(page=page, markup=markup, directives=directives, hops=hops)

    def _unfetched(self, url: str, kind: PageKind, error: FetchError) -> Visit:
        """A page that did not come whole. The links in its first part still lead on."""
        page = _failed(url, kind, _SKIPPED.get(error.code, "error"), error.detail)
        if error.partial is None:
            return Visit(page=page, error=error)
        page = replace(page, url=error.partial.url, size=len(error.partial.body), status=error.partial.status)
        markup = Markup()
        if page.status in READ_STATUSES:
            text = decode(error.partial.body, charset=error.partial.charset)
            with suppress(TooMuchMarkupError):
                count_tags(text, most=MAX_TAGS)
                markup = replace(read_markup(text, max_links=self._budget.links), refresh="")
        return Visit(page=page, markup=markup, hops=error.partial.hops, error=error)


def closed_page(url: str, *, kind: PageKind) -> CrawledPage:
    """A page that robots.txt keeps from us. It was not asked for."""
    return _failed(url, kind, "robots", "robots.txt asks us not to read it.")


def left_page(url: str, *, kind: PageKind) -> CrawledPage:
    """A page for which the budget did not suffice."""
    return _failed(url, kind, "limit", "We had no time or room left for it.")


def _is_other_type(answer: Fetched) -> bool:
    """Whether the body is no text, whatever the header says or leaves out."""
    if _BINARY.match(answer.body):
        return True
    return not answer.content_type and b"<" not in answer.body[:512]


def _as_html(answer: Fetched) -> str:
    text = decode(answer.body, charset=answer.charset)
    if answer.content_type == "text/plain" and not _LOOKS_LIKE_HTML.match(answer.body):
        return f"<pre>{html.escape(text, quote=False)}</pre>"
    return text


def _directives(value: str, *, token: str) -> frozenset[str]:
    """What X-Robots-Tag says to everybody and to us; `name: directive` speaks to the robot of that name."""
    result = set[str]()
    for part in value.lower().split(","):
        name, mark, directive = part.partition(":")
        if not mark:
            result.add(name.strip())
        elif name.strip() in {"*", token.lower()}:
            result.add(directive.strip())
    return frozenset(result)


def _unused(answer: Fetched, kind: PageKind, skipped: Skipped | None, detail: str) -> CrawledPage:
    return CrawledPage(
        url=answer.url,
        status=answer.status,
        size=len(answer.body),
        kind=kind,
        sha256=hashlib.sha256(answer.body).hexdigest(),
        skipped=skipped,
        detail=detail,
        fetched_at=answer.fetched_at,
    )


def _failed(url: str, kind: PageKind, skipped: Skipped, detail: str) -> CrawledPage:
    return CrawledPage(
        url=url, status=None, kind=kind, skipped=skipped, detail=detail, fetched_at=datetime.now(UTC)
    )
