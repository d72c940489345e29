"""What people are told by mail of reviews and questions; makers can stop those about their products."""

from datetime import datetime
from typing import Any

from django.core.signing import BadSignature, Signer

from accounts.models import User
from core import mail
from core.api.links import absolute, on_site
from directory.errors import LinkNotFoundError
from directory.models import Listing, MailChoice, Question, Review
from directory.sites.lookup import addresses_of_listing

SIGNER = Signer(sep=".", salt="directory.reviews.mail")


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
    """That there is a review of their product; once, however often it is decided."""
    _write_to_maker("review_new", listing=review.listing, key=f"review-new-{review.pk}", review=review)


def tell_reply_removed(review: Review, *, reason: str) -> None:
    """Why staff took the makers' reply off."""
    if review.listing.owner:
        _write(
            "reply_removed",
            to=review.listing.owner,
            listing=review.listing,
            key=f"reply-removed-{review.pk}-{review.replied_at:%Y%m%d%H%M%S}",
            review=review,
            reason=reason,
        )


def tell_of_question(question: Question) -> None:
    """That somebody asks the makers."""
    key = f"question-{question.pk}"
    _write_to_maker("question_new", listing=question.listing, key=key, question=question)


def tell_answered(question: Question) -> None:
    """Whoever asked reads the answer."""
    _write(
        "question_answered",
        to=question.author,
        listing=question.listing,
        key=f"answered-{question.pk}",
        question=question,
    )


def wants_mail(*, user_id: int) -> bool:
    """Whether a maker hears of reviews and questions by mail."""
    return not MailChoice.objects.filter(pk=user_id, of_products=False).exists()


def choose(*, user_id: int, of_products: bool, at: datetime) -> None:
    MailChoice.objects.update_or_create(pk=user_id, defaults={"of_products": of_products, "changed_at": at})


def stop_url(user_id: int) -> str:
    return absolute(f"/mail/stop/products/{SIGNER.sign(str(user_id))}")


def maker_of(*, token: str) -> User:
    """Whose mail a link to stop it was in. Raises LinkNotFoundError for a link that we never made."""
    try:
        user_id = SIGNER.unsign(token)
    except BadSignature as error:
        raise LinkNotFoundError("There is no such link.") from error
    row = User.objects.filter(pk=user_id, is_active=True).first()
    if row is None:
        raise LinkNotFoundError("The account is gone, and its mail with it.")
    return row


def _write_to_maker(template: str, *, listing: Listing, key: str, **context: Any) -> None:
    """Mail the owner, unless the owner wants no such mail."""
    owner = listing.owner
    if owner is None or not wants_mail(user_id=owner.pk):
        return
    unsubscribe_url = stop_url(owner.pk)
    context |= {
        "manage_url": absolute(f"/account/listings/{listing.pk}/reviews"),
        "unsubscribe_url": unsubscribe_url,
    }
    _write(template, to=owner, listing=listing, key=key, **context)


def _write(template: str, *, to: User, listing: Listing, key: str, **context: Any) -> None:
    if not to.is_active or to.is_suspended:
        return
    with addresses_of_listing(listing):
        mail.send_plain(
            template=f"directory/mail/{template}",
            to=to.email,
            key=key,
            context={"listing": listing, "page_url": on_site(f"/listings/{listing.slug}/reviews"), **context},
            envelope=mail.Envelope(
                person_id=to.pk, thing=listing, unsubscribe_url=context.get("unsubscribe_url", "")
            ),
        )
