"""Emitting: a row for each endpoint that wants the event, and a job that sends it, in the caller's transaction."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models.functions import Now

from core import jobs
from core.models import Delivery, Endpoint

SEND = "core.send_events"


def emit(name: str, *, user_id: int | None, thing: object) -> None:
    """Tell a person's endpoints what happened to a thing; it costs a look where there are none."""
    emit_each(name, things={} if user_id is None else {thing: (user_id,)})


def emit_each(name: str, *, things: Mapping[Any, Iterable[int]]) -> None:
    """The same for many things at once, each with the people it is told to."""
    people = {user_id for whose in things.values() for user_id in whose}
    if not people:
        return
    wanting = Endpoint.objects.filter(
        user__in=people, user__is_active=True, user__suspended_at=None, types__contains=[name], off_at=None
    )
    endpoints: dict[int, list[Endpoint]] = {}
    for endpoint in wanting.order_by("pk"):
        endpoints.setdefault(endpoint.user_id, []).append(endpoint)
    rows = []
    for thing, whose in things.items():
        for user_id in whose:
            event = uuid.uuid4()
            rows += [_row(endpoint, event, name, str(thing)) for endpoint in endpoints.get(user_id, ())]
    for row in Delivery.objects.bulk_create(rows, batch_size=1000):
        send_off(row)


def _row(endpoint: Endpoint, event: uuid.UUID, name: str, thing: str) -> Delivery:
    return Delivery(endpoint=endpoint, event=event, type=name, thing=thing, created_at=Now(), next_at=Now())


def send_off(row: Delivery) -> None:
    """Add the job that sends a waiting delivery, and whatever else is due at its endpoint."""
    jobs.add(SEND, key=f"{row.pk}-{uuid.uuid4().hex[:8]}", endpoint_id=row.endpoint_id)
