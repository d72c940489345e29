"""Sitemaps are read without being trusted."""

import gzip
import time

import pytest

from drafts.crawl.sitemap import Sitemap, parse_sitemap

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
URLS = f"{HEAD}<urlset {SPACE}><url><loc> https://a.test/1 </loc></url><url><loc>https://a.test/2</loc></url></urlset>"
TWO = Sitemap(pages=("https://a.test/1", "https://a.test/2"))


def parse(text: str | bytes, *, max_urls: int = 1000) -> Sitemap:
    return parse_sitemap(text.encode() if isinstance(text, str) else text, max_urls=max_urls)


@pytest.mark.parametrize(
    "text",
    [
        URLS,
        "\ufeff" + URLS,
        "\n\n" + URLS,
        URLS.replace(f" {SPACE}", ""),
        gzip.compress(URLS.encode()),
        "https://a.test/1\nhttps://a.test/2\n",
        "\ufeffhttps://a.test/1\r\nhttps://a.test/2",
        URLS.replace("</urlset>", ""),
        URLS.replace(
            "<url>", '<url><image:image xmlns:image="x"><image:loc>https://a.test/i</image:loc></image:image>'
        ),
    ],
    ids=["xml", "bom", "blank", "plain", "gzip", "text", "text bom", "cut", "images"],
)
def test_the_ways_to_write_one(text: str) -> None:
    assert parse(text) == TWO


def test_an_index_of_sitemaps() -> None:
    text = (
        f"{HEAD}<sitemapindex {SPACE}><sitemap><loc>https://a.test/pages.xml</loc></sitemap></sitemapindex>"
    )

    assert parse(text) == Sitemap(nested=("https://a.test/pages.xml",))


def test_no_more_than_asked_for() -> None:
    assert (
        len(parse(f"<urlset>{'<url><loc>https://a.test/</loc></url>' * 50}</urlset>", max_urls=20).pages)
        == 20
    )
    assert len(parse("https://a.test/\n" * 50, max_urls=20).pages) == 20


def test_entities_are_refused() -> None:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'{HEAD}<!DOCTYPE x [<!ENTITY l0 "lol">{lines}]><urlset><url><loc>&l9;</loc></url></urlset>'
    file = f'{HEAD}<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&f;</loc></url></urlset>'

    assert (parse(bomb), parse(file)) == (Sitemap(), Sitemap())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<",
        "<urlset",
        "not a sitemap",
        b"\x1f\x8bbroken",
        b"\xff\xfe<\x00u\x00",
        "<html><h1>404</h1></html>",
        "<a>" * 400_000,
    ],
    ids=["empty", "mark", "cut", "words", "gzip", "utf-16", "html", "deep"],
)
def test_what_is_no_sitemap_lists_nothing(text: str) -> None:
    assert parse(text) == Sitemap()


def test_bombs_cost_no_time() -> None:
    zeros = gzip.compress(b"<urlset>" + b" " * 100_000_000, compresslevel=1)
    names = "<urlset " + " ".join(f"a{n}='1'" for n in range(100_000)) + "/>"
    started = time.thread_time()

    assert (parse(zeros), parse(names)) == (Sitemap(), Sitemap())
    assert time.thread_time() - started < 3
