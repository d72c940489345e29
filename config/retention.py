"""What is kept how long, in one table: the clock forgets by it, and docs/privacy.md and `/privacy` say what it says.

What has no `over` stays, or goes with something else. Rows go in small batches, each a transaction of its own, and a
run forgets a bounded number of them; what is left is the next run's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One kind of rows: what they are, how long they stay, and which are past it, to be deleted or emptied."""

    what: str
    how_long: str
    over: Callable[[datetime], QuerySet[Any]] | None = None
    emptied: Mapping[str, str] = field(default_factory=dict)
    is_personal: bool = True


def _done(at: datetime) -> QuerySet[Job]:
    done = Job.objects.filter(state=Job.State.DONE, finished_at__lt=at - DAY)
    return done.filter(Q(finished_at__lt=at - 7 * DAY) | Q(key__startswith=EVERY))


def _written_before(at: datetime) -> Q:
    return Q(created_at__lt=at) & (Q(edited_at=None) | Q(edited_at__lt=at))


def _superseded_badge_checks(at: datetime) -> QuerySet[BadgeCheck]:
    newer = BadgeCheck.objects.filter(listing=OuterRef("listing"), at__gt=OuterRef("at"))
    return BadgeCheck.objects.filter(Exists(newer), at__lt=at - 365 * DAY)


