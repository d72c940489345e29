"""Fetcher reads what a server says within its bounds, and names what went wrong."""

import gzip
import resource
import socket
import zlib
from datetime import UTC, datetime
from typing import Any

import pytest

from core.fetch import Fetched, Fetcher, FetchError
from tests.servers import website as w
from tests.servers.certificates import self_signed
from tests.servers.dns import DnsServer
from tests.waiting import LONG, undisturbed

HOME = "https://acme.test/"


def fetch(website: w.Website, url: str = HOME, **wishes: Any) -> Fetched:
    with Fetcher(user_agent="bot/1", resolve=website.at("acme.test", "beta.test"), dns_servers=[]) as fetcher:
        return fetcher.get(url, **{"timeout": LONG, **wishes})


def code_of(website: w.Website, url: str = HOME, **wishes: Any) -> str:
    with pytest.raises(FetchError) as refusal:
        fetch(website, url, **wishes)
    assert refusal.value.detail.endswith(".")
    return refusal.value.code


def test_an_answer_in_full(website: w.Website) -> None:
    website.pages["/a"] = w.html(
        "<h1>Ä</h1>", content_type='Text/HTML; Charset="UTF-8"', headers={"X-Robots-Tag": "noai"}
    )
    before = datetime.now(UTC)

    answer = fetch(website, "http://acme.test/a?q=1#part")

    assert (answer.url, answer.status, answer.hops) == ("http://acme.test/a?q=1", 200, ())
    assert (answer.content_type, answer.charset, answer.body) == ("text/html", "utf-8", "<h1>Ä</h1>".encode())
    assert answer.headers["x-robots-tag"] == "noai"
    assert before <= answer.fetched_at <= datetime.now(UTC)
    assert 0 < answer.seconds < LONG


def test_what_the_server_is_told(website: w.Website) -> None:
    website.pages["/"] = w.html("x")

    fetch(website, accept=("text/html", "text/plain"))

    [request] = website.requests
    assert request.headers == {
        "host": "acme.test",
        "user-agent": "bot/1",
        "accept": "text/html, text/plain",
        "accept-language": "en, *;q=0.5",
        "accept-encoding": "gzip, deflate",
    }


def test_settings_are_read_when_nothing_is_given(website: w.Website, settings: Any) -> None:
    settings.CRAWL_RESOLVE = website.at("acme.test")
    settings.DNS_SERVERS, settings.CRAWLER_USER_AGENT = [], "SettingsBot/2"
    website.pages["/"] = w.html("x")

    with Fetcher() as fetcher:
        fetcher.get(HOME, timeout=LONG)

    assert website.requests[0].headers["user-agent"] == "SettingsBot/2"


def test_connections_are_kept_and_cookies_are_not(website: w.Website) -> None:
    website.pages["/"] = w.html("x", headers={"Set-Cookie": "id=1; Path=/"})
    dial = w.Detour(website.address, website.address)

    with Fetcher(user_agent="t", resolve=website.at("acme.test"), dns_servers=[], dial=dial) as fetcher:
        for _ in range(3):
            fetcher.get(HOME, timeout=LONG)

    assert dial.dialled == [website.address]
    assert all("cookie" not in request.headers for request in website.requests)


def test_a_kept_connection_that_died_is_replaced(website: w.Website) -> None:
    def answer_once(handler: w.Handler) -> None:
        handler.answer(200, b"x", {"Content-Type": "text/html"})
        handler.close_connection = True

    website.pages["/"] = answer_once
    with Fetcher(user_agent="t", resolve=website.at("acme.test"), dns_servers=[]) as fetcher:
        assert [fetcher.get(HOME, timeout=LONG).body for _ in range(3)] == [b"x", b"x", b"x"]


@pytest.mark.parametrize("status", [304, 404, 429, 500])
def test_any_status_comes_back_and_its_type_is_not_judged(website: w.Website, status: int) -> None:
    website.pages["/"] = w.html("", status=status, content_type="application/pdf")

    assert fetch(website, accept=("text/html",)).status == status


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
def test_content_types(
    website: w.Website, content_type: str, accept: tuple[str, ...], *, is_read: bool
) -> None:
    website.pages["/"] = w.html("x", content_type=content_type)

    if is_read:
        assert fetch(website, accept=accept).body == b"x"
    else:
        assert code_of(website, accept=accept) == "content_type_refused"


