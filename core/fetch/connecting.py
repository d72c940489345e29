"""Opens connections to checked addresses only, and puts a clock on every byte."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from ipaddress import ip_address
from ssl import SSLContext, SSLError
from typing import Any

import dns.exception
import dns.nameserver
import dns.resolver
import httpcore2
from django.conf import settings

from core.fetch.errors import FetchError
from core.fetch.urls import Address, Resolve, is_public
from core.timed import TimedStream

LIFETIME = 4.0
MAX_ADDRESSES = 20

Servers = Sequence[tuple[str, int]]
CONNECT_SECONDS = 5.0
MAX_TRIES = 3

LookUp = Callable[[str, float], Sequence[Address]]

_ends_at: ContextVar[float] = ContextVar("fetch_ends_at")


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Everything inside, on this thread, ends within so many seconds."""
    token = _ends_at.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends_at.reset(token)


def seconds_left(most: float | None = None) -> float:
    """How long the running fetch may still take, or `most`; raises FetchError (timeout) when it is over."""
    left = _ends_at.get() - time.monotonic()
    if left <= 0:
        raise FetchError("timeout", "The site took too long to answer.") from TimeoutError()
    return left if most is None else min(left, most)


class CheckedStream(TimedStream):
    """A connection to a stranger: timed, and told when its certificate is none."""

    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        super().__init__(inner, seconds_left=seconds_left)

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """The same connection encrypted, after the certificate was checked against the host's name."""
        try:
            return super().start_tls(ssl_context, server_hostname, timeout)
        except httpcore2.ConnectError as error:
            if isinstance(error.__cause__, SSLError):
                raise FetchError("tls_failed", f"{server_hostname} has no valid certificate.") from error
            raise


class PinnedBackend(httpcore2.NetworkBackend):
    """Resolves inside the connect step and connects to the very address that was checked.

    A DNS answer that changes between a check and a connection can therefore change nothing. Hosts in
    `resolve` go to their given address unchecked.
    """

    def __init__(self, *, resolve: Resolve, resolve_host: LookUp, dial: httpcore2.NetworkBackend) -> None:
        self._resolve = resolve
        self._resolve_host = resolve_host
        self._dial = dial

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to the host, or FetchError when any of its addresses is not public."""
        connect = partial(
            self._connect, timeout=timeout, local_address=local_address, socket_options=socket_options
        )
        if host in self._resolve:
            return connect(*self._resolve[host])
        addresses = self._addresses(host)
        if not all(is_public(address) for address in addresses):
            raise FetchError("address_not_public", f"{host} leads to an address that is not public.")
        for address in addresses[:MAX_TRIES]:
            try:
                return connect(str(address), port)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        raise FetchError("connect_failed", f"{host} did not take our connection.")

    def _addresses(self, host: str) -> Sequence[Address]:
        try:
            return (ip_address(host),)
        except ValueError:
            return self._resolve_host(host, seconds_left())

    def _connect(self, address: str, port: int, *, timeout: float | None, **wishes: Any) -> TimedStream:
        seconds = seconds_left(CONNECT_SECONDS if timeout is None else min(timeout, CONNECT_SECONDS))
        return CheckedStream(self._dial.connect_tcp(address, port, seconds, **wishes))


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
