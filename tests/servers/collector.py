"""A collector of OpenTelemetry traces on loopback with a real socket, and the spans it was sent."""

import gzip
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector(ThreadingHTTPServer):
    """Keeps every span in the order of its arrival."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.spans: queue.Queue[Any] = queue.Queue()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def until(self, name: str, *, patience: float = 20) -> list[Any]:
        """The spans up to the first of this name."""
        found = [self.spans.get(timeout=patience)]
        while found[-1].name != name:
            found.append(self.spans.get(timeout=patience))
        return found


class Receiver(BaseHTTPRequestHandler):
    """OTLP over HTTP as protocol buffers (https://opentelemetry.io/docs/specs/otlp/#otlphttp)."""

    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    self.server.spans.put(span)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def collector() -> Iterator[Collector]:
    """A running one."""
    with Collector() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
