"""So many requests a second, whatever comes back: who asks does not wait for whoever is slow.

A request's time begins when it was due, so one that had to wait for a connection counts as long as its asker waited.
"""

import heapq
import selectors
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from benchmarks.parts.clients import length_of

BUFFER = 1 << 20
CONNECTIONS, PATIENCE, GLANCE = 256, 30.0, 0.5
Ask = Callable[[], tuple[str, str]]  # gives a kind and an address


@dataclass
class Found:
    """What came back, by kind: seconds of each answer, and what was no good answer, with its moment."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    by_second: dict[int, list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )  # in which they were due
    statuses: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[float, str]] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)  # seconds of each 503 that says when to ask again

    def percentile(self, share: float, *, kind: str = "") -> float:
        """Milliseconds that this share of the answers took at the most."""
        every = sorted(
            self.seconds[kind] if kind else [one for times in self.seconds.values() for one in times]
        )
        return every[min(len(every) - 1, int(len(every) * share))] * 1000 if every else float("nan")

    @property
    def number(self) -> int:
        """How many were asked."""
        return sum(self.statuses.values())


@dataclass(eq=False)
class Connection:
    """One kept connection with at most one request on its way."""

    socket: socket.socket
    kind: str = ""
    due: float = 0.0
    had: bytes = b""

    def answer(self) -> bytes | None:
        """The head once the answer is whole. Raises OSError when the other end is gone."""
        piece = self.socket.recv(BUFFER)
        if not piece:
            raise ConnectionResetError
        self.had += piece
        head, end, body = self.had.partition(b"\r\n\r\n")
        if not end or (not head.startswith(b"HTTP/1.1 304") and len(body) < length_of(head)):
            return None
        self.had = b""
        return head


class Asker:
    """Asks at a port of this machine."""

    def __init__(self, port: int, ask: Ask, *, header: str = "", connections: int = CONNECTIONS) -> None:
        self.port, self.ask, self.header = port, ask, f"{header}\r\n" if header else ""
        self.connections = connections
        self.found, self.began, self.glanced = Found(), 0.0, 0.0
        self.idle: list[Connection] = []
        self.busy: set[Connection] = set()
        self.selector = selectors.DefaultSelector()

    def run(self, *, rate: float, seconds: float) -> Found:
        """Ask for so long, and wait for what is on its way then."""
        asks = [self.ask() for _ in range(int(rate * seconds))]
        self.began = time.perf_counter()
        due = [(self.began + number / rate, *ask) for number, ask in enumerate(asks)]
        while due or self.busy:
            now = time.perf_counter()
            while due and due[0][0] <= now and (self.idle or len(self.busy) < self.connections):
                self._send(*heapq.heappop(due))
            pause = max(0.0, due[0][0] - time.perf_counter()) if due else 0.1
            for key, _ in self.selector.select(min(pause, 0.05)):
                self._receive(key.data)
            self._give_up()
        for connection in self.idle:
            connection.socket.close()
        return self.found

    def _send(self, due: float, kind: str, address: str) -> None:
        try:
            connection = self.idle.pop() if self.idle else self._connected()
        except OSError as error:
            self._failed(due, type(error).__name__)
            return
        connection.kind, connection.due, connection.had = kind, due, b""
        self.busy.add(connection)
        request = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{self.header}\r\n"
        try:
            connection.socket.sendall(request.encode())
        except OSError as error:
            self._failed(due, type(error).__name__)
            self._drop(connection)

    def _connected(self) -> Connection:
        one = Connection(socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE))
        one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.selector.register(one.socket, selectors.EVENT_READ, one)
        return one

    def _receive(self, connection: Connection) -> None:
        if connection not in self.busy:  # closed by the other end while nothing was asked
            self.idle.remove(connection)
            self._drop(connection)
            return
        try:
            head = connection.answer()
        except OSError as error:
            self._failed(connection.due, type(error).__name__)
            self._drop(connection)
            return
        if head is None:
            return
        status = head[9:12].decode()
        if status in {"200", "304"}:
            self.found.statuses[status] += 1
            took = time.perf_counter() - connection.due
            self.found.seconds[connection.kind].append(took)
            self.found.by_second[int(connection.due - self.began)].append(took)
        else:
            self._failed(connection.due, status)
            if status == "503" and b"\r\nretry-after:" in head.lower():
                self.found.refused.append(time.perf_counter() - connection.due)
        self.busy.discard(connection)
        if b"connection: close" in head.lower():
            self._drop(connection)
        else:
            self.idle.append(connection)

    def _give_up(self) -> None:
        now = time.perf_counter()
        if now - self.glanced < GLANCE:
            return
        self.glanced = now
        late = [one for one in self.busy if now - one.due > PATIENCE]
        for connection in late:
            self._failed(connection.due, "no answer")
            self._drop(connection)

    def _failed(self, due: float, why: str) -> None:
        self.found.statuses[why] += 1
        self.found.failures.append((due - self.began, why))

    def _drop(self, connection: Connection) -> None:
        self.busy.discard(connection)
        with suppress(KeyError, ValueError):
            self.selector.unregister(connection.socket)
        connection.socket.close()
