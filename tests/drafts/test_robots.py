"""robots.txt as RFC 9309 has it, parsed and fetched."""

from datetime import UTC, datetime, timedelta

import pytest

from core.fetch import Fetcher
from drafts.crawl.robots import MAX_BYTES, Robots, RobotsFile, read_robots
from tests.servers import website as w
from tests.waiting import LONG

TOKEN = "DraftBot"
ORIGIN = "https://acme.test"
OWN_GROUPS = (
    "User-agent: draftbot\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: DraftBot\nDisallow: /b"
)
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def rules(text: str, *, token: str = TOKEN) -> Robots:
    return Robots(RobotsFile(origin=ORIGIN, state="rules", fetched_at=AT, text=text), token=token)


def allows(text: str, path: str) -> bool:
    return rules(text).allows(ORIGIN + path)


@pytest.mark.parametrize(
    ("name", "text", "path", "is_open"),
    [
        ("longest wins, allow last", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("longest wins, allow first", "User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b/c", True),
        ("longest wins, disallow", "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", False),
        ("tie goes to allow", "User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("star inside a path", "User-agent: *\nDisallow: /*/private", "/x/private/y", False),
        ("dollar ends", "User-agent: *\nDisallow: /*.php$", "/a.php", False),
        ("dollar ends, more follows", "User-agent: *\nDisallow: /*.php$", "/a.php5", True),
        ("query patterns", "User-agent: *\nDisallow: /*?print=", "/?print=1", False),
        ("own groups are merged", OWN_GROUPS, "/b", False),
        ("own groups are merged, first one", OWN_GROUPS, "/a", False),
        (
            "star groups are merged",
            "User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /x\nUser-agent: *\nDisallow: /b",
            "/a",
            False,
        ),
        (
            "own group hides the star",
            "User-agent: *\nDisallow: /\nUser-agent: DraftBot\nDisallow: /a",
            "/b",
            True,
        ),
        ("no substring of the token", "User-agent: bot\nDisallow: /", "/", True),
        ("no beginning of the token", "User-agent: Draft\nDisallow: /", "/", True),
        ("no longer token", "User-agent: DraftBotNews\nDisallow: /", "/", True),
        ("token in any case", "USER-AGENT: dRAFTbOT\nDISALLOW: /", "/", False),
        ("token with a version", "User-agent: DraftBot/2.1\nDisallow: /", "/", False),
        ("escaped rule, raw path", "User-agent: *\nDisallow: /%C3%BC", "/%C3%BC/x", False),
        ("raw rule, escaped path", "User-agent: *\nDisallow: /ü", "/%C3%BC/x", False),
        ("lower-case escapes", "User-agent: *\nDisallow: /%c3%bc", "/%C3%BC", False),
        ("old line ends", "User-agent: *\rDisallow: /a\rAllow: /b", "/a", False),
        ("empty disallow", "User-agent: *\nDisallow:", "/a", True),
        ("robots.txt itself", "User-agent: *\nDisallow: /", "/robots.txt", True),
        ("two agents, one group", "User-agent: x\nUser-agent: DraftBot\nDisallow: /a", "/a", False),
        ("blank lines end nothing", "User-agent: DraftBot\n\n\nDisallow: /a", "/a", False),
        (
            "unknown line between agents",
            "User-agent: DraftBot\nNoindex: /x\nUser-agent: other\nDisallow: /a",
            "/a",
            False,
        ),
        (
            "sitemap between agents",
            "User-agent: DraftBot\nSitemap: /s.xml\nUser-agent: other\nDisallow: /a",
            "/a",
            False,
        ),
        (
            "comment between agents",
            "User-agent: DraftBot # us\n# them\nUser-agent: other\nDisallow: /a # no",
            "/a",
            False,
        ),
        ("byte-order mark", "\ufeffUser-agent: *\nDisallow: /a", "/a", False),
        ("rules before any agent", "Disallow: /\nUser-agent: *\nDisallow: /a", "/b", True),
        ("empty file", "", "/a", True),
        ("words", "We love robots. Come in.", "/a", True),
    ],
)
def test_rules(name: str, text: str, path: str, *, is_open: bool) -> None:
    assert allows(text, path) is is_open, name


def test_delay_and_sitemaps() -> None:
    robots = rules(
        "Sitemap: /one.xml\nUser-agent: x\nCrawl-delay: 99\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /a\n"
        "Sitemap: https://acme.test/two.xml"
    )

    assert robots.delay == 2.5
    assert robots.sitemaps == ("https://acme.test/one.xml", "https://acme.test/two.xml")


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("", 0.0),
        ("Crawl-delay: 1", 1.0),
        ("Crawl-delay: soon", 0.0),
        ("Crawl-delay: -3", 0.0),
        ("Crawl-delay: inf", 0.0),
        ("Request-rate: 1/5", 5.0),
        (f"Request-rate: 2/{'9' * 400}", 43_200.0),
        ("Request-rate: 1/5s\nCrawl-delay: 7", 7.0),
    ],
)
def test_delays(lines: str, delay: float) -> None:
    assert rules(f"User-agent: *\n{lines}\nDisallow: /x").delay == delay


def ask(reply: w.Reply, *, seconds: float = LONG) -> tuple[RobotsFile, list[str]]:
    with (
        w.Website({"/robots.txt": reply}) as site,
        Fetcher(user_agent="t", resolve=site.at("acme.test", "beta.test"), dns_servers=[]) as fetcher,
    ):
        return read_robots(ORIGIN, fetcher=fetcher, at=AT, seconds=seconds), site.paths


@pytest.mark.parametrize(
    ("reply", "state", "problem"),
    [
        (w.plain("User-agent: *\nDisallow: /a"), "rules", ""),
        (w.html("User-agent: *\nDisallow: /a", content_type="application/octet-stream"), "rules", ""),
        (w.html("User-agent: *\nDisallow: /a", content_type=""), "rules", ""),
        (w.plain(""), "rules", ""),
        (w.html("<!doctype html><h1>Welcome</h1>"), "open", "200"),
        (w.html("\ufeff\n <html>User-agent: *\nDisallow: /</html>"), "open", "200"),
        (w.html("no", status=400), "open", "400"),
        (w.html("no", status=401), "open", "401"),
        (w.html("no", status=403), "open", "403"),
        (w.html("no", status=404), "open", "404"),
        (w.html("no", status=410), "open", "410"),
        (w.html("later", status=429), "closed", "429"),
        (w.html("oops", status=500), "closed", "500"),
        (w.html("oops", status=503), "closed", "503"),
        (w.redirect("/robots.txt?again"), "open", "too_many_redirects"),
        (w.redirect("http://127.0.0.1/robots.txt"), "closed", "address_not_public"),
        (w.redirect("http://acme.test/robots.txt"), "closed", "redirect_refused"),
        (w.raw(b"garbage"), "closed", "bad_response"),
    ],
)
def test_what_an_answer_means(reply: w.Reply, state: str, problem: str) -> None:
    file, _ = ask(reply)

    assert (file.origin, file.state, file.problem) == (ORIGIN, state, problem)
    assert Robots(file, token=TOKEN).allows(f"{ORIGIN}/b") is (state != "closed")
    closes_a = state == "closed" or file.text != ""
    assert Robots(file, token=TOKEN).allows(f"{ORIGIN}/a") is not closes_a


@pytest.mark.parametrize("reply", [w.hang(), w.drip(every=0.02)], ids=["hang", "drip"])
def test_a_file_that_does_not_come_closes_the_site(reply: w.Reply) -> None:
    file, _ = ask(reply, seconds=0.2)

    assert (file.state, file.problem, file.fetched_at) == ("closed", "timeout", AT)


def test_nobody_there_closes_the_site() -> None:
    with Fetcher(user_agent="t", resolve={"acme.test": ("127.0.0.1", 1)}, dns_servers=[]) as fetcher:
        file = read_robots(ORIGIN, fetcher=fetcher, at=AT, seconds=LONG)

    assert (file.state, file.problem) == ("closed", "connect_failed")


def test_redirects_count_for_the_first_host() -> None:
    rules_there = w.plain("User-agent: *\nDisallow: /a")
    reply = w.in_turn(w.redirect("https://beta.test/robots.txt"), rules_there)
    with (
        w.Website({"/robots.txt": reply}) as site,
        Fetcher(user_agent="t", resolve=site.at("acme.test", "beta.test"), dns_servers=[]) as fetcher,
    ):
        file = read_robots(ORIGIN, fetcher=fetcher, at=AT, seconds=LONG)

    assert [request.host for request in site.requests] == ["acme.test", "beta.test"]
    assert (file.origin, Robots(file, token=TOKEN).allows(f"{ORIGIN}/a")) == (ORIGIN, False)


def test_five_redirects_are_followed() -> None:
    hops = [w.redirect(f"/robots.txt?{step}") for step in range(5)]
    file, paths = ask(w.in_turn(*hops, w.plain("User-agent: *\nDisallow: /a")))

    assert (file.state, len(paths)) == ("rules", 6)


def test_a_huge_file_is_cut_and_obeyed() -> None:
    start = "User-agent: *\nDisallow: /a\n"
    filler = "# filler\n" * (MAX_BYTES // 9)
    file, _ = ask(w.plain(start + filler + "Disallow: /late\n"))

    assert (file.state, len(file.text)) == ("rules", MAX_BYTES)
    robots = Robots(file, token=TOKEN)
    assert (robots.allows(f"{ORIGIN}/a"), robots.allows(f"{ORIGIN}/late")) == (False, True)


def test_an_endless_file_is_cut_and_obeyed() -> None:
    file, _ = ask(w.endless(b"User-agent: *\nDisallow: /a\n" * 1000, headers={"Content-Type": "text/plain"}))

    assert (file.state, Robots(file, token=TOKEN).allows(f"{ORIGIN}/a")) == ("rules", False)


def test_rules_made_to_be_slow_are_not() -> None:
    robots = rules("User-agent: *\nDisallow: /" + "*a" * 30 + "$\n" + "Disallow: /x*y*z$\n" * 5000)

    assert robots.allows(f"{ORIGIN}/{'a' * 2000}b") is True


def test_a_file_may_be_kept_for_a_day() -> None:
    file = RobotsFile(origin=ORIGIN, state="rules", fetched_at=AT)

    assert file.is_fresh(at=AT + timedelta(hours=23, minutes=59)) is True
    assert file.is_fresh(at=AT + timedelta(hours=24)) is False


def test_a_file_that_could_not_be_had_is_never_kept() -> None:
    assert RobotsFile(origin=ORIGIN, state="closed", fetched_at=AT).is_fresh(at=AT) is False
