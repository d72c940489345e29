"""However a site behaves, its crawl ends in time, in bounds, and with words for its owner."""

from dataclasses import replace

import pytest

from core.fetch import Fetcher
from drafts.crawl.crawler import crawl
from drafts.crawl.report import Budget, CrawlFailedError, CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from tests.servers import website as w
from tests.waiting import LONG, Clock, undisturbed

HOME = "https://acme.test/"
AMPLE = Budget(
    page_seconds=LONG, site_seconds=LONG, robots_seconds=LONG, sitemap_seconds=LONG, page_bytes=300_000
)
SHORT = 0.5

HANGING = [w.hang(), w.drip(every=0.02), w.drip_headers(every=0.02), w.slow(9, w.html("late"))]
NAMES = ["hang", "drip", "drip_headers", "slow"]


def run(website: w.Website, *, budget: Budget = AMPLE, within: float = 2.9) -> CrawlReport:
    """Crawls the site; the clock is the test."""
    clock = Clock()
    try:
        with (
            undisturbed() as clock,
            Fetcher(user_agent="t", resolve=website.at("acme.test"), dns_servers=[]) as fetcher,
        ):
            return crawl(url=HOME, fetcher=fetcher, budget=budget)
    finally:
        assert clock.seconds < within


def code_of(website: w.Website, *, budget: Budget = AMPLE, within: float = 2.9) -> str:
    with pytest.raises(CrawlFailedError) as refusal:
        run(website, budget=budget, within=within)
    assert refusal.value.detail.endswith(".")
    return refusal.value.code


def home(*links: str) -> str:
    menu = "".join(f'<a href="{href}">{href.strip("/")}</a>' for href in links)
    return f"<title>Acme</title><nav>{menu}</nav><h1>Acme</h1><p>Acme counts bolts in workshops.</p>"


@pytest.mark.parametrize("reply", HANGING, ids=NAMES)
def test_a_home_page_that_does_not_come(website: w.Website, reply: w.Reply) -> None:
    website.pages |= {"/": reply, "/robots.txt": w.plain("")}

    assert code_of(website, budget=replace(AMPLE, page_seconds=SHORT)) == "timeout"


@pytest.mark.parametrize("reply", HANGING, ids=NAMES)
def test_a_robots_txt_that_does_not_come(website: w.Website, reply: w.Reply) -> None:
    website.pages |= {"/": w.html(home()), "/robots.txt": reply}

    assert code_of(website, budget=replace(AMPLE, robots_seconds=SHORT)) == "robots_unreachable"
    assert "/" not in website.paths


@pytest.mark.parametrize("reply", HANGING, ids=NAMES)
def test_pages_that_do_not_come(website: w.Website, reply: w.Reply) -> None:
    links = [f"/p{number}" for number in range(9)]
    website.pages |= {
        "/": w.html(home("/about", *links)),
        "/about": w.html(home()),
        "/robots.txt": w.plain(""),
    }
    website.otherwise = reply

    report = run(website, budget=replace(AMPLE, page_seconds=2.0, site_seconds=4.0), within=5.5)

    assert report.read[0].url == HOME
    assert {page.skipped for page in report.pages} <= {None, "error", "limit"}


@pytest.mark.parametrize("reply", HANGING, ids=NAMES)
def test_a_sitemap_that_does_not_come(website: w.Website, reply: w.Reply) -> None:
    website.pages |= {"/": w.html(home("/about")), "/about": w.html(home("/")), "/sitemap.xml": reply}

    report = run(website, budget=replace(AMPLE, sitemap_seconds=SHORT))

    assert [page.url for page in report.read] == [HOME, HOME + "about"]


def test_slow_redirects_one_after_the_other(website: w.Website) -> None:
    website.otherwise = lambda handler: w.slow(0.3, w.redirect(handler.path + "x"))(handler)
    website.pages["/robots.txt"] = w.plain("")

    assert code_of(website, budget=replace(AMPLE, page_seconds=SHORT)) in {"timeout", "too_many_redirects"}


def test_refreshes_one_after_the_other(website: w.Website) -> None:
    def refresh(handler: w.Handler) -> None:
        w.html(f'<meta http-equiv="refresh" content="0; url={handler.path}x">')(handler)

    website.otherwise = refresh
    website.pages["/robots.txt"] = w.plain("")

    assert code_of(website) == "too_many_redirects"
    assert len(website.paths) == 7


@pytest.mark.parametrize(
    "reply",
    [w.endless(), w.endless(b"x" * 4096), w.gzip_bomb(megabytes=50), w.html(b"\0" * 400_000)],
    ids=["endless", "endless text", "bomb", "zeros"],
)
def test_a_home_page_without_end(website: w.Website, reply: w.Reply) -> None:
    website.pages |= {"/": reply, "/robots.txt": w.plain("")}

    assert code_of(website, within=7.5) == "too_large"


def test_a_home_page_that_is_too_large_still_leads_on(website: w.Website) -> None:
    website.pages |= {"/": w.html(home("/about") + "x" * 400_000), "/about": w.html(home())}

    report = run(website, within=7.5)

    assert [(page.url, page.skipped) for page in report.pages[:2]] == [(HOME, "size"), (HOME + "about", None)]


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 60_000,
        "<p>x" * 70_000,
        "<a " + " ".join(f"x{number}=1" for number in range(30_000)) + ">x",
        "<b><div>" * 30_000,
    ],
    ids=["deep", "many", "attributes", "formatting"],
)
def test_markup_made_to_choke_a_parser(website: w.Website, text: str) -> None:
    website.pages |= {"/": w.html(home("/about", "/faq")), "/about": w.html(text), "/faq": w.html(home())}

    report = run(website, budget=replace(AMPLE, page_bytes=2_000_000), within=9.5)

    [bomb] = [page for page in report.pages if page.kind == "about"]
    assert (bomb.skipped, bomb.size, bomb.html) == ("size", len(text), "")


