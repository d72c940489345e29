"""The start page: what waits, launches, health, money and what staff did, as far as the role sees it.

A part that cannot be read just now says so; the others stand.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, cast

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import StaffAct, User
from accounts.staff import audit, rights
from config.staff import health, launches, money, queues
from orders.checks import TAG
from orders.payments import takes_real_money

ACTS_LISTED = 20
Part = dict[str, Any] | None


def start(request: HttpRequest) -> dict[str, Any]:
    now, user = timezone.now(), cast(User, request.user)
    return {
        "title": f"{_greeting(now.hour)}, {user.get_short_name()}",
        "subtitle": f"{now:%A %-d %B %Y, %H:%M} UTC",
        "looked_at": now,
        "is_test_money": settings.ON_LOOPBACK and not takes_real_money(),
        "warnings": [message.msg for message in checks.run_checks(tags=[TAG])],
        "waits": [_row(queue, at=now) for queue in queues.QUEUES if rights.may(user, queue.act)],
        "launches": _part(user, "weeks.see", lambda: launches.three_weeks(at=now)),
        "health": _part(user, "jobs.see", lambda: health.health(at=now)),
        "money": _part(user, "orders.see", lambda: money.last_thirty_days(at=now)),
        "done": _part(user, "start.see", lambda: _done(user, at=now)),
    }


def _part(user: User, act: str, read: Callable[[], dict[str, Any]]) -> Part:
    """One part of the page, None for who may not see it."""
    if not rights.may(user, act):
        return None
    try:
        with transaction.atomic():
            return {"is_known": True, **read()}
    except DatabaseError:
        return {"is_known": False}


def _row(queue: queues.Queue, *, at: datetime) -> dict[str, Any]:
    waiting = queues.counts().get(queue.key)
    oldest = waiting.oldest if waiting else None
    return {
        "name": queue.singular if waiting and waiting.number == 1 else queue.plural,
        "says": queue.says,
        "url": queue.url(at=at),
        "waiting": waiting,
        "is_ahead": oldest is not None and oldest > at,
        "is_late": oldest is not None and at - oldest > queue.late,
    }


def _done(user: User, *, at: datetime) -> dict[str, Any]:
    """What staff did today, newest first; whoever may not see all of it sees their own."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    rows = StaffAct.objects.filter(at__gte=midnight).select_related("by", "undone_by").order_by("-at", "-id")
    sees_all = rights.may(user, "audit.all")
    own_rows = rows if sees_all else rows.filter(by=user)
    lines = [
        {"row": row, "can_undo": audit.can_undo(row, at=at), "is_undone": hasattr(row, "undone_by")}
        for row in own_rows[:ACTS_LISTED]
    ]
    log = reverse("admin:accounts_staffact_changelist") if rights.may(user, "audit.see") else ""
    return {"lines": lines, "sees_all": sees_all, "log": log, "undoes": audit.UNDOES}


def _greeting(hour: int) -> str:
    if hour < 12:
        return "Good morning"
    return "Good afternoon" if hour < 18 else "Good evening"