RULES = (
    Rule(
        what="Answers to calls of the API that may be retried",
        how_long="24 hours",
        over=lambda at: Replay.objects.filter(created_at__lt=at - STORED_FOR),
    ),
    Rule(
        what="Work that is done, and mail that was sent, with its text",
        how_long="7 days; periodic work 1 day",
        over=_done,
    ),
    Rule(
        what="Which mail went to whom, and whether it arrived",
        how_long="90 days",
        over=lambda at: Mail.objects.filter(queued_at__lt=at - 90 * DAY),
    ),
    Rule(
        what="Events that were sent to your webhooks, with what these answered",
        how_long="30 days",
        over=lambda at: Delivery.objects.filter(created_at__lt=at - 30 * DAY),
    ),
    Rule(what="Work and mail that failed", how_long="until staff have looked at it"),
    Rule(
        what="Sessions of browsers",
        how_long="two weeks after they were last renewed, or until you sign out",
        over=lambda at: Session.objects.filter(expire_date__lt=at),
    ),
    Rule(
        what="Logos, photos and pictures that nothing shows any more",
        how_long="a day or two; pictures that you remove go after the five minutes in which you can put them back",
    ),
    Rule(
        what="Pictures as you sent them, which may say where they were taken",
        how_long="until we have made ours of them, at most 7 days",
        over=lambda at: Upload.objects.filter(created_at__lt=at - 7 * DAY).exclude(status="shown"),
    ),
    Rule(what="Tokens and codes of programs", how_long="until they expire; programs that nobody uses 7 days"),
    Rule(
        what="The network that a vote came from, as a keyed hash",
        how_long="30 days",
        over=lambda at: Vote.objects.filter(
            created_at__gt=at - 120 * DAY, created_at__lt=at - 30 * DAY, network__gt=""
        ),
        emptied={"network": ""},
    ),
    Rule(
        what="Which networks you used your account from, as keyed hashes",
        how_long="30 days after you were last seen there",
        over=lambda at: SeenNetwork.objects.filter(seen_at__lt=at - 30 * DAY),
    ),
    Rule(
        what="Networks that a review came from, as a keyed hash",
        how_long="30 days",
        over=lambda at: Review.objects.filter(_written_before(at - 30 * DAY), network__gt=""),
        emptied={"network": ""},
    ),
    Rule(
        what="Networks that a question came from, as a keyed hash",
        how_long="30 days",
        over=lambda at: Question.objects.filter(created_at__lt=at - 30 * DAY, network__gt=""),
        emptied={"network": ""},
    ),
    Rule(
        what="What you typed on a listing and did not publish",
        how_long="90 days after you last typed there",
        over=lambda at: UnpublishedEdit.objects.filter(at__lt=at - 90 * DAY),
    ),
    Rule(
        what="Pages of your website that a draft was written from",
        how_long="90 days after the draft was last changed; the sentences it quotes stay with it",
        over=lambda at: DraftPage.objects.filter(draft__updated_at__lt=at - 90 * DAY).filter(
            Q(html__gt="") | Q(text__gt="")
        ),
        emptied={"html": "", "text": ""},
    ),
    Rule(
        what="Answers of a language model, where the site uses one",
        how_long="30 days",
        over=lambda at: ModelAnswer.objects.filter(created_at__lt=at - 30 * DAY),
    ),
    Rule(
        what="How much of a language model your drafts used",
        how_long="400 days",
        over=lambda at: ModelUse.objects.filter(day__lt=(at - 400 * DAY).date()),
    ),
    Rule(
        what="Invitations that nobody took up, with their address",
        how_long="30 days after they expire",
        over=lambda at: Invite.objects.filter(expires_at__lt=at - 30 * DAY).exclude(status="accepted"),
    ),
    Rule(
        what="What checks of a claim saw, word for word",
        how_long="90 days; the result stays with the claim",
        over=lambda at: ClaimCheck.objects.filter(at__lt=at - 90 * DAY, raw__gt=""),
        emptied={"raw": ""},
    ),
    Rule(
        what="Notes of which update you were told of",
        how_long="30 days",
        over=lambda at: UpdateNotice.objects.filter(closed_at__lt=at - 30 * DAY),
    ),
    Rule(
        what="Which launches you asked to be reminded of",
        how_long="until they launch, at most one year",
        over=lambda at: LaunchReminder.objects.filter(created_at__lt=at - 365 * DAY),
    ),
    Rule(
        what="Which weeks you asked to be reminded of",
        how_long="until their Monday, at most one year",
        over=lambda at: WeekReminder.objects.filter(created_at__lt=at - 365 * DAY),
    ),
    Rule(
        what="Addresses that asked for the winners by mail and did not confirm it",
        how_long="3 days; confirmed ones until they unsubscribe",
        over=lambda at: WinnersReader.objects.filter(created_at__lt=at - 3 * DAY, confirmed_at=None),
    ),
    Rule(
        what="Reports of readers, with the name and address that their sender left, once staff have closed them",
        how_long="one year",
        over=lambda at: Report.objects.filter(closed_at__lt=at - 365 * DAY),
    ),
    Rule(
        what="Checks of a homepage for the badge",
        how_long="one year; the last of each listing stays",
        over=_superseded_badge_checks,
        is_personal=False,
    ),
    Rule(
        what="The back office's own history of edits",
        how_long="two years",
        over=lambda at: LogEntry.objects.filter(action_time__lt=at - 730 * DAY),
    ),
    Rule(
        what="Notes of staff about an account, a listing or an order",
        how_long="until the account is erased; on its listings without name and address from then on",
    ),
    Rule(what="What staff did, and why (the audit log)", how_long="as long as the site exists"),
    Rule(
        what="Account, drafts, votes, follows, reviews, questions, claims, keys, webhooks",
        how_long="until you delete them or your account; votes then count on without you, reviews don’t",
    ),
    Rule(
        what="Orders, payments and invoices", how_long="as long as tax law asks, ten years in most of Europe"
    ),
    Rule(
        what="Visits to a listing's page by the hour, without whose they were, and which websites sent several",
        how_long="by the hour 90 days, by the day as long as the listing; what tells visitors of a day apart 25 hours",
        is_personal=False,
    ),
    Rule(what="Backups", how_long="as many nights as the site keeps, 7 unless set otherwise"),
)


def forget_old(*, at: datetime) -> dict[str, int]:
    """Forget what is past its time, at most so much of each kind. Gives how many rows, by what they are."""
    return {rule.what: _forget(rule.over(at), emptied=rule.emptied) for rule in RULES if rule.over}


def _forget(rows: QuerySet[Any], *, emptied: Mapping[str, str]) -> int:
    number = 0
    for _ in range(BATCHES):
        keys = list(rows.order_by(F("pk")).values_list("pk", flat=True)[:AT_ONCE])
        batch = rows.model.objects.filter(pk__in=keys)
        if emptied:
            batch.update(**emptied)
        else:
            batch.delete()
        number += len(keys)
        if len(keys) < AT_ONCE:
            break
    return number
