"""A crawl reads the pages a draft needs, leaves closed ones alone and tells what it did."""

import hashlib
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from drafts.crawl.report import CrawlProgress
from drafts.crawl.robots import RobotsFile
from tests.drafts.crawling import HOME, build, failure, page, paths, run
from tests.servers import website as w


def test_a_small_site_in_full(website: w.Website) -> None:
    home = page("Acme", "/pricing", "/about")
    build(
        website,
        {"/": home, "/pricing": page("Pricing", "/team"), "/about": page("About"), "/team": page("Team")},
    )
    before = datetime.now(UTC)

    report = run(website)

    assert (report.start_url, report.home_url, report.robots) == (HOME, HOME, "allowed")
    assert [(found.url, found.kind, found.title) for found in report.read] == [
        (HOME, "home", "Acme"),
        (HOME + "pricing", "pricing", "Pricing"),
        (HOME + "about", "about", "About"),
        (HOME + "team", "team", "Team"),
    ]
    first = report.pages[0]
    assert (first.status, first.size, first.html) == (200, len(home), home)
    assert first.sha256 == hashlib.sha256(home.encode()).hexdigest()
    assert before <= first.fetched_at <= datetime.now(UTC)
    assert report.warnings == ()


def test_robots_txt_is_asked_first_and_each_page_once(website: w.Website) -> None:
    links = (
        "/about",
        "/about/",
        "/about?x=1",
        "/about#team",
        "https://www.acme.test/about",
        "http://acme.test/about",
    )
    build(website, {"/": page("Acme", *links, "/"), "/about": page("About", "/", "/about")})

    run(website)

    asked = website.paths
    assert asked[:2] == ["/robots.txt", "/"]
    assert (asked.count("/"), asked.count("/about"), asked.count("/robots.txt")) == (1, 1, 1)
    assert {request.host for request in website.requests} == {"acme.test"}
    assert {request.headers["user-agent"] for request in website.requests} == {"LaunchDirectoryBot/1"}


def test_closed_pages_are_never_asked_for_and_are_told(website: w.Website) -> None:
    rules = "User-agent: *\nDisallow: /team\nDisallow: /private/\nAllow: /private/note\nDisallow: /*?print="
    build(
        website,
        {
            "/robots.txt": w.plain(rules),
            "/": page("Acme", "/team", "/private/about", "/private/note", "/pricing", "/?print=1"),
            "/pricing": page("Pricing", "/team/jobs"),
            "/private/note": page("Note"),
        },
    )

    report = run(website)

    assert paths(report.read) == ["/", "/pricing", "/private/note"]
    assert report.robots == "partly"
    closed = {
        path
        for path, found in zip(paths(report.pages), report.pages, strict=True)
        if found.skipped == "robots"
    }
    assert closed == {"/team", "/private/about", "/team/jobs"}
    assert not {path for path in website.paths if path.startswith(("/team", "/private/about", "/?"))}


def test_redirects_do_not_lead_past_robots_txt(website: w.Website) -> None:
    build(
        website,
        {
            "/robots.txt": w.plain("User-agent: LaunchDirectoryBot\nDisallow: /secret"),
            "/": page("Acme", "/about"),
            "/about": w.redirect("/secret"),
            "/secret": page("Secret"),
        },
    )

    report = run(website)

    assert [(found.url, found.skipped) for found in report.pages[1:]] == [(HOME + "secret", "robots")]
    assert "/secret" not in website.paths


@pytest.mark.parametrize("host", ["www.acme.test", "beta.test"])
def test_the_home_page_may_move_and_the_new_host_has_its_say(website: w.Website, host: str) -> None:
    def home(handler: w.Handler) -> None:
        moved = w.redirect(f"https://{host}/start")
        (moved if handler.headers["Host"] == "acme.test" else w.html("?", status=404))(handler)

    def rules(handler: w.Handler) -> None:
        text = "" if handler.headers["Host"] == "acme.test" else "User-agent: *\nDisallow: /team"
        w.plain(text)(handler)

    build(
        website,
        {"/": home, "/robots.txt": rules, "/start": page("Acme", "/team", "/faq"), "/faq": page("FAQ")},
    )

    report = run(website)

    assert report.home_url == f"https://{host}/start"
    assert [found.url for found in report.read] == [f"https://{host}/start", f"https://{host}/faq"]
    assert report.robots == "partly"
    assert report.warnings == (("other_domain",) if host == "beta.test" else ())
    asked = [(request.host, request.path) for request in website.requests]
    assert asked[:4] == [
        ("acme.test", "/robots.txt"),
        ("acme.test", "/"),
        (host, "/robots.txt"),
        (host, "/start"),
    ]


