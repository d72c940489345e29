"""The pages worth reading are found in many languages, and each of them once."""

import pytest

from drafts.crawl.markup import Link
from drafts.crawl.pages import Frontier, kind_of, page_key

HOME = "https://acme.test/"


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("/", "", "home"),
        ("/index.html", "Start", "home"),
        ("/pricing", "", "pricing"),
        ("/pricing.html", "", "pricing"),
        ("/x/plans-and-pricing/", "", "pricing"),
        ("/preise", "", "pricing"),
        ("/preisliste.php", "", "pricing"),
        ("/tarifs", "", "pricing"),
        ("/precios", "", "pricing"),
        ("/planos", "", "pricing"),
        ("/prezzi", "", "pricing"),
        ("/cennik", "", "pricing"),
        ("/ceny/", "", "pricing"),
        ("/priser", "", "pricing"),
        ("/%E6%96%99%E9%87%91", "", "pricing"),
        ("/p/12", "料金プラン", "pricing"),
        ("/p/12", "가격안내", "pricing"),
        ("/p/12", "价格方案", "pricing"),
        ("/p/12", "Цены и тарифы", "pricing"),
        ("/p/12", "Tarifs", "pricing"),
        ("/planet", "", "other"),
        ("/precision", "", "other"),
        ("/about", "", "about"),
        ("/about-us/", "", "about"),
        ("/ueber-uns", "", "about"),
        ("/%C3%BCber-uns", "", "about"),
        ("/a-propos", "", "about"),
        ("/qui-sommes-nous", "", "about"),
        ("/sobre-nosotros", "", "about"),
        ("/chi-siamo", "", "about"),
        ("/o-nas", "", "about"),
        ("/over-ons", "", "about"),
        ("/om-oss", "", "about"),
        ("/x", "会社概要", "about"),
        ("/x", "회사소개", "about"),
        ("/x", "О компании", "about"),
        ("/about/team", "", "team"),
        ("/equipe", "", "team"),
        ("/founders.html", "", "team"),
        ("/features", "", "features"),
        ("/funktionen", "", "features"),
        ("/fonctionnalit%C3%A9s", "", "features"),
        ("/product/overview", "", "features"),
        ("/why.html", "", "features"),
        ("/faq", "", "faq"),
        ("/help-center", "", "faq"),
        ("/haeufige-fragen", "", "faq"),
        ("/x", "よくある質問", "faq"),
        ("/contact-us", "", "contact"),
        ("/kontakt", "", "contact"),
        ("/contacto", "", "contact"),
        ("/x", "お問い合わせ", "contact"),
        ("/impressum", "", "legal"),
        ("/mentions-legales.html", "", "legal"),
        ("/aviso-legal", "", "legal"),
        ("/privacy-policy", "", "legal"),
        ("/terms-of-service", "", "legal"),
        ("/datenschutzerklaerung", "", "legal"),
        ("/security", "", "security"),
        ("/sicherheit", "", "security"),
        ("/vs-deskhero.html", "", "comparison"),
        ("/compare/pricing", "", "comparison"),
        ("/alternatives/deskhero", "", "comparison"),
        ("/blog", "", "blog"),
        ("/blog/our-new-pricing", "", "blog"),
        ("/2024/05/about-us", "", "blog"),
        ("/careers", "", "jobs"),
        ("/jobs/head-of-pricing", "", "jobs"),
        ("/docs/pricing-api", "", "docs"),
        ("/getting-started", "", "docs"),
        ("/xyz", "", "other"),
        ("/xyz", "a long sentence that mentions pricing somewhere in the middle", "other"),
    ],
)
def test_what_a_page_is_for(path: str, text: str, kind: str) -> None:
    assert kind_of(path, text) == kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://acme.test/a", "https://acme.test/a/"),
        ("https://acme.test/", "https://acme.test/index.html"),
        ("https://acme.test/a/", "https://acme.test/a/index.php"),
        ("http://acme.test/a", "https://www.acme.test/a"),
    ],
)
def test_one_page_in_two_spellings(one: str, other: str) -> None:
    assert page_key(one) == page_key(other)


def link(href: str, text: str = "", place: str = "main") -> Link:
    return Link(href=href, text=text, place=place)


def order(frontier: Frontier) -> list[str]:
    found = []
    while page := frontier.best():
        frontier.take(page)
        found.append(page.url)
    return found


def paths(*hrefs: str, home: str = HOME, canonical: str = "") -> list[str]:
    frontier = Frontier(home, canonical=canonical)
    frontier.add_links([link(href) for href in hrefs], base=home)
    origin = "/".join(home.split("/")[:3])
    return [url.removeprefix(origin) for url in order(frontier)]


def test_the_best_pages_come_first() -> None:
    assert paths("/blog", "/jobs", "/xyz", "/impressum", "/team", "/pricing", "/about", "/privacy") == [
        "/pricing",
        "/about",
        "/team",
        "/impressum",
        "/xyz",
        "/privacy",
        "/blog",
        "/jobs",
    ]


def test_further_pages_of_one_kind_wait_for_the_first_of_others() -> None:
    found = paths("/features/a", "/features/b", "/features/c", "/contact", "/faq", "/pricing")

    assert found[:3] == ["/pricing", "/faq", "/features/a"]
    assert found.index("/contact") < found.index("/features/b")


