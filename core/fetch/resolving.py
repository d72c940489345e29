"""Asks the DNS for a host's addresses, within a fixed time."""

import time
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address

import dns.exception
import dns.nameserver
import dns.resolver
from django.conf import settings

from core.fetch.addresses import Address
from core.fetch.errors import FetchError

LIFETIME = 4.0
MAX_ADDRESSES = 20

Servers = Sequence[tuple[str, int]]


def make_resolver(servers: Servers | None = None) -> dns.resolver.Resolver:
    """A resolver for the servers of the DNS_SERVERS setting, or else for the system's name servers.

    It never reads the hosts file or search domains, which only know inside names.
    """
    servers = settings.DNS_SERVERS if servers is None else servers
    resolver = dns.resolver.Resolver(configure=not servers)
    if servers:
        resolver.nameservers = [dns.nameserver.Do53Nameserver(address, port) for address, port in servers]
    resolver.lifetime = LIFETIME
    return resolver


def resolve_host(
    host: str, *, servers: Servers | None = None, seconds: float = LIFETIME
) -> tuple[Address, ...]:
    """Every address of the host, IPv4 first. Raises FetchError (dns_failed) when there is none in time."""
    ends = time.monotonic() + min(seconds, LIFETIME)
    try:
        resolver = make_resolver(servers)
        result = _ask(resolver, host, "A", ends)
    except (dns.resolver.NXDOMAIN, dns.resolver.YXDOMAIN) as error:
        raise FetchError("dns_failed", f"The name {host} does not exist.") from error
    except dns.exception.DNSException as error:
        raise FetchError("dns_failed", f"The name servers gave no usable answer for {host}.") from error
    # Name servers that know no IPv6 are common: the IPv4 answer stands then.
    with suppress(dns.exception.DNSException):
        result += _ask(resolver, host, "AAAA", ends)
    if not result:
        raise FetchError("dns_failed", f"The name {host} has no address.")
    return result


def _ask(resolver: dns.resolver.Resolver, host: str, kind: str, ends: float) -> tuple[Address, ...]:
    left = max(ends - time.monotonic(), 0.01)
    answer = resolver.resolve(f"{host}.", kind, search=False, raise_on_no_answer=False, lifetime=left)
    return tuple(ip_address(record.to_text()) for record in list(answer)[:MAX_ADDRESSES])
