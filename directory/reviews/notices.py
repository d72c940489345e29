"""What people are told by mail of reviews and questions; makers and writers can stop those that nobody decided."""

from typing import Any

from accounts.models import User
from core import mail
from core.api.links import absolute, on_site
from directory.mail_kinds import OF_ANSWERS, OF_PRODUCTS, MailKind, readers_of
from directory.models import Listing, Question, Review
from directory.sites.lookup import addresses_of_listing


def tell_writer(review: Review) -> None:
    """That a review is public, or why it is not."""
    _write(
        "review_decided",
        to=review.author,
        listing=review.listing,
        key=f"review-{review.pk}-{review.status}-{review.decided_at:%Y%m%d%H%M%S}",
        review=review,
        is_public=review.status == Review.Status.PUBLISHED,
        terms_url=absolute("/terms"),
    )


def tell_maker(review: Review) -> None:
    """That there is a review of their product; once to each of them, however often it is decided."""
    _write_to_makers("review_new", listing=review.listing, key=f"review-new-{review.pk}", review=review)


def tell_reply_removed(review: Review, *, reason: str) -> None:
    key = f"reply-removed-{review.pk}-{review.replied_at:%Y%m%d%H%M%S}"
    for user, own in readers_of(review.listing, key=key):
        _write("reply_removed", to=user, listing=review.listing, key=own, review=review, reason=reason)


def tell_of_question(question: Question) -> None:
    key = f"question-{question.pk}"
    _write_to_makers("question_new", listing=question.listing, key=key, question=question)


def tell_answered(question: Question) -> None:
    _write(
        "question_answered",
        to=question.author,
        listing=question.listing,
        key=f"answered-{question.pk}",
        kind=OF_ANSWERS,
        page="questions",
        question=question,
    )


def tell_replied(review: Review) -> None:
    """Whoever wrote a review reads what the makers say to it."""
    _write(
        "review_replied",
        to=review.author,
        listing=review.listing,
        key=f"replied-{review.pk}",
        kind=OF_ANSWERS,
        review=review,
    )


def _write_to_makers(template: str, *, listing: Listing, key: str, **context: Any) -> None:
    context |= {"manage_url": absolute(f"/account/listings/{listing.pk}/reviews"), "kind": OF_PRODUCTS}
    for user, own in readers_of(listing, key=key):
        _write(template, to=user, listing=listing, key=own, **context)


def _write(
    template: str,
    *,
    to: User,
    listing: Listing,
    key: str,
    kind: MailKind | None = None,
    page: str = "reviews",
    **context: Any,
) -> None:
    """Mail somebody, unless they may not sign in or want no mail of this kind. It leads to a page of the listing's."""
    if not to.is_active or to.is_suspended or (kind and not kind.is_on(user_id=to.pk)):
        return
    unsubscribe_url = kind.stop_url(to.pk) if kind else ""
    context |= {"listing": listing, "unsubscribe_url": unsubscribe_url}
    with addresses_of_listing(listing):
        mail.send(
            template=f"directory/mail/{template}",
            to=to.email,
            key=key,
            context={"page_url": on_site(f"/listings/{listing.slug}/{page}"), **context},
            envelope=mail.Envelope(person_id=to.pk, thing=listing, unsubscribe_url=unsubscribe_url),
        )
