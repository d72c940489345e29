"""Look whether a service that hangs keeps others waiting: Stripe, PayPal, BTCPay, VIES, name servers, mail.

Sixteen people press Pay (or ask for a quote, prove a claim, have a link mailed) every five seconds, each at a moment of
their own, while the service that this needs takes the connection and never says a word. Meanwhile a client in a process
of its own reads pages, each on a new connection. The bar: its p95 is at most twice that of the quiet service, measured
in turn, and `/healthz` is 200. What sixteen people cost by themselves is measured, too, with a service that hangs up at
once; `--together` lets all sixteen press in the same instant, which measures two cores more than services that hang.
"""

import argparse
import re
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx2

from benchmarks import machine
from tests.journeys.service import Service
from tests.servers.hanging import HangingServer
from tests.servers.web import free_port

RESULT = Path(__file__).parent / "results" / "hanging-services.md"
PEOPLE, EVERY, SECONDS, BAR = 16, 5.0, 20.0, 2.0
PAGES, ALIVE, PAUSE = ("/", "/api/v1/products"), "/healthz", 0.03
BUYER = {
    "email": "ines@brindle.example",
    "name": "Ines Prado",
    "address": "Rue Haute 1",
    "postcode": "1000",
    "city": "Brussels",
    "country": "BE",
    "terms": "on",
}
ITEMS = [{"product": "done_for_you", "options": {"website": "https://brindle.example"}}]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
LISTINGS = """
from directory.sites.catalogue import ensure_default_site
from tests.factories.listings import make_listing
site = ensure_default_site()
for number in range({people}):
    make_listing(f"hanging-{{number}}", site=site)
"""
Act = Callable[[int], int]


@dataclass
class Times:
    """What a reader met: milliseconds of the pages that were answered, every other status, and the health's."""

    pages: list[float] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    alive: list[float] = field(default_factory=list)

    @property
    def p95(self) -> float:
        """Of the pages."""
        return p(self.pages, 0.95)


def p(times: list[float], share: float) -> float:
    """A percentile."""
    return sorted(times)[int(len(times) * share)]


def read(site: str, *, seconds: float) -> Times:
    """Read pages one after another, each on a new connection."""
    times, ends = Times(), time.monotonic() + seconds
    while time.monotonic() < ends:
        for path in (*PAGES, ALIVE):
            began = time.monotonic()
            answer = httpx2.get(f"{site}{path}", timeout=60, trust_env=False)
            took = (time.monotonic() - began) * 1000
            if answer.status_code != 200:
                times.others.append(answer.status_code)
            (times.alive if path == ALIVE else times.pages).append(took)
            time.sleep(PAUSE)
    return times


