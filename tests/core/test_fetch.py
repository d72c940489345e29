"""Fetcher reads what a server says within its bounds, and names what went wrong."""

import gzip
import resource
import socket
import time
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from core.fetch import FetchError, Fetched, Fetcher
from tests.servers import website as w
from tests.servers.certificates import self_signed
from tests.servers.dns import DnsServer

HOME = "https://acme.test/"


def fetch(site: w.Website, url: str = HOME, **wishes: object) -> Fetched:
    with Fetcher(user_agent="bot/1", resolve=site.at("acme.test", "beta.test"), dns_servers=[]) as fetcher:
        return fetcher.get(url, **{"timeout": 3, **wishes})


def code_of(site: w.Website, url: str = HOME, **wishes: object) -> str:
    with pytest.raises(FetchError) as refusal:
        fetch(site, url, **wishes)
    assert refusal.value.detail.endswith(".")
    return refusal.value.code


@pytest.fixture
def site() -> Iterator[w.Website]:
    with w.Website() as running:
        yield running


def test_an_answer_in_full(site):
    site.pages["/a"] = w.html(
        "<h1>Ä</h1>", content_type='Text/HTML; Charset="UTF-8"', headers={"X-Robots-Tag": "noai"}
    )
    before = datetime.now(UTC)

    answer = fetch(site, "http://acme.test/a?q=1#part")

    assert (answer.url, answer.status, answer.hops) == ("http://acme.test/a?q=1", 200, ())
    assert (answer.content_type, answer.charset, answer.body) == ("text/html", "utf-8", "<h1>Ä</h1>".encode())
    assert answer.headers["x-robots-tag"] == "noai"
    assert before <= answer.fetched_at <= datetime.now(UTC)
    assert 0 < answer.seconds < 3


def test_what_the_server_is_told(site):
    site.pages["/"] = w.html("x")

    fetch(site, accept=("text/html", "text/plain"))

    [request] = site.requests
    assert request.headers == {
        "host": "acme.test",
        "user-agent": "bot/1",
        "accept": "text/html, text/plain",
        "accept-language": "en, *;q=0.5",
        "accept-encoding": "gzip, deflate",
    }


def test_settings_are_read_when_nothing_is_given(site, settings):
    settings.CRAWL_RESOLVE = site.at("acme.test")
    settings.DNS_SERVERS, settings.CRAWLER_USER_AGENT = [], "SettingsBot/2"
    site.pages["/"] = w.html("x")

    with Fetcher() as fetcher:
        fetcher.get(HOME, timeout=3)

    assert site.requests[0].headers["user-agent"] == "SettingsBot/2"


def test_connections_are_kept_and_cookies_are_not(site):
    site.pages["/"] = w.html("x", headers={"Set-Cookie": "id=1; Path=/"})
    dial = w.Detour(site.address, site.address)

    with Fetcher(user_agent="t", resolve=site.at("acme.test"), dns_servers=[], dial=dial) as fetcher:
        for _ in range(3):
            fetcher.get(HOME, timeout=3)

    assert dial.dialled == [site.address]
    assert all("cookie" not in request.headers for request in site.requests)


def test_a_kept_connection_that_died_is_replaced(site):
    def answer_once(handler: w.Handler) -> None:
        handler.answer(200, b"x", {"Content-Type": "text/html"})
        handler.close_connection = True

    site.pages["/"] = answer_once
    with Fetcher(user_agent="t", resolve=site.at("acme.test"), dns_servers=[]) as fetcher:
        assert [fetcher.get(HOME, timeout=3).body for _ in range(3)] == [b"x", b"x", b"x"]


@pytest.mark.parametrize("status", [304, 404, 429, 500])
def test_any_status_comes_back_and_its_type_is_not_judged(site, status):
    site.pages["/"] = w.html("", status=status, content_type="application/pdf")

    assert fetch(site, accept=("text/html",)).status == status


@pytest.mark.parametrize(
    ("content_type", "accept", "is_read"),
    [
        ("text/html", ("text/html",), True),
        ("TEXT/HTML;charset=x", ("text/html",), True),
        ("", ("text/html",), True),
        ("image/svg+xml", ("image/*",), True),
        ("application/pdf", ("*/*",), True),
        ("application/pdf", ("text/html", "text/plain"), False),
        ("text/htmlx", ("text/html",), False),
    ],
)
def test_content_types(site, content_type, accept, is_read):
    site.pages["/"] = w.html("x", content_type=content_type)

    if is_read:
        assert fetch(site, accept=accept).body == b"x"
    else:
        assert code_of(site, accept=accept) == "content_type_refused"


