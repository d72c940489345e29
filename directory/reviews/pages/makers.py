"""What makers do with reviews and questions of their product: reply, answer, dismiss. They remove none."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import ApiError
from core.api.pagination import paginate
from directory.listings import own
from directory.models import Listing
from directory.reading import page_number
from directory.reviews import answering, limits, selectors
from directory.reviews.forms import AnswerForm, ReplyForm


@signed_in_page
def reviews(request: HttpRequest, listing_id: int) -> HttpResponse:
    return _page(request, own.own_row(owner_id=user_of(request).pk, listing_id=listing_id))


@signed_in_act
def answer(request: HttpRequest, listing_id: int, question_id: int) -> HttpResponse:
    if request.POST.get("do") == "dismiss":
        return _done(
            request,
            listing_id,
            lambda **who: answering.dismiss(question_id=question_id, **who),
            says="Dismissed. Nobody else sees it.",
        )
    form = AnswerForm(request.POST)
    return _done(
        request,
        listing_id,
        lambda **who: answering.answer(
            question_id=question_id, text=form.cleaned_data["text"], at=timezone.now(), **who
        ),
        says="Answered. Both are public, and whoever asked gets an e-mail.",
        form=form,
        place=f"question-{question_id}",
    )


@signed_in_act
def reply(request: HttpRequest, listing_id: int, review_id: int) -> HttpResponse:
    """Reply to a review, correct the reply, or take it away."""
    form = ReplyForm(request.POST)
    return _done(
        request,
        listing_id,
        lambda **who: answering.reply(
            review_id=review_id, text=form.cleaned_data["text"], at=timezone.now(), **who
        ),
        says="Saved. Your reply stands under the review.",
        form=form,
        place=f"review-{review_id}",
    )


def _done(
    request: HttpRequest,
    listing_id: int,
    act: Callable[..., Any],
    *,
    says: str,
    form: forms.Form | None = None,
    place: str = "",
) -> HttpResponse:
    """Do it and go back to the page; a text that is refused stands there again."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    throttling.enforce("write", caller=f"user:{owner_id}")
    if form is not None and not form.is_valid():
        return _page(request, listing, place=place, form=form)
    try:
        act(owner_id=owner_id, listing_id=listing_id)
    except ApiError as error:
        if error.status == 404:
            raise
        messages.error(request, error.detail)
    else:
        messages.success(request, says)
    return HttpResponseRedirect(f"/account/listings/{listing_id}/reviews")


def _page(
    request: HttpRequest, listing: Listing, *, place: str = "", form: forms.Form | None = None
) -> HttpResponse:
    context = {
        "listing": own.headed(listing),
        "tab": "reviews",
        "waiting": selectors.open_questions(listing.pk, page=1),
        "page": paginate(
            selectors.public_reviews(listing.pk), page=page_number(request), per_page=limits.PER_PAGE
        ),
        "place": place,
        "form": form,
        "answer_max": limits.ANSWER,
        "reply_max": limits.REPLY,
    }
    return render(request, "directory/account/reviews.html", context, status=400 if form else 200)
