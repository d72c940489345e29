"""One canonical form for every address a person may type, and a refusal at once for the others."""

from typing import Any

import pytest

from core.fetch import (
    InvalidUrlError,
    UrlNotPublicError,
    check_link,
    check_url,
    join_url,
    raw_host,
    split_url,
)

NOWHERE: dict[str, tuple[str, int]] = {}


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("https://example.com", "https://example.com/"),
        ("  HTTPS://Example.COM:443/Path?q=1#part ", "https://example.com/Path?q=1"),
        ("http://example.com:80", "http://example.com/"),
        ("https://example.com./", "https://example.com/"),
        ("https://example.com?x=1", "https://example.com/?x=1"),
        ("https://example.com/?", "https://example.com/"),
        ("https://example.com/a/../b/./c", "https://example.com/b/c"),
        ("https://example.com/a b/ü", "https://example.com/a%20b/%C3%BC"),
        ("https://example.com/%7euser/%2e%2e/x", "https://example.com/%7euser/%2e%2e/x"),
        ("https://bücher.example.com/", "https://xn--bcher-kva.example.com/"),
        ("https://BÜCHER.de/", "https://xn--bcher-kva.de/"),
        ("https://xn--bcher-kva.de/", "https://xn--bcher-kva.de/"),
        ("https://例え。jp/", "https://xn--r8jz45g.jp/"),
        ("https://ｅｘａｍｐｌｅ.com/", "https://example.com/"),
        ("https://ex%61mple.com/", "https://example.com/"),
        ("https://a_b.example.com/", "https://a_b.example.com/"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://0x5db8d822/", "http://93.184.216.34/"),
        ("http://[2606:4700:0:0::1111]/", "http://[2606:4700::1111]/"),
        ("https://example.com//evil.example/", "https://example.com//evil.example/"),
    ],
)
def test_one_canonical_form(typed: str, canonical: str) -> None:
    assert check_url(typed, resolve=NOWHERE) == canonical
    assert check_url(canonical, resolve=NOWHERE) == canonical


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "example.com",
        "//example.com/",
        "/path",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "gopher://example.com/",
        "https:///path",
        "https://",
        "http:example.com",
        "https://user@example.com/",
        "https://user:pass@example.com/",
        "https://@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "https://exa mple.com/",
        "https://example.com:99999/",
        "https://example.com:8o/",
        "https://example.com:+80/",
        "https://example.com:８０/",
        "https://exam\nple.com/",
        "https://example.com/\x00",
        "https://example.com/a\tb",
        "https://-example.com/",
        "https://exam<ple.com/",
        "https://a..example.com/",
        "https://example.com../",
        "https://1.2.3.4.5/",
        "https://256.1.1.1/",
        "https://[::1/",
        "https://[1.2.3.4]/",
        "https://[zz]/",
        "https://[]/",
        "https://example.com%2F@127.0.0.1/",
        "https://example.com%00.evil.com/",
        "https://exam%ffple.com/",
        "https://i❤.ws/",
        f"https://{'a' * 64}.com/",
        f"https://{'a.' * 127}com/",
        f"https://example.com/{'a' * 2048}",
        f"https://example.com/{'ü' * 500}",
        "https://example.com/\ud800",
    ],
)
def test_not_a_website_address(url: str) -> None:
    with pytest.raises(InvalidUrlError) as refusal:
        check_url(url, resolve=NOWHERE)

    assert (refusal.value.code, refusal.value.status) == ("invalid_url", 400)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://printer/",
        "http://lo\u00adcalhost/",
        "http://acme.localhost/",
        "http://acme.local/",
        "http://metadata.google.internal/",
        "http://acme.test/",
        "http://acme.example/",
        "http://acme.invalid/",
        "http://router.home.arpa/",
        "http://nas.lan/",
        "http://facebookwkhpilnemxj7asaniu7vnjjbiltxjqhye3mhbshg7kx5tfyd.onion/",
        "https://example.com:8080/",
        "https://example.com:22/",
        "https://example.com:0/",
        "https://example.com:80/",
        "http://example.com:443/",
    ],
)
def test_names_and_ports_that_are_not_public(url: str) -> None:
    with pytest.raises(UrlNotPublicError) as refusal:
        check_url(url, resolve=NOWHERE)

    assert (refusal.value.code, refusal.value.status) == ("url_not_public", 400)