def test_a_new_host_that_closes_its_home_page(website: w.Website) -> None:
    def rules(handler: w.Handler) -> None:
        w.plain("" if handler.headers["Host"] == "acme.test" else "User-agent: *\nDisallow: /")(handler)

    build(website, {"/": w.redirect("https://beta.test/home"), "/robots.txt": rules, "/home": page("Acme")})

    error = failure(website)

    assert error.code == "robots_blocked"
    assert "https://beta.test/home" in error.detail
    assert "/home" not in website.paths


def test_a_page_that_moved_to_another_site_is_left(website: w.Website) -> None:
    build(website, {"/": page("Acme", "/blog"), "/blog": w.redirect("https://beta.test/acme")})

    report = run(website)

    assert [(found.skipped, found.detail) for found in report.pages[1:]] == [
        ("error", "It leads to another site, beta.test.")
    ]
    assert {request.host for request in website.requests} == {"acme.test"}


def test_other_hosts_are_not_visited(website: w.Website) -> None:
    links = ("https://beta.test/pricing", "https://sub.acme.test/about", "//beta.test/faq")
    build(website, {"/": f'<link rel="canonical" href="https://beta.test/">{page("Acme", *links)}'})

    run(website)

    assert {request.host for request in website.requests} == {"acme.test"}


def test_a_meta_refresh_is_a_redirect(website: w.Website) -> None:
    refresh = '<meta http-equiv="refresh" content="0; url=/en/">'
    build(website, {"/": refresh, "/en/": page("Acme", "/en/pricing"), "/en/pricing": page("Pricing")})

    report = run(website)

    assert (report.start_url, report.home_url) == (HOME, HOME + "en/")
    assert paths(report.read) == ["/en/", "/en/pricing"]


def test_refreshes_in_a_circle_are_no_redirect(website: w.Website) -> None:
    build(
        website,
        {
            "/": '<meta http-equiv="refresh" content="0; url=/a">',
            "/a": '<meta http-equiv="refresh" content="0; url=/">' + page("Acme"),
        },
    )

    assert run(website).home_url == HOME + "a"


def test_a_refresh_to_a_closed_page(website: w.Website) -> None:
    build(
        website,
        {
            "/robots.txt": w.plain("User-agent: *\nDisallow: /en"),
            "/": '<meta http-equiv="refresh" content="0; url=/en/">',
        },
    )

    assert (failure(website).code, website.paths) == ("robots_blocked", ["/robots.txt", "/"])


def test_links_marked_nofollow_are_not_followed(website: w.Website) -> None:
    links = '<a rel="nofollow" href="/about">About</a><a rel="ugc nofollow" href="/xyz">Xyz</a>'
    build(website, {"/": page("Acme") + links, "/about": page("About"), "/xyz": page("Xyz")})

    assert paths(run(website).read) == ["/"]
    assert not {"/about", "/xyz"} & set(website.paths)


@pytest.mark.parametrize("where", ["header", "meta"])
def test_pages_that_ask_for_no_following(website: w.Website, where: str) -> None:
    meta = '<meta name="robots" content="nofollow">' if where == "meta" else ""
    headers = {"X-Robots-Tag": "nofollow"} if where == "header" else {}
    build(website, {"/": w.html(meta + page("Acme", "/about"), headers=headers), "/about": page("About")})

    assert paths(run(website).read) == ["/"]


@pytest.mark.parametrize(
    ("header", "is_used"),
    [
        ("noai", False),
        ("NOAI, noimageai", False),
        ("none", False),
        ("launchdirectorybot: noai", False),
        ("otherbot: noai", True),
        ("noindex", True),
        ("max-snippet: 20", True),
    ],
)
def test_pages_that_ask_not_to_be_used(website: w.Website, header: str, *, is_used: bool) -> None:
    build(
        website,
        {"/": page("Acme", "/about"), "/about": w.html(page("About"), headers={"X-Robots-Tag": header})},
    )

    report = run(website)

    assert [found.skipped for found in report.pages] == [None, None if is_used else "robots"]
    assert report.pages[1].html == (page("About") if is_used else "")


def test_a_home_page_that_asks_not_to_be_used(website: w.Website) -> None:
    build(website, {"/": '<meta name="robots" content="noai">' + page("Acme")})

    assert failure(website).code == "robots_blocked"


def test_a_home_page_out_of_search_engines_is_read_with_a_warning(website: w.Website) -> None:
    build(website, {"/": '<meta name="robots" content="noindex">' + page("Acme")})

    assert run(website).warnings == ("noindex",)