def test_redirects_are_followed_and_told(website: w.Website) -> None:
    website.pages |= {
        "/": w.redirect("a", status=301),
        "/a": w.redirect("//beta.test/b", status=307),
        "/b": w.html("end"),
    }
    seen: list[str] = []

    answer = fetch(website, may_follow=seen.append)

    assert (answer.url, answer.body) == ("https://beta.test/b", b"end")
    assert answer.hops == (HOME, "https://acme.test/a")
    assert seen == ["https://acme.test/a", "https://beta.test/b"]
    assert [request.host for request in website.requests] == ["acme.test", "acme.test", "beta.test"]


def test_the_caller_may_stop_a_redirect(website: w.Website) -> None:
    class NotThereError(Exception):
        pass

    def refuse(url: str) -> None:
        raise NotThereError(url)

    website.pages |= {"/": w.redirect("/closed"), "/closed": w.html("x")}

    with pytest.raises(NotThereError, match=r"https://acme\.test/closed"):
        fetch(website, may_follow=refuse)
    assert website.paths == ["/"]


def test_five_redirects_and_no_more(website: w.Website) -> None:
    for step in range(7):
        website.pages[f"/{step}"] = w.redirect(f"/{step + 1}")
    website.pages |= {"/7": w.html("end")}

    assert fetch(website, "https://acme.test/2").body == b"end"
    assert code_of(website, "https://acme.test/1") == "too_many_redirects"
    assert code_of(website, "https://acme.test/6", max_redirects=0) == "too_many_redirects"


def test_a_redirect_loop_ends_at_once(website: w.Website) -> None:
    website.pages |= {"/": w.redirect("/b"), "/b": w.redirect("/")}

    assert (code_of(website), website.paths) == ("too_many_redirects", ["/", "/b"])


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
def test_redirects_that_are_refused(website: w.Website, location: str, code: str) -> None:
    website.pages["/"] = w.redirect(location)

    assert (code_of(website), website.paths) == (code, ["/"])


def test_size_caps_count_decoded_bytes(website: w.Website) -> None:
    website.pages |= {"/": w.html("x" * 1000), "/packed": w.packed(bytes(range(250)) * 4)}

    assert len(fetch(website, max_bytes=1000).body) == 1000
    assert code_of(website, max_bytes=999) == "too_large"
    assert len(fetch(website, "https://acme.test/packed", max_bytes=1000).body) == 1000
    assert code_of(website, "https://acme.test/packed", max_bytes=999) == "too_large"


def test_what_arrived_before_the_cap_is_kept(website: w.Website) -> None:
    website.pages["/"] = w.endless(b"ab")

    with pytest.raises(FetchError) as refusal:
        fetch(website, max_bytes=1001)

    assert refusal.value.partial.body == b"ab" * 500 + b"a"
    assert refusal.value.partial.status == 200


def test_an_endless_body_stops_at_the_cap(website: w.Website) -> None:
    website.pages["/"] = w.endless()

    assert code_of(website, max_bytes=500_000) == "too_large"


@pytest.mark.parametrize("encodings", ["gzip", "deflate"])
def test_packed_bodies_are_unpacked(website: w.Website, encodings: str) -> None:
    packed = {"gzip": gzip.compress, "deflate": zlib.compress}[encodings](b"<h1>Hello</h1>")
    website.pages["/"] = w.html(packed, headers={"Content-Encoding": encodings})

    assert fetch(website).body == b"<h1>Hello</h1>"


def test_a_bomb_is_stopped_by_its_ratio_and_costs_no_memory(website: w.Website) -> None:
    website.pages["/"] = w.gzip_bomb(megabytes=200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with pytest.raises(FetchError) as refusal:
        fetch(website, max_bytes=50_000_000)

    assert refusal.value.code == "too_large"
    assert len(refusal.value.partial.body) < 10_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_packed_nothing_without_end_stops_too(website: w.Website) -> None:
    """Empty gzip blocks decode to nothing, so only the count of wire bytes can end them."""
    packer = zlib.compressobj(wbits=31)
    head = packer.compress(b"x") + packer.flush(zlib.Z_FULL_FLUSH)

    def reply(handler: w.Handler) -> None:
        handler.begin({"Content-Encoding": "gzip"})
        handler.wfile.write(head)
        handler.trickle(b"\x00\x00\x00\xff\xff" * 10_000, every=0)

    website.pages["/"] = reply

    assert code_of(website, max_bytes=100_000) == "too_large"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "x-unknown"])
