"""A small DNS server on the loopback interface (UDP and TCP) that can lie, change its mind and dawdle."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset
import pytest

LOOPBACK = "127.0.0.1"
MAX_CHAIN = 12

Records = tuple[str, ...]


class DnsServer:
    """Answers from a table. Names that are not in it do not exist (NXDOMAIN)."""

    def __init__(self) -> None:
        self.queries: list[tuple[str, str]] = []
        self.stopped = threading.Event()
        self._zone: dict[tuple[str, str], list[Records]] = {}
        self._delays: dict[str, float] = {}
        self._codes: dict[str, dns.rcode.Rcode] = {}
        self._silent: set[str] = set()
        self._lock = threading.Lock()
        self._servers = _pair(self)
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
            for server in self._servers
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopped.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens, by UDP and TCP alike; one entry of the DNS_SERVERS setting."""
        return LOOPBACK, self._servers[0].server_address[1]

    def answer(self, name: str, kind: str, *turns: str | Records) -> None:
        """What to say of a name: one record, or a tuple of them; several turns answer successive look-ups.

        The last turn stays. An empty tuple means that the name exists without records of this kind. TXT
        records of any length are given without quotes and cut into strings here.
        """
        self._zone[name, kind] = [(turn,) if isinstance(turn, str) else turn for turn in turns]

    def delay(self, name: str, seconds: float) -> None:
        """Answers for this name come so much later."""
        self._delays[name] = seconds

    def silence(self, name: str) -> None:
        """Never answers for this name."""
        self._silent.add(name)

    def fail(self, name: str, code: dns.rcode.Rcode = dns.rcode.SERVFAIL) -> None:
        """Answers for this name with an error code."""
        self._codes[name] = code

    def reply(self, wire: bytes, *, room: int) -> bytes | None:
        """The answer to one query in at most `room` bytes, or None to stay silent."""
        query = dns.message.from_wire(wire)
        question = query.question[0]
        name, kind = (
            question.name.to_text(omit_final_dot=True).lower(),
            dns.rdatatype.to_text(question.rdtype),
        )
        self.queries.append((name, kind))
        if name in self._silent:
            return None
        self.stopped.wait(self._delays.get(name, 0))
        response = dns.message.make_response(query, recursion_available=True)
        response.set_rcode(self._codes.get(name, dns.rcode.NOERROR))
        if name not in self._codes:
            self._fill(response, name, kind)
        try:
            return response.to_wire(max_size=room)
        except dns.exception.TooBig:
            response.answer.clear()
            response.flags |= dns.flags.TC
            return response.to_wire()

    def _fill(self, response: dns.message.Message, name: str, kind: str) -> None:
        for _ in range(MAX_CHAIN):
            if not any(known == name for known, _ in self._zone):
                response.set_rcode(dns.rcode.NXDOMAIN)
                return
            alias = self._next(name, "CNAME") if kind != "CNAME" else ()
            records = alias or self._next(name, kind)
            if records:
                found = "CNAME" if alias else kind
                texts = [_quoted(text) if found == "TXT" else text for text in records]
                response.answer.append(dns.rrset.from_text(f"{name}.", 0, "IN", found, *texts))
            if not alias:
                return
            name = alias[0].rstrip(".")

    def _next(self, name: str, kind: str) -> Records:
        with self._lock:
            turns = self._zone.get((name, kind), [()])
            return turns.pop(0) if len(turns) > 1 else turns[0]


def _quoted(text: str) -> str:
    """TXT data holds strings of at most 255 bytes."""
    pieces = [text[start : start + 255] for start in range(0, len(text), 255)] or [""]
    return " ".join('"' + piece.replace("\\", "\\\\").replace('"', '\\"') + '"' for piece in pieces)


class _Datagram(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        wire, answering = self.request
        room = max(dns.message.from_wire(wire).payload, 512)
        reply = self.server.owner.reply(wire, room=room)  # type: ignore[attr-defined]
        if reply is not None:
            answering.sendto(reply, self.client_address)


class _Stream(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        head = self.request.recv(2, socket.MSG_WAITALL)
        if len(head) < 2:
            return
        wire = self.request.recv(int.from_bytes(head), socket.MSG_WAITALL)
        reply = self.server.owner.reply(wire, room=65535)  # type: ignore[attr-defined]
        if reply is not None:
            self.request.sendall(len(reply).to_bytes(2) + reply)


class _Quiet(socketserver.ThreadingMixIn):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up early is no news."""


class _UdpServer(_Quiet, socketserver.UDPServer):
    owner: DnsServer


class _TcpServer(_Quiet, socketserver.TCPServer):
    owner: DnsServer


def _pair(owner: DnsServer) -> tuple[_UdpServer, _TcpServer]:
    """Both servers on one port, which the system picks."""
    while True:
        udp = _UdpServer((LOOPBACK, 0), _Datagram)
        try:
            tcp = _TcpServer((LOOPBACK, udp.server_address[1]), _Stream)
        except OSError:
            udp.server_close()
            continue
        udp.owner = tcp.owner = owner
        return udp, tcp


@pytest.fixture
def dns_server() -> Iterator[DnsServer]:
    """A running DNS server."""
    with DnsServer() as running:
        yield running
