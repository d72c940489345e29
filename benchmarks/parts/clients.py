"""A few HTTP clients at once in one thread, cheap enough to keep a web server busy."""

import selectors
import socket
import time
from collections.abc import Callable

BUFFER = 1 << 20
OK = (b"HTTP/1.1 200", b"HTTP/1.1 304")


class Client:
    """One kept connection."""

    def __init__(self, port: int) -> None:
        """Connect to this machine."""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.had = b""

    def ask(self, address: str, *, header: str = "") -> None:
        """Send a request, with one more header if it is given."""
        more = f"{header}\r\n" if header else ""
        self.socket.sendall(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n".encode())

    def answered(self) -> bytes | None:
        """The whole answer once it is there. Raises RuntimeError for one that is neither 200 nor 304."""
        self.had += self.socket.recv(BUFFER)
        head, end, body = self.had.partition(b"\r\n\r\n")
        if not end:
            return None
        if not head.startswith(OK):
            raise RuntimeError(head.decode())
        if not head.startswith(OK[1]) and len(body) < length_of(head):
            return None
        whole, self.had = self.had, b""
        return whole


def length_of(head: bytes) -> int:
    """How long the body is."""
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


def rate(port: int, address: Callable[[], str], *, clients: int, seconds: float, header: str = "") -> float:
    """Requests a second, each client asking again as soon as it is answered."""
    found, ends, began = 0, time.perf_counter() + seconds, time.perf_counter()
    with selectors.DefaultSelector() as selector:
        every = [Client(port) for _ in range(clients)]
        for client in every:
            selector.register(client.socket, selectors.EVENT_READ, client)
            client.ask(address(), header=header)
        waiting = clients
        while waiting:
            for key, _ in selector.select():
                client = key.data
                if client.answered() is None:
                    continue
                found += 1
                if time.perf_counter() < ends:
                    client.ask(address(), header=header)
                else:
                    waiting -= 1
        took = time.perf_counter() - began
        for client in every:
            client.socket.close()
    return found / took


def seconds_for(client: Client, address: str, *, header: str = "") -> float:
    """How long one answer takes."""
    began = time.perf_counter()
    client.ask(address, header=header)
    while client.answered() is None:
        pass
    return time.perf_counter() - began


def fetched(port: int, address: str) -> tuple[bytes, str]:
    """One answer's body and ETag."""
    client = Client(port)
    client.ask(address)
    while (whole := client.answered()) is None:
        pass
    client.socket.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    return body, head.lower().partition(b"etag: ")[2].partition(b"\r\n")[0].decode()
