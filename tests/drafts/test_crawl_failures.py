"""Why a website cannot be read, and what is read where scripts make the pages."""

from collections.abc import Mapping

import pytest

from core.fetch import Fetcher
from drafts.crawl.crawler import crawl
from drafts.crawl.report import CrawlFailedError
from tests.drafts.crawling import CALM, HOME, build, failure, page, paths, run
from tests.servers import website as w


def test_a_home_page_made_by_script_with_readable_pages(website: w.Website) -> None:
    shell = "<title>Acme</title><div id=root></div><script src=/app.js></script>"
    build(
        website,
        {
            "/": shell,
            "/sitemap.xml": f"<urlset><url><loc>{HOME}about</loc></url></urlset>",
            "/about": page("About"),
        },
    )

    report = run(website)

    assert (paths(report.read), report.warnings) == (["/", "/about"], ("script_only",))


def test_a_site_made_by_script_altogether(website: w.Website) -> None:
    website.otherwise = w.html("<title>Acme</title><div id=root></div><script src=/app.js></script>")

    error = failure(website)

    assert error.code == "script_only"


def test_a_site_made_by_script_that_says_in_its_markup_what_it_is(website: w.Website) -> None:
    told = '<meta name="description" content="Acme counts the bolts of a workshop by weight.">'
    website.otherwise = w.html(f"<title>Acme</title>{told}<div id=root></div><script src=/app.js></script>")

    assert run(website).warnings == ("script_only",)


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ({"/robots.txt": w.plain("User-agent: *\nDisallow: /")}, "robots_blocked"),
        ({"/robots.txt": w.html("", status=500)}, "robots_unreachable"),
        ({"/robots.txt": w.html("", status=429)}, "robots_unreachable"),
        ({"/robots.txt": w.raw(b"junk")}, "robots_unreachable"),
        ({"/": w.html("", status=404)}, "site_error"),
        ({"/": w.html("", status=403)}, "site_error"),
        ({"/": w.html("", status=500)}, "site_error"),
        ({"/": w.html("", status=429)}, "site_error"),
        ({"/": w.html("x", content_type="application/pdf")}, "not_html"),
        ({"/": w.html("%PDF-1.4")}, "not_html"),
        ({"/": w.redirect("/")}, "too_many_redirects"),
        ({"/": w.redirect("http://acme.test/x")}, "redirect_refused"),
        ({"/": w.redirect("http://169.254.169.254/")}, "url_not_public"),
        ({"/": '<meta http-equiv="refresh" content="0; url=http://127.0.0.1/">'}, "url_not_public"),
        ({"/": w.raw(b"junk")}, "unreachable"),
        ({"/": ""}, "script_only"),
    ],
)
def test_why_a_site_cannot_be_read(website: w.Website, pages: Mapping[str, str | w.Reply], code: str) -> None:
    build(website, pages)

    error = failure(website)

    assert error.code == code


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("nonsense", "invalid_url"),
        ("http://127.0.0.1/", "url_not_public"),
        ("https://acme.internal/", "url_not_public"),
    ],
)
def test_addresses_that_are_not_opened(website: w.Website, url: str, code: str) -> None:
    assert (failure(website, url).code, website.paths) == (code, [])


def test_nobody_at_home() -> None:
    with (
        Fetcher(user_agent="t", resolve={"acme.test": ("127.0.0.1", 1)}, dns_servers=[]) as fetcher,
        pytest.raises(CrawlFailedError) as refusal,
    ):
        crawl(url=HOME, fetcher=fetcher, budget=CALM)

    assert refusal.value.code == "unreachable"
    assert (
        refusal.value.detail
        == "acme.test did not answer when we tried to open it. Try again once the site is up."
    )