def test_a_home_page_made_to_choke_a_parser(website: w.Website) -> None:
    website.pages |= {"/": w.html("<div>" * 60_000 + "Acme"), "/robots.txt": w.plain("")}

    assert code_of(website, budget=replace(AMPLE, page_bytes=2_000_000), within=9.5) == "too_large"


def test_many_heavy_pages_share_one_budget_of_tags(website: w.Website) -> None:
    website.pages |= {"/": w.html(home(*(f"/p{number}" for number in range(9)))), "/robots.txt": w.plain("")}
    website.otherwise = lambda handler: w.html(f"<p>{handler.path}" + "<p>x" * 4_000)(handler)

    report = run(website, budget=replace(AMPLE, site_tags=13_000, connections=1), within=11.5)

    assert len(report.read) == 4
    assert {page.skipped for page in report.pages} == {None, "size"}


def test_a_maze_ends_at_the_budget(website: w.Website) -> None:
    website.otherwise = lambda handler: w.html(
        home(*(f"{handler.path}{n}/" for n in range(50))) + handler.path
    )(handler)
    website.pages["/robots.txt"] = w.plain("")

    report = run(website, within=11.5)

    assert len(report.read) == 12
    assert len(website.paths) <= 13 + 1


def test_a_sitemap_of_many_pages_and_a_bomb(website: w.Website) -> None:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY l0 "lol">{lines}]><urlset><url><loc>&l9;</loc></url></urlset>'
    long = "<urlset>" + "".join(f"<url><loc>{HOME}p{n}</loc></url>" for n in range(4000)) + "</urlset>"
    website.pages |= {
        "/robots.txt": w.plain("Sitemap: /bomb.xml\nSitemap: /long.xml\nSitemap: /zeros.xml"),
        "/": w.html(home()),
        "/bomb.xml": w.html(bomb, content_type="text/xml"),
        "/long.xml": w.html(long, content_type="text/xml"),
        "/zeros.xml": w.gzip_bomb(megabytes=20),
    }
    website.otherwise = lambda handler: w.html(home() + handler.path)(handler)

    report = run(website, within=11.5)

    assert len(report.read) == 12


def test_every_trick_at_once(website: w.Website) -> None:
    website.pages |= {
        "/robots.txt": w.plain("User-agent: *\nDisallow: /closed\n" + "# x\n" * 150_000),
        "/": w.html(home(*(f"/{name}" for name in "abcdefghijk"), "/about")),
        "/a": w.redirect("http://169.254.169.254/latest/meta-data/"),
        "/b": w.redirect("file:///etc/passwd"),
        "/c": w.redirect("http://[::ffff:127.0.0.1]/"),
        "/d": w.redirect("/d"),
        "/e": w.drip(every=0.02),
        "/f": w.gzip_bomb(megabytes=20),
        "/g": w.endless(),
        "/h": w.html("%PDF", content_type="application/pdf"),
        "/i": w.html("x", status=500),
        "/j": w.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort"),
        "/k": w.redirect("/closed"),
        "/about": w.html(home()),
    }

    report = run(website, budget=replace(AMPLE, page_seconds=4), within=21.5)

    assert [page.url for page in report.read] == [HOME, HOME + "about"]
    skipped = {page.url.removeprefix(HOME): page.skipped for page in report.pages if page.skipped}
    assert skipped == {
        "a": "error",
        "b": "error",
        "c": "error",
        "d": "error",
        "e": "error",
        "f": "size",
        "g": "size",
        "h": "type",
        "i": "error",
        "j": "error",
        "closed": "robots",
    }
    assert "/closed" not in website.paths


BROKEN = ["http://[", "https://[your-site]/", "//[::1", "http://a\u2100b/", "http://acme.test:port/"]


@pytest.mark.parametrize("address", BROKEN)
def test_broken_addresses_in_every_place_are_passed_over(website: w.Website, address: str) -> None:
    head = (
        f'<base href="{address}"><link rel="canonical" href="{address}"><link rel="icon" href="{address}">'
        f'<meta property="og:url" content="{address}"><meta property="og:image" content="{address}">'
        f'<meta http-equiv="refresh" content="0; url={address}">'
        f'<script type="application/ld+json">{{"@type": "Organization", "name": "Acme", "url": "{address}",'
        f'"logo": "{address}", "sameAs": ["{address}"], "founder": {{"@type": "Person", "name": "Ann Roe",'
        f'"sameAs": "{address}", "url": "{address}"}}}}</script>'
    )
    body = (
        f'<a href="{address}">Start</a><img src="{address}" alt="Acme logo"><video src="{address}"></video>'
        f'<iframe src="{address}"></iframe><form action="{address}"></form>'
    )
    website.pages |= {
        "/": w.html(head + home("/about") + body),
        "/about": w.html(head + home("/") + body),
        "/robots.txt": w.plain(f"User-agent: *\nDisallow: {address}\nSitemap: {address}\nSitemap: /list.xml"),
        "/list.xml": w.plain(f"{address}\n{HOME}pricing"),
        "/pricing": w.html("<title>Pricing</title><h1>Pricing</h1><p>The Studio plan is 12 € per month.</p>"),
    }

    site = read_site(run(website))

    assert [page.url for page in site.pages] == [HOME, HOME + "about", HOME + "pricing"]
    written = ExtractiveWriter(categories=()).write(site)
    assert (written.fields["name"].value, written.fields["logo_url"].value) == ("Acme", None)
