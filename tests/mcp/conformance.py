"""The official conformance suite and inspector against the running service: make test-mcp."""

import dataclasses
import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from django.urls import clear_url_caches

from accounts import services
from config.docs import pages as docs
from config.mcp import bridge, tools
from core.api import routes
from directory.sites.catalogue import ensure_default_site
from tests.config.test_mcp_client import PASSWORD, Person
from tests.factories.events import RECEIVERS, check_receiver
from tests.factories.listings import make_listing
from tests.factories.oauth import register

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
NODE = MODULES / "node" / "bin" / "node"
SUITE = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
INSPECTOR = MODULES / ".bin" / "mcp-inspector"
CACHES = (
    docs.schema,
    docs.schema_bytes,
    docs.documented,
    routes.all_routes,
    routes.all_operations,
    tools.catalogue,
    bridge.always_resolved,
    bridge._fixed,
    bridge._initialized,
)
CALLBACK_PORT = 21733  # below those that the system hands out to whoever asks for any
SCHEMA_2020_12: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


@pytest.fixture
def served(service: str, settings: Any) -> Iterator[str]:
    """The running service with the suite's own three operations."""
    settings.ROOT_URLCONF = "tests.mcp.urls"
    forget()
    catalogue = dict(tools.catalogue())
    name = "json_schema_2020_12_tool"
    catalogue[name] = dataclasses.replace(catalogue[name], input_schema=SCHEMA_2020_12)
    tools.catalogue.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bridge, "catalogue", lambda: catalogue)
        ensure_default_site()
        make_listing("tidewell", votes=3)
        yield service
    forget()


def forget() -> None:
    """Drop what a process keeps of its addresses."""
    clear_url_caches()
    for cached in CACHES:
        cached.cache_clear()


def node(*command: str | Path, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """Run a program of the suite."""
    return subprocess.run(
        [NODE, *command], cwd=HERE, capture_output=True, text=True, timeout=timeout, check=False
    )


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25"])
def test_the_requirements_of_a_revision(served: str, revision: str, tmp_path: Path) -> None:
    baseline = HERE / f"baseline-{revision}.yml"

    done = node(
        SUITE, "server", "--url", f"{served}/mcp", "--requirements", revision,
        "--expected-failures", baseline, "-o", tmp_path,
    )  # fmt: skip

    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-06-18"])
@pytest.mark.parametrize("scenario", ["tools-list", "tools-call-simple-text", "tools-call-error"])
def test_older_revisions(served: str, revision: str, scenario: str) -> None:
    done = node(
        SUITE,
        "server",
        "--url",
        f"{served}/mcp",
        "--scenario",
        scenario,
        "--spec-version",
        revision,
        "--force",
    )

    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


def test_authorization(served: str) -> None:
    """The suite asks for a page to be opened and waits on a port of its own for what comes back."""
    services.create_user(email="ines@people.example", password=PASSWORD)
    callback = f"http://127.0.0.1:{CALLBACK_PORT}/callback"
    client_id = register(redirect_uris=[callback]).json()["client_id"]
    command = [
        NODE, SUITE, "authorization", "--url", served, "--client-id", client_id, "--port", str(CALLBACK_PORT),
        "--resource", f"{served}/mcp", "--spec-version", "2026-07-28",
    ]  # fmt: skip
    with subprocess.Popen(
        command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as suite:
        said = follow(suite)
        address = wait_for(said, re.compile(rf"{re.escape(served)}/oauth/authorize\?\S+"))
        anyio.run(click_through, served, address)
        suite.wait(60)
        rest = "".join(iter(said.get, None))

    sys.stdout.write(rest)
    assert suite.returncode == 0, rest
    assert re.search(r"\b3 passed\b.*\b0 failed\b|Passed: 3/3", rest, re.DOTALL), rest


def follow(process: subprocess.Popen[str]) -> queue.Queue[str | None]:
    """Its lines, as they come; None at the end."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in process.stdout or ():
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def wait_for(lines: queue.Queue[str | None], pattern: re.Pattern[str]) -> str:
    """The first match in the lines."""
    seen = ""
    while (line := lines.get(timeout=60)) is not None:
        seen += line
        if found := pattern.search(line):
            return found[0]
    raise AssertionError(seen)


async def click_through(served: str, address: str) -> None:
    """Sign in, allow, and hand the answer to the suite, as a browser would."""
    person = Person(served)
    await person.open(address)
    await person.http.get(person.came_back)


def test_the_receiver_in_typescript_checks_what_we_sign(tmp_path: Path) -> None:
    """The one of `/docs/events`, as it stands there, with the standard's library for JavaScript."""
    shown = tmp_path / "receiver.ts"
    shown.write_bytes((RECEIVERS / "receiver.ts").read_bytes())
    (tmp_path / "node_modules").symlink_to(MODULES)
    check_receiver([str(NODE), "--experimental-strip-types", str(shown)])


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_the_inspector_finds_nothing_wrong(served: str, era: str) -> None:
    common = ["--cli", f"{served}/mcp", "--transport", "http", "--protocol-era", era]

    listed = node(INSPECTOR, *common, "--method", "tools/list", "--strict")
    called = node(INSPECTOR, *common, "--method", "tools/call", "--tool-name", "search_listings",
                  "--tool-args-json", '{"q": "tidewell"}')  # fmt: skip

    assert listed.returncode == 0, listed.stdout + listed.stderr
    assert called.returncode == 0, called.stdout + called.stderr
    assert json.loads(called.stdout)["structuredContent"]["items"][0]["slug"] == "tidewell"
