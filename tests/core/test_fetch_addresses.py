"""Which addresses count as public, and which numbers spell an address."""

from ipaddress import IPv4Address, ip_address

import pytest

from core.fetch.urls import is_public, parse_ipv4

CLOSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::192.168.0.1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "2606:4700::1111%eth0",
]
OPEN = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "192.0.1.1",
    "2606:4700::1111",
    "64:ff9b::808:808",
]


@pytest.mark.parametrize("address", CLOSED)
def test_closed_addresses(address: str) -> None:
    assert is_public(ip_address(address)) is False


@pytest.mark.parametrize("address", OPEN)
def test_open_addresses(address: str) -> None:
    assert is_public(ip_address(address)) is True


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "017700000001",
        "0177.0.0.01",
        "0x7F.0.0x0.1",
    ],
)
def test_every_notation_of_one_address(host: str) -> None:
    assert parse_ipv4(host) == IPv4Address("127.0.0.1")


@pytest.mark.parametrize("host", ["example.com", "1.example", "a1", "127.0.0.1.nip.io", "0x7f.com"])
def test_names_are_not_addresses(host: str) -> None:
    assert parse_ipv4(host) is None


@pytest.mark.parametrize(
    "host", ["1.2.3.4.5", "256.0.0.1", "1.2.3.256", "4294967296", "a.1", "1..1", "08.0.0.1"]
)
def test_numbers_that_are_no_address(host: str) -> None:
    with pytest.raises(ValueError, match=r"an address|base 8"):
        parse_ipv4(host)
