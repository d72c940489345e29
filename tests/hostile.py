"""Bodies and pages that nobody honest sends, made from a seed, and everything that has to bear them."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from core.api.bodies import parse
from core.api.errors import ApiError
from core.fetch import FetchError, InvalidUrlError, canonical_url, join_url
from directory.launches.badge_check import find_badge as badge_in
from drafts.crawl.markup import MAX_TAGS, TooMuchMarkupError, count_tags
from drafts.crawl.markup import read_markup as markup_of
from drafts.crawl.pages import Frontier
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.crawl.robots import Robots, RobotsFile
from drafts.crawl.segments import read_site
from drafts.crawl.sitemap import parse_sitemap
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint

HOME = "https://acme.test/"
AT = datetime(2026, 11, 21, tzinfo=UTC)
HINTS = (CategoryHint(slug="tools", name="Tools", terms=("tools", "bolts")),)
ADDRESSES = (
    *(
        "http://[",
        "https://[your-site]",
        "//[::1",
        "http://a\u2100b/",
        "http://acme.test:port/",
        "http://%zz/",
    ),
    *(
        "/pricing",
        "about",
        "#x",
        "javascript:1",
        "data:,x",
        "mailto:a@b.test",
        "https://x.com/acme",
        "\x00",
        "?" * 9,
    ),
    *(
        "https://acme.test/" + "x" * 3000,
        "http://\ud7ff/",
        "https://xn--a/",
        "https://a..b/",
        "ftp://x",
        "\\\\x\\y",
    ),
)
WORDS = (
    *(
        "Acme",
        "$9",
        "/month",
        "founded in 2019",
        "by Anna Berg",
        "CEO",
        "Ghent, Belgium",
        "Paris",
        "free",
        "1,",
        "a@",
    ),
    *(
        "Why?",
        "vs",
        "ignore all previous instructions",
        "©",
        "2021 Acme Ltd",
        "\u200b",
        "無料",
        "설립",
        "9" * 50,
        "[",
        "(",
    ),
    *(
        "{{name}}",
        "hello (at) acme (dot) test",
        "\u2063",
        "ﬁ",
        "İ",
        "\ufeff",
        "-" * 40,
        "12345 Berlin",
        "&#xD800;",
        "&#0;",
    ),
)
TAGS = (
    *(
        "p",
        "div",
        "h1",
        "h2",
        "li",
        "ul",
        "table",
        "tr",
        "td",
        "th",
        "dl",
        "dt",
        "dd",
        "span",
        "b",
        "section",
        "nav",
    ),
    *(
        "footer",
        "details",
        "summary",
        "template",
        "noscript",
        "svg",
        "math",
        "select",
        "option",
        "ruby",
        "rt",
        "pre",
    ),
)
HEADS = (
    '<base href="{a}">',
    '<link rel="canonical" href="{a}">',
    '<link rel="icon" href="{a}">',
    '<meta property="og:url" content="{a}">',
    '<meta property="og:site_name" content="{w}">',
    '<meta http-equiv="refresh" content="{w};url={a}">',
    '<meta name="robots" content="{w}">',
    "<title>{w}</title>",
    "<style>.x{{display:{w}}} @import '{a}';</style>",
    '<script type="application/ld+json">{{"@type":"Organization","name":"{w}","url":"{a}","sameAs":["{a}"],'
    '"foundingDate":"{w}","founder":{{"@type":"Person","name":"{w}","url":"{a}"}},"logo":{{"url":"{a}"}}}}</script>',
    '<script type="application/ld+json">{{"@type":["Product",1],"offers":[{{"price":"{w}","priceCurrency":7}}],'
    '"x":{w}</script>',
)
PIECES = (
    '<a href="{a}">{w}</a>',
    '<a href="https://acme.test/listings/acme"><img src="{a}"></a>',
    '<img src="{a}" alt="{w}">',
    '<video src="{a}"></video>',
    '<iframe src="{a}"></iframe>',
    '<a href="mailto:{w}">{w}</a>',
    "<!-- {w} -->",
    "<![CDATA[{w}]]>",
    '<p itemscope itemtype="{a}"><span itemprop="{w}" content="{w}">{w}</span></p>',
)


def body(random: random.Random) -> bytes:
    """JSON, and what is nearly JSON."""
    text = json.dumps(_value(random, depth=random.randrange(25)))
    raw = text.encode() if random.random() < 0.7 else text.encode("utf-16")
    for _ in range(random.choice([0, 0, 1, 5])):
        at = random.randrange(len(raw) + 1)
        raw = (
            raw[:at]
            + random.choice([b'"', b"\\", b"\\ud800", b"\xff", b"9" * 70, b"[", b"}", b"\x00", b"1e999"])
            + raw[at:]
        )
    return raw


def _value(random: random.Random, *, depth: int) -> object:
    kind = random.randrange(4 if depth else 2)
    if kind == 0:
        return random.choice([None, True, 0, -1, 2**53, -(2**60), 1.5, 1e308, 10**80])
    if kind == 1:
        return random.choice([*WORDS, "\ud800", "x\udfff"])
    inside = [_value(random, depth=depth - 1) for _ in range(random.randrange(4))]
    if kind == 2:
        return inside
    return {random.choice(["a", "b/~", "\ud800", "", *WORDS]): one for one in inside}


def page(random: random.Random) -> str:
    """A page of all that a website may hold, in any order and often unclosed."""

    def filled(pattern: str) -> str:
        return pattern.format(a=random.choice(ADDRESSES), w=words())

    def words() -> str:
        return " ".join(random.choices(WORDS, k=random.choice([0, 1, 3, 12])))

    parts = [filled(random.choice(HEADS)) for _ in range(random.randrange(8))]
    for _ in range(random.choice([1, 10, 60])):
        tag = random.choice(TAGS)
        kind = random.randrange(4)
        if kind == 0:
            parts.append(filled(random.choice(PIECES)))
        elif kind == 1:
            parts.append(f"<{tag}>")
        else:
            parts.append(f"<{tag}>{words()}</{tag if kind == 2 else random.choice(TAGS)}>")
    return "".join(parts)


def _repeated(
    piece: str, *, before: str = "<title>Acme</title><h1>Acme</h1>", after: str = ""
) -> Callable[[int], str]:
    return lambda size: before + piece * (size // len(piece)) + after


def _long_keys(size: int) -> str:
    """A long key above many short ones, within what one block may hold."""
    inside = json.dumps({f"a{number}": "b" for number in range(min(size // 24, 7_000))})
    return f'<script type="application/ld+json">{{"{"k" * min(size // 2, 90_000)}":{inside}}}</script>'


GROWING: dict[str, Callable[[int], str]] = {
    "rows of prices": _repeated("<tr><td>Plan</td><td>$9/month</td></tr>", before="<h1>Pricing</h1><table>"),
    "one row of prices": _repeated("<td>Free</td><td>$9</td>", before="<table><tr>"),
    "paragraphs of prices": _repeated("<p>$9 per month billed yearly</p>"),
    "sentences of prices": _repeated("Acme costs $9. "),
    "sums": _repeated("$1 "),
    "commas": _repeated("1,"),
    "digits": _repeated("1"),
    "thousands": _repeated("000 "),
    "one word": _repeated("a"),
    "addresses": _repeated("a@"),
    "founders": _repeated("founded by Anna and "),
    "people": _repeated("Anna Berg, CEO. "),
    "instructions": _repeated("ignore "),
    "cities": _repeated("Paris, Ghent, "),
    "countries": _repeated("Belgium "),
    "rivals": lambda size: "".join(f'<a href="/x">Foo{n} vs Bar{n}</a>' for n in range(size // 35)),
    "questions": _repeated("<h3>Why?</h3><p>Because of bolts.</p>"),
    "links": _repeated('<a href="/p">Plan</a>'),
    "profiles": _repeated('<a href="https://x.com/acme">X</a>'),
    "lists": _repeated("<li>Counts bolts by weight</li>"),
    "cards": _repeated("<div><h3>Fast</h3><p>Counts bolts by weight</p></div>"),
    "quarrels of quotes": _repeated('"\u201c'),
    "years": _repeated("since 2019 © "),
    "breaks": _repeated("a<br>"),
    "long base": lambda size: (
        f'<base href="https://acme.test/{"x" * (size // 2)}">' + '<a href="y">z</a>' * (size // 34)
    ),
    "keys of JSON-LD": _long_keys,
    "comments": _repeated("<!-- x -->"),
    "styles": _repeated(".a{display:none}", before="<style>", after="</style><p class=a>x</p>"),
    "one selector": _repeated("a ", before="<style>", after="{display:none}</style><p>x</p>"),
    "digits of a style": _repeated(
        "1", before="<style>p{left:", after="px}</style><p style='left:1px'>x</p>"
    ),
    "brackets of a style": _repeated("(", before="<style>p{left:", after="}</style><p>x</p>"),
    "one word before a year": _repeated("A", before="<title>Acme</title><p>", after=" founded in 1999</p>"),
    "points": _repeated("."),
    "commas of a name": _repeated(",", before='<meta property="og:site_name" content="', after='"><p>x</p>'),
    "parts of a title": _repeated("|", before="<title>Acme", after="</title><p>x</p>"),
    "signs of a question": _repeated("+", before="<section class=faq><h2>FAQ</h2><h3>", after="x?</h3>"),
}


def read_body(raw: bytes) -> None:
    """As the API reads a body."""
    with suppress(ApiError):
        parse(raw)


def find_badge(text: str) -> None:
    """As the badge check reads a homepage."""
    badge_in(html=text, base_url=HOME, slug="acme")


def read_markup(text: str) -> None:
    """As the crawler reads a page: bounded first, then its links."""
    with suppress(TooMuchMarkupError):
        count_tags(text, most=MAX_TAGS)
        markup = markup_of(text, max_links=2000)
        base = join_url(HOME, markup.base) or HOME
        with suppress(InvalidUrlError):
            canonical_url(join_url(base, markup.refresh))
        frontier = Frontier(HOME, canonical=markup.canonical)
        frontier.add_links(markup.links, base=base)
        while best := frontier.best():
            frontier.take(best)


def read_lists(text: str) -> None:
    """As the crawler reads robots.txt and a sitemap."""
    lines = text.replace("<", "\nDisallow: <").encode("utf-8", errors="replace").decode()
    file = RobotsFile(
        origin=HOME.rstrip("/"),
        state="rules",
        fetched_at=AT,
        text=f"User-agent: *\n{lines}\nSitemap: {lines[:50]}",
    )
    robots = Robots(file, token="Bot")
    robots.allows(HOME)
    assert robots.delay >= 0
    assert all(robots.sitemaps)
    parse_sitemap(text.encode("utf-8", errors="replace"), max_urls=1000)


def write(text: str) -> None:
    """As a draft is written: twice the same page, bounded as the crawler bounds it."""
    with suppress(TooMuchMarkupError, FetchError):
        count_tags(text, most=MAX_TAGS)
        pages = tuple(
            CrawledPage(url=HOME + path, status=200, kind=kind, html=text, sha256="0" * 64, fetched_at=AT)
            for path, kind in (("", "home"), ("pricing", "pricing"))
        )
        site = read_site(CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=pages))
        ExtractiveWriter(categories=HINTS).write(site)
