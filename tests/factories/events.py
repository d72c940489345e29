"""A person's program that takes events on loopback, and what arrived there."""

import base64
import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
from django.conf import settings
from django.utils import timezone
from standardwebhooks import Webhook

from accounts import services_endpoints
from accounts.models import User
from core import events, jobs
from core.models import Delivery, Endpoint, Job
from tests.servers.website import Website, plain

HOOK = "/events"
RECEIVERS = Path(__file__).resolve().parents[2] / "config" / "docs" / "receivers"
SECRET = f"whsec_{base64.b64encode(b'a secret of 24 bytes ...').decode()}"


def check_receiver(command: Sequence[str]) -> None:
    """Run a receiver of the docs: it takes what is signed, once for each id, and refuses what is not."""
    environment = {**os.environ, "WEBHOOK_SECRET": SECRET, "PORT": "0"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            port = int(running.stdout.readline().rpartition(" ")[2])
            statuses = [_post(port, message, secret) for message, secret in SENT]
            assert statuses == [204, 204, 400, 204]
            lines = [running.stdout.readline().split()[0] for _ in range(2)]
            assert lines == ["draft.ready", "order.paid"]
        finally:
            running.terminate()


SENT = (
    ("draft.ready", SECRET),
    ("draft.ready", SECRET),
    ("forged", f"{SECRET[:-4]}AAAA"),
    ("order.paid", SECRET),
)


def _post(port: int, name: str, secret: str) -> int:
    now = timezone.now()
    body = json.dumps({"type": name, "timestamp": "2026-11-23T00:00:00Z", "data": {"name": "Tidewell – ü"}})
    headers = {
        "webhook-id": f"msg_{name}",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(msg_id=f"msg_{name}", timestamp=now, data=body),
    }
    return httpx2.post(
        f"http://127.0.0.1:{port}/events", content=body, headers=headers, verify=False
    ).status_code


class Program:
    """What a person wrote to receive events, at an address of its own."""

    def __init__(
        self, website: Website, *, user: User, types: Iterable[str] = (), host: str = "hooks.test"
    ) -> None:
        settings.CRAWL_RESOLVE = {**settings.CRAWL_RESOLVE, **website.at(host)}
        website.pages.setdefault(HOOK, plain("thanks"))
        self.website, self.host = website, host
        self.endpoint, self.secret = services_endpoints.add_endpoint(
            user=user,
            url=f"https://{host}{HOOK}",
            types=list(types or events.TYPES),
            at=timezone.now() - timedelta(minutes=1),
        )

    def requests(self) -> list[Any]:
        return [row for row in self.website.requests if (row.path, row.host) == (HOOK, self.host)]

    def work(self) -> list[tuple[str, Any]]:
        """Everything that is due is done; each event that arrived, its signature checked, by type and data."""
        jobs.run_due(queues={"default"})
        return [(body["type"], body["data"]) for body in self.received()]

    def received(self) -> list[dict[str, Any]]:
        check = Webhook(self.secret)
        return [check.verify(request.body, request.headers) for request in self.requests()]

    def row(self) -> Endpoint:
        return Endpoint.objects.get(pk=self.endpoint.pk)

    def deliveries(self) -> list[Delivery]:
        return list(self.endpoint.deliveries.order_by("pk"))


def emit(program: Program, *things: str) -> None:
    for thing in things:
        events.emit("toy.made", user_id=program.endpoint.user_id, thing=thing)


def run_due() -> None:
    jobs.run_due(queues={"default"})


def pass_time(seconds: float) -> None:
    """As if so long had passed."""
    past = timedelta(seconds=seconds)
    for row in Delivery.objects.exclude(next_at=None):
        Delivery.objects.filter(pk=row.pk).update(next_at=row.next_at - past)
    for job in Job.objects.filter(state="queued"):
        Job.objects.filter(pk=job.pk).update(run_after=job.run_after - past)
