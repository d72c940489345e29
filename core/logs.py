"""What is logged and what is counted of requests and jobs.

A line per event with secrets blotted out: JSON with the request id, or plain words for a person at a terminal. With
PROMETHEUS_MULTIPROC_DIR, which `config.serve` sets, the processes of a web server count in files of one folder, and
whichever of them is asked adds them up.
"""

import logging
import os
import re
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, multiprocess

SECRETS = re.compile(
    r"plk_[A-Za-z0-9_-]{8,}|(?i:bearer)\s+[A-Za-z0-9._~+/=-]+|sk-[A-Za-z0-9_-]{8,}|[rs]k_(?:live|test)_\w+|whsec_\w+"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"
)
# A mailed link is its own secret, and paths are logged: so no part of an address that is long and not plain words is.
# UUIDs, which name rows and open nothing, stay; so do Python's file names, for tracebacks.
UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
PATH_SECRETS = re.compile(
    rf"(?<=[/=])(?!{UUID}\b)(?![\w-]+\.py(?![\w-]))(?=[^\s/?&#'\"A-Z0-9:]{{0,64}}[A-Z0-9:])[\w.:~%=-]{{24,}}",
    re.ASCII,
)
SECRET_PARTS = {"token", "key", "code", "uidb36", "signature"}  # by their names in routes
SECRET_NAMES = re.compile(r"authorization|cookie|password|token|secret|api_key", re.IGNORECASE)


def blot(value: Any) -> Any:
    if isinstance(value, str):
        return PATH_SECRETS.sub("[secret]", SECRETS.sub("[secret]", value))
    if isinstance(value, dict):
        return {
            key: "[secret]" if SECRET_NAMES.search(str(key)) else blot(inner) for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [blot(inner) for inner in value]
    if value is None or isinstance(value, int | float):
        return value
    return blot(repr(value))  # as the renderer would write it: a request's holds its path


def path_of(request: HttpRequest) -> str:
    path = request.path.encode("utf-8", "replace").decode()
    match: Any = request.resolver_match
    parts = match.kwargs if match else {}
    secrets = [str(parts[name]) for name in SECRET_PARTS & parts.keys() if parts[name]]
    for secret in sorted(secrets, key=len, reverse=True):
        path = path.replace(secret, "[secret]")
    return path


def _blot_event(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> dict[str, Any]:
    request = event.get("request")
    if isinstance(request, HttpRequest):
        # Django's own lines: which part of a path is a secret, its route says
        path, safe_path = request.path, path_of(request)
        event.update(
            {name: text.replace(path, safe_path) for name, text in event.items() if isinstance(text, str)}
        )
        event["request"] = f"<WSGIRequest: {request.method} {safe_path!r}>"
    return {key: "[secret]" if SECRET_NAMES.search(key) else blot(value) for key, value in event.items()}


class NoOutages(logging.Filter):
    """Leaves out the line for each request that an outage refused: `core.outages` says once that there is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", 0) != 503


class NoRestarts(logging.Filter):
    """Leaves out that Celery begins again each second while Redis is full: `core.outages` says once that it is."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Frequent restarts")


class NoRoutine(logging.Filter):
    """Leaves out what the clock did as ever: a person at a terminal waits for something else."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "outcome", "") != "done" or not str(getattr(record, "key", "")).startswith(
            "every-"
        )


def _for_people(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """What somebody reads of a request or a job: what it was, how it ended, how long it took."""
    event.pop("logger", None)
    if "method" in event and "status" in event:
        event["event"] = f"{event['method']} {event['path']} {event['status']}{_took(event)}"
        return {name: event[name] for name in ("timestamp", "level", "event")}
    if "kind" in event and "outcome" in event:
        event["event"] = f"{event.pop('kind')} {event.pop('outcome')}{_took(event)}"
        event.pop("job_id", None)
        if event.get("attempt") == 1:
            del event["attempt"]
    return event


def _took(event: MutableMapping[str, Any]) -> str:
    return f" in {event.pop('seconds') * 1000:.0f} ms"


def formatter() -> structlog.stdlib.ProcessorFormatter:
    return _formatter(
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _blot_event,
        structlog.processors.JSONRenderer(),
    )


def console_formatter() -> structlog.stdlib.ProcessorFormatter:
    """The formatter of every line that a person reads, in colour unless NO_COLOR is set."""
    is_coloured = not os.environ.get("NO_COLOR")
    return _formatter(
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
        structlog.processors.format_exc_info,
        _blot_event,
        _for_people,
        structlog.dev.ConsoleRenderer(
            colors=is_coloured, force_colors=is_coloured, pad_event_to=0, sort_keys=False
        ),
    )


def _formatter(stamp: Any, *processors: Any) -> structlog.stdlib.ProcessorFormatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            stamp,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *processors],
    )


FOLDER = "PROMETHEUS_MULTIPROC_DIR"
COUNTS = CollectorRegistry()
# The service's bars are among them: 0.15 s for reads, 0.5 s while Redis is away, 1.5 s for writes, 6 s at the worst.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 1.5, 3.0, 6.0)
PROGRAMS = ("mcp", "oauth", "admin", "static", "media", "webhooks")
REQUESTS = Counter("http_requests", "Requests answered", ["operation", "status"], registry=COUNTS)
SECONDS = Histogram(
    "http_request_duration_seconds", "How long they took", ["operation"], buckets=BUCKETS, registry=COUNTS
)
_answers_of, _seconds_of = lru_cache(REQUESTS.labels), lru_cache(SECONDS.labels)
HINTS_NOT_TAKEN = Counter(
    "hint_failures", "Tries to leave a hint at a job that Redis refused", registry=COUNTS
)


def count_request(
    request: HttpRequest, response: HttpResponse, *, seconds: float, operation: str | None
) -> None:
    name = count(request.path_info, status=response.status_code, operation=operation)
    _seconds_of(name).observe(seconds)


def count(path: str, *, status: int, operation: str | None = None) -> str:
    """Count an answer. What is no operation counts for the part of the site that it is of: a bounded number."""
    part = path.strip("/").partition("/")[0]
    name = operation or (part if part in PROGRAMS else "page")
    _answers_of(name, str(status)).inc()
    return name


def counts_of_all_processes() -> CollectorRegistry:
    """What was counted since the web server began, by all its processes."""
    if FOLDER not in os.environ:
        return COUNTS
    together = CollectorRegistry()
    multiprocess.MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return together