def read_apart(site: str, *, seconds: float) -> Times:
    """The same from a process of its own, which those who press do not keep waiting."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        return processes.submit(read, site, seconds=seconds).result()


@contextmanager
def pressing(act: Act, *, together: bool) -> Iterator[list[tuple[int, float]]]:
    """Sixteen who act every five seconds; statuses and seconds of what they got."""
    ended, answers = threading.Event(), list[tuple[int, float]]()

    def press(person: int) -> None:
        if not together:
            ended.wait(EVERY * person / PEOPLE)
        while not ended.is_set():
            began = time.monotonic()
            status = act(person)
            answers.append((status, time.monotonic() - began))
            ended.wait(max(0.0, EVERY - (time.monotonic() - began)))

    with ThreadPoolExecutor(PEOPLE) as threads:
        people = [threads.submit(press, person) for person in range(PEOPLE)]
        try:
            yield answers
        finally:
            ended.set()
    for person in people:
        person.result()


class People:
    """Sixteen people, each with an order, a claim and a browser of their own."""

    def __init__(self, service: Service) -> None:
        self.site, self.client, self._numbers = service.site, service.client(), count(1)
        service.command("shell", "-c", LISTINGS.format(people=PEOPLE))
        self.claims = [self._claim(f"hanging-{number}") for number in range(PEOPLE)]
        self.browsers = [httpx2.Client(timeout=60, trust_env=False) for _ in range(PEOPLE)]
        self.orders = [self._order() for _ in range(PEOPLE)]

    def _order(self) -> dict[str, Any]:
        return self.client.call("POST", "/orders/checkout", {"items": ITEMS}, status=201)

    def _claim(self, slug: str) -> str:
        answer = self.client.call("POST", "/claims", {"slug": slug, "method": "dns"}, status=201)
        return str(answer["claim_id"])

    def pay(self, method: str) -> Act:
        """Press Pay."""

        def press(person: int) -> int:
            order, browser = self.orders[person], self.browsers[person]
            page = browser.get(order["checkout_url"])
            form = {
                **BUYER,
                "method": method,
                "act": "pay",
                "total": str(order["order"]["total_cents"]),
                "csrfmiddlewaretoken": TOKEN.findall(page.text)[0],
            }
            answer = browser.post(order["checkout_url"], data=form, headers={"Referer": self.site})
            if "does not answer" not in answer.text:
                raise SystemExit(f"The page of {method} says {answer.status_code}: {answer.text[:3000]}")
            return answer.status_code

        return press

    def quote(self, _: int) -> int:
        """Ask for a quote with a number that nobody has asked for yet."""
        number = next(self._numbers) + 4_031_000
        vat_number = f"BE0{number:07d}{97 - number % 97:02d}"
        body = {"items": ITEMS, "vat_number": vat_number, "billing_country": "BE"}
        vat = self.client.call("POST", "/orders/quote", body)["vat"]
        if vat["vat_number_status"] != "unavailable":
            raise SystemExit(f"VIES hangs, but {vat}")
        return 200

    def verify(self, person: int) -> int:
        """Prove a claim by a record."""
        path = f"/claims/{self.claims[person]}/verify"
        return self.client.http.request("POST", path).status_code

    def mail(self, person: int) -> int:
        """Have a link mailed."""
        browser, address = self.browsers[person], f"{self.site}/accounts/password/reset/"
        form = {
            "email": "maker@people.example",
            "csrfmiddlewaretoken": TOKEN.findall(browser.get(address).text)[0],
        }
        return browser.post(address, data=form, headers={"Referer": self.site}).status_code


def environment(server: HangingServer, names: tuple[str, int]) -> dict[str, str]:
    """Settings that lead every service to the server that hangs."""
    host, port = server.address
    return {
        "RATE_LIMIT_FACTOR": "1000",
        "STRIPE_SECRET_KEY": "sk_test_hanging",
        "STRIPE_WEBHOOK_SECRET": "whsec_hanging",
        "STRIPE_API_BASE": server.url,
        "PAYPAL_CLIENT_ID": "client",
        "PAYPAL_CLIENT_SECRET": "secret",
        "PAYPAL_WEBHOOK_ID": "HANGING",
        "PAYPAL_API_BASE": server.url,
        "BTCPAY_URL": server.url,
        "BTCPAY_API_KEY": "key",
        "BTCPAY_STORE_ID": "store",
        "BTCPAY_WEBHOOK_SECRET": "secret",
        "VIES_URL": server.url,
        "DNS_SERVERS": "{}:{}".format(*names),
        "EMAIL_URL": f"smtp://{host}:{port}",
    }


def row(
    name: str, act: Act, *, site: str, server: HangingServer, seconds: float, together: bool
) -> tuple[str, bool]:
    """Measure one service; a line of the table, and whether the bar is met."""
    quiet = read_apart(site, seconds=seconds)
    server.hangs_up = True
    with pressing(act, together=together):
        busy = read_apart(site, seconds=seconds)
    server.hangs_up = False
    with pressing(act, together=together) as answers:
        held = read_apart(site, seconds=seconds)
    waits = [seconds for _, seconds in answers]
    ratio, bad = held.p95 / quiet.p95, [*quiet.others, *busy.others, *held.others]
    statuses = ", ".join(str(status) for status in sorted({status for status, _ in answers}))
    cells = [
        name,
        f"{p(quiet.pages, 0.5):.0f}",
        f"{quiet.p95:.0f}",
        f"{p(busy.pages, 0.5):.0f}",
        f"{busy.p95:.0f}",
        f"{p(held.pages, 0.5):.0f}",
        f"{held.p95:.0f}",
        f"{max(held.pages):.0f}",
        f"{ratio:.2f}",
        f"{max(held.alive):.0f}",
        f"{len(bad)}",
        f"{len(answers)} ({statuses})",
        f"{p(waits, 0.5):.2f}",
        f"{max(waits):.1f}",
    ]
    line = f"| {' | '.join(cells)} |"
    print(line, flush=True)
    return line, ratio <= BAR and not bad


def main() -> int:
    """Measure, write the page, and say by the exit code whether the bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="these services")
    parser.add_argument("--together", action="store_true", help="all press in the same instant")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each is measured")
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        HangingServer() as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as names,
    ):
        Path(folder).chmod(0o711)
        names.bind(("127.0.0.1", 0))
        service = Service(
            folder=Path(folder), port=free_port(), environment=environment(server, names.getsockname())
        )
        service.start()
        try:
            people = People(service)
            read(service.site, seconds=5)
            acts = {
                "Stripe": people.pay("card"),
                "PayPal": people.pay("paypal"),
                "BTCPay": people.pay("crypto"),
                "VIES": people.quote,
                "name servers": people.verify,
                "mail": people.mail,
            }
            rows = [
                row(
                    name,
                    act,
                    site=service.site,
                    server=server,
                    seconds=wanted.seconds,
                    together=wanted.together,
                )
                for name, act in acts.items()
                if not wanted.only or name in wanted.only
            ]
        finally:
            service.stop()
    return report(rows, moments="in the same instant" if wanted.together else "at moments of their own")


def report(rows: list[tuple[str, bool]], *, moments: str) -> int:
    """Write the page."""
    is_met = all(met for _, met in rows)
    RESULT.write_text(
        f"""# Services that hang

`{machine.command_line()}`

{machine.described()}

{PEOPLE} people who press every {EVERY:g} s {moments}, on what `make up` runs; a reader beside them.
Times of pages and of `/healthz` in ms, of those who press in seconds; "bad" is whatever
was not 200. "Refuses" is the same people with a service that hangs up at once: what they cost by themselves.

| service | quiet p50 | p95 | refuses | p95 | hangs | p95 | most | ratio | healthz | bad | pressed | waits | most |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
{chr(10).join(line for line, _ in rows)}

The bar, a ratio of at most {BAR:g} at p95 and nothing but 200 for the reader, is {"met" if is_met else "NOT met"}.
"""
    )
    print(RESULT.read_text())
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
