"""Drills about what may happen once only: keyed calls, submitted drafts, mails, and callers over their limit."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2

from benchmarks import machine
from benchmarks.parts.drill import PATIENCE, Drill, Outcome, second_service
from benchmarks.parts.open_loop import Asker
from config.embedded import paths
from tests.journeys.service import kill_all, wait_for
from tests.servers.model import ModelServer
from tests.servers.smtp import MailServer

AT_ONCE, KEYED, KILLS, MAILS = 50, 10, 5, 10
LIMITED, LIMITED_RATE = 10_000, 400.0
ACCOUNT = ("drill", "drill")
QUEUE_MAILS = """
from core import mail
from django.db import transaction
with transaction.atomic():
    for number in range({number}):
        mail.queue(to=f"a{{number}}@people.example", subject="S", text="T", html="", key=f"{key}-{{number}}")
"""
WAITING_MAILS = """
    SELECT count(*) FROM core_job WHERE kind = 'core.send_mail' AND key LIKE %s AND state IN ('queued', 'running')
"""


def at_once(call: Callable[[int], Any], number: int = AT_ONCE) -> list[Any]:
    """What so many callers get who call at the same moment."""
    with ThreadPoolExecutor(number) as threads:
        return list(threads.map(call, range(number)))


def same_key(drill: Drill) -> Outcome:
    """One key, many calls at once, then another body with it."""
    url, headers = f"https://{next(drill.hosts)}/", {"Idempotency-Key": f"drill-{uuid.uuid4()}"}

    def submit(address: str) -> httpx2.Response:
        return drill.client.http.post("/drafts", json={"url": address}, headers=headers)

    found = at_once(lambda _: submit(url))
    found.append(submit(url))
    refused = submit(f"https://{next(drill.hosts)}/")
    answers = {answer.content for answer in found if answer.status_code == 201}
    others = {said(answer) for answer in found if answer.status_code != 201}
    made = drill.service.query("SELECT count(*) FROM drafts_draft WHERE url = %s", [url])[0][0]
    return Outcome(
        "18",
        f"{AT_ONCE} submissions at once with one Idempotency-Key, one more, then another body with it",
        "one draft, one answer, whoever is too early is told to come back; the other body refused",
        f"{made} draft, {len(answers)} answer, others {sorted(others) or 'none'}; the other body: {said(refused)}",
        made == len(answers) == 1
        and others <= {"request_in_progress, with Retry-After"}
        and said(refused) == "idempotency_key_reused",
    )


def said(answer: httpx2.Response) -> str:
    """The code of a refusal, and whether it says when to come back."""
    return f"{answer.json()['code']}{', with Retry-After' if 'retry-after' in answer.headers else ''}"


@dataclass
class Insistent:
    """Callers who submit one site after another until they are told to stop, each until it is accepted."""

    drill: Drill
    are_over: threading.Event = field(default_factory=threading.Event)
    tried_again: set[str] = field(default_factory=set)
    drafts: dict[str, str] = field(default_factory=dict)

    def submit_on(self, _number: int) -> None:
        """One caller: notes its drafts by address."""
        while not self.are_over.is_set():
            url = f"https://{next(self.drill.hosts)}/"
            self.drafts[url] = self.accepted(url)

    def get_on(self, number: int) -> None:
        """Wait until so many more submissions are accepted, so that others are on their way."""
        wanted = len(self.drafts) + number
        wait_for(lambda: len(self.drafts) >= wanted, patience=PATIENCE, every=0.01)

    def accepted(self, url: str) -> str:
        """The id of the site's draft. Raises TimeoutError."""
        headers, ends = {"Idempotency-Key": f"drill-{url}"}, time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            with suppress(httpx2.HTTPError):
                answer = self.drill.client.http.post("/drafts", json={"url": url}, headers=headers)
                if answer.status_code == 201:
                    return str(answer.json()["id"])
            self.tried_again.add(url)
            time.sleep(0.5)
        raise TimeoutError(url)


