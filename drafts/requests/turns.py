"""Whose turn it is to be read: no site, no person and no slow sites hold more of the crawler than their share.

A site is read by one process at a time, a person's sites by half of the processes, and so are, whoever's they are, the
sites that take longer than most. Who has to wait is put back into the queue and holds no process meanwhile.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from django.conf import settings
from django.core.cache import cache

from core import jobs
from drafts.crawl.report import CrawlProgress

SLOW_SECONDS, SLOW_FOR_SECONDS = 10.0, 3600


@contextmanager
def single_crawl(domain: str, *, owner: str) -> Iterator[None]:
    with jobs.place(f"crawl:{domain}", places=1, holder=owner):
        yield


@contextmanager
def of_pictures(*, holder: str) -> Iterator[None]:
    """One of the places for pictures that are fetched by themselves. Raises NotNowError when others have them all."""
    with jobs.place("crawl-pictures", places=_half(), holder=holder):
        yield


@dataclass(kw_only=True)
class Turn:
    """The right to read a site; it must be asked again between two pages."""

    holder: str
    places: ExitStack
    is_slow: bool = False
    began: float = field(default_factory=time.monotonic)

    def go_on(self, _: CrawlProgress | None = None) -> None:
        """Take a place of the slow sites once this is one. Raises NotNowError when others have them all."""
        if not self.is_slow and time.monotonic() - self.began >= SLOW_SECONDS:
            cache.set(_slow_key(self.holder), "yes", SLOW_FOR_SECONDS)
            self.be_slow()

    def be_slow(self) -> None:
        """Hold a place of the slow sites from the start: this one was slow before."""
        self.places.enter_context(jobs.place("crawl-slow", places=_half(), holder=self.holder))
        self.is_slow = True


@contextmanager
def turn(*, owner_id: int, domain: str, holder: str) -> Iterator[Turn]:
    """The turn of one site of a person. Raises NotNowError while it is the turn of others."""
    with ExitStack() as places:
        mine = Turn(holder=holder, places=places)
        if cache.get(_slow_key(holder)):
            mine.be_slow()
        places.enter_context(single_crawl(domain, owner=holder))
        places.enter_context(jobs.place(f"crawl-owner:{owner_id}", places=_half(), holder=holder))
        yield mine


def _half() -> int:
    return max(1, int(settings.CRAWL_PROCESSES) // 2)


def _slow_key(holder: str) -> str:
    return f"crawl-slow-before:{holder.replace(' ', '-')}"
