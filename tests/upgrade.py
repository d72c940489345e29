"""`make test-upgrade`: the former release answers, reads and writes on the schema of this one.

That is what runs between `manage.py prepare` and the restart of an upgrade. docs/former-release.json names its commit.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import httpx2

from config.embedded import servers
from config.embedded.paths import ROOT
from config.embedded.postgres_server import THROWAWAY
from tests.servers.embedded import throwaway_folder
from tests.servers.web import free_port

PYTHON = sys.executable
READY = 120.0
SERVE = ("-m", "granian", "--interface", "wsgi", "--log-level", "error", "--port")


def main() -> int:
    """Say by the exit code whether it does."""
    commit = json.loads((ROOT / "docs/former-release.json").read_text())["commit"]
    if not has(commit):
        say(f"The history here does not hold the former release, {commit}.")
        if not is_shallow():
            return 1
        say("NOT RUN: this clone is shallow. `git fetch --unshallow` brings what is missing.")
        return 0
    with tempfile.TemporaryDirectory() as former, throwaway_folder() as folder:
        unpack(commit, Path(former))
        with servers.running_servers(folder, tuning=THROWAWAY) as urls:
            port = free_port()
            environment = os.environ | {
                "DATABASE_URL": urls.database,
                "REDIS_URL": urls.redis,
                "DATA_DIR": str(folder / "data"),
                "PORT": str(port),
                "SITE_URL": "",
            }
            run(ROOT, environment, "manage.py", "prepare")
            return probe(Path(former), environment, port=port)


def probe(former: Path, environment: Mapping[str, str], *, port: int) -> int:
    """Load the demo, make a key and ask, all with the former code."""
    run(former, environment, "manage.py", "load_demo")
    key = run(former, environment, "manage.py", "create_api_key", "upgrade@people.example").split()[-1]
    command = [PYTHON, *SERVE, str(port), "config.wsgi:application"]
    web = subprocess.Popen(command, cwd=former, env=environment)
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            wait_ready(client)
            client.headers["Authorization"] = f"Bearer {key}"
            return ask(client)
    finally:
        web.terminate()
        web.wait(40)


def ask(client: httpx2.Client) -> int:
    """One request of each kind; tell what went wrong."""
    slug = client.get("/api/v1/listings").json()["items"][0]["slug"]
    draft = client.post("/api/v1/drafts", json={"url": "https://upgrade-probe.com"}).json().get("id")
    wanted = [
        ("GET", "/api/v1/listings", 200),
        ("GET", "/api/v1/listings?q=invoice", 200),
        ("GET", f"/api/v1/listings?q={slug[:5]}x", 200),
        ("GET", f"/api/v1/listings/{slug}", 200),
        ("GET", "/api/v1/leaderboards/community-weekly", 200),
        ("GET", "/api/v1/me", 200),
        ("GET", f"/api/v1/drafts/{draft}", 200),
        ("POST", f"/api/v1/drafts/{draft}/submit", 400),  # nothing crawls here, so it is not ready
        ("GET", "/", 200),
        ("GET", f"/listings/{slug}", 200),
        ("GET", "/search?q=invoice", 200),
    ]
    wrong = 0
    for method, path, status in wanted:
        answer = client.request(method, path)
        wrong += answer.status_code != status
        say("ok" if answer.status_code == status else "WRONG", method, path, answer.status_code)
    return int(wrong > 0)


def say(*words: object) -> None:
    """A line for whoever watches."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def has(commit: str) -> bool:
    """Whether this history holds it."""
    found = subprocess.run(
        ["git", "cat-file", "-e", f"{commit}^{{commit}}"], cwd=ROOT, capture_output=True, check=False
    )
    return found.returncode == 0


def is_shallow() -> bool:
    """Whether this is a clone without its history."""
    answer = subprocess.run(
        ["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return answer.stdout.strip() == "true"


def unpack(commit: str, folder: Path) -> None:
    """The former release's files."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "x", "-C", str(folder)], input=archive.stdout, check=True)


def run(folder: Path, environment: Mapping[str, str], *arguments: str) -> str:
    """What a command says; it must succeed."""
    began = time.monotonic()
    done = subprocess.run(
        [PYTHON, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    say(f"ok {' '.join(arguments)} ({time.monotonic() - began:.0f} s)")
    return done.stdout


def wait_ready(client: httpx2.Client) -> None:
    """Ask until it answers at all."""
    ends = time.monotonic() + READY
    while True:
        try:
            client.get("/healthz")
        except httpx2.HTTPError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.2)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
