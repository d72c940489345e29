"""Which domain a host is registered under."""

import pytest

from core.domains import domain_meant, domain_of, registrable


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.shop.example.co.uk", "example.co.uk"),
        ("Someone.github.io.", "someone.github.io"),
        ("github.io", "github.io"),
        ("10.0.0.1", "10.0.0.1"),
        ("127.1", "127.1"),
    ],
)
def test_domain_is_one_below_a_public_suffix_and_no_address_has_one(host: str, domain: str) -> None:
    assert registrable(host) == domain


def test_domain_is_read_from_addresses_and_from_what_people_type() -> None:
    assert domain_of("https://www.acme.example:8443/a?b") == "acme.example"
    assert domain_of("http://192.168.0.10/") == "192.168.0.10"
    assert domain_meant(" HTTPS://Blog.acme.example/x ") == "acme.example"
