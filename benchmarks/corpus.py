"""Draft every site of a corpus through the running service's API, score the drafts, measure the drafting."""

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from config.embedded import paths, servers  # noqa: E402
from tests.journeys.service import Client, Service, wait_for  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "drafting.md"
PATIENCE, IDLE_PATIENCE = 120.0, 90.0
ADDED, WHOLE, ONE = 1.0, 650.0, 300.0  # seconds, MB, MB
BARS = {
    "invented_rate_of_values": ("at most", 0.01),
    "forbidden_values": ("at most", 0.0),
    "closed_pages_cited": ("at most", 0.0),
    "closed_pages_fetched": ("at most", 0.0),
    "evidence_valid_rate": ("at least", 1.0),
    "precision": ("at least", 0.95),
    "recall_micro": ("at least", 0.88),
}


@dataclass
class Answers:
    """When each site was busy answering, on this machine's clock."""

    spans: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, site: str, began: float, ended: float) -> None:
        """One answer."""
        with self.lock:
            self.spans.setdefault(site, []).append((began, ended))

    def busy(self, site: str, *, since: float, until: float) -> float:
        """How long at least one answer of the site was under way."""
        total, reached = 0.0, since
        for began, ended in sorted(self.spans.get(site, [])):
            start, end = max(began, reached), min(ended, until)
            if end > start:
                total += end - start
                reached = end
        return total


class Server(ThreadingHTTPServer):
    """The corpus's server; a client that hangs up early is no news."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing."""


