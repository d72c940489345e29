"""People write, edit and delete their reviews. No API operation leads here."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.networks import network_digest
from core.api import throttling
from core.api.errors import NotFoundError
from directory.errors import ListingNotFoundError
from directory.models import Listing, Review, ReviewVersion
from directory.reviews import genuine, limits, notices, rating

Status = Review.Status
REFUSED_BEFORE = "Refused or withdrawn before"
AND = "; "  # between the reasons for which a review waits
WITHDRAWN = "Withdrawn by its writer."
PLACE = ("status", "waits_for", "waits_since")
DECISION = ("decided_at", "decided_by", "reason")
WORDS = ("stars", "how", "text", "network", "edited_at")


@dataclass(frozen=True, kw_only=True)
class ReviewText:
    stars: int
    how: str
    text: str


@transaction.atomic
def write_review(
    *, user: User, listing_id: int, words: ReviewText, at: datetime, address: str = ""
) -> Review:
    """Write the person's review of a live listing, or edit it; what it words before stays in its history.

    Raises CannotReviewError for one that is not genuine. What waits for staff is `waiting`; a burst holds all of it.
    """
    # whoever writes about the same product at once waits here, and then sees what the first has written
    stats = rating.lock([listing_id])
    listing = Listing.objects.live().select_related("owner").filter(pk=listing_id).first()
    if not stats or listing is None:
        raise ListingNotFoundError("There is no such listing.")
    genuine.refuse_unfit(user, listing, at=at)
    review = Review.objects.select_for_update().filter(listing=listing, author=user).first()
    if review is None:
        review = Review(listing=listing, author=user, created_at=at)
    elif (review.stars, review.how, review.text) == (words.stars, words.how, words.text):
        return review
    else:
        _keep_version(review, at=at)
        review.edited_at = at
    throttling.enforce("review", caller=f"user:{user.pk}")
    review.stars, review.how, review.text = words.stars, words.how, words.text
    review.listing, review.author, review.network = listing, user, network_digest(address)
    _file(review, at=at)
    rating.recount([listing.pk])
    return review


def _keep_version(review: Review, *, at: datetime) -> None:
    if review.text:
        ReviewVersion.objects.create(
            review=review, stars=review.stars, how=review.how, text=review.text, until=at
        )


def _file(review: Review, *, at: datetime) -> None:
    """Store a review as published, or as waiting with the reasons, together with the burst that it makes full."""
    was_public = review.status == Status.PUBLISHED and review.pk is not None
    reasons = genuine.reasons_to_wait(review, at=at)
    if review.pk and not was_public:  # what waits, or was refused, gets by nobody through an edit
        reasons = [*(review.waits_for or REFUSED_BEFORE).split(AND), *reasons]
    review.decided_at = review.decided_by = None
    review.reason = ""
    _move(review, reasons=reasons, at=at)
    review.save(update_fields=[*WORDS, *PLACE, *DECISION] if review.pk else None)
    for reason, ids in genuine.bursts_with(review, at=at):
        _move(review, reasons=[*reasons, reason], at=at)
        review.save(update_fields=PLACE)
        free = Review.objects.select_for_update().filter(pk__in=ids, status=Status.PUBLISHED, decided_at=None)
        for row in free.order_by("pk"):
            _move(row, reasons=[reason], at=at)
            row.save(update_fields=PLACE)
    if review.status == Status.PUBLISHED and not was_public:
        notices.tell_maker(review)


def _move(review: Review, *, reasons: list[str], at: datetime) -> None:
    review.status = Status.WAITING if reasons else Status.PUBLISHED
    review.waits_for = AND.join(dict.fromkeys(reasons))[: limits.WAITS_FOR]
    review.waits_since = at if reasons else None


@transaction.atomic
def delete_review(*, user: User, listing_id: int, at: datetime) -> None:
    """Take the person's own review away with its history. Raises NotFoundError.

    Of one that was not public a row without text stays: what is written in its place waits for staff as well.
    """
    rating.lock([listing_id])
    review = Review.objects.select_for_update().filter(author=user, listing=listing_id).first()
    if review is None or not review.text:
        raise NotFoundError("You have no review of this product.")
    if review.status == Status.PUBLISHED:
        review.delete()
    else:
        review.versions.all().delete()
        review.text, review.status, review.reason = "", Status.REFUSED, WITHDRAWN
        review.waits_since, review.decided_at = None, at
        review.save(update_fields=["text", "status", "reason", "waits_since", "decided_at"])
    rating.recount([listing_id])
