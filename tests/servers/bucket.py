"""An S3-compatible bucket on the loopback interface: objects in memory, asked by path, whoever signs."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

LISTED = '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>{}</ListBucketResult>'
CHUNKED = "aws-chunked"


class Handler(BaseHTTPRequestHandler):
    """PUT, GET, HEAD and DELETE of objects, and their list."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    @property
    def key(self) -> str:
        """The object's name; the first part of the path is the bucket."""
        return unquote(urlsplit(self.path).path).partition("/")[2].partition("/")[2]

    def do_PUT(self) -> None:
        if self.server.is_away:
            return self._answer(500)
        body = self._chunks() if CHUNKED in self.headers.get("Content-Encoding", "") else self._plain()
        self.server.objects[self.key] = body
        return self._answer(200, headers={"ETag": '"1"'})

    def do_GET(self) -> None:
        query = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        if self.server.is_away:
            return self._answer(500)
        if not self.key:
            return self._answer(200, self._list(query.get("prefix", [""])[0]))
        body = self.server.objects.get(self.key)
        if body is None:
            return self._answer(404)
        return self._answer(200, body, {"ETag": '"1"', "Last-Modified": self.server.changed_at})

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_DELETE(self) -> None:
        self.server.objects.pop(self.key, None)
        self._answer(204)

    def _plain(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _chunks(self) -> bytes:
        """A body in Amazon's own pieces: each with its length, and a signature that nobody checks here."""
        found = b""
        while length := int(self.rfile.readline().partition(b";")[0], 16):
            found += self.rfile.read(length)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return found

    def _list(self, prefix: str) -> bytes:
        inside = [key[len(prefix) :] for key in sorted(self.server.objects) if key.startswith(prefix)]
        files = [name for name in inside if "/" not in name]
        folders = sorted({name.partition("/")[0] for name in inside if "/" in name})
        return LISTED.format(
            "".join(f"<Contents><Key>{escape(prefix + name)}</Key></Contents>" for name in files)
            + "".join(
                f"<CommonPrefixes><Prefix>{escape(prefix + name)}/</Prefix></CommonPrefixes>"
                for name in folders
            )
        ).encode()

    def _answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """One bucket, whatever its name."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.is_away = False
        self.changed_at = format_datetime(datetime.now(UTC), usegmt=True)

    @property
    def url(self) -> str:
        """As BACKUP_TO and MEDIA_STORAGE name it."""
        port = self.server_address[1]
        return f"s3://things/site?endpoint_url=http://127.0.0.1:{port}&region_name=eu&addressing_style=path"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A bucket, and keys that open it."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "tests")
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