def test_packings_that_nobody_asked_for(website: w.Website, encoding: str) -> None:
    website.pages["/"] = w.html(b"\x1b\x03\x00", headers={"Content-Encoding": encoding})

    assert code_of(website) == "bad_response"


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
def test_the_deadline_is_for_everything_together(website: w.Website, reply: w.Reply) -> None:
    website.pages["/"] = reply

    with undisturbed() as clock:
        assert code_of(website, timeout=0.3) == "timeout"
    assert clock.seconds < 0.8


def test_slow_redirects_share_one_deadline(website: w.Website) -> None:
    for step in range(6):
        website.pages[f"/{step}"] = w.slow(0.15, w.redirect(f"/{step + 1}"))

    with undisturbed() as clock:
        assert code_of(website, "https://acme.test/0", timeout=0.4) == "timeout"
    assert clock.seconds < 0.9


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
def test_answers_that_break_the_rules(website: w.Website, data: bytes) -> None:
    website.pages["/"] = w.raw(data)

    assert code_of(website) == "bad_response"


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = closed.getsockname()
    with (
        Fetcher(user_agent="t", resolve={"acme.test": address}, dns_servers=[]) as fetcher,
        pytest.raises(FetchError) as refusal,
    ):
        fetcher.get(HOME, timeout=LONG)

    assert refusal.value.code == "connect_failed"


def test_the_second_address_is_tried(dns_server: DnsServer, website: w.Website) -> None:
    class FirstIsDown(w.Detour):
        def connect_tcp(self, host: str, port: int, timeout: float | None = None, **wishes: Any) -> Any:
            self.elsewhere = website.address if self.dialled else ("127.0.0.1", 1)
            return super().connect_tcp(host, port, timeout, **wishes)

    dns_server.answer("acme.com", "A", ("93.184.216.34", "1.1.1.1"))
    website.pages["/"] = w.html("x")
    dial = FirstIsDown(website.address)
    with Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=dial) as fetcher:
        assert fetcher.get("http://acme.com/", timeout=LONG).body == b"x"

    # A DNS answer has no order, so either address may have come first.
    assert sorted(dial.dialled) == [("1.1.1.1", 80), ("93.184.216.34", 80)]


@pytest.mark.parametrize("trouble", ["unknown", "empty", "error", "loop", "silent"])
def test_names_without_an_address(dns_server: DnsServer, website: w.Website, trouble: str) -> None:
    dns_server.answer("empty.com", "TXT", "x")
    dns_server.answer("error.com", "A", "1.1.1.1")
    dns_server.fail("error.com")
    dns_server.answer("loop.com", "CNAME", "pool.com.")
    dns_server.answer("pool.com", "CNAME", "loop.com.")
    dns_server.silence("silent.com")
    with (
        undisturbed() as clock,
        Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address]) as fetcher,
        pytest.raises(FetchError) as refusal,
    ):
        fetcher.get(f"https://{trouble}.com/", timeout=0.5 if trouble == "silent" else LONG)

    assert refusal.value.code == "dns_failed"
    assert clock.seconds < 1.5


def test_certificates_are_checked_against_the_name(dns_server: DnsServer) -> None:
    dns_server.answer("acme.com", "A", "93.184.216.34")
    dns_server.answer("other.com", "A", "93.184.216.34")
    keys = self_signed("acme.com")
    with w.Website({"/": w.html("safe")}, tls=keys.server) as website:
        servers, dial = [dns_server.address], w.Detour(website.address)
        with Fetcher(user_agent="t", resolve={}, dns_servers=servers, dial=dial, tls=keys.client) as fetcher:
            assert fetcher.get("https://acme.com/", timeout=LONG).body == b"safe"
            with pytest.raises(FetchError) as wrong_name:
                fetcher.get("https://other.com/", timeout=LONG)
        with (
            Fetcher(user_agent="t", resolve={}, dns_servers=servers, dial=dial) as fetcher,
            pytest.raises(FetchError) as unknown_issuer,
        ):
            fetcher.get("https://acme.com/", timeout=LONG)

    assert (wrong_name.value.code, unknown_issuer.value.code) == ("tls_failed", "tls_failed")
    assert dial.dialled[0] == ("93.184.216.34", 443)


def test_plain_text_where_tls_should_be(dns_server: DnsServer, website: w.Website) -> None:
    dns_server.answer("acme.com", "A", "93.184.216.34")
    with (
        Fetcher(
            user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=w.Detour(website.address)
        ) as fetcher,
        pytest.raises(FetchError) as refusal,
    ):
        fetcher.get("https://acme.com/", timeout=LONG)

    assert refusal.value.code == "tls_failed"