@pytest.mark.parametrize(
    "href",
    [
        "#part",
        "/#part",
        "/?print=1",
        "/index.html",
        "",
        "mailto:a@acme.test",
        "tel:+123",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://acme.test/x",
        "https://other.test/pricing",
        "https://sub.acme.test/pricing",
        "https://acme.test.evil.test/pricing",
        "https://user:pass@acme.test/pricing",
        "https://acme.test:8443/pricing",
        "//other.test/pricing",
        "http://[oops/",
        "/logo.png",
        "/price-list.PDF",
        "/app.zip",
        "/feed",
        "/login",
        "/wp-admin/",
        "/tag/news",
        "/cart",
    ],
)
def test_what_is_not_followed(href: str) -> None:
    assert paths(href) == []


def test_queries_and_fragments_are_dropped_and_pages_come_once() -> None:
    assert paths(
        "/about?ref=nav", "/about#team", "/about/", "/about/index.html", "https://www.acme.test/about"
    ) == ["/about"]


def test_a_query_that_names_a_page_is_kept() -> None:
    assert paths("/?page=pricing", "/?page=pricing&utm_source=x", "/index.php?p=2", "/?utm_medium=mail") == [
        "/?page=pricing",
        "/index.php?p=2",
    ]


def test_the_twin_is_asked_under_the_own_name() -> None:
    assert paths("http://acme.test/about", "https://acme.test/faq", home="https://www.acme.test/") == [
        "/about",
        "/faq",
    ]


def test_links_are_read_against_their_page() -> None:
    frontier = Frontier(HOME)
    frontier.add_links([link("../pricing"), link("team")], base="https://acme.test/company/about/")

    assert order(frontier) == ["https://acme.test/company/pricing", "https://acme.test/company/about/team"]


def test_pages_in_the_language_of_the_home_page_come_first() -> None:
    assert paths("/de/preise", "/fr/tarifs", "/jobs", "/xyz") == ["/xyz", "/de/preise", "/fr/tarifs", "/jobs"]
    assert paths("/de/preise", "/en/pricing", "/fr/tarifs", home="https://acme.test/en/")[0] == "/en/pricing"


def test_a_site_that_keeps_everything_under_one_language() -> None:
    found = paths("/en/pricing", "/en/about", "/en/faq", "/de/preise")

    assert found == ["/en/pricing", "/en/about", "/en/faq", "/de/preise"]


def test_pages_beside_a_submitted_inner_page_come_first() -> None:
    found = paths("/pricing", "/tool/pricing", "/tool/about", home="https://pages.test/tool/")

    assert found == ["/tool/pricing", "/tool/about", "/pricing"]


def test_menu_links_come_before_the_same_in_the_text() -> None:
    frontier = Frontier(HOME)
    frontier.add_links([link("/aaa"), link("/zzz", place="nav")], base=HOME)

    assert order(frontier) == [HOME + "zzz", HOME + "aaa"]


def test_a_sitemap_adds_pages_of_this_site() -> None:
    frontier = Frontier(HOME)
    frontier.add_sitemap(
        [HOME, HOME + "pricing", "https://other.test/about", "http://www.acme.test/team", "junk"]
    )

    assert order(frontier) == [HOME + "pricing", HOME + "team"]


def test_links_of_a_copy_are_followed_on_the_copy() -> None:
    original = "https://real.test/acme/"

    assert paths("https://real.test/acme/pricing", "https://real.test/about", canonical=original) == [
        "/pricing",
        "/about",
    ]
    assert paths("https://third.test/pricing", canonical=original) == []


def test_a_copy_that_lost_its_folder() -> None:
    frontier = Frontier(HOME)
    frontier.add_links(
        [link(f"/Acme/{name}") for name in ("", "pricing.html", "faq.html", "guide/")], base=HOME
    )
    first = frontier.best()
    frontier.take(first)
    frontier.move_up(first)

    assert first.url == HOME + "Acme/pricing.html"
    assert order(frontier) == [HOME + "pricing.html", HOME + "faq.html", HOME + "guide/"]


@pytest.mark.parametrize(
    "others", [["/Acme/faq", "/about"], ["/Acme/faq", "/Acme/team"]], ids=["beside", "no top"]
)
def test_a_missing_page_moves_nothing_when_its_folder_is_there(others: list[str]) -> None:
    frontier = Frontier(HOME)
    frontier.add_links([link("/Acme/pricing"), *(link(href) for href in others)], base=HOME)
    first = frontier.best()
    frontier.take(first)
    before = len(frontier)
    frontier.move_up(first)

    assert len(frontier) == before
    assert HOME + "pricing" not in order(frontier)


def test_guesses_are_for_kinds_not_found() -> None:
    frontier = Frontier("https://acme.test/app/")
    frontier.add_links([link("pricing")], base="https://acme.test/app/")
    frontier.take(frontier.best())

    assert frontier.guess({"pricing": "pricing", "about": "about"}) == {"https://acme.test/app/about"}


def test_a_page_of_many_links() -> None:
    frontier = Frontier(HOME)
    frontier.add_links([link(f"/page-{number}") for number in range(2000)], base=HOME)

    assert len(frontier) == 2000
