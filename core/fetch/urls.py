"""Turns what a person typed into one canonical address, or refuses it without asking the network."""

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

import httpx2
import idna
from django.conf import settings

from core.fetch.errors import InvalidUrlError, UrlNotPublicError

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


MAX_LENGTH = 2048
MAX_HOST_LENGTH = 253
DEFAULT_PORTS = {"http": 80, "https": 443}

Resolve = Mapping[str, tuple[str, int]]

NO_PARTS = SplitResult("", "", "", "", "")

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_AUTHORITY = re.compile(r"(?:\[(?P<v6>[^\[\]]*)\]|(?P<name>[^:\[\]]*))(?::(?P<port>[0-9]*))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
# Names that never lead outside a machine, a home, an office or a test (RFC 6761, 6762, 8375, 9476 and habit).
_INSIDE = frozenset(
    {
        "alt",
        "arpa",
        "corp",
        "example",
        "home",
        "internal",
        "intranet",
        "invalid",
        "lan",
        "local",
        "localdomain",
        "localhost",
        "onion",
        "private",
        "test",
    }
)

_FOR_EXAMPLES = frozenset({"example", "invalid", "test"})
_MARKS = "!$&'()*+,-./:;=?@_~%"
_STRAY = re.compile("%(?![0-9A-Fa-f]{2})")
_LETTER = r"(?:[!$&'()*+,\-./0-9:;=?@A-Z_a-z~]|%[0-9A-Fa-f]{2})"
_URI = re.compile(rf"https?://{_LETTER}*(?:#{_LETTER}*)?")
_NOT_IN_LINKS = re.compile(r"[\s<>\"'`\\]")
_HIDDEN = re.compile(
    r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)  # some turn what follows


def check_url(url: str, *, resolve: Resolve | None = None) -> str:
    """The address in canonical form, if it may be on the public internet.

    Raises InvalidUrlError or UrlNotPublicError at once, before any look-up. Only the returned text may be
    opened: it is rebuilt from its parts, so no other reader can see another host in it. Hosts in `resolve`
    (the CRAWL_RESOLVE setting) may be anything, on any port.
    """
    canonical = canonical_url(url)
    _refuse_inside(canonical, settings.CRAWL_RESOLVE if resolve is None else resolve, inside=_INSIDE)
    return canonical


def check_site(url: str) -> str:
    """The address in canonical form, if it may be a product's website. Only `check_url` says what may be opened.

    Raises what check_url does; only the names that are kept for examples and tests (RFC 6761) pass here, as
    listings have them: demo data's own, for one.
    """
    canonical = canonical_url(url)
    _refuse_inside(canonical, settings.CRAWL_RESOLVE, inside=_INSIDE - _FOR_EXAMPLES)
    return canonical


def check_link(url: str) -> str:
    """The address as it is written, if it may be shown as a link; encoded where a URI (RFC 3986) has no such letters.

    We never open it.
    Raises InvalidUrlError or UrlNotPublicError, as check_url does; only ports and the names that are kept for
    examples and tests (RFC 6761) are free here, since nobody can be led inside by them.
    """
    if _NOT_IN_LINKS.search(url):
        raise InvalidUrlError("A link holds no spaces, quotes, backslashes or angle brackets.")
    if _HIDDEN.search(url):
        raise InvalidUrlError("A link holds no hidden characters.")
    canonical = canonical_url(url)
    host = httpx2.URL(canonical).raw_host.decode("ascii")
    _refuse_host(host, inside=_INSIDE - _FOR_EXAMPLES)
    if _URI.fullmatch(url):
        return url
    fragment = url.partition("#")[2]
    encoded = quote(canonical, safe=f"{_MARKS}[]") + (f"#{quote(fragment, safe=_MARKS)}" if fragment else "")
    return _STRAY.sub("%25", encoded)


def canonical_url(url: str) -> str:
    """The one ASCII form of an http or https address, without default port and fragment.

    Raises InvalidUrlError for anything else. Says nothing about whether the address may be opened.
    """
    url = url.strip()
    if not url or len(url) > MAX_LENGTH:
        raise InvalidUrlError(f"A website address has 1 to {MAX_LENGTH} characters.")
    if _CONTROL.search(url):
        raise InvalidUrlError("The address holds a control character.")
    try:
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        authority = _authority(parts.netloc, scheme)
        target = _target(parts.path, parts.query)
    except ValueError as error:
        raise InvalidUrlError("This is not a website address. Use one like https://example.com.") from error
    canonical = f"{scheme}://{authority}{target}"
    if len(canonical) > MAX_LENGTH:
        raise InvalidUrlError(f"The address is longer than {MAX_LENGTH} characters once it is encoded.")
    return canonical


def split_url(url: str) -> SplitResult:
    """The parts of an address that a stranger wrote. Raises nothing: all parts of a broken one are empty."""
    return _parts(url) or NO_PARTS


def join_url(base: str, address: str) -> str:
    """Where an address on a page leads, seen from the page's base. Raises nothing: empty for a broken one.

    Longer ones than we open are broken, too: a base of a megabyte would be copied for each link of its page.
    """
    address = address.strip()
    if len(address) > MAX_LENGTH:
        return ""
    try:
        joined = urljoin(base if len(base) <= MAX_LENGTH and _parts(base) else "", address)
    except ValueError:
        return ""
    return joined if _parts(joined) else ""


def _parts(url: str) -> SplitResult | None:
    """None for what `urlsplit` chokes on: `http://[`, a host that is another once normalised, an impossible port."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def raw_host(url: str) -> str:
    """The host of a checked address, without brackets and port."""
    return httpx2.URL(url).raw_host.decode("ascii")


def _authority(authority: str, scheme: str) -> str:
    if scheme not in DEFAULT_PORTS:
        raise InvalidUrlError("The address must begin with http:// or https://.")
    if "@" in authority:
        raise InvalidUrlError("The address must not hold a user name or password.")
    match = _AUTHORITY.fullmatch(authority)
    if match is None or not (match["v6"] or match["name"]):
        raise InvalidUrlError("The address has no host we can read.")
    port = int(match["port"] or DEFAULT_PORTS[scheme])
    if port > 65535:
        raise InvalidUrlError("The address has a port that does not exist.")
    host = f"[{IPv6Address(match['v6'])}]" if match["v6"] else _ascii_host(match["name"])
    return host if port == DEFAULT_PORTS[scheme] else f"{host}:{port}"


def _ascii_host(name: str) -> str:
    """The name as the DNS knows it: mapped, folded and encoded; numbers become a dotted address."""
    mapped = idna.uts46_remap(unquote(name, errors="strict").strip(), std3_rules=False)
    labels = mapped.removesuffix(".").split(".")
    encoded = [label if label.isascii() else idna.alabel(label).decode("ascii") for label in labels]
    host = ".".join(encoded)
    if len(host) > MAX_HOST_LENGTH or not all(_LABEL.fullmatch(label) for label in encoded):
        raise InvalidUrlError("The host of the address has characters that no website name has.")
    address = parse_ipv4(host)
    return host if address is None else str(address)


def _refuse_inside(url: str, resolve: Resolve, *, inside: frozenset[str]) -> None:
    target = httpx2.URL(url)
    host = target.raw_host.decode("ascii")
    if host in resolve:
        return
    if target.port is not None:
        raise UrlNotPublicError("Only the web's own ports can be opened: 80 by http, 443 by https.")
    _refuse_host(host, inside=inside)


def _refuse_host(host: str, *, inside: frozenset[str]) -> None:
    address = IPv6Address(host) if ":" in host else parse_ipv4(host)
    if address is not None:
        if not is_public(address):
            raise UrlNotPublicError(f"{host} is not an address on the public internet.")
    elif "." not in host or host.rpartition(".")[2] in inside:
        raise UrlNotPublicError(f"{host} is not a name on the public internet.")


def _target(path: str, query: str) -> str:
    """Path and query, resolved and encoded by the client's own rules, so that both agree on the target."""
    target = httpx2.URL("http://x" + (path or "/") + (f"?{query}" if query else ""))
    return target.raw_path.decode("ascii")
