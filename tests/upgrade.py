"""`make test-upgrade`: the upgrade of docs/operations.md from the former release to this one, played to its end.

The former release, whose commit docs/former-release.json names, runs as its own README says, with data of its own and
drafts on the way. Then come the page's steps. Meanwhile somebody reads, and nobody may be refused; the former release
reads and writes on the schema of this one; every draft is finished, whoever began it.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from config.embedded import servers
from config.embedded.paths import ROOT, client_programs
from config.embedded.postgres_server import THROWAWAY
from tests.journeys.service import Client
from tests.journeys.sites import fill_slowly
from tests.servers.folders import throwaway_folder
from tests.servers.web import free_port
from tests.servers.website import Website

READY, STOP, DRAFTED = 240.0, 60.0, 240.0
FORMER_WEB = (
    "granian",
    "--interface",
    "wsgi",
    "--workers",
    "2",
    "--respawn-failed-workers",
    "--log-level",
    "error",
)
CRAWLER = ("celery", "--quiet", "-A", "config", "worker", "-Q", "crawl,ai", "--concurrency", "2")
WORKER = ("celery", "--quiet", "-A", "config", "worker", "-Q", "payments,mail,default", "--concurrency", "2")
BEAT = ("celery", "--quiet", "-A", "config", "beat")
BEHIND = {"crawler": CRAWLER, "worker": WORKER}
SITES = 12
READ = ("/api/v1/listings", "/api/v1/listings?q=invoice", "/", "/leaderboards", "/api/v1/site")


def main() -> int:
    """Say by the exit code whether all went well."""
    commit = json.loads((ROOT / "docs/former-release.json").read_text())["commit"]
    if not has(commit):
        say(f"The history here does not hold the former release, {commit}.")
        if not is_shallow():
            return 1
        say("NOT RUN: this clone is shallow. `git fetch --unshallow` brings what is missing.")
        return 0
    with tempfile.TemporaryDirectory() as former, ExitStack() as stack:
        unpack(commit, Path(former))
        folder, website = stack.enter_context(throwaway_folder()), stack.enter_context(Website())
        fill_slowly(website, seconds=0.4)
        hosts = [f"upgrade{number}.test" for number in range(SITES)]
        resolve = ",".join(f"{host}={at}:{port}" for host, (at, port) in website.at(*hosts).items())
        urls = stack.enter_context(servers.running_servers(folder, tuning=THROWAWAY))
        environment = os.environ | {
            "DATABASE_URL": urls.database,
            "REDIS_URL": urls.redis,
            "DATA_DIR": str(folder / "data"),
            "PORT": str(free_port()),
            "SITE_URL": "",
            "CRAWL_RESOLVE": resolve,
            "RATE_LIMIT_FACTOR": "1000",
            "LOG_LEVEL": "WARNING",
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        }
        return play(Path(former), environment, hosts=iter(hosts), backups=folder / "backups")


@dataclass
class Running:
    """Programs by their names, each in the folder of its release."""

    environment: Mapping[str, str]
    programs: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, folder: Path, *words: str) -> None:
        self.programs[name] = subprocess.Popen(
            [sys.executable, "-m", *words], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL
        )

    def end(self, *names: str) -> None:
        """With SIGTERM, all at once."""
        for name in names:
            self.programs[name].terminate()
        for name in names:
            self.programs.pop(name).wait(STOP)


@contextmanager
def running(environment: Mapping[str, str]) -> Iterator[Running]:
    """Start programs in here; all have ended afterwards."""
    every = Running(environment)
    try:
        yield every
    finally:
        every.end(*every.programs)


def play(former: Path, environment: Mapping[str, str], *, hosts: Iterator[str], backups: Path) -> int:
    """The former release as it runs, then the steps of the page, then a look at what became of everything."""
    port = environment["PORT"]
    run(former, environment, "manage.py", "prepare")
    run(former, environment, "manage.py", "load_demo", "--listings", "100")
    key = run(former, environment, "manage.py", "create_api_key", "upgrade@people.example").split()[-1]
    client = Client(site=f"http://127.0.0.1:{port}", key=key)

    def submitted(count: int) -> list[str]:
        return [client.submit(f"https://{next(hosts)}/") for _ in range(count)]

    with running(environment) as programs:
        programs.start("web", former, *FORMER_WEB, "--port", port, "config.wsgi:application")
        wait_ready(client.http)
        for name, words in {**BEHIND, "beat": BEAT}.items():
            programs.start(name, former, *words)
        with reading(port) as refused:
            drafts = submitted(2)
            run(ROOT, environment, "manage.py", "backup", "--to", str(backups))
            run(ROOT, environment, "manage.py", "prepare")
            run(former, environment, "manage.py", "load_demo")
            wrong = ask(client.http)
            drafts += submitted(3)
            old = programs.programs["web"]
            programs.start("web", ROOT, "config.serve", "--instead-of", str(old.pid))
            old.wait(READY)
            say("ok the new web server has taken the old one's place")
            drafts += submitted(3)
            programs.end("crawler", "worker", "beat")
            for name, words in BEHIND.items():
                programs.start(name, ROOT, *words)
            found = client.ended([*drafts, *submitted(2)], patience=DRAFTED)
            wrong += ask(client.http)
    statuses = [draft["status"] for draft in found.values()]
    say(
        f"{statuses.count('ready')} of {len(statuses)} drafts ready; refused meanwhile: {refused or 'nobody'}"
    )
    is_alike = has_fresh_schema(environment["DATABASE_URL"])
    return int(wrong > 0 or bool(refused) or not is_alike or set(statuses) != {"ready"})


def has_fresh_schema(upgraded: str) -> bool:
    """Whether squashed migrations made of an empty database what all of them made of the former release's."""
    with (
        throwaway_folder(migrated=True) as folder,
        servers.running_servers(folder, tuning=THROWAWAY) as fresh,
    ):
        run(ROOT, os.environ | {"DATABASE_URL": fresh.database}, "manage.py", "migrate")
        other = sorted(schema(upgraded) ^ schema(fresh.database))
    for line in other or ["ok an upgraded database and a fresh one are alike"]:
        say(line)
    return not other