@contextmanager
def served(corpus: Path, *, port: int, log: Path, answers: Answers) -> Iterator[None]:
    """The corpus's own server, at one port, with a clock around each answer."""
    spec = importlib.util.spec_from_file_location("corpus_server", corpus.parent / "serve.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    class Timed(module.Handler):  # type: ignore[name-defined,misc]
        def do_GET(self) -> None:  # noqa: N802
            began = time.time()
            try:
                super().do_GET()
            finally:
                answers.add(self.site(), began, time.time())

    module.Handler.root, module.Handler.log = str(corpus.resolve()), str(log)
    log.touch()
    with Server(("127.0.0.1", port), Timed) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@dataclass
class Memory:
    """The memory of the service's processes, looked at ten times a second."""

    service: Service
    idle: dict[str, machine.Footprint]
    most: dict[str, float] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Note the most that one process of the crawler used, until told to stop."""
        while not self.stopped.wait(0.1):
            for name in ("crawler@", "worker@"):
                largest = max((machine.resident(process) for process in self.service.group(name)), default=0)
                self.most[name] = max(self.most.get(name, 0.0), largest)


def footprints(service: Service) -> dict[str, machine.Footprint]:
    """The memory of each program with its children, and of all."""
    programs = {
        "database": "bin/postgres",
        "Redis": "redis-server",
        "web": "config.serve",
        "worker": "worker@",
        "crawler": "crawler@",
    }
    found = {name: machine.footprint(service.group(words)) for name, words in programs.items()}
    return found | {"whole service": machine.footprint(service.family())}


def exported(draft: dict[str, Any]) -> dict[str, Any]:
    """A draft of the API in the scorer's format."""
    socials = {name: given(value) for name, value in draft["company_socials"].items()}
    for name, value in draft["founder_socials"].items():
        socials[name if name not in socials else f"founder {name}"] = given(value)
    return {
        "fields": {name: given(value) for name, value in draft["fields"].items()},
        "founders": [
            {**{key: founder.get(key) for key in ("name", "title", "bio")}, "evidence": founder["evidence"]}
            for founder in draft["founders"]
        ],
        "socials": socials,
        "faqs": [{key: faq[key] for key in ("question", "answer", "evidence")} for faq in draft["faqs"]],
    }


def given(value: dict[str, Any]) -> dict[str, Any]:
    """One value in the scorer's format."""
    quotes = [{"url": quote["url"], "quote": quote["quote"]} for quote in value["evidence"]]
    suggestions = [entry["value"] for entry in value["suggestions"]]
    return {"value": value["value"], "state": value["state"], "evidence": quotes, "suggestions": suggestions}


@dataclass
class Drafted:
    """One site's draft and how long it took."""

    site: str
    draft: dict[str, Any]
    seconds: float
    site_seconds: float
    processor: float

    @property
    def added(self) -> float:
        """What we added to the site's own time."""
        return self.seconds - self.site_seconds


def draft_all(
    client: Client, *, sites: list[str], answers: Answers, service: Service | None
) -> list[Drafted]:
    """Submit one site after another, so that none waits for another's processor time."""
    found = []
    for site in sites:
        before = machine.processor_seconds(service.group("crawler@")) if service else 0.0
        since = time.time()
        identifier = client.submit(f"http://{site}.test/")
        draft = client.ended([identifier], patience=PATIENCE, every=0.05)[identifier]
        until = time.time()
        used = machine.processor_seconds(service.group("crawler@")) - before if service else 0.0
        busy = answers.busy(site, since=since, until=until)
        found.append(Drafted(site, draft, until - since, busy, used))
        print(f"{site:16} {draft['status']:6} {until - since:6.2f} s, the site {busy:6.2f} s", flush=True)
    return found


def score(drafted: list[Drafted], *, corpus: Path, folder: Path, log: Path) -> dict[str, Any]:
    """What the corpus's own scorer says."""
    drafts = {one.site: exported(one.draft) for one in drafted if one.draft["status"] == "ready"}
    (folder / "drafts.json").write_text(json.dumps(drafts, ensure_ascii=False, indent=1))
    command = [sys.executable, str(corpus.parent / "score.py"), str(folder / "drafts.json")]
    command += [
        "--corpus",
        str(corpus),
        "--access-log",
        str(log),
        "--json",
        str(folder / "score.json"),
        "--verbose",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    print(done.stdout)
    found: dict[str, Any] = json.loads((folder / "score.json").read_text())
    return found


def is_met(name: str, value: float) -> bool:
    """Whether a figure meets its bar."""
    kind, bar = BARS[name]
    return value <= bar if kind == "at most" else value >= bar


def report(drafted: list[Drafted], scored: dict[str, Any], *, memory: Memory | None, command: str) -> str:
    """The page of results."""
    summary = scored["summary"]
    lines = [
        "# Drafting the corpus through the API",
        "",
        f"`{command}`",
        "",
        machine.described(),
        "",
        "## Quality",
        "",
        "| figure | value | bar | met |",
        "|---|---|---|---|",
    ]
    for name, value in summary.items():
        if not isinstance(value, int | float):
            continue
        bar = f"{BARS[name][0]} {BARS[name][1]:g}" if name in BARS else ""
        met = ("yes" if is_met(name, value) else "**no**") if name in BARS else ""
        lines.append(f"| {name} | {value:.4g} | {bar} | {met} |")
    lines += [
        "",
        f"Sites without a draft: {', '.join(summary['missing']) or 'none'}.",
        "",
        "| field | labelled | right | wrong | invented |",
        "|---|---|---|---|---|",
    ]
    for name, row in scored["fields"].items():
        lines.append(f"| {name} | {row['gold']} | {row['correct']} | {row['wrong']} | {row['invented']} |")
    lines += ["", "## Time", "", *times(drafted)]
    if memory is not None:
        lines += ["", "## Memory", "", *memories(memory)]
    return "\n".join(lines) + "\n"


def times(drafted: list[Drafted]) -> list[str]:
    """The table of seconds, from the submission's request to the first answer that shows the draft ended."""
    added = sorted(one.added for one in drafted)
    median, work = statistics.median(added), statistics.median(one.processor for one in drafted)
    verdict = "met" if median <= ADDED else "**not met**"
    rows = [
        f"| {one.site} | {one.draft['status']} | {len(one.draft['crawl']['pages'])} | {one.seconds:.2f} |"
        f" {one.site_seconds:.2f} | {one.added:.2f} | {one.processor:.2f} |"
        for one in drafted
    ]
    return [
        "One site after another. Seconds from the request that submits it to the answer that shows it ended;",
        "the time in which the site itself was answering; what is left; the crawler's processor time.",
        "",
        "| site | status | addresses | seconds | site's own | added | processor |",
        "|---|---|---|---|---|---|---|",
        *rows,
        "",
        f"Added for the median site: **{median:.2f} s** (bar: at most {ADDED:g} s, {verdict});"
        f" most: {added[-1]:.2f} s. Processor time of the median site: {work:.2f} s.",
    ]


def memories(memory: Memory) -> list[str]:
    """What the processes used."""
    crawler, worker = memory.most.get("crawler@", 0.0), memory.most.get("worker@", 0.0)
    idle = memory.idle["whole service"]
    parts = [
        f"| of which {name} | {part.proportional:.0f} ({part.resident:.0f}) | | |"
        for name, part in memory.idle.items()
        if part is not idle
    ]
    return [
        "| what | MB | bar | met |",
        "|---|---|---|---|",
        f"| whole service idle, each process's own memory and its share of what is shared (PSS) |"
        f" {idle.proportional:.0f} | {under(idle.proportional, WHOLE)} |",
        f"| whole service idle, resident sizes added up (shared pages count many times) |"
        f" {idle.resident:.0f} | {under(idle.resident, WHOLE)} |",
        *parts,
        f"| largest process of the crawler while drafting | {crawler:.0f} | {under(crawler, ONE)} |",
        f"| the other worker | {worker:.0f} | {under(worker, ONE)} |",
    ]


def under(value: float, bar: float) -> str:
    """The last two cells of a row."""
    return f"under {bar:.0f} | {'yes' if value < bar else '**no**'}"


@contextmanager
def service_for(sites: list[str], *, corpus_port: int, port: int) -> Iterator[Service]:
    """A service of its own, which finds the corpus's sites under names of their own."""
    folder = Path(tempfile.mkdtemp(prefix="launch-directory-bench-"))
    folder.chmod(0o711)
    resolve = ",".join(f"{site}.test=127.0.0.1:{corpus_port}" for site in sites)
    service = Service(folder, port, {"CRAWL_RESOLVE": resolve, "RATE_LIMIT_FACTOR": "10"})
    try:
        service.start()
        yield service
    finally:
        service.stop()
        servers.forget(folder)


def main() -> int:
    """Run everything, write the figures, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpus" / "dev")
    parser.add_argument(
        "--base-url", default="", help="a running service; start it with the CRAWL_RESOLVE printed"
    )
    parser.add_argument("--api-key", default="", help="with --base-url")
    parser.add_argument("--port", type=int, default=0, help="of the service, when it is ours")
    parser.add_argument("--corpus-port", type=int, default=18_800)
    parser.add_argument("--only", default="", help="sites, comma-separated")
    parser.add_argument(
        "--keep", type=Path, default=None, help="a folder for drafts, scores and the access log"
    )
    parser.add_argument("--no-results", action="store_true", help=f"leave {RESULTS.name} as it is")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    names = [folder.name for folder in sorted(options.corpus.iterdir()) if (folder / "pages").is_dir()]
    sites = [name for name in names if not only or name in only]
    folder = options.keep or Path(tempfile.mkdtemp(prefix="launch-directory-corpus-"))
    folder.mkdir(parents=True, exist_ok=True)
    log, answers = folder / "access.log", Answers()
    log.unlink(missing_ok=True)
    with served(options.corpus, port=options.corpus_port, log=log, answers=answers):
        drafted, memory = measured(options, sites=sites, answers=answers)
    scored = score(drafted, corpus=options.corpus, folder=folder, log=log)
    page = report(drafted, scored, memory=memory, command=machine.command_line())
    print(page)
    if not options.no_results:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(page)
    return 0 if all(is_met(name, scored["summary"][name]) for name in BARS) else 1


def measured(
    options: argparse.Namespace, *, sites: list[str], answers: Answers
) -> tuple[list[Drafted], Memory | None]:
    """The drafts, of a running service or of one started for this."""
    if options.base_url:
        client = Client(site=options.base_url.rstrip("/"), key=options.api_key)
        return draft_all(client, sites=sites, answers=answers, service=None), None
    port = options.port or paths.free_port()
    with service_for(sites, corpus_port=options.corpus_port, port=port) as service:
        client = service.client()
        wait_for(lambda: len(service.group("crawler@")) == 1, patience=IDLE_PATIENCE, every=2)
        memory = Memory(service=service, idle=footprints(service))
        watcher = threading.Thread(target=memory.watch, daemon=True)
        watcher.start()
        drafted = draft_all(client, sites=sites, answers=answers, service=service)
        memory.stopped.set()
        watcher.join()
        return drafted, memory


if __name__ == "__main__":
    sys.exit(main())
