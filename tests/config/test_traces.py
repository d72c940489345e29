"""Traces: off and without a cost by default; where they are sent, they tell what ran and nothing of anybody."""

import subprocess
import sys
from typing import Any

import httpx2
import pytest
from django.conf import settings

from config.embedded.paths import ROOT
from core import jobs, traces
from core.jobs.queue import run
from core.models import Job
from tests.servers.collector import collector
from tests.servers.web import web_server

SECRET = "nobody-reads-this-7421"


def attributes_of(span: Any) -> dict[str, Any]:
    return {pair.key: pair.value.string_value or pair.value.int_value for pair in span.attributes}


@pytest.mark.django_db(transaction=True)
def test_a_request_and_its_statements_are_spans_that_name_nobody(site: Any) -> None:
    named = {"OTEL_BSP_SCHEDULE_DELAY": "50", "OTEL_SERVICE_NAME": "web"}
    with collector() as receiver, web_server(OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url, **named) as (port, _):
        url = f"http://127.0.0.1:{port}/api/v1/listings?q={SECRET}"
        forged = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        answer = httpx2.get(url, headers={"X-Request-Id": "trace-me-1234", "traceparent": forged})
        spans = receiver.until("GET search_listings")

    request = spans[-1]
    inside = [span for span in spans if span.parent_span_id == request.span_id]
    assert answer.status_code == 200
    assert attributes_of(request) == {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "request.id": "trace-me-1234",
    }
    assert request.trace_id.hex() not in forged
    assert "SELECT" in {span.name for span in inside}
    assert all(attributes_of(span)["db.query.text"] for span in inside)
    assert SECRET not in "".join(str(span) for span in spans)


def test_a_job_is_a_span_with_its_outcome(site: Any, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
        settings.TRACES = True
        traces.provider.cache_clear()
        jobs.add("directory.recount_terms", key="traced")
        job = Job.objects.get(key="traced")

        run(job_id=job.pk)
        traces.provider().shutdown()

        span = receiver.until("directory.recount_terms")[-1]
    traces.provider.cache_clear()
    assert attributes_of(span) == {
        "job.key": "traced",
        "job.id": str(job.pk),
        "job.attempt": 1,
        "job.outcome": "done",
    }


def test_off_by_default_nothing_of_it_is_imported() -> None:
    code = (
        "import django, sys; django.setup(); from core import traces;"
        "\nwith traces.span('x') as current: print(current, 'opentelemetry.exporter.otlp' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert said.stdout.split() == ["None", "False"]
    assert not settings.TRACES