def schema(url: str) -> set[str]:
    """The lines of a dump; those of a table's columns stand in the order in which they came."""
    command = [client_programs() / "pg_dump", "--schema-only", url]
    dump = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {line.rstrip(",") for line in dump.splitlines() if "restrict " not in line}


@contextmanager
def reading(port: str) -> Iterator[list[str]]:
    """Somebody reads, each time on a new connection; gives what was no good answer."""
    refused, ends = list[str](), threading.Event()

    def read_on(paths: Sequence[str]) -> None:
        while not ends.wait(0.1):
            for path in paths:
                try:
                    status = str(
                        httpx2.get(f"http://127.0.0.1:{port}{path}", timeout=60, trust_env=False).status_code
                    )
                except httpx2.HTTPError as error:
                    status = type(error).__name__
                if status not in {"200", "302"}:
                    refused.append(f"{path} {status}")

    reader = threading.Thread(target=read_on, args=(READ,))
    reader.start()
    try:
        yield refused
    finally:
        ends.set()
        reader.join()


def ask(client: httpx2.Client) -> int:
    """One request of each kind; tell how many went wrong."""
    slug = client.get("/listings").json()["items"][0]["slug"]
    draft = (
        client.post("/drafts", json={"url": f"https://upgrade-probe-{time.time_ns()}.com"}).json().get("id")
    )
    wanted = [
        ("GET", "/api/v1/listings", 200),
        ("GET", "/api/v1/listings?q=invoice", 200),
        ("GET", f"/api/v1/listings?q={slug[:5]}x", 200),
        ("GET", f"/api/v1/listings/{slug}", 200),
        ("GET", "/api/v1/leaderboards/community-weekly", 200),
        ("GET", "/api/v1/me", 200),
        ("GET", f"/api/v1/drafts/{draft}", 200),
        ("POST", f"/api/v1/drafts/{draft}/submit", 400),  # its website is not there, so it is not ready
        ("GET", "/", 200),
        ("GET", f"/listings/{slug}", 200),
        ("GET", "/search?q=invoice", 200),
    ]
    wrong = 0
    for method, path, status in wanted:
        answer = client.request(method, str(client.base_url.join(path)))
        wrong += answer.status_code != status
        say("ok" if answer.status_code == status else "WRONG", method, path, answer.status_code)
    return wrong


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
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
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
            client.get(str(client.base_url.join("/healthz")))
        except httpx2.HTTPError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.2)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
