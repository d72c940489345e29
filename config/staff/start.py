"""The start page: what waits, for the role that looks."""

from typing import Any, cast

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.staff import rights
from config.staff import queues


def start(request: HttpRequest) -> dict[str, Any]:
    """What the page shows to this member of staff."""
    now, user = timezone.now(), cast(User, request.user)
    return {
        "title": f"{_greeting(now.hour)}, {user.get_short_name()}",
        "subtitle": f"{now:%A %-d %B %Y, %H:%M} UTC",
        "waits": [_row(queue) for queue in queues.QUEUES if rights.may(user, queue.act)],
    }


def _row(queue: queues.Queue) -> dict[str, Any]:
    waiting = queues.counts().get(queue.key)
    path = reverse(queue.page)
    oldest = waiting.oldest if waiting else None
    return {
        "name": queue.one if waiting and waiting.number == 1 else queue.many,
        "says": queue.says,
        "url": f"{path}?{queue.query}" if queue.query else path,
        "waiting": waiting,
        "is_late": oldest is not None and timezone.now() - oldest > queue.late,
    }


def _greeting(hour: int) -> str:
    if hour < 12:
        return "Good morning"
    return "Good afternoon" if hour < 18 else "Good evening"
