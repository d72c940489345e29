"""Which addresses belong to the public internet, in whatever notation they are written."""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

_CLOSED_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, and the metadata service of one cloud
        "127.0.0.0/8",
        "168.63.129.16/32",  # the host agent of one cloud: a public number, answered from inside
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments; Teredo hides an IPv4 address here
        "2001:db8::/32",
        "2002::/16",  # 6to4 hides an IPv4 address
        "3fff::/20",
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")


def is_public(address: Address) -> bool:
    """Whether a website may live here.

    Forms that carry an IPv4 address inside (mapped, compatible, translated, 6to4, Teredo) are closed whatever
    they carry: no site is reached that way. NAT64 is the exception, since networks without IPv4 see every
    IPv4 site through it, so the inner address decides.
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _CLOSED_V4)
    if address.scope_id is not None:
        return False
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _GLOBAL_V6 and not any(address in network for network in _CLOSED_V6)


def parse_ipv4(host: str) -> IPv4Address | None:
    """The address a host spells in numbers (dotted, decimal, octal, hexadecimal, short), as browsers read it.

    None for a name. Raises ValueError for a host that ends in a number and is no address.
    """
    labels = host.split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return None
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) for label in labels):
        raise ValueError("more than an address")
    *head, last = (_number(label) for label in labels)
    if any(part > 255 for part in head) or last >= 256 ** (4 - len(head)):
        raise ValueError("beyond an address")
    return IPv4Address(last + sum(part << 8 * (3 - place) for place, part in enumerate(head)))


def _number(label: str) -> int:
    if label[:2].lower() == "0x":
        return int(label[2:] or "0", 16)
    return int(label, 8 if len(label) > 1 and label.startswith("0") else 10)
