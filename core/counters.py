"""What each web process counts: requests by operation and status, how long they took, hints that Redis did not take.

With PROMETHEUS_MULTIPROC_DIR, which `config.serve` sets, the processes of a web server count in files of one folder,
and whichever of them is asked adds them up.
"""

import os

from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, multiprocess

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
OWN = CollectorRegistry()
# The service's bars are among them: 0.15 s for reads, 0.5 s while Redis is away, 1.5 s for writes, 6 s at the worst.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 3.0, 6.0)
PROGRAMS = ("mcp", "oauth", "admin", "static", "media", "webhooks")
REQUESTS = Counter("http_requests", "Requests answered", ["operation", "status"], registry=OWN)
SECONDS = Histogram(
    "http_request_duration_seconds", "How long they took", ["operation"], buckets=BUCKETS, registry=OWN
)
HINTS_NOT_TAKEN = Counter("hint_failures", "Tries to leave a hint at a job that Redis refused", registry=OWN)


def note(request: HttpRequest, response: HttpResponse, *, seconds: float, operation: str | None) -> None:
    name = count(request.path_info, status=response.status_code, operation=operation)
    SECONDS.labels(operation=name).observe(seconds)


def count(path: str, *, status: int, operation: str | None = None) -> str:
    """Count an answer. What is no operation counts for the part of the site that it is of: a bounded number."""
    part = path.strip("/").partition("/")[0]
    name = operation or (part if part in PROGRAMS else "page")
    REQUESTS.labels(operation=name, status=str(status)).inc()
    return name


def of_all_processes() -> CollectorRegistry:
    """What was counted since the web server began, by all its processes."""
    if FOLDER not in os.environ:
        return OWN
    together = CollectorRegistry()
    multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together
