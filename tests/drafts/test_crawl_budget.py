"""What a crawl may take: pages, requests, bytes, connections, pauses and sitemaps."""

import threading
import time
from dataclasses import replace

from tests.drafts.crawling import CALM, HOME, build, failure, page, paths, run
from tests.servers import website as w
from tests.waiting import LONG, undisturbed


def test_no_more_pages_than_the_budget(website: w.Website) -> None:
    build(website, {"/": page("Acme", *(f"/p{number}" for number in range(40)))})
    website.otherwise = lambda handler: w.html(page(handler.path, handler.path + "x"))(handler)

    report = run(website)

    assert len(report.read) == 12
    assert (len(website.paths), website.paths[0]) == (13, "/robots.txt")


def test_no_more_requests_than_the_budget(website: w.Website) -> None:
    build(website, {"/": page("Acme", *(f"/p{number}" for number in range(40)))})

    report = run(website)

    assert (len(report.read), len(report.pages)) == (1, 20)


def test_the_best_pages_are_read_when_there_are_many(website: w.Website) -> None:
    links = [f"/p{number}" for number in range(40)] + ["/preise", "/ueber-uns", "/impressum"]
    build(website, {"/": page("Acme", *links)})
    website.otherwise = lambda handler: w.html(page(handler.path))(handler)

    assert paths(run(website, budget=replace(CALM, pages=4)).read) == [
        "/",
        "/preise",
        "/ueber-uns",
        "/impressum",
    ]


def test_no_more_bytes_than_the_budget(website: w.Website) -> None:
    build(website, {"/": page("Acme", *(f"/p{number}" for number in range(9)))})
    website.otherwise = lambda handler: w.html(page(handler.path) + " " * 30_000)(handler)

    report = run(
        website, budget=replace(CALM, page_bytes=40_000, site_bytes=100_000, connections=1, sitemap_files=0)
    )

    assert sum(found.size for found in report.pages) <= 100_000
    assert len(report.read) == 4
    assert {found.skipped for found in report.pages} == {None, "size", "limit"}


def test_pages_that_are_too_large_are_left_with_their_size(website: w.Website) -> None:
    build(website, {"/": page("Acme", "/about"), "/about": page("About") + "x" * 5000})

    report = run(website, budget=replace(CALM, page_bytes=2000))

    assert [(found.skipped, found.status, found.size, found.html) for found in report.pages[1:]] == [
        ("size", 200, 2000, "")
    ]


def test_two_pages_at_a_time_and_never_three(website: w.Website) -> None:
    lock, inside, most, both = threading.Lock(), [0], [0], threading.Event()

    def busy(handler: w.Handler) -> None:
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            if inside[0] == 2:
                both.set()
        both.wait(LONG)
        time.sleep(0.05)  # in which a third one could come
        with lock:
            inside[0] -= 1
        w.html(page(handler.path))(handler)

    links = [f"/p{number}" for number in range(8)]
    build(website, {"/": page("Acme", *links), "/robots.txt": w.plain("")})
    website.otherwise = busy

    run(website)

    assert most[0] == 2


def test_a_delay_is_kept_between_all_requests(website: w.Website) -> None:
    build(
        website,
        {
            "/robots.txt": w.plain("User-agent: *\nCrawl-delay: 0.5"),
            "/": page("Acme", "/about", "/faq"),
            "/about": page("About"),
            "/faq": page("FAQ"),
        },
    )

    began = time.monotonic()

    report = run(website)

    # a busy machine notes an arrival late, so a gap may look shorter than it was; all of them together cannot
    assert len(report.read) == 3
    assert time.monotonic() - began >= 0.5 * (len(website.requests) - 1)


def test_a_home_page_that_sends_us_on_is_not_asked_sooner_than_the_site_wants(website: w.Website) -> None:
    website.otherwise = lambda handler: w.html(
        f'<meta http-equiv="refresh" content="0; url={handler.path}x">'
    )(handler)
    website.pages["/robots.txt"] = w.plain("User-agent: *\nCrawl-delay: 3600")

    failed = failure(website, budget=replace(CALM, max_delay=0.6, site_seconds=1.5))

    assert (failed.code, website.paths) == ("timeout", ["/robots.txt", "/", "/x"])


def test_pages_are_dropped_rather_than_waited_for(website: w.Website) -> None:
    build(
        website,
        {
            "/robots.txt": w.plain("User-agent: *\nCrawl-delay: 3600"),
            "/": page("Acme", *(f"/p{number}" for number in range(9))),
        },
    )
    website.otherwise = lambda handler: w.html(page(handler.path))(handler)

    with undisturbed() as clock:
        report = run(website, budget=replace(CALM, max_delay=0.6, site_seconds=2.8, sitemap_files=0))

    assert clock.seconds < 3.2
    assert 2 <= len(report.read) <= 4
    assert {found.skipped for found in report.pages} == {None, "limit"}


def test_a_site_that_asks_for_rest_gets_it(website: w.Website) -> None:
    home = page("Acme", *(f"/p{number}" for number in range(9)))
    build(website, {"/": home, "/robots.txt": w.plain(""), "/sitemap.xml": w.html("", status=404)})
    website.otherwise = w.html("later", status=429)

    report = run(website, budget=replace(CALM, connections=1))

    assert [found.status for found in report.pages] == [200, 429]


def test_a_sitemap_finds_what_no_link_leads_to(website: w.Website) -> None:
    build(
        website,
        {
            "/robots.txt": w.plain("User-agent: *\nDisallow: /closed\nSitemap: /maps/index.xml"),
            "/": page("Acme"),
            "/maps/index.xml": "<sitemapindex><sitemap><loc>https://acme.test/maps/pages.xml</loc></sitemap>"
            "<sitemap><loc>https://beta.test/other.xml</loc></sitemap></sitemapindex>",
            "/maps/pages.xml": "<urlset>"
            + "".join(
                f"<url><loc>{url}</loc></url>"
                for url in (HOME, HOME + "team", HOME + "closed", "https://beta.test/x")
            )
            + "</urlset>",
            "/team": page("Team"),
        },
    )

    report = run(website)

    assert paths(report.read) == ["/", "/team"]
    assert report.robots == "partly"
    assert {request.host for request in website.requests} == {"acme.test"}


def test_a_closed_sitemap_is_left(website: w.Website) -> None:
    build(website, {"/robots.txt": w.plain("User-agent: *\nDisallow: /sitemap.xml"), "/": page("Acme")})

    run(website)

    assert "/sitemap.xml" not in website.paths


def test_at_most_five_sitemaps(website: w.Website) -> None:
    many = "".join(f"<sitemap><loc>{HOME}s{number}.xml</loc></sitemap>" for number in range(50))
    build(website, {"/": page("Acme"), "/robots.txt": w.plain("")})
    website.otherwise = w.html(f"<sitemapindex>{many}</sitemapindex>")

    run(website)

    assert len([path for path in website.paths if path.endswith(".xml")]) == 5
