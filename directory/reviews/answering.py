"""Questions to the makers, their answers, and their replies to reviews."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.networks import network_digest
from core.api.errors import NotFoundError
from core.cache import changed
from directory.errors import AnsweredError, CannotAskError, ListingNotFoundError
from directory.models import Listing, Question, Review
from directory.reviews import limits, notices

Status = Question.Status


@transaction.atomic
def ask(*, user: User, listing_id: int, text: str, at: datetime, address: str = "") -> Question:
    """Ask the makers of a live listing; the same open question again is the one that is there.

    Raises CannotAskError for one's own product, one of nobody's, and the sixth within a day; RATE_LIMIT_FACTOR
    multiplies the five.
    """
    # whoever asks several at once waits here, so that each sees those before it
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    rows = Listing.objects.live().select_related("owner", "site").filter(pk=listing_id)
    listing = ListingNotFoundError.unless(rows.first(), "listing")
    if listing.owner is None:
        raise CannotAskError("Nobody has claimed this product yet, so nobody could answer.")
    if Listing.objects.owned_by(user.pk).filter(pk=listing.pk).exists():
        raise CannotAskError("It’s your own product. Questions come from others.")
    mine = Question.objects.filter(author=user)
    if same := mine.filter(listing=listing, text=text, status=Status.OPEN).first():
        return same
    limit = max(1, round(limits.QUESTIONS_A_DAY * settings.RATE_LIMIT_FACTOR))
    if mine.filter(created_at__gt=at - limits.DAY).count() >= limit:
        raise CannotAskError(
            f"You’ve asked {limit} question{'s' * (limit > 1)} within a day. Ask more tomorrow."
        )
    question = Question.objects.create(
        listing=listing, author=user, text=text, created_at=at, network=network_digest(address)
    )
    notices.tell_of_question(question)
    return question


@transaction.atomic
def answer(*, owner_id: int, listing_id: int, question_id: int, text: str, at: datetime) -> Question:
    """Answer a question, which makes both public, or correct the answer; who asked is told once."""
    question = _own_question(owner_id=owner_id, listing_id=listing_id, question_id=question_id)
    if question.status not in {Status.OPEN, Status.DISMISSED, Status.ANSWERED}:
        raise AnsweredError("Our team took this question off. Nothing was changed.")
    is_first = question.answered_at is None
    question.status, question.answer, question.answered_by_id = Status.ANSWERED, text, owner_id
    question.answered_at = question.answered_at or at
    question.save(update_fields=["status", "answer", "answered_by", "answered_at"])
    changed("listings")
    if is_first:
        notices.tell_answered(question)
    return question


@transaction.atomic
def dismiss(*, owner_id: int, listing_id: int, question_id: int) -> Question:
    """Put a question away without an answer; nobody else ever sees it. Raises AnsweredError for an answered one."""
    question = _own_question(owner_id=owner_id, listing_id=listing_id, question_id=question_id)
    if question.status == Status.DISMISSED:
        return question
    if question.status != Status.OPEN:
        raise AnsweredError("It was answered already. Nothing was changed.")
    question.status = Status.DISMISSED
    question.save(update_fields=["status"])
    return question


@transaction.atomic
def reply(*, owner_id: int, listing_id: int, review_id: int, text: str, at: datetime) -> Review:
    """The makers' one reply to a review, whose writer is told once; sent again it is corrected, and empty it goes."""
    _refuse_strangers(owner_id=owner_id, listing_id=listing_id)
    rows = Review.objects.select_for_update(of=("self",)).filter(listing=listing_id)
    rows = rows.select_related("author", "listing__site")
    review = NotFoundError.unless(rows.filter(pk=review_id, status=Review.Status.PUBLISHED).first(), "review")
    if review.author_id == owner_id:
        raise NotFoundError("That is your own review.")
    is_first = review.replied_at is None
    review.reply, review.replied_by_id = text, owner_id if text else None
    review.replied_at = (review.replied_at or at) if text else None
    review.save(update_fields=["reply", "replied_by", "replied_at"])
    changed("listings")
    if text and is_first:
        notices.tell_replied(review)
    return review


def _own_question(*, owner_id: int, listing_id: int, question_id: int) -> Question:
    _refuse_strangers(owner_id=owner_id, listing_id=listing_id)
    rows = Question.objects.select_for_update(of=("self",)).filter(listing=listing_id, pk=question_id)
    return NotFoundError.unless(rows.select_related("listing", "author").first(), "question")


def _refuse_strangers(*, owner_id: int, listing_id: int) -> None:
    if not Listing.objects.owned_by(owner_id).filter(pk=listing_id).exists():
        raise ListingNotFoundError("There is no such listing.")
