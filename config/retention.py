"""What is kept how long: `retention.csv` says it, as do docs/privacy.md and `/privacy`, and the clock forgets by it.

What has no rows there stays, or goes with something else. Rows go in small batches, each a transaction of its own,
and a run forgets a bounded number of them; what is left is the next run's.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.models import SeenNetwork
from claims.models import ClaimCheck
from core.api.idempotency import STORED_FOR
from core.jobs.reaping import EVERY
from core.models import Delivery, Job, Mail, Replay
from core.tables import rows_of
from directory.models import (
    BadgeCheck,
    LaunchReminder,
    Question,
    Report,
    Review,
    UnpublishedEdit,
    UpdateNotice,
    Upload,
    Vote,
    WeekReminder,
    WinnersReader,
)
from drafts.models import DraftPage, Invite, ModelAnswer, ModelUse

AT_ONCE, BATCHES = 500, 40
DAY = timedelta(days=1)


def _done(at: datetime) -> QuerySet[Job]:
    done = Job.objects.filter(state=Job.State.DONE, finished_at__lt=at - DAY)
    return done.filter(Q(finished_at__lt=at - 7 * DAY) | Q(key__startswith=EVERY))


def _written_before(at: datetime) -> Q:
    return Q(created_at__lt=at) & (Q(edited_at=None) | Q(edited_at__lt=at))


def _superseded_badge_checks(at: datetime) -> QuerySet[BadgeCheck]:
    newer = BadgeCheck.objects.filter(listing=OuterRef("listing"), at__gt=OuterRef("at"))
    return BadgeCheck.objects.filter(Exists(newer), at__lt=at - 365 * DAY)


# Which rows are past their time, by the name in `retention.csv`. They are deleted, or emptied where EMPTIED says so.
OVER: dict[str, Callable[[datetime], QuerySet[Any]]] = {
    "replays": lambda at: Replay.objects.filter(created_at__lt=at - STORED_FOR),
    "jobs": _done,
    "mails": lambda at: Mail.objects.filter(queued_at__lt=at - 90 * DAY),
    "deliveries": lambda at: Delivery.objects.filter(created_at__lt=at - 30 * DAY),
    "sessions": lambda at: Session.objects.filter(expire_date__lt=at),
    "uploads": lambda at: Upload.objects.filter(created_at__lt=at - 7 * DAY).exclude(status="shown"),
    "vote_networks": lambda at: Vote.objects.filter(
        created_at__gt=at - 120 * DAY, created_at__lt=at - 30 * DAY, network__gt=""
    ),
    "seen_networks": lambda at: SeenNetwork.objects.filter(seen_at__lt=at - 30 * DAY),
    "review_networks": lambda at: Review.objects.filter(_written_before(at - 30 * DAY), network__gt=""),
    "question_networks": lambda at: Question.objects.filter(created_at__lt=at - 30 * DAY, network__gt=""),
    "unpublished_edits": lambda at: UnpublishedEdit.objects.filter(at__lt=at - 90 * DAY),
    "draft_pages": lambda at: DraftPage.objects.filter(draft__updated_at__lt=at - 90 * DAY).filter(
        Q(html__gt="") | Q(text__gt="")
    ),
    "model_answers": lambda at: ModelAnswer.objects.filter(created_at__lt=at - 30 * DAY),
    "model_use": lambda at: ModelUse.objects.filter(day__lt=(at - 400 * DAY).date()),
    "invites": lambda at: Invite.objects.filter(expires_at__lt=at - 30 * DAY).exclude(status="accepted"),
    "claim_checks": lambda at: ClaimCheck.objects.filter(at__lt=at - 90 * DAY, raw__gt=""),
    "update_notices": lambda at: UpdateNotice.objects.filter(closed_at__lt=at - 30 * DAY),
    "launch_reminders": lambda at: LaunchReminder.objects.filter(created_at__lt=at - 365 * DAY),
    "week_reminders": lambda at: WeekReminder.objects.filter(created_at__lt=at - 365 * DAY),
    "winners_readers": lambda at: WinnersReader.objects.filter(
        created_at__lt=at - 3 * DAY, confirmed_at=None
    ),
    "reports": lambda at: Report.objects.filter(closed_at__lt=at - 365 * DAY),
    "badge_checks": _superseded_badge_checks,
    "edit_history": lambda at: LogEntry.objects.filter(action_time__lt=at - 730 * DAY),
}
EMPTIED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("vote_networks", "review_networks", "question_networks"), ("network",)),
    "draft_pages": ("html", "text"),
    "claim_checks": ("raw",),
}
RULES = rows_of(__file__, "retention.csv")


def forget_old(*, at: datetime) -> dict[str, int]:
    """Forget what is past its time, at most so much of each kind. Gives how many rows, by their name."""
    return {name: _forget(over(at), emptied=EMPTIED.get(name, ())) for name, over in OVER.items()}


def _forget(rows: QuerySet[Any], *, emptied: tuple[str, ...]) -> int:
    number = 0
    for _ in range(BATCHES):
        keys = list(rows.order_by(F("pk")).values_list("pk", flat=True)[:AT_ONCE])
        batch = rows.model.objects.filter(pk__in=keys)
        if emptied:
            batch.update(**dict.fromkeys(emptied, ""))
        else:
            batch.delete()
        number += len(keys)
        if len(keys) < AT_ONCE:
            break
    return number
