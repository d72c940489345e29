"""What the service holds while nobody asks for anything: 650 MB for all processes of `make up` is the bar."""

import asyncio
import os
import subprocess
import sys
from typing import Any

import mcp_types
import mcp_types.jsonrpc
import mcp_types.version
import pytest
from django.db import connection

from config import asgi
from config.embedded.paths import ROOT
from config.mcp import wire
from tests.journeys.service import wait_for
from tests.waiting import LONG

WEB = """
import django.urls, config.asgi
django.urls.get_resolver().url_patterns
"""
WORKER = """
import celery.apps.worker, celery.worker.consumer, django
from config import work
for name in work.AT_FIRST_USE:
    work.load_at_first_use(name)
django.setup()
"""
# Each would be several megabytes in each process, for what few ask for.
OF_NONE = (
    "mcp_types",
    "pydantic",
    "openai",
    "stripe._stripe_client",
    "PIL.Image",
    "qrcode",
    "icalendar",
    "boto3",
    "bs4",
    "lxml.etree",
    "tinycss2",
    "drafts.writing.evidence",
    "drafts.crawl.crawler",
)
OF_NO_WORKER = (
    "prompt_toolkit",
    "celery.bin.celery",
    "cryptography.x509",
    "config.urls",
    "granian",
)


@pytest.mark.parametrize(
    ("program", "unwanted"), [(WEB, OF_NONE), (WORKER, OF_NONE + OF_NO_WORKER)], ids=["web", "worker"]
)
def test_a_process_that_has_started_holds_nothing_large_that_waits_for_a_rare_wish(
    program: str, unwanted: tuple[str, ...]
) -> None:
    asked = f"{program}\nimport sys\nprint(*sorted(sys.modules.keys() & {set(unwanted)!r}))"

    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == []


def test_the_names_and_numbers_of_mcp_are_the_librarys() -> None:
    library = {**vars(mcp_types.version), **vars(mcp_types.jsonrpc), **vars(mcp_types)}
    ours = {name: value for name, value in vars(wire).items() if name.isupper()}

    assert len(ours) == 10
    assert ours == {name: library[name] for name in ours}


@pytest.mark.django_db(transaction=True)
def test_a_web_process_that_rests_keeps_no_connection_to_the_database(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asgi, "REST_SECONDS", 0.5)
    before = backends()

    async def serve() -> list[int]:
        application, statuses = asgi.Application(), []
        for _ in range(2):
            statuses += [await asked(application) for _ in range(3)]
            await asyncio.to_thread(wait_for, lambda: backends() <= before, patience=2 * LONG)
        return statuses

    assert asyncio.run(serve()) == [200] * 6


@pytest.mark.django_db(transaction=True)
def test_a_web_process_that_many_ask_keeps_its_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    before = backends()

    async def serve() -> list[bool]:
        application = asgi.Application()
        first, loop, kept = application.threads, asyncio.get_running_loop(), []
        await asked(application)
        monkeypatch.setattr(asgi, "REST_SECONDS", 5)
        for number in (6, 5):  # in five seconds: more than one in each, and not
            application.asked = number
            application.renew(loop)  # as the clock does
            kept.append(application.threads is first)
        await asyncio.to_thread(wait_for, lambda: backends() <= before, patience=2 * LONG)
        return kept

    assert asyncio.run(serve()) == [True, False]


def backends() -> set[int]:
    """The processes that PostgreSQL has for who is connected to this database, but the one that is asked."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        found = {pid for (pid,) in cursor.fetchall()}
    connection.close()
    return found


async def asked(application: asgi.Application) -> int:
    """The status of `/readyz`."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": "/readyz",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
    }
    await application(scope, receive, send)
    status: int = sent[0]["status"]
    return status
