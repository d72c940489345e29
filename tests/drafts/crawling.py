"""Crawling a stand-in website, and what came of it."""

from collections.abc import Mapping
from typing import Any

import pytest

from core.fetch import Fetcher
from drafts.crawl.crawler import crawl
from drafts.crawl.report import Budget, CrawledPage, CrawlFailedError, CrawlReport
from tests.servers import website as w

HOME = "https://acme.test/"
CALM = Budget()


def page(title: str, *links: str) -> str:
    """A page with enough text to be one, and links in its menu."""
    menu = "".join(f'<a href="{href}">{href.strip("/")}</a>' for href in links)
    return f"<title>{title}</title><nav>{menu}</nav><h1>{title}</h1><p>{title} counts bolts in workshops.</p>"


def run(website: w.Website, url: str = HOME, *, budget: Budget = CALM, **wishes: Any) -> CrawlReport:
    resolve = website.at("acme.test", "www.acme.test", "beta.test", "sub.acme.test")
    with Fetcher(user_agent="LaunchDirectoryBot/1", resolve=resolve, dns_servers=[]) as fetcher:
        return crawl(url=url, fetcher=fetcher, budget=budget, **wishes)


def failure(website: w.Website, url: str = HOME, *, budget: Budget = CALM) -> CrawlFailedError:
    with pytest.raises(CrawlFailedError) as refusal:
        run(website, url, budget=budget)
    assert refusal.value.detail.endswith(".")
    return refusal.value


def build(website: w.Website, pages: Mapping[str, str | w.Reply]) -> None:
    website.pages |= {path: w.html(made) if isinstance(made, str) else made for path, made in pages.items()}


def paths(pages: tuple[CrawledPage, ...]) -> list[str]:
    return ["/" + found.url.split("/", 3)[3] for found in pages]
