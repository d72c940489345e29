"""A drill of events: they are on their way to a program that refuses every third, and their workers are killed."""

import json
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.parts.drill import PATIENCE, Drill, Outcome, second_service
from config.embedded import paths
from tests.journeys.service import Service, wait_for
from tests.servers.folders import throwaway_folder

EVENTS, KILLS, STANDS = 10_000, 10, 20.0
APART = 35.0  # whoever ran for half a minute is started again at once
MODULES = paths.ROOT / "tests" / "mcp" / "node_modules"  # those of `make test-mcp`
NODE = MODULES / "node" / "bin" / "node"
NPM = ("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
RECEIVER = Path(__file__).with_name("every_third.mjs")
EMAIL, HOST = "maker@people.example", "receiver.test"
ADD = """
from accounts.models import User
from accounts.services_endpoints import add_endpoint
from django.utils import timezone
user = User.objects.get(email="{email}")
print(add_endpoint(user=user, url="https://{host}/", types=["draft.ready"], at=timezone.now())[1])
"""
EMIT = """
from accounts.models import User
from core import events
from django.db import transaction
user = User.objects.get(email="{email}")
for _ in range({number} // 100):
    with transaction.atomic():
        for _ in range(100):
            events.emit("draft.ready", user_id=user.pk, thing="{draft}")
"""
WAITING = "SELECT count(*) FROM core_delivery WHERE state = 'waiting'"
PASS_TIME = (  # as if the minutes and hours until the later tries were over
    """UPDATE core_delivery SET next_at = now() WHERE state = 'waiting' AND next_at > now() + interval '10 seconds'
       RETURNING id""",
    """UPDATE core_job SET run_after = now(), hint_until = NULL WHERE kind = 'core.send_events' AND state = 'queued'
       AND run_after > now() + interval '10 seconds' RETURNING id""",
)
SENT = "SELECT 'msg_' || replace(event::text, '-', ''), state FROM core_delivery"


def bring_node() -> None:
    """Have npm bring Node and what its program needs, unless they are there; for the start, not after an hour."""
    if NODE.exists():
        return
    try:
        subprocess.run(NPM, cwd=MODULES.parent, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(
            f"The drill `events` needs Node, which npm brings (Debian: apt-get install npm): {error}. "
            "--only chooses other drills."
        ) from error


@contextmanager
def receiver(folder: Path, *, port: int, secret: str) -> Iterator[Path]:
    """The program; gives the file with a line for each request."""
    (folder / "node_modules").symlink_to(MODULES)
    program, lines = folder / RECEIVER.name, folder / "requests"
    program.write_bytes(RECEIVER.read_bytes())
    with (
        lines.open("wb") as output,
        subprocess.Popen([NODE, program, str(port), secret], stdout=output) as running,
    ):
        try:
            yield lines
        finally:
            running.terminate()


def delivered(service: Service, *, kills: int) -> list[float]:
    """Kill the worker again and again until all has arrived; gives the moments."""
    killed, ends = list[float](), time.monotonic() + 3 * PATIENCE
    last = time.monotonic()
    while (left := service.query(WAITING)[0][0]) and time.monotonic() < ends:
        if len(killed) < kills and left > 100 and time.monotonic() - last > APART:
            service.kill_group("worker@")
            killed.append(time.time())
            last = time.monotonic()
        for statement in PASS_TIME:
            service.query(statement)
        time.sleep(1)
    return killed


def events_arrive(drill: Drill) -> Outcome:
    """Each event arrives, with one id and one body, signed, and not long after the death of a worker."""
    port = paths.free_port()
    resolve = f"{drill.service.environment['CRAWL_RESOLVE']},{HOST}=127.0.0.1:{port}"
    with throwaway_folder() as folder, second_service(drill, CRAWL_RESOLVE=resolve) as beside:
        [draft] = beside.submit(1)
        beside.wait([draft])
        service = beside.service
        secret = service.command("shell", "-v", "0", "-c", ADD.format(email=EMAIL, host=HOST))
        with receiver(folder, port=port, secret=secret) as lines:
            service.command("shell", "-v", "0", "-c", EMIT.format(email=EMAIL, number=EVENTS, draft=draft))
            killed = delivered(service, kills=KILLS)
            wait_for(lambda: not service.query(WAITING)[0][0], patience=1)
            requests = [json.loads(line) for line in lines.read_text().splitlines()]
        return judged(requests, sent=service.query(SENT), killed=killed)


def judged(requests: list[dict[str, Any]], *, sent: list[tuple[Any, ...]], killed: list[float]) -> Outcome:
    taken = Counter(request["id"] for request in requests if request["status"] == 204)
    arrived = sum(identifier in taken and state == "delivered" for identifier, state in sent)
    strangers = len(taken.keys() - {identifier for identifier, _ in sent})
    bodies = len({(request["id"], request["hash"]) for request in requests})
    false = sum(not request["isTrue"] for request in requests)
    stood = max(
        min(request["at"] - moment for request in requests if request["at"] > moment) for moment in killed
    )
    return Outcome(
        "events",
        f"{len(killed)} times kill -9 of the whole worker while {len(sent):,} events go to a program in Node that"
        " answers every third with 500; waits of minutes and hours cut short",
        f"each arrives, with one id and one body, every signature verified by npm's standardwebhooks; the next one"
        f" at most {STANDS:.0f} s after a kill",
        f"{arrived:,} arrived by {len(requests):,} requests, {sum(n > 1 for n in taken.values())} more than once,"
        f" {bodies - len(taken)} bodies that changed, {strangers} unknown ids, {false} signatures not verified;"
        f" the longest stand after a kill {stood:.0f} s",
        arrived == len(sent) == EVENTS == bodies
        and not strangers
        and not false
        and stood <= STANDS
        and len(killed) == KILLS,
    )