def test_redirects_are_followed_and_told(site):
    site.pages |= {
        "/": w.redirect("a", status=301),
        "/a": w.redirect("//beta.test/b", status=307),
        "/b": w.html("end"),
    }
    seen: list[str] = []

    answer = fetch(site, may_follow=seen.append)

    assert (answer.url, answer.body) == ("https://beta.test/b", b"end")
    assert answer.hops == (HOME, "https://acme.test/a")
    assert seen == ["https://acme.test/a", "https://beta.test/b"]
    assert [request.host for request in site.requests] == ["acme.test", "acme.test", "beta.test"]


def test_the_caller_may_stop_a_redirect(site):
    class NotThereError(Exception):
        pass

    def refuse(url: str) -> None:
        raise NotThereError(url)

    site.pages |= {"/": w.redirect("/closed"), "/closed": w.html("x")}

    with pytest.raises(NotThereError, match="https://acme.test/closed"):
        fetch(site, may_follow=refuse)
    assert site.paths == ["/"]


def test_five_redirects_and_no_more(site):
    for step in range(7):
        site.pages[f"/{step}"] = w.redirect(f"/{step + 1}")
    site.pages |= {"/7": w.html("end")}

    assert fetch(site, "https://acme.test/2").body == b"end"
    assert code_of(site, "https://acme.test/1") == "too_many_redirects"
    assert code_of(site, "https://acme.test/6", max_redirects=0) == "too_many_redirects"


def test_a_redirect_loop_ends_at_once(site):
    site.pages |= {"/": w.redirect("/b"), "/b": w.redirect("/")}

    assert (code_of(site), site.paths) == ("too_many_redirects", ["/", "/b"])


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://acme.test/", "redirect_refused"),
        ("ftp://acme.test/", "redirect_refused"),
        ("file:///etc/passwd", "redirect_refused"),
        ("javascript:alert(1)", "redirect_refused"),
        ("https://user:pass@acme.test/", "redirect_refused"),
        ("https://[oops/", "redirect_refused"),
        ("https://other.test/", "address_not_public"),
        ("https://example.com:8080/", "address_not_public"),
    ],
)
def test_redirects_that_are_refused(site, location, code):
    site.pages["/"] = w.redirect(location)

    assert (code_of(site), site.paths) == (code, ["/"])


def test_size_caps_count_decoded_bytes(site):
    site.pages |= {"/": w.html("x" * 1000), "/packed": w.packed(bytes(range(250)) * 4)}

    assert len(fetch(site, max_bytes=1000).body) == 1000
    assert code_of(site, max_bytes=999) == "too_large"
    assert len(fetch(site, "https://acme.test/packed", max_bytes=1000).body) == 1000
    assert code_of(site, "https://acme.test/packed", max_bytes=999) == "too_large"


def test_what_arrived_before_the_cap_is_kept(site):
    site.pages["/"] = w.endless(b"ab")

    with pytest.raises(FetchError) as refusal:
        fetch(site, max_bytes=1001)

    assert refusal.value.partial.body == b"ab" * 500 + b"a"
    assert refusal.value.partial.status == 200


def test_an_endless_body_stops_at_the_cap(site):
    site.pages["/"] = w.endless()

    assert code_of(site, max_bytes=500_000) == "too_large"


@pytest.mark.parametrize("encodings", ["gzip", "deflate"])
def test_packed_bodies_are_unpacked(site, encodings):
    packed = {"gzip": gzip.compress, "deflate": zlib.compress}[encodings](b"<h1>Hello</h1>")
    site.pages["/"] = w.html(packed, headers={"Content-Encoding": encodings})

    assert fetch(site).body == b"<h1>Hello</h1>"


def test_a_bomb_is_stopped_by_its_ratio_and_costs_no_memory(site):
    site.pages["/"] = w.gzip_bomb(megabytes=200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(FetchError) as refusal:
        fetch(site, max_bytes=50_000_000)

    assert refusal.value.code == "too_large"
    assert len(refusal.value.partial.body) < 10_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_packed_nothing_without_end_stops_too(site):
    """Empty gzip blocks decode to nothing, so only the count of wire bytes can end them."""
    packer = zlib.compressobj(wbits=31)
    head = packer.compress(b"x") + packer.flush(zlib.Z_FULL_FLUSH)

    def reply(handler: w.Handler) -> None:
        handler.begin({"Content-Encoding": "gzip"})
        handler.wfile.write(head)
        handler.trickle(b"\x00\x00\x00\xff\xff" * 10_000, every=0)

    site.pages["/"] = reply

    assert code_of(site, max_bytes=100_000) == "too_large"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "x-unknown"])
def test_packings_that_nobody_asked_for(site, encoding):
    site.pages["/"] = w.html(b"\x1b\x03\x00", headers={"Content-Encoding": encoding})

    assert code_of(site) == "bad_response"


