"""Staff take votes out of the count, with a reason, and put them back until their week is final."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from core import jobs
from directory import limits, weeks
from directory.engagement.holding import move_counters
from directory.errors import CannotUndoError
from directory.launches.queueing import locked, write_to_owners
from directory.models import Undo, Vote
from directory.reports.reporting import refuse_without_reason
from directory.undoing import close, merges, unused


@transaction.atomic
def void_votes(*, vote_ids: Sequence[int], reason: str, at: datetime) -> int:
    """Take votes out of the count, held ones too; the rows stay, with the reason."""
    votes = list(Vote.objects.select_for_update().filter(pk__in=vote_ids, voided_at=None).order_by("pk"))
    for vote in votes:
        if vote.is_counted:
            move_counters(vote, by=-1, at=at)
    void_reason = reason[: limits.VOTE_REASON]
    Vote.objects.filter(pk__in=[vote.pk for vote in votes]).update(voided_at=at, void_reason=void_reason)
    _correct_results(votes, at=at)
    return len(votes)


def void_own(*, listing_id: int, user_id: int, at: datetime) -> None:
    """Nobody votes for their own: whoever has come to own a listing no longer counts in a week that is not over."""
    mine = Vote.objects.filter(listing=listing_id, user=user_id, week__gte=weeks.week_of(at))
    if ids := list(mine.values_list("pk", flat=True)):
        void_votes(vote_ids=ids, reason="It is the voter's own now.", at=at)


def _correct_results(votes: Sequence[Vote], *, at: datetime) -> None:
    """A week or programme of theirs may have closed meanwhile: its places, and awards with them, follow the votes."""
    if votes:
        voted_for = {vote.listing_id for vote in votes} | {vote.merged_from_id for vote in votes}
        voted_for.update(into for listing_id, into, _ in merges() if listing_id in voted_for)
        moment, ids = at.isoformat(), sorted(filter(None, voted_for))
        jobs.add("leaderboards.correct_results", key=f"{votes[0].pk}-{moment}", listing_ids=ids, at=moment)


@transaction.atomic
def void_burst(*, listing_id: int, vote_ids: Sequence[int], reason: str, at: datetime) -> Undo:
    """Void votes for one listing; its owner reads how many and why, never whose.

    Raises InvalidRequestError without a reason.
    """
    refuse_without_reason(reason)
    listing = locked(listing_id)
    mine = Vote.objects.filter(pk__in=vote_ids, listing=listing, voided_at=None)
    ids = list(mine.order_by("pk").values_list("pk", flat=True))
    void_votes(vote_ids=ids, reason=reason, at=at)
    undo = Undo.objects.create(
        kind=Undo.Kind.VOID, listing=listing, details={"votes": ids, "reason": reason}, at=at
    )
    if ids:
        write_to_owners(
            listing, template="votes_voided", key=f"votes-voided-{undo.pk}", number=len(ids), reason=reason
        )
    return undo


@transaction.atomic
def undo_void(*, undo_id: int, at: datetime) -> int:
    """Votes that were voided are what they were: counted, or held. Returns how many.

    Raises CannotUndoError once one of their weeks is over, as its result is final then.
    """
    undo = unused(undo_id, kind=Undo.Kind.VOID, at=at)
    votes = Vote.objects.select_for_update().filter(pk__in=undo.details["votes"], voided_at=undo.at)
    rows = list(votes.order_by("pk"))
    if undo.at < weeks.start(weeks.week_of(at)):
        raise CannotUndoError("Their week is over and its result is final. Nothing was changed.")
    for vote in rows:
        vote.count_again(at=at)
        if vote.is_counted:
            move_counters(vote, by=1, at=at)
    _correct_results(rows, at=at)
    close(undo, at=at)
    return len(rows)
