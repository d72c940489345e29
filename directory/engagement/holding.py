"""Bursts of votes from new accounts that have something in common are held until staff have looked at them."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from core.domains import is_free_mail
from directory import limits, weeks
from directory.models import Launch, ListingStats, Vote


def move_counters(vote: Vote, *, by: int, at: datetime) -> None:
    """Count a vote, or count it no longer. The count of a week that is over stays."""
    stats = ListingStats.objects.filter(pk=vote.listing_id, votes__gte=-by)
    stats.update(votes=F("votes") + by)
    if vote.week == weeks.week_of(at):
        launch = Launch.objects.filter(
            listing_id=vote.listing_id, week=vote.week, launched_at__isnull=False, votes__gte=-by
        )
        launch.update(votes=F("votes") + by)


def hold_burst(*, user: User, listing_id: int, network: str, at: datetime) -> None:
    """Hold what a vote just cast is the last of: enough votes of new accounts of one network or mail domain.

    The vote's transaction holds the listing's counter, so of votes that come at once each sees those before it.
    """
    if at - user.date_joined >= limits.NEW_ACCOUNT:
        return
    enough = max(2, round(limits.VOTE_BURST * settings.RATE_LIMIT_FACTOR))
    recent = Vote.objects.filter(
        listing_id=listing_id,
        created_at__gt=at - limits.VOTE_BURST_WINDOW,
        user__date_joined__gt=at - limits.NEW_ACCOUNT,
    )
    reasons: dict[int, list[str]] = defaultdict(list)
    for what, alike in _alike(user=user, network=network):
        ids = list(recent.filter(alike).values_list("pk", flat=True))
        if len(ids) >= enough:
            for pk in ids:
                reasons[pk].append(f"{len(ids)} votes of new accounts of {what}")
    # who is taking theirs back at this moment waits for the counter that is held here
    free = Vote.objects.counted().select_for_update(skip_locked=True).filter(pk__in=reasons, held_at=None)
    for vote in free.order_by("pk"):
        move_counters(vote, by=-1, at=at)
        vote.held_at, vote.held_for = at, "; ".join(reasons[vote.pk])[: limits.VOTE_REASON]
        vote.save(update_fields=["held_at", "held_for"])


def _alike(*, user: User, network: str) -> Iterator[tuple[str, Q]]:
    if network:
        yield "one network", Q(network=network)
    domain = user.email.rpartition("@")[2].lower()
    if not is_free_mail(domain):
        yield f"the mail domain {domain}", Q(user__email__endswith=f"@{domain}")


@transaction.atomic
def release_votes(*, vote_ids: list[int], at: datetime) -> int:
    """Staff let held votes count. The result of a week that is closed stays as it is."""
    votes = list(
        Vote.objects.select_for_update()
        .filter(pk__in=vote_ids, voided_at=None, held_at__isnull=False, released_at=None)
        .order_by("pk")
    )
    for vote in votes:
        vote.released_at = at
        vote.save(update_fields=["released_at"])
        move_counters(vote, by=1, at=at)
    return len(votes)
