"""Staff publish a review or refuse it with a reason, and take a reply or a question off."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts.models import User
from directory.errors import AnsweredError, CannotUndoError
from directory.models import Listing, Question, Review
from directory.reports.reporting import refuse_without_reason
from directory.reviews import notices, rating
from directory.undoing import came_back, came_from

Status = Review.Status


@transaction.atomic
def publish_review(*, review_id: int, staff: User, at: datetime) -> Review:
    """Publish a review that waits or was refused; its writer and the makers are told. A second call changes nothing.

    Raises AnsweredError for one that its writer has withdrawn.
    """
    review = _locked(review_id)
    if review.status == Status.PUBLISHED:
        return review
    if not review.text:
        raise AnsweredError("Its writer has withdrawn it: there is no text to publish.")
    _decide(review, to=Status.PUBLISHED, staff=staff, reason="", at=at)
    notices.tell_writer(review)
    notices.tell_maker(review)
    return review


@transaction.atomic
def refuse_review(*, review_id: int, staff: User, reason: str, at: datetime) -> Review:
    """Refuse a review, a public one too; its writer reads why and may answer. A second call changes nothing.

    Raises InvalidRequestError without a reason.
    """
    refuse_without_reason(reason)
    review = _locked(review_id)
    if review.status == Status.REFUSED:
        return review
    _decide(review, to=Status.REFUSED, staff=staff, reason=reason.strip(), at=at)
    notices.tell_writer(review)
    return review


@transaction.atomic
def remove_reply(*, review_id: int, reason: str) -> Review:
    """Take the makers' reply off a review; they read why, and may write another. Raises InvalidRequestError."""
    refuse_without_reason(reason)
    review = _locked(review_id)
    if not review.reply:
        raise CannotUndoError("There is no reply any more. Nothing was changed.")
    notices.tell_reply_removed(review, reason=reason.strip())
    review.reply, review.replied_at, review.replied_by = "", None, None
    review.save(update_fields=["reply", "replied_at", "replied_by"])
    return review


@transaction.atomic
def remove_question(*, question_id: int, reason: str) -> Question:
    """Take a question off the site with its answer. A second call changes nothing. Raises InvalidRequestError."""
    refuse_without_reason(reason)
    question = Question.objects.select_for_update(of=("self",)).select_related("listing").get(pk=question_id)
    if question.status != Question.Status.REMOVED:
        question.status, question.reason = Question.Status.REMOVED, reason.strip()
        question.save(update_fields=["status", "reason"])
    return question


def _locked(review_id: int) -> Review:
    """The review, with its listing's counters held first, as whoever writes holds them."""
    listing_id = Review.objects.values_list("listing", flat=True).filter(pk=review_id).first()
    rating.lock([listing_id or 0])
    rows = Review.objects.select_for_update(of=("self",)).select_related("listing__owner", "author")
    review = rows.filter(pk=review_id).first()
    if review is None:
        raise AnsweredError("Its writer has deleted it meanwhile.")
    return review


def _decide(review: Review, *, to: str, staff: User, reason: str, at: datetime) -> None:
    review.status, review.reason = to, reason
    review.waits_since, review.decided_at, review.decided_by = None, at, staff
    review.save(update_fields=["status", "reason", "waits_since", "decided_at", "decided_by"])
    rating.recount([review.listing_id])


def move_texts(*, listing: Listing, into: Listing) -> None:
    """Reviews by people who have none of the other yet, and all questions; the merge is their transaction."""
    rating.lock([listing.pk, into.pk])
    same = Review.objects.filter(listing=into, author=OuterRef("author"))
    moved = Review.objects.filter(~Exists(same), listing=listing)
    for rows in (moved, Question.objects.filter(listing=listing)):
        rows.update(listing=into, merged_from=came_from(listing.pk))
    rating.recount([listing.pk, into.pk])


def move_texts_back(*, listing: Listing, into: Listing, origins: Collection[int]) -> None:
    """What came by the merge goes back, but for reviews whose writers have written one there meanwhile.

    `origins` are the listing and those that were merged into it before.
    """
    rating.lock([listing.pk, into.pk])
    same = Review.objects.filter(listing=listing, author=OuterRef("author"))
    mine = {"listing": into, "merged_from__in": origins}
    for rows in (Review.objects.filter(~Exists(same), **mine), Question.objects.filter(**mine)):
        rows.update(listing=listing, merged_from=came_back(listing.pk))
    rating.recount([listing.pk, into.pk])