def test_what_is_no_page_is_told_and_not_used(website: w.Website) -> None:
    build(
        website,
        {
            "/": page("Acme", "/pricing", "/about", "/team", "/faq", "/contact", "/security", "/legal"),
            "/pricing": w.html("x" * 10, content_type="application/octet-stream"),
            "/about": w.html(page("Busy"), status=503),
            "/team": w.html(page("Secret"), status=403),
            "/faq": w.html("%PDF-1.7 x"),
            "/contact": w.html("a,b", content_type=""),
            "/security": w.html(page("Security"), content_type=""),
            "/legal": w.html("Acme Ltd, 1 Mill Road <Leeds>", content_type="text/plain"),
        },
    )

    report = run(website)

    told = {
        path: (found.skipped, found.status)
        for path, found in zip(paths(report.pages), report.pages, strict=True)
    }
    assert told == {
        "/": (None, 200),
        "/pricing": ("type", 200),
        "/about": ("error", 503),
        "/team": ("error", 403),
        "/faq": ("type", 200),
        "/contact": ("type", 200),
        "/security": (None, 200),
        "/legal": (None, 200),
    }
    [legal] = [found for found in report.read if found.kind == "legal"]
    assert legal.html == "<pre>Acme Ltd, 1 Mill Road &lt;Leeds&gt;</pre>"


def test_usual_pages_are_guessed_on_a_site_that_links_nowhere(website: w.Website) -> None:
    build(website, {"/": page("Acme"), "/pricing": page("Pricing")})

    report = run(website)

    assert paths(report.pages) == ["/", "/pricing"]
    assert {"/about", "/faq", "/contact", "/features"} < set(website.paths)


def test_usual_pages_are_guessed_in_the_language_of_the_home_page_whatever_failed_before(
    website: w.Website,
) -> None:
    home = "<html lang='de-AT'>" + page("Acme", "/a", "/b", "/c", "/d")
    build(
        website,
        {"/": home, "/preise": page("Preise"), "/robots.txt": w.plain("Sitemap: https://cdn.test/s.xml")},
    )

    report = run(website)

    assert paths(report.read) == ["/", "/preise"]
    assert {"/sitemap.xml", "/pricing", "/impressum"} < set(website.paths)


def test_the_links_of_a_copy_are_read_on_the_copy(website: w.Website) -> None:
    links = ("/Acme/", "/Acme/pricing.html", "/Acme/faq.html", "/Acme/guide/")
    build(website, {"/": page("Acme", *links), "/pricing.html": page("Pricing"), "/faq.html": page("FAQ")})

    assert {"/pricing.html", "/faq.html"} < set(paths(run(website).read))


def test_the_same_page_under_two_addresses_is_used_once(website: w.Website) -> None:
    build(
        website,
        {"/": page("Acme", "/about", "/about-us"), "/about": page("About"), "/about-us": page("About")},
    )

    report = run(website)

    assert [(found.skipped, bool(found.html)) for found in report.pages[1:]] == [
        (None, True),
        ("limit", False),
    ]


def test_progress_is_told_on_the_callers_thread(website: w.Website) -> None:
    build(
        website,
        {"/": page("Acme", "/about", "/faq"), "/about": page("About"), "/faq": w.html("", status=404)},
    )
    told: list[tuple[CrawlProgress, int]] = []

    run(website, on_page=lambda progress: told.append((progress, threading.get_ident())))

    assert {thread for _, thread in told} == {threading.get_ident()}
    assert told[0][0].page.kind == "home"
    assert [progress.pages_read for progress, _ in told][-1] == 2
    assert all(progress.pages_read <= progress.pages_planned <= 12 for progress, _ in told)


def test_a_watcher_may_stop_the_crawl(website: w.Website) -> None:
    class StoppedError(Exception):
        pass

    def stop(progress: CrawlProgress) -> None:
        raise StoppedError

    build(website, {"/": page("Acme", "/about")})

    with pytest.raises(StoppedError):
        run(website, on_page=stop)
    assert website.paths == ["/robots.txt", "/"]


def test_fresh_rules_of_an_earlier_crawl_are_used_and_old_ones_are_not(website: w.Website) -> None:
    build(website, {"/": page("Acme", "/about"), "/about": page("About"), "/robots.txt": w.plain("")})
    now = datetime.now(UTC)
    rules = RobotsFile(
        origin="https://acme.test", state="rules", fetched_at=now, text="User-agent: *\nDisallow: /about"
    )

    report = run(website, robots_files={rules.origin: rules})
    again = run(website, robots_files={rules.origin: replace(rules, fetched_at=now - timedelta(hours=25))})

    assert (report.robots, report.robots_files) == ("partly", (rules,))
    assert again.robots == "allowed"
    assert website.paths.count("/robots.txt") == 1
