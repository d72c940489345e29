"""No address, redirect or DNS answer leads inside: every attempt to connect would be seen by a canary."""

import pytest

from core.fetch import Fetcher, FetchError
from tests.servers.dns import DnsServer
from tests.servers.website import Canary, Detour, Website, redirect
from tests.waiting import LONG

PRIVATE = [
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.0.0.1./",
    "http://127.255.255.254/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0177.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://00000000.0/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://127．0．0．1/",
    "http://127%2e0%2e0%2e1/",
    "http://%31%32%37.0.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001::7f00:1]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fec0::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://10.0.0.1/",
    "http://10.1/",
    "http://100.64.0.1/",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://192.168.257/",
    "http://192.0.0.192/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://localhost/",
    "http://localhost./",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "http://admin.localhost/",
    "http://metadata.google.internal/",
    "http://intranet/",
    "https://93.184.216.34:6379/",
    "http://example.com:25/",
]
BROKEN = [
    "http://127.0.0.1#@example.com/",
    "http://example.com@127.0.0.1/",
    "http://example.com\\@127.0.0.1/",
    "http://user:pass@localhost/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "http:127.0.0.1",
    "http://127.0.0.1\r\nHost: example.com/",
]


@pytest.mark.parametrize("url", [*PRIVATE, *BROKEN])
def test_private_addresses_in_every_notation_and_broken_ones(url: str, canary: Canary) -> None:
    with (
        Fetcher(
            user_agent="t", resolve={}, dns_servers=[canary.address], dial=Detour(canary.address)
        ) as fetcher,
        pytest.raises(FetchError) as refusal,
    ):
        fetcher.get(url, timeout=LONG)

    assert refusal.value.code in {"address_not_public", "invalid_url" if url in BROKEN else ""}
    assert canary.visits == 0


@pytest.mark.parametrize("url", [*PRIVATE, *BROKEN])
def test_redirects_lead_nowhere_inside(url: str, canary: Canary) -> None:
    location = url.partition("\r")[0].encode().decode("latin-1")
    with Website({"/": redirect(location)}) as site:
        dial = Detour(canary.address, site.address)
        with (
            Fetcher(
                user_agent="t", resolve=site.at("acme.test"), dns_servers=[canary.address], dial=dial
            ) as fetcher,
            pytest.raises(FetchError) as refusal,
        ):
            fetcher.get("https://acme.test/", timeout=LONG)

    assert refusal.value.code in {"address_not_public", "redirect_refused"}
    assert (canary.visits, dial.dialled) == (0, [site.address])


@pytest.mark.parametrize(
    "answers",
    [
        ("127.0.0.1",),
        ("93.184.216.34", "127.0.0.1"),
        ("10.0.0.1", "93.184.216.34"),
        ("169.254.169.254",),
        ("0.0.0.0",),
    ],
)
def test_one_private_dns_answer_is_enough(
    answers: tuple[str, ...], canary: Canary, dns_server: DnsServer
) -> None:
    dns_server.answer("rebind.com", "A", answers)

    assert _code("https://rebind.com/", canary, dns_server) == ("address_not_public", [])


@pytest.mark.parametrize("answer", ["::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fd00::1"])
def test_a_private_ipv6_answer_beside_a_public_one(
    answer: str, canary: Canary, dns_server: DnsServer
) -> None:
    dns_server.answer("rebind.com", "A", "93.184.216.34")
    dns_server.answer("rebind.com", "AAAA", answer)

    assert _code("https://rebind.com/", canary, dns_server) == ("address_not_public", [])


def test_a_name_that_points_to_an_inside_name(canary: Canary, dns_server: DnsServer) -> None:
    dns_server.answer("www.rebind.com", "CNAME", "inside.rebind.com.")
    dns_server.answer("inside.rebind.com", "A", "192.168.0.10")

    assert _code("https://www.rebind.com/", canary, dns_server) == ("address_not_public", [])


def test_an_answer_that_changes_between_look_ups(dns_server: DnsServer) -> None:
    """The address that was checked is the address that is dialled: there is no second look-up to win."""
    dns_server.answer("rebind.com", "A", "93.184.216.34", "127.0.0.1")
    with Website({"/": "<h1>Public</h1>"}) as public, Canary() as canary:
        dial = Detour(public.address)
        with Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=dial) as fetcher:
            first = fetcher.get("http://rebind.com/", timeout=LONG)
        dial.elsewhere = canary.address
        with (
            Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=dial) as fetcher,
            pytest.raises(FetchError) as refusal,
        ):
            fetcher.get("http://rebind.com/", timeout=LONG)

    assert (first.body, refusal.value.code) == (b"<h1>Public</h1>", "address_not_public")
    assert dial.dialled == [("93.184.216.34", 80)]
    assert canary.visits == 0


def test_a_redirect_to_a_name_that_resolves_inside(canary: Canary, dns_server: DnsServer) -> None:
    dns_server.answer("inside.com", "A", "127.0.0.1")
    with Website({"/": redirect("https://inside.com/")}) as site:
        dial = Detour(canary.address, site.address)
        resolve = site.at("acme.test")
        with (
            Fetcher(user_agent="t", resolve=resolve, dns_servers=[dns_server.address], dial=dial) as fetcher,
            pytest.raises(FetchError) as refusal,
        ):
            fetcher.get("https://acme.test/", timeout=LONG)

    assert (refusal.value.code, dial.dialled, canary.visits) == ("address_not_public", [site.address], 0)


def test_proxies_of_the_environment_are_ignored(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://{}:{}".format(*canary.address))
    with (
        Website({"/": "<h1>Hello</h1>"}) as site,
        Fetcher(user_agent="t", resolve=site.at("acme.test"), dns_servers=[canary.address]) as fetcher,
    ):
        assert fetcher.get("https://acme.test/", timeout=LONG).body == b"<h1>Hello</h1>"

    assert canary.visits == 0


def _code(url: str, canary: Canary, dns_server: DnsServer) -> tuple[str, list[tuple[str, int]]]:
    dial = Detour(canary.address)
    with (
        Fetcher(user_agent="t", resolve={}, dns_servers=[dns_server.address], dial=dial) as fetcher,
        pytest.raises(FetchError) as refusal,
    ):
        fetcher.get(url, timeout=LONG)
    assert canary.visits == 0
    return refusal.value.code, dial.dialled
