"""Four web servers, eight workers, a proxy, a pooler, a replica: upgrade them under load, then kill one by one."""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.load import made_key, mixed  # noqa: E402
from benchmarks.parts import scale  # noqa: E402
from benchmarks.parts.open_loop import Asker, Found  # noqa: E402
from benchmarks.parts.programs import Programs, programs, proxy, wait_ready  # noqa: E402
from config.embedded import paths, servers  # noqa: E402
from config.embedded.postgres_server import THROWAWAY  # noqa: E402
from tests.journeys.service import Client  # noqa: E402
from tests.journeys.sites import fill_slowly  # noqa: E402
from tests.servers.folders import throwaway_folder  # noqa: E402
from tests.servers.pooler import SETTINGS, pooled  # noqa: E402
from tests.servers.standby import standby  # noqa: E402
from tests.servers.website import Website  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "fleet.md"
LISTINGS, WEBS, WORKERS, CRAWLERS = 1_000, 4, 4, 4
SITES = 40
FAILURES_WITHIN = 5.0


@dataclass
class Fleet:
    """Everything that runs, and who asks it."""

    programs: Programs
    ports: dict[str, int]
    port: int
    client: Client
    hosts: Iterator[str]

    def start_web(self, name: str, *more: str) -> None:
        """A web server of one process, as on a machine of its own."""
        self.programs.start(name, *more, PORT=str(self.ports[name]), WEB_WORKERS="1")

    def submit(self, count: int) -> list[str]:
        return [self.client.submit(f"https://{next(self.hosts)}/") for _ in range(count)]

    def are_ready(self, drafts: list[str]) -> bool:
        """Whether all have become ready."""
        found = self.client.ended(drafts, patience=300)
        return all(draft["status"] == "ready" for draft in found.values())


