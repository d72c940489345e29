"""Calls to servers that the operator named end in time as a whole: a limit of each wait lets bytes drip for ever."""

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2

CONNECTING = 0.3  # the share of the time that one address may take to answer

SecondsLeft = Callable[[float | None], float]


class TimedStream(httpcore2.NetworkStream):
    """A connection whose every wait ends in time, however slowly bytes drip.

    `seconds_left` gives how long the next wait may take, at most what it is given, and raises when time is over.
    """

    def __init__(self, inner: httpcore2.NetworkStream, *, seconds_left: SecondsLeft) -> None:
        self._inner, self._seconds_left = inner, seconds_left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """At most so many bytes."""
        return self._inner.read(max_bytes, self._seconds_left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._seconds_left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """The same connection encrypted, after the certificate was checked against the host's name."""
        inner = self._inner.start_tls(ssl_context, server_hostname, self._seconds_left(timeout))
        return TimedStream(inner, seconds_left=self._seconds_left)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Dial(httpcore2.SyncBackend):
    """Opens connections that end by a moment, each address of a host in its turn."""

    def __init__(self, seconds: float) -> None:
        self._ends_at, self._most = time.monotonic() + seconds, seconds * CONNECTING

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to the first address that takes one."""
        problem: Exception = httpcore2.ConnectError(f"{host} has no address.")
        for address in self._addresses(host, port):
            seconds = self._seconds_left(self._most)
            try:
                inner = super().connect_tcp(address, port, seconds, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
                continue
            return TimedStream(inner, seconds_left=self._seconds_left)
        raise problem

    @staticmethod
    def _addresses(host: str, port: int) -> list[str]:
        try:
            result = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        return list(dict.fromkeys(str(row[4][0]) for row in result))

    def _seconds_left(self, most: float | None) -> float:
        left = self._ends_at - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("The time for this call is over.")
        return left if most is None else min(left, most)


class _Transport(httpx2.HTTPTransport):
    def __init__(self, seconds: float) -> None:
        super().__init__(verify=trusted(), trust_env=False)
        self._pool = httpcore2.ConnectionPool(ssl_context=trusted(), network_backend=_Dial(seconds))


@contextmanager
def timed_client(seconds: float) -> Iterator[httpx2.Client]:
    """A client for calls that all end within so many seconds from now. It raises httpx2.TimeoutException then.

    Proxy variables are ignored, and redirects are not followed. Looking up a host's name is the system's matter and
    has the system's bounds.
    """
    with httpx2.Client(transport=_Transport(seconds), timeout=None, trust_env=False) as client:
        yield client


@cache
def trusted(*, trust_env: bool = False) -> SSLContext:
    """The usual certificate authorities; read once, since that takes longer than a call."""
    return httpx2.create_ssl_context(trust_env=trust_env)
