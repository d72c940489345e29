"""A relay before a server that can hang, as a stopped one does, or refuse, as one does that is away."""

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from urllib.parse import urlsplit

from config import environment
from tests.servers.web import database_url


class Relay:
    """Passes bytes on while `flowing` is set."""

    def __init__(self, dial: Callable[[], socket.socket]) -> None:
        self.dial = dial
        self.flowing = threading.Event()
        self.flowing.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.pairs: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """The database's address by way of us."""
        named = urlsplit(database_url())
        who = named.netloc.rpartition("@")[0]
        return f"postgres://{who}@127.0.0.1:{self.port}{named.path}"

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def go_away(self) -> None:
        """Refuse connections from now on, and end those there are."""
        with suppress(OSError):  # a second time
            self.listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts; closing alone would let one more in
        self.listener.close()
        for pair in self.pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            pair = near, self.dial()
            self.pairs.append(pair)
            threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        with ExitStack() as stack, suppress(OSError):
            for end in (near, far):
                stack.enter_context(closing(end))
            while True:
                for end in select.select([near, far], [], [])[0]:
                    self.flowing.wait()
                    data = end.recv(65536)
                    if not data:
                        return
                    (far if end is near else near).sendall(data)


def server_socket() -> socket.socket:
    """A connection to the tests' PostgreSQL, by TCP or its own socket."""
    named = environment.database(os.environ["DATABASE_URL"])
    host, port = named["HOST"], int(named["PORT"] or 5432)
    if host.startswith("/"):
        own = socket.socket(socket.AF_UNIX)
        own.connect(f"{host}/.s.PGSQL.{port}")
        return own
    return socket.create_connection((host, port))


@contextmanager
def relay(dial: Callable[[], socket.socket] = server_socket) -> Iterator[Relay]:
    """One that goes away at the end."""
    running = Relay(dial)
    try:
        yield running
    finally:
        running.flowing.set()
        running.go_away()
