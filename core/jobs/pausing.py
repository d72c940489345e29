"""Queues that stand still on purpose: what is under way ends, nothing else begins until they are resumed."""

from django.db.models import Exists, OuterRef, Q, Value
from django.db.models.functions import Now

from core.models import Pause

ALL = "all"


def is_paused(queue: OuterRef | Value) -> Exists:
    """Whether a queue is paused, by its own row or by the one for all; part of the claim itself."""
    return Exists(Pause.objects.filter(Q(queue=ALL) | Q(queue=queue)))


def pause(*, queue: str, reason: str) -> bool:
    """Begin nothing more of a queue, or of all. False when it is paused already; its first reason stays."""
    _, is_new = Pause.objects.get_or_create(pk=queue, defaults={"reason": reason, "paused_at": Now()})
    return is_new


def resume(*, queue: str) -> bool:
    """Go on. What waited is found by the workers within seconds."""
    deleted, _ = Pause.objects.filter(pk=queue).delete()
    return bool(deleted)


def pauses() -> dict[str, Pause]:
    return {row.pk: row for row in Pause.objects.order_by("queue")}
