"""An access point to Peppol on loopback: takes documents by POST, names them, and holds what it was sent."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class AccessPoint(ThreadingHTTPServer):
    """Answers with `status`; the documents are in `taken`, each with its headers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        self.url = f"http://127.0.0.1:{self.server_port}/in"


class _Taking(BaseHTTPRequestHandler):
    server: AccessPoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.taken.append((dict(self.headers), body))
        answer = f'{{"id": "message-{len(self.server.taken)}"}}'.encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def access_point() -> Iterator[AccessPoint]:
    """A running one."""
    with AccessPoint() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
