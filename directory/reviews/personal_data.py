"""Reviews, questions, replies and answers of a person: theirs to take along, and gone when they ask for it."""

from typing import Any

from accounts.models import User
from core.cache import changed
from directory.models import Question, Review, ReviewVersion
from directory.reviews import rating

REVIEW = ("listing__slug", "stars", "how", "text", "created_at", "edited_at", "status", "reason", "network")
QUESTION = ("listing__slug", "text", "created_at", "status", "answer", "answered_at", "network")


def export(*, user_id: int) -> dict[str, Any]:
    versions = ReviewVersion.objects.filter(review__author=user_id).order_by("pk")
    replies = Review.objects.filter(replied_by=user_id).order_by("pk")
    answers = Question.objects.filter(answered_by=user_id).order_by("pk")
    return {
        "reviews": list(Review.objects.filter(author=user_id).order_by("pk").values(*REVIEW)),
        "review_versions": list(versions.values("review__listing__slug", "stars", "how", "text", "until")),
        "questions": list(Question.objects.filter(author=user_id).order_by("pk").values(*QUESTION)),
        "replies": list(replies.values("listing__slug", "reply", "replied_at")),
        "answers": list(answers.values("listing__slug", "answer", "answered_at")),
    }


def erase(*, user: User) -> None:
    """The texts go, and what they counted; what others asked the person is without its answer, and so not public."""
    mine = Review.objects.filter(author=user)
    listings = set(mine.values_list("listing", flat=True))
    rating.lock(listings)
    mine.delete()
    Question.objects.filter(author=user).delete()
    Review.objects.filter(replied_by=user).update(reply="", replied_at=None, replied_by=None)
    Question.objects.filter(answered_by=user).update(
        answer="", answered_at=None, answered_by=None, status=Question.Status.DISMISSED
    )
    rating.recount(listings)
    changed("listings")