def keyed_retries(drill: Drill) -> Outcome:
    """Kill PostgreSQL again and again during keyed submissions; whoever is refused tries again with the key."""
    callers = Insistent(drill)
    with ThreadPoolExecutor(KEYED) as threads:
        waiting = [threads.submit(callers.submit_on, number) for number in range(KEYED)]
        try:
            for _ in range(KILLS):
                callers.get_on(KEYED // 2)
                drill.service.kill_group("postgres")
        finally:
            callers.are_over.set()
    for future in waiting:
        future.result()
    made, ids = callers.drafts, set(callers.drafts.values())
    rows = drill.service.query("SELECT count(*) FROM drafts_draft WHERE url = ANY(%s)", [list(made)])
    drill.wait(list(ids))
    words, is_whole = drill.verdict(list(ids))
    return Outcome(
        "9, 18",
        f"PostgreSQL killed {KILLS} times while {KEYED} callers submit and try again with their keys",
        "one draft for each key, all ready",
        f"{len(made)} keys, {len(callers.tried_again)} sent again; {len(ids)} ids, {rows[0][0]} drafts; {words}",
        len(ids) == rows[0][0] == len(made) and is_whole and bool(callers.tried_again),
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
    port = drill.keep("mail port", lambda: nullcontext(paths.free_port()))
    url = f"smtp://{':'.join(ACCOUNT)}@127.0.0.1:{port}"
    second = drill.keep("mail", lambda: second_service(drill, EMAIL_URL=url))
    key = uuid.uuid4()
    second.service.command("shell", "-v", "0", "-c", QUEUE_MAILS.format(number=MAILS, key=key))
    time.sleep(seconds)

    def are_settled() -> bool:
        return second.service.query(WAITING_MAILS, [f"{key}-%"])[0][0] == 0

    with MailServer(user=ACCOUNT[0], password=ACCOUNT[1], port=port) as server:
        began = time.monotonic()
        wait_for(are_settled, patience=PATIENCE)
        took = time.monotonic() - began
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
    second = drill.keep("limited", lambda: second_service(drill, RATE_LIMIT_FACTOR="1"))
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


@contextmanager
def broken_model(drill: Drill) -> Iterator[tuple[ModelServer, Drill]]:
    """A model's server that answers 500, or nothing at all, and a service that asks it."""
    turns = count()

    def behave(handler: Any, _body: Any) -> None:
        if next(turns) % 2:
            handler.send(500, {"error": {"message": "no"}})
        else:
            model.stopped.wait(60)

    with ModelServer(behave) as model:
        environment = {"OPENAI_API_KEY": "sk-drill", "OPENAI_BASE_URL": model.base_url, "AI_TIMEOUT": "10"}
        with second_service(drill, **environment) as second:
            yield model, second


def model_broken(drill: Drill, *, number: int) -> Outcome:
    """Write drafts beside a model that is broken."""
    model, second = drill.keep("model", lambda: broken_model(drill))
    before = len(model.requests)
    drafts = second.submit(number)
    seconds = second.wait(drafts)
    words, is_whole = second.verdict(drafts)
    calls = len(model.requests) - before
    return Outcome(
        "11",
        f"a model's server that never answers or says 500, {number} drafts",
        "all ready, written without it, within 180 s",
        f"{words} after {seconds:.0f} s, {calls} calls",
        is_whole and seconds <= 180 and calls >= number,
    )


def power_loss(drill: Drill, *, number: int) -> Outcome:
    """Kill everything at once, and let PostgreSQL's pid file name a living stranger."""
    drafts = drill.submit(number)
    kill_all(drill.service.family())
    pid_file = paths.places(drill.service.folder).cluster / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    pid_file.write_text("\n".join(["1", *lines[1:]]) + "\n")
    began = time.monotonic()
    drill.service.start()
    started = time.monotonic() - began
    seconds = drill.wait(drafts)
    words, is_whole = drill.verdict(drafts)
    return Outcome(
        "25",
        f"kill -9 of everything with {number} drafts on the way, the pid file names a living stranger",
        "it starts by itself, all ready",
        f"started in {started:.1f} s; {words} {seconds:.0f} s later",
        is_whole,
    )
