"""Drills about what may happen once only: keyed calls, submitted drafts, mails, and callers over their limit."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2

from benchmarks import machine
from benchmarks.parts.drill import PATIENCE, Drill, Outcome, second_service
from benchmarks.parts.open_loop import Asker
from config.embedded import paths
from tests.journeys.service import wait_for
from tests.servers.embedded import throwaway_folder
from tests.servers.model import ModelServer
from tests.servers.smtp import MailServer

AT_ONCE, KEYED, MAILS = 50, 10, 10
LIMITED, LIMITED_RATE = 10_000, 400.0
ACCOUNT = ("drill", "drill")
QUEUE_MAILS = """
from core import mail
from django.db import transaction
with transaction.atomic():
    for number in range({number}):
        mail.queue(to=f"a{{number}}@people.example", subject="S", text="T", html="", key=f"drill-{{number}}")
"""


def at_once(call: Callable[[int], Any], number: int = AT_ONCE) -> list[Any]:
    """What so many callers get who call at the same moment."""
    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(call, range(number)))


def same_key(drill: Drill) -> Outcome:
    """One key, many calls at once, then another body with it."""
    body, headers = {"url": f"https://{next(drill.hosts)}/"}, {"Idempotency-Key": "drill-same-key"}
    found = at_once(lambda _: drill.client.http.post("/drafts", json=body, headers=headers))
    good = [answer for answer in found if answer.status_code == 201]
    others = {answer.status_code for answer in found} - {201}
    retried = drill.client.http.post("/drafts", json=body, headers=headers)
    other = {"url": f"https://{next(drill.hosts)}/"}
    refused = drill.client.http.post("/drafts", json=other, headers=headers).status_code
    ids = {answer.json()["id"] for answer in [*good, retried]}
    is_passed = len(ids) == 1 and len(good) > 0 and max(others, default=400) < 500 and 400 <= refused < 500
    return Outcome(
        "18",
        f"{AT_ONCE} submissions at once with one Idempotency-Key, then another body with it",
        "one draft, one answer; the other body refused",
        f"{len(good)} x 201, others {sorted(others)}; {len(ids)} draft; the other body {refused}",
        is_passed,
    )


def keyed_retries(drill: Drill) -> Outcome:
    """Kill PostgreSQL in the middle of keyed submissions; whoever is refused tries again with the key."""

    def insist(number: int) -> str:
        body, headers = {"url": f"https://{hosts[number]}/"}, {"Idempotency-Key": f"drill-insist-{number}"}
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            try:
                answer = drill.client.http.post("/drafts", json=body, headers=headers)
            except httpx2.HTTPError:
                continue
            if answer.status_code == 201:
                return str(answer.json()["id"])
            time.sleep(0.5)
        raise TimeoutError

    hosts = [next(drill.hosts) for _ in range(KEYED)]
    with ThreadPoolExecutor(KEYED + 1) as threads:
        made = threads.map(insist, range(KEYED))
        for _ in range(5):
            drill.service.kill_group("postgres")
            time.sleep(0.3)
        ids = list(made)
    wait_for(drill.service.is_ready, patience=PATIENCE)
    rows = drill.service.query(
        "SELECT count(*) FROM drafts_draft WHERE url = ANY(%s)", [[f"https://{host}/" for host in hosts]]
    )
    drill.wait(ids)
    words, is_whole = drill.verdict(ids)
    return Outcome(
        "9, 18",
        f"PostgreSQL killed 5 times during {KEYED} submissions that are tried again with their keys",
        "one draft for each key, all ready",
        f"{len(set(ids))} ids, {rows[0][0]} drafts; {words}",
        len(set(ids)) == rows[0][0] == KEYED and is_whole,
    )


def double_submit(drill: Drill) -> Outcome:
    """Press submit many times at once."""
    (draft,) = drill.submit(1)
    drill.wait([draft])
    found = at_once(lambda _: drill.client.http.post(f"/drafts/{draft}/submit").status_code, 10)
    rows = drill.service.query(
        "SELECT count(*) FROM drafts_draft WHERE id = %s AND listing_id IS NOT NULL", [draft]
    )
    listings = drill.service.query(
        "SELECT count(*) FROM directory_listing WHERE url = (SELECT url FROM drafts_draft WHERE id = %s)",
        [draft],
    )
    return Outcome(
        "19",
        "a ready draft submitted by 10 calls at once",
        "one listing, no 5xx",
        f"{sorted(set(found))}; {listings[0][0]} listing",
        rows[0][0] == listings[0][0] == 1 and max(found) < 500,
    )


def mail_away(drill: Drill, *, seconds: float) -> Outcome:
    """Queue mail while its server is away."""
    server = MailServer(user=ACCOUNT[0], password=ACCOUNT[1])
    url = f"smtp://{':'.join(ACCOUNT)}@127.0.0.1:{server.port}"
    with throwaway_folder() as folder, second_service(drill, folder=folder, EMAIL_URL=url) as second:
        second.service.command("shell", "-v", "0", "-c", QUEUE_MAILS.format(number=MAILS))
        time.sleep(seconds)
        with server:
            began = time.monotonic()
            wait_for(lambda: len(server.messages) >= MAILS, patience=PATIENCE)
            took = time.monotonic() - began
            time.sleep(5)
            each = {str(message["To"]) for message in server.messages}
    return Outcome(
        "24",
        f"the mail server away for {seconds:.0f} s with {MAILS} mails waiting",
        "every mail once",
        f"{len(server.messages)} mails to {len(each)} people, {took:.0f} s after it was back",
        len(server.messages) == len(each) == MAILS,
    )


def limited(drill: Drill) -> Outcome:
    """Ask far more often than a caller may."""
    with throwaway_folder() as folder, second_service(drill, folder=folder, RATE_LIMIT_FACTOR="1") as second:
        warm = Asker(second.service.port, lambda: ("list", "/api/v1/listings"))
        warm.run(rate=50, seconds=2)
        before = machine.footprint(second.service.group("config.serve")).proportional
        asker = Asker(second.service.port, lambda: ("list", "/api/v1/listings"))
        found = asker.run(rate=LIMITED_RATE, seconds=LIMITED / LIMITED_RATE)
        after = machine.footprint(second.service.group("config.serve")).proportional
        answer = httpx2.get(f"{second.service.site}/api/v1/listings", trust_env=False)
    tells = answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0
    every = ", ".join(f"{number} x {status}" for status, number in sorted(found.statuses.items()))
    return Outcome(
        "28",
        f"{LIMITED:,} requests of one caller, far over the limit",
        "200 and 429 with Retry-After alone, memory flat within 10 %",
        f"{every}; web {before:.0f} MB, then {after:.0f}",
        set(found.statuses) <= {"200", "429"} and tells and after < before * 1.1,
    )


def model_broken(drill: Drill, *, count: int) -> Outcome:
    """A model's server that answers 500, or nothing at all."""
    turns = iter(range(10_000))

    def behave(handler: Any, _body: Any) -> None:
        if next(turns) % 2:
            handler.send(500, {"error": {"message": "no"}})
        else:
            model.stopped.wait(60)

    with ModelServer(behave) as model, throwaway_folder() as folder:
        environment = {"OPENAI_API_KEY": "sk-drill", "OPENAI_BASE_URL": model.base_url, "AI_TIMEOUT": "10"}
        with second_service(drill, folder=folder, **environment) as second:
            drafts = second.submit(count)
            seconds = second.wait(drafts)
            words, is_whole = second.verdict(drafts)
    return Outcome(
        "11",
        f"a model's server that never answers or says 500, {count} drafts",
        "all ready, written without it, within 180 s",
        f"{words} after {seconds:.0f} s, {len(model.requests)} calls",
        is_whole and seconds <= 180,
    )


def power_loss(drill: Drill, *, count: int) -> Outcome:
    """Kill everything at once, and let PostgreSQL's pid file name a living stranger."""
    with throwaway_folder() as folder, second_service(drill, folder=folder) as second:
        drafts = second.submit(count)
        for process in second.service.family():
            process.kill()
        assert second.service.process
        second.service.process.wait()
        pid_file = paths.places(folder).cluster / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join(["1", *lines[1:]]) + "\n")
        began = time.monotonic()
        second.service.start()
        started = time.monotonic() - began
        seconds = second.wait(drafts)
        words, is_whole = second.verdict(drafts)
    return Outcome(
        "25",
        f"kill -9 of everything with {count} drafts on the way, the pid file names a living stranger",
        "it starts by itself, all ready",
        f"started in {started:.1f} s; {words} {seconds:.0f} s later",
        is_whole,
    )
