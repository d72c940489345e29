"""OpenTelemetry traces: a span for each request, statement and job, sent on by OTLP; off unless an address is named.

The SDK reads its own variables: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER,
OTEL_SERVICE_NAME (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Spans carry
names, states and the text of statements without their values: no address, query, header or body. A trace begins here:
the `traceparent` of a stranger, who could have each of theirs recorded by it, is not followed.
"""

import contextlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

STATEMENT_LENGTH = 2_000
MISSING = (
    "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed."
    " Run `pip install --require-hashes -r requirements/traces.lock`, or unset it."
)


@cache
def provider() -> Any:
    """What makes spans in this process and sends them on in batches. Each process asks for its own after its fork."""
    try:
        sdk, export = (
            import_module("opentelemetry.sdk.trace"),
            import_module("opentelemetry.sdk.trace.export"),
        )
        otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        raise ImproperlyConfigured(MISSING) from error
    made = sdk.TracerProvider()
    made.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    return made


@contextlib.contextmanager
def span(name: str, **attributes: Any) -> Iterator[Any]:
    """What happens within is a span, and each statement of it one inside; where traces are off, None and no cost."""
    if not settings.TRACES:
        yield None
        return
    tracer = provider().get_tracer("launch_directory")
    with contextlib.ExitStack() as stack:
        current = stack.enter_context(tracer.start_as_current_span(name, attributes=attributes))
        for connection in connections.all():
            stack.enter_context(connection.execute_wrapper(_statement(tracer, connection.alias)))
        yield current


def _statement(tracer: Any, alias: str) -> Callable[..., Any]:
    def traced(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        words = str(sql).split(maxsplit=1)
        attributes = {
            "db.system.name": "postgresql",
            "db.namespace": alias,
            "db.query.text": str(sql)[:STATEMENT_LENGTH],
        }
        with tracer.start_as_current_span(words[0].upper() if words else "statement", attributes=attributes):
            return execute(sql, params, many, context)

    return traced