@contextmanager
def fleet() -> Iterator[Fleet]:
    """All on this machine, each at a port of its own."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fleet-")))
        data, copy = stack.enter_context(throwaway_folder()), stack.enter_context(throwaway_folder())
        urls = stack.enter_context(servers.running_servers(data, tuning=THROWAWAY))
        direct = {"DATA_DIR": str(data), "DATABASE_URL": urls.database, "REDIS_URL": urls.redis}
        scale.run("manage.py", "prepare", environment=os.environ | direct)
        scale.run("-m", "benchmarks.listings", "--listings", str(LISTINGS), environment=os.environ | direct)
        website = stack.enter_context(Website())
        fill_slowly(website, seconds=0.2)
        hosts = [f"fleet{number}.test" for number in range(SITES)]
        resolve = ",".join(f"{host}={at}:{port}" for host, (at, port) in website.at(*hosts).items())
        port = paths.free_port()
        follower = stack.enter_context(standby(data, copy))
        environment = {
            **direct,
            **SETTINGS,
            "DATABASE_URL": stack.enter_context(pooled(data)),
            "DATABASE_REPLICA_URL": follower.url,
            "SITE_URL": f"http://127.0.0.1:{port}",
            "TRUSTED_PROXIES": "1",
            "CRAWL_RESOLVE": resolve,
            "RATE_LIMIT_FACTOR": "1000",
        }
        every = stack.enter_context(programs(environment, folder))
        ports = {f"web {number}": paths.free_port() for number in range(1, WEBS + 1)}
        stack.enter_context(proxy(folder, port=port, webs=list(ports.values())))
        client = Client(site=f"http://127.0.0.1:{port}", key=made_key(os.environ | direct))
        whole = Fleet(every, ports, port, client, iter(hosts))
        for name in ports:
            whole.start_web(name)
        for at in ports.values():
            wait_ready(at)
        for number in range(1, WORKERS + 1):
            every.start(f"worker {number}")
        for number in range(1, CRAWLERS + 1):
            every.start(f"crawler {number}")
        yield whole


def upgraded(whole: Fleet, *, rate: float, requests: int, drafts: list[str]) -> Found:
    """Replace every web server and every worker in turn while somebody asks."""
    asker = Asker(whole.port, mixed(listings=LISTINGS))
    begun, found = time.monotonic(), list[Found]()
    asking = threading.Thread(target=lambda: found.append(asker.run(rate=rate, seconds=requests / rate)))
    asking.start()
    for name, port in whole.ports.items():
        former = whole.programs.running[name]
        whole.start_web(name, "--instead-of", str(former.pid))
        former.wait(120)
        wait_ready(port)
    for name in [name for name in whole.programs.running if not name.startswith("web")]:
        whole.programs.end(name)
        whole.programs.start(name)
    drafts += whole.submit(5)
    took = time.monotonic() - begun
    asking.join()
    print(f"all replaced after {took:.0f} s", flush=True)
    return found[0]


def killed(whole: Fleet, name: str, *, rate: float, seconds: float) -> Found:
    """Kill one program while somebody asks; start it again as its supervisor would."""
    asker = Asker(whole.port, mixed(listings=LISTINGS))
    found = list[Found]()
    asking = threading.Thread(target=lambda: found.append(asker.run(rate=rate, seconds=seconds)))
    asking.start()
    time.sleep(3)
    whole.programs.kill(name)
    time.sleep(1)
    if name.startswith("web"):
        whole.start_web(name)
    else:
        whole.programs.start(name)
    asking.join()
    return found[0]


def span(found: Found) -> float:
    """Seconds between the first and the last failure."""
    moments = [at for at, _ in found.failures]
    return max(moments) - min(moments) if moments else 0.0


def said(found: Found) -> str:
    """What came back, in a cell or three."""
    every = ", ".join(f"{number} x {status}" for status, number in sorted(found.statuses.items()))
    return f"{found.number:,} | {every} | {len(found.failures)} | {span(found):.1f} | {found.percentile(0.95):.0f}"


def main() -> int:
    """Run it, write the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--kill-seconds", type=float, default=12)
    parser.add_argument("--print", action="store_true", help="keep no page")
    options = parser.parse_args()
    rows, drafts = [], list[str]()
    with fleet() as whole:
        Asker(whole.port, mixed(listings=LISTINGS)).run(rate=options.rate, seconds=5)
        drafts += whole.submit(5)
        upgrade = upgraded(whole, rate=options.rate, requests=options.requests, drafts=drafts)
        rows.append(f"| every web server, worker and crawler replaced in turn | {said(upgrade)} |")
        is_met = not upgrade.failures
        for name in ["web 1", "web 2", "web 3", "web 4", "worker 1", "worker 2", "crawler 1", "crawler 2"]:
            drafts += whole.submit(3)
            found = killed(whole, name, rate=options.rate, seconds=options.kill_seconds)
            rows.append(f"| kill -9 of {name} | {said(found)} |")
            is_met = is_met and span(found) <= FAILURES_WITHIN
            if name in whole.ports:
                wait_ready(whole.ports[name])
        ready = whole.are_ready(drafts)
    text = page(rows, drafts=len(drafts), ready=ready, is_met=is_met and ready)
    print(text)
    if not options.print:
        RESULTS.write_text(text)
    return 0 if is_met and ready else 1


def page(rows: list[str], *, drafts: int, ready: bool, is_met: bool) -> str:
    """The page of results."""
    lines = "\n".join(rows)
    return f"""# A fleet on one machine

`{machine.command_line()}`

{machine.described()}

{WEBS} web servers of one process behind nginx, {WORKERS} workers and {CRAWLERS} crawlers, PgBouncer in transaction
mode before PostgreSQL, a streaming replica for public reads, Redis; {LISTINGS:,} listings. Reads of the API are due at
fixed moments through the proxy. A web server is replaced by `config.serve --instead-of PID`, a worker is ended in order
and started again. Whatever is killed is started again a second later.

| what happened | asked | answers | failed | seconds from the first failure to the last | p95 ms |
|---|---|---|---|---|---|
{lines}

{drafts} websites were submitted meanwhile; {"all" if ready else "**not all**"} were drafted. The bars, no failed
read of an upgrade and failures of a kill within {FAILURES_WITHIN:g} s, are {"met" if is_met else "**not met**"}.
"""


if __name__ == "__main__":
    sys.exit(main())
