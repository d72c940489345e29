"""What the service holds while nobody asks for anything: 650 MB for all processes of `make up` is the bar."""

import os
import subprocess
import sys

import mcp_types
import mcp_types.jsonrpc
import mcp_types.version
import pytest

from config.embedded.paths import ROOT
from config.mcp import wire

WEB = "import config.asgi"
WORKER = """
import celery.apps.worker, celery.worker.consumer, django
from config import work
for name in work.AT_FIRST_USE:
    work.load_at_first_use(name)
django.setup()
"""
HASHES = """
import django, config.asgi
import psutil
from concurrent.futures import ThreadPoolExecutor
from django.contrib.auth.hashers import make_password

process, pools = psutil.Process(), [ThreadPoolExecutor(1) for _ in range(8)]
def hash_in_each_thread(times):
    for _ in range(times):
        for future in [pool.submit(make_password, "a long password") for pool in pools]:
            future.result()
before = process.memory_info().rss
hash_in_each_thread(2)
print((process.memory_info().rss - before) // 2**20)
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
OF_NO_WORKER = ("prompt_toolkit", "celery.bin.celery", "cryptography.x509", "config.urls", "granian")


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


def test_what_hashes_of_passwords_took_is_given_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HASHES], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    )

    assert int(done.stdout) < 40  # a hash takes 19, and each of eight threads would keep that much
