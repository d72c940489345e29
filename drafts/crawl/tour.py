"""Goes through the pages of a site after its home page, two at a time, best first."""

import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial

from drafts import languages
from drafts.crawl.pages import Candidate, Frontier
from drafts.crawl.report import Budget, CrawlProgress, OnPage, PageKind
from drafts.crawl.robots import Gate
from drafts.crawl.sitemap import Sitemap, parse_sitemap
from drafts.crawl.visits import Reader, Visit, closed_page, left_page

# With enough pages this good on the home page, the sitemap is not worth its request.
GOOD_SCORE = 40

FEW_PAGES = 4
_Job = tuple[Callable[[], Visit | Sitemap], Candidate | None]
"""What a worker does next: a page, or a sitemap when there is none."""
GUESSED: tuple[PageKind, ...] = ("pricing", "about", "faq", "contact", "features", "legal")


@dataclass(kw_only=True)
class Pace:
    """Keeps the distance in time that a site asks for between two requests."""

    ends_at: float
    _last: float = field(default_factory=time.monotonic, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def wait(self, delay: float) -> bool:
        """Wait for the next turn; False when it would come after the end of the crawl."""
        with self._lock:
            turn = self._last + delay
            if turn >= self.ends_at:
                return False
            time.sleep(max(turn - time.monotonic(), 0))
            self._last = time.monotonic()
        return True


class Tour:
    """The pages of one site. Only the caller's thread changes it; the workers just read."""

    def __init__(
        self, *, home: Visit, reader: Reader, gate: Gate, pace: Pace, budget: Budget, on_page: OnPage | None
    ) -> None:
        self._home = home
        self._reader = reader
        self._robots = gate.of(home.page.url)
        self._delay = min(self._robots.delay, budget.max_delay)
        self._pace = pace
        self._budget = budget
        self._on_page = on_page
        self._frontier = Frontier(home.page.url, canonical=home.markup.canonical)
        self._orders = itertools.count(1)
        self._visits: dict[int, Visit] = {}
        self._hashes = set[str]()
        self._requests = 1
        self._failed = 0
        self._closed = 0
        self._guesses = set[str]()
        self._sitemaps: list[str] = []
        self._sitemaps_left = 1 if self._delay else budget.sitemap_files

    @property
    def visits(self) -> tuple[Visit, ...]:
        """Every page read or left, home first, the others in the order in which they were chosen."""
        return tuple(self._visits[order] for order in sorted(self._visits))

    def run(self) -> None:
        """Read pages until the budget, the time or the site is used up."""
        for passed in self._home.hops:
            self._frontier.know(passed)
        self._note(self._home, order=0)
        self._find_sitemaps()
        workers = 1 if self._delay else self._budget.connections
        running: dict[Future[Visit | Sitemap], tuple[int, Candidate | None]] = {}
        with ThreadPoolExecutor(workers, thread_name_prefix="crawl") as pool:
            while True:
                while len(running) < workers and (job := self._next_job()):
                    running[pool.submit(job[0])] = (next(self._orders), job[1])
                if not running:
                    if self._guess():
                        continue
                    return
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    order, page = running.pop(done)
                    self._take(done.result(), order=order, page=page)

    def _next_job(self) -> _Job | None:
        if self._sitemaps and self._sitemaps_left:
            self._sitemaps_left -= 1
            return partial(self._read_sitemap, self._sitemaps.pop(0)), None
        while self._has_room() and (page := self._frontier.best()):
            if self._robots.allows(page.url):
                self._frontier.take(page)
                self._requests += 1
                return partial(self._read_page, page), page
            self._frontier.know(page.url)
            self._closed += 1
            if self._closed <= self._budget.closed_pages:
                self._note(Visit(page=closed_page(page.url, kind=page.kind)), order=next(self._orders))
        return None

    def _has_room(self) -> bool:
        return self._requests < self._budget.requests and self._requests - self._failed < self._budget.pages

    def _guess(self) -> bool:
        """A site whose pages hardly link to each other is asked for the usual ones, once and silently.

        They are tried under their English names and under those of the language that the home page speaks.
        """
        read = sum(visit.page.skipped is None for visit in self._visits.values())
        if self._guesses or self._delay or read >= FEW_PAGES:
            return False
        spoken = {"en", self._home.markup.lang.lower()[:2]}
        names = {
            kind: " ".join(names.split(", ")[0] for names in languages.of(spoken, f"{kind}_page"))
            for kind in GUESSED
        }
        self._guesses = self._frontier.guess(names) or {""}
        return bool(self._frontier)

    def _read_page(self, page: Candidate) -> Visit:
        if not self._pace.wait(self._delay):
            return Visit(page=left_page(page.url, kind=page.kind))
        return self._reader.visit(page.url, kind=page.kind, is_ours=self._frontier.is_ours)

    def _read_sitemap(self, url: str) -> Sitemap:
        body = self._reader.sitemap(url) if self._pace.wait(self._delay) else b""
        return parse_sitemap(body, max_urls=self._budget.sitemap_urls)

    def _find_sitemaps(self) -> None:
        """The sitemaps worth asking for: none when the home page already links to enough good pages."""
        if self._frontier.count(at_least=GOOD_SCORE) < self._budget.pages - 1:
            self._add_sitemaps(self._robots.sitemaps)
            if not self._sitemaps:
                self._add_sitemaps((self._frontier.default_sitemap,))

    def _add_sitemaps(self, addresses: tuple[str, ...]) -> None:
        mine = (self._frontier.own_url(address, base=self._home.page.url) for address in addresses)
        # Of many files the one for pages is wanted; those for posts, products and tags are long and poor.
        self._sitemaps += sorted({url for url in mine if url}, key=lambda url: ("page" not in url, url))

    def _take(self, result: Visit | Sitemap, *, order: int, page: Candidate | None) -> None:
        if isinstance(result, Sitemap):
            self._frontier.add_sitemap(result.pages)
            self._add_sitemaps(result.nested)
            return
        self._frontier.know(result.page.url)
        if result.page.skipped is not None:
            self._failed += 1
        if result.page.status == 429:
            # The site asks for rest; what we have will do.
            self._requests = self._budget.requests
        if page is not None and result.page.status == 404:
            self._frontier.move_up(page)
        is_new = result.page.skipped is None and result.page.sha256 not in self._hashes
        if page is None or page.url not in self._guesses or is_new:
            self._note(result, order=order)

    def _note(self, visit: Visit, *, order: int) -> None:
        page = visit.page
        if page.skipped is None and page.sha256 in self._hashes:
            page = replace(page, skipped="limit", html="", detail="It is the same as a page we have read.")
            visit = replace(visit, page=page)
        self._hashes.add(page.sha256)
        self._visits[order] = visit
        self._frontier.add_links(visit.links, base=visit.base)
        if self._on_page is not None:
            read = sum(seen.page.skipped is None for seen in self._visits.values())
            planned = min(self._requests + len(self._frontier), self._budget.pages)
            self._on_page(CrawlProgress(pages_read=read, pages_planned=planned, page=page))