@pytest.mark.parametrize(
    "reply",
    [
        w.hang(),
        w.drip(every=0.02),
        w.drip_headers(every=0.02),
        w.slow(5, w.html("late")),
        w.endless(b"x", headers={"Content-Length": "99999999"}),
        lambda handler: handler.trickle(b"HTTP/1.1 100 Continue\r\n\r\n", every=0.02),
    ],
    ids=["hang", "drip", "drip_headers", "slow", "length", "continue"],
)
def test_the_deadline_is_for_everything_together(site, reply):
    site.pages["/"] = reply
    started = time.monotonic()

    assert code_of(site, timeout=0.3) == "timeout"
    assert time.monotonic() - started < 0.8


def test_slow_redirects_share_one_deadline(site):
    for step in range(6):
        site.pages[f"/{step}"] = w.slow(0.15, w.redirect(f"/{step + 1}"))
    started = time.monotonic()

    assert code_of(site, "https://acme.test/0", timeout=0.4) == "timeout"
    assert time.monotonic() - started < 0.9


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello\r\n\r\n",
        b"SSH-2.0-OpenSSH_9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 999999 OK\r\n\r\n",
    ],
    ids=["nothing", "words", "ssh", "short", "negative", "chunk", "gzip", "header", "status"],
)
def test_answers_that_break_the_rules(site, data):
    site.pages["/"] = w.raw(data)

    assert code_of(site) == "bad_response"


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = closed.getsockname()
    with Fetcher(user_agent="t", resolve={"acme.test": address}, dns_servers=[]) as fetcher:
        with pytest.raises(FetchError) as refusal:
            fetcher.get(HOME, timeout=2)

    assert refusal.value.code == "connect_failed"


def test_the_second_address_is_tried(dns_server: DnsServer, site):
    class FirstIsDown(w.Detour):
        def connect_tcp(self, host, port, timeout=None, *rest):
            closed = ("127.0.0.1", 1) if host == "93.184.216.34" else self.elsewhere
            self.dialled.append((host, port))
            return self._real.connect_tcp(*closed, timeout)

    dns_server.answer("acme.com", "A", ("93.184.216.34", "1.1.1.1"))
    site.pages["/"] = w.html("x")
    dial = FirstIsDown(site.address)
    with Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=dial) as fetcher:
        assert fetcher.get("http://acme.com/", timeout=2).body == b"x"

    assert dial.dialled == [("93.184.216.34", 80), ("1.1.1.1", 80)]


@pytest.mark.parametrize("trouble", ["unknown", "empty", "error", "loop", "silent"])
def test_names_without_an_address(dns_server: DnsServer, site, trouble):
    dns_server.answer("empty.com", "TXT", "x")
    dns_server.answer("error.com", "A", "1.1.1.1")
    dns_server.fail("error.com")
    dns_server.answer("loop.com", "CNAME", "pool.com.")
    dns_server.answer("pool.com", "CNAME", "loop.com.")
    dns_server.silence("silent.com")
    started = time.monotonic()
    with Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address]) as fetcher:
        with pytest.raises(FetchError) as refusal:
            fetcher.get(f"https://{trouble}.com/", timeout=0.5)

    assert refusal.value.code == "dns_failed"
    assert time.monotonic() - started < 1.5


def test_certificates_are_checked_against_the_name(dns_server: DnsServer):
    dns_server.answer("acme.com", "A", "93.184.216.34")
    dns_server.answer("other.com", "A", "93.184.216.34")
    keys = self_signed("acme.com")
    with w.Website({"/": w.html("safe")}, tls=keys.server) as site:
        servers, dial = [dns_server.address], w.Detour(site.address)
        with Fetcher(user_agent="t", resolve={}, dns_servers=servers, dial=dial, tls=keys.client) as fetcher:
            assert fetcher.get("https://acme.com/", timeout=2).body == b"safe"
            with pytest.raises(FetchError) as wrong_name:
                fetcher.get("https://other.com/", timeout=2)
        with Fetcher(user_agent="t", resolve={}, dns_servers=servers, dial=dial) as fetcher:
            with pytest.raises(FetchError) as unknown_issuer:
                fetcher.get("https://acme.com/", timeout=2)

    assert (wrong_name.value.code, unknown_issuer.value.code) == ("tls_failed", "tls_failed")
    assert dial.dialled[0] == ("93.184.216.34", 443)


def test_plain_text_where_tls_should_be(dns_server: DnsServer, site):
    dns_server.answer("acme.com", "A", "93.184.216.34")
    with Fetcher(
        user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=w.Detour(site.address)
    ) as fetcher:
        with pytest.raises(FetchError) as refusal:
            fetcher.get("https://acme.com/", timeout=2)

    assert refusal.value.code == "tls_failed"