def test_given_hosts_may_be_anything() -> None:
    given = {"acme.test": ("127.0.0.1", 9101), "127.0.0.1": ("127.0.0.1", 9102), "::1": ("::1", 9103)}

    assert check_url("https://ACME.test:8443/x", resolve=given) == "https://acme.test:8443/x"
    assert check_url("http://127.1:9102/", resolve=given) == "http://127.0.0.1:9102/"
    assert check_url("http://[::1]/", resolve=given) == "http://[::1]/"
    for other in ("https://www.acme.test/", "https://acme.test.local/", "http://127.0.0.2/"):
        with pytest.raises(UrlNotPublicError):
            check_url(other, resolve=given)


def test_given_hosts_come_from_the_setting(settings: Any) -> None:
    settings.CRAWL_RESOLVE = {"acme.test": ("127.0.0.1", 9101)}

    assert check_url("https://acme.test") == "https://acme.test/"


@pytest.mark.parametrize(
    "link",
    [
        "https://tidewell.example/a?b=1#c",
        "http://www.acme.test/",
        "https://xn--caf-dma.com/",
        "https://acme.com:8443/",
    ],
)
def test_what_may_be_shown_as_a_link(link: str) -> None:
    assert check_link(link) == link


@pytest.mark.parametrize(
    ("link", "encoded"),
    [
        ("https://café.com/é?a=ü#Ä%20", "https://xn--caf-dma.com/%C3%A9?a=%C3%BC#%C3%84%20"),
        ("https://acme.com/%zz#%zz", "https://acme.com/%25zz#%25zz"),
        ("httPs://0.Ā#", "https://0.xn--yda/"),
        ("https://acme.com/{a}|b", "https://acme.com/%7Ba%7D%7Cb"),
        ("https://acme.com/a#b#c", "https://acme.com/a#b%23c"),
    ],
)
def test_a_link_has_the_letters_of_an_address_alone(link: str, encoded: str) -> None:
    assert check_link(link) == encoded


@pytest.mark.parametrize(
    ("link", "error"),
    [
        ("javascript:alert(1)", InvalidUrlError),
        ("https://ann:secret@acme.com/", InvalidUrlError),
        ('https://acme.com/"onload=', InvalidUrlError),
        ("https://x.com/\u202egnp.ada", InvalidUrlError),
        ("https://x.com/\u2067ada", InvalidUrlError),
        ("https://x.com/?a=\u200b", InvalidUrlError),
        ("https://127.0.0.1/", UrlNotPublicError),
        ("https://0x7f.1/", UrlNotPublicError),
        ("https://[fd00::1]/", UrlNotPublicError),
        ("https://localhost/", UrlNotPublicError),
        ("https://nas.local/", UrlNotPublicError),
        ("https://intranet/", UrlNotPublicError),
    ],
)
def test_what_may_not_be_shown_as_a_link(link: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        check_link(link)


def test_raw_host() -> None:
    assert raw_host("https://xn--bcher-kva.de:443/x") == "xn--bcher-kva.de"
    assert raw_host("http://[2606:4700::1111]/") == "2606:4700::1111"


BROKEN = (
    "http://[",
    "https://[your-site]",
    "//[x",
    "http://a\u2100b/",
    "http://host:99999/",
    "http://host:port/",
)
TOO_LONG = "https://acme.test/" + "x" * 2048


@pytest.mark.parametrize("address", BROKEN)
def test_a_broken_address_on_a_page_has_no_parts_and_leads_nowhere(address: str) -> None:
    assert split_url(address) == ("", "", "", "", "")
    assert split_url(address).hostname is None
    assert join_url("https://acme.test/", address) == ""


def test_an_address_longer_than_we_open_leads_nowhere() -> None:
    assert join_url("https://acme.test/", TOO_LONG) == ""
    assert split_url(TOO_LONG).hostname == "acme.test"


@pytest.mark.parametrize("base", [*BROKEN, TOO_LONG])
def test_a_broken_base_is_like_none(base: str) -> None:
    assert join_url(base, "https://acme.test/x") == "https://acme.test/x"
    assert join_url(base, "/x") == "/x"


def test_an_address_on_a_page_is_joined_to_its_base() -> None:
    assert join_url("https://acme.test/a/b", " ../c?d#e ") == "https://acme.test/c?d#e"
    assert join_url("https://acme.test/a/b", "") == "https://acme.test/a/b"
    assert split_url("https://Acme.test:8443/a?b").hostname == "acme.test"
