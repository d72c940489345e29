"""What owners add to their listings and put right later: news, an interview, taking it off."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import ApiError
from core.api.serializers import StrictSerializer
from directory import limits
from directory.editorial import interviews, updates
from directory.listings import own, taking_off
from directory.listings.pages.forms import FactsForm, WholeForm, validated
from directory.listings.shapes.inputs import AnswerInterviewIn, PostListingUpdateIn, text
from directory.models import Listing

FORM = require_http_methods(["GET", "HEAD", "POST"])
NEWS = {"title": "What is new", "body": "Say it in a few sentences"}
Save = Callable[[dict[str, Any]], str]


def _form_page(
    request: HttpRequest, form: FactsForm, save: Save, *, template: str, context: Any, goes_to: str = ""
) -> HttpResponse:
    """A page with one form. `save` gives what to say once it is done."""
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{user_of(request).pk}")
        try:
            if form.is_valid():
                messages.success(request, save(form.changes))
                return HttpResponseRedirect(goes_to or request.path)
        except ApiError as error:
            form.refuse(error)
    context = {**context, "form": form, "refusal": form.refusal}
    status = 400 if form.refusal else 200
    return render(request, f"directory/account/{template}.html", context, status=status)


def _mine(request: HttpRequest, listing_id: int) -> tuple[Listing, dict[str, Any]]:
    """A listing of whoever asks, and what its verbs ask for."""
    by: dict[str, Any] = {"owner_id": user_of(request).pk, "listing_id": listing_id}
    return own.own_row(**by), by


@FORM
@signed_in
def news(request: HttpRequest, listing_id: int, update_id: int | None = None) -> HttpResponse:
    """`/account/listings/<id>/updates`: what was posted, and a form for more; with an id, for that one."""
    listing, by = _mine(request, listing_id)
    posted = own.update_of(listing, update_id=update_id) if update_id is not None else None
    form = WholeForm(PostListingUpdateIn, vars(posted) if posted else {}, request.POST.dict(), labels=NEWS)
    context = {
        "listing": own.headed(listing),
        "tab": "updates",
        "update": posted,
        "followers": listing.follow_rows.count(),
        "rows": own.posted_updates(listing),
    }

    def save(values: dict[str, Any]) -> str:
        if posted is not None:
            updates.edit_update(**by, update_id=posted.pk, at=timezone.now(), **values)
            return "Saved. E-mails that went out keep the former text."
        made = updates.post_listing_update(**by, at=timezone.now(), **values)
        people = "person follows" if made.followers_notified == 1 else "people follow"
        return f"Posted. {made.followers_notified} {people} it and will get it by e-mail."

    template, goes_to = "update" if posted else "updates", f"/account/listings/{listing_id}/updates"
    return _form_page(request, form, save, template=template, context=context, goes_to=goes_to)


@require_POST
@signed_in
def remove_update(request: HttpRequest, listing_id: int, update_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    updates.remove_update(owner_id=owner_id, listing_id=listing_id, update_id=update_id)
    messages.success(request, "Removed from the listing and its feed.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}/updates")


@FORM
@signed_in
def interview_page(request: HttpRequest) -> HttpResponse:
    user_id, questions = user_of(request).pk, interviews.interview_questions()
    answers = {row["question_id"]: row["answer"] for row in interviews.interview_answers(user_id=user_id)}
    names = {f"answer-{row['id']}": row for row in questions}
    shape = type("Interview", (StrictSerializer,), {name: text(limits.INTERVIEW_ANSWER) for name in names})

    def save(changes: dict[str, Any]) -> str:
        rows = [{"question_id": names[name]["id"], "answer": text or ""} for name, text in changes.items()]
        values = validated(AnswerInterviewIn, {"answers": rows[: limits.INTERVIEW_ANSWERS]})
        interviews.answer_interview(user_id=user_id, at=timezone.now(), **values)
        return "Your answers are saved."

    facts = {name: answers.get(row["id"]) for name, row in names.items()}
    labels = {name: row["question"] for name, row in names.items()}
    form = FactsForm(shape, facts, request.POST.dict(), labels=labels)
    for name, row in names.items():
        form.fields[name].help_text = row["help"] or ""
    return _form_page(request, form, save, template="interview", context={})


@FORM
@signed_in
def off_site(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/off`: says what taking it off does, and does it by POST; puts it back as well."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        act = taking_off.put_back if request.POST.get("do") == "back" else taking_off.take_off
        try:
            act(owner_id=owner_id, listing_id=listing_id, at=timezone.now())
        except ApiError as error:
            if error.status == 404:
                raise
            messages.warning(request, error.detail)
        return HttpResponseRedirect(f"/account/listings/{listing_id}")
    context = {
        "listing": own.headed(listing),
        "is_owner": listing.owner_id == owner_id,
        "is_live": listing.status == Listing.Status.LIVE,
        "can_come_back": taking_off.was_taken_off_by_owner(listing),
        "contact": settings.CONTACT_EMAIL,
    }
    return render(request, "directory/account/off.html", context)
