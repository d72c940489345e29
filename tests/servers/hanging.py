"""Servers that keep people waiting: one never says a word, the other says one byte after another."""

import socket
import threading
from socketserver import BaseRequestHandler, ThreadingTCPServer
from types import TracebackType
from typing import Self


class HangingServer:
    """Counts those who wait; lets all of them go at its end."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._waiting: list[socket.socket] = []
        self.hangs_up = False
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()
        self.let_go()

    @property
    def address(self) -> tuple[str, int]:
        host, port = self._socket.getsockname()
        return host, port

    @property
    def url(self) -> str:
        return "http://{}:{}".format(*self.address)

    @property
    def visits(self) -> int:
        """How many came."""
        return len(self._waiting)

    def wait_for(self, visits: int, *, seconds: float = 30.0) -> bool:
        """Until so many have come."""
        with self._arrived:
            return self._arrived.wait_for(lambda: self.visits >= visits, seconds)

    def let_go(self) -> None:
        """Hang up on everybody."""
        for connection in self._waiting:
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            if self.hangs_up:
                connection.close()
                continue
            with self._arrived:
                self._waiting.append(connection)
                self._arrived.notify_all()


class _Drips(BaseRequestHandler):
    server: "DrippingServer"

    def handle(self) -> None:
        """Each byte comes long before anybody loses patience with a single wait."""
        try:
            self.request.sendall(self.server.begins)
            for _ in range(self.server.bytes):
                self.request.sendall(b"a")
                self.server.stopped.wait(0.05)
        except OSError:
            return
        self.server.heard_out += 1


class DrippingServer(ThreadingTCPServer):
    """Answers with a beginning and then, for ten seconds, a byte at a time; counts who heard all of it."""

    daemon_threads = True
    bytes = 200

    def __init__(self, begins: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Drips)
        self.begins, self.heard_out, self.stopped = begins, 0, threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    @property
    def url(self) -> str:
        return "http://{}:{}".format(*self.server_address[:2])
