"""People who may review, their reviews, and questions."""

from datetime import datetime, timedelta
from typing import Any

from accounts import services as accounts
from accounts.models import User
from directory.models import Listing, Question, Review
from directory.reviews import rating
from directory.reviews.writing import ReviewText, write_review
from tests.factories.listings import AT

TEXT = "I moved two cafés over on a Sunday evening, and my team agrees on swaps without asking me first."
HERE, ELSEWHERE = "198.51.100.7", "203.0.113.9"


def reader(name: str, *, domain: str = "", age: timedelta = timedelta(days=30), at: datetime = AT) -> User:
    """Somebody with a confirmed address, at a domain of their own unless told."""
    user = accounts.create_user(email=f"{name}@{domain or name + '.example'}")
    user.name, user.date_joined = name.capitalize(), at - age
    user.save(update_fields=["name", "date_joined"])
    return user


def make_review(
    listing: Listing, author: User, *, stars: int = 5, status: str = "published", **fields: Any
) -> Review:
    """A review as it stands in the table, counted."""
    at = fields.pop("created_at", AT)
    waits = {"waits_since": at, "waits_for": "First review of this account"} if status == "waiting" else {}
    defaults = {"how": "uses", "text": TEXT, "reason": "Not about it." if status == "refused" else ""}
    review = Review.objects.create(
        listing=listing,
        author=author,
        stars=stars,
        status=status,
        created_at=at,
        **waits,
        **{**defaults, **fields},
    )
    rating.recount([listing.pk])
    return review


def regular(name: str, *, elsewhere: Listing, **about: Any) -> User:
    """Somebody whose first review was published, of another product, some time ago."""
    user = reader(name, **about)
    make_review(elsewhere, user, created_at=AT - timedelta(days=9))
    return user


def review(
    user: User,
    listing: Listing,
    *,
    stars: int = 5,
    how: str = "uses",
    text: str = TEXT,
    address: str = "",
    at: datetime = AT,
) -> Review:
    """Write one, as the page does."""
    words = ReviewText(stars=stars, how=how, text=text)
    return write_review(user=user, listing_id=listing.pk, words=words, at=at, address=address)


def make_question(listing: Listing, author: User, *, answer: str = "", **fields: Any) -> Question:
    answered = {"status": "answered", "answer": answer, "answered_at": AT} if answer else {}
    defaults = {"text": "Does it know the rest rules of Spain?", "created_at": AT}
    return Question.objects.create(listing=listing, author=author, **{**answered, **defaults, **fields})
