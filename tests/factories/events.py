"""A person's program that takes events on loopback, and what arrived there."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from standardwebhooks import Webhook

from accounts import services_endpoints
from accounts.models import User
from core import events, jobs
from core.models import Delivery, Endpoint
from tests.servers.website import Website, plain

HOOK = "/events"


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
