"""What owners change on their listings, on the account pages."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import ApiError
from directory import limits
from directory.editorial import interviews, updates
from directory.listings import contents, editing, own
from directory.listings.pages import inputs
from directory.listings.pages.inputs import STORY, Input
from directory.listings.pages.logos import box_of
from directory.listings.pages.owned import sentence
from directory.listings.shapes.inputs import MilestoneIn
from directory.listings.shapes.own import (
    AnswerInterviewIn,
    PostListingUpdateIn,
    SetFounderStoryIn,
    UpdateMyListingIn,
)
from directory.models import Listing

FORM = require_http_methods(["GET", "HEAD", "POST"])
STEP = (
    ("date", "Date", 10, 0, ""),
    ("title", "What happened", limits.MILESTONE_TITLE, 0, ""),
    ("description", "More about it", limits.MILESTONE_DESCRIPTION, 3, "Optional."),
    ("url", "Link", limits.MILESTONE_URL, 0, "Optional; begins with https://."),
)
NEWS = (
    ("title", "What is new", limits.UPDATE_TITLE, 0, ""),
    ("body", "Say it in a few sentences", limits.UPDATE_BODY, 5, "Plain text."),
)


def _writer(request: HttpRequest) -> int:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    return owner_id


def plain_inputs(rows: Any, *, typed: Mapping[str, str], refusal: ApiError | None = None) -> list[Input]:
    """Inputs of a table of names, labels, bounds, heights and hints."""
    errors = _errors(refusal)
    return [
        Input(
            name=name,
            label=label,
            text=typed.get(name, ""),
            bound=bound,
            rows=height,
            hint=hint,
            errors=errors.get(name, ()),
        )
        for name, label, bound, height, hint in rows
    ]


def given(posted: Mapping[str, str], names: Any) -> dict[str, str]:
    return {name: posted[name] for name in names if posted.get(name, "").strip()}


def _page(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    status = 400 if context.get("refusal") else 200
    return render(request, f"directory/account/{name}.html", context, status=status)


def _errors(refusal: ApiError | None) -> dict[str, list[str]]:
    return inputs.errors_by_input(refusal.errors) if refusal else {}


@FORM
@signed_in
def edit(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/edit`: shows what was typed beside what is there, and publishes it when asked to."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    if request.method != "POST":
        return _edit_page(request, listing, typed={})
    owner_id, typed = _writer(request), request.POST.dict()
    body = inputs.changes_in(typed, facts=contents.facts_of(listing))
    try:
        changes = inputs.validated(UpdateMyListingIn, body | {"apply_to": request.POST.getlist("apply_to")})
        if typed.get("do") != "publish" or typed.get("seen") != _newest(listing):
            return _edit_page(request, listing, typed=typed, changes=changes)
        found = editing.update_my_listing(
            owner_id=owner_id, listing_id=listing_id, changes=changes, at=timezone.now()
        )
    except ApiError as refusal:
        if refusal.status in {404, 429}:
            raise
        return _edit_page(request, listing, typed=typed, refusal=refusal)
    count = len(found.edit.changes)
    said = f"Published: {count} change{'' if count == 1 else 's'}." if count else "Nothing was changed."
    messages.success(request, said)
    return HttpResponseRedirect(f"/account/listings/{listing_id}/edit")


def _newest(listing: Listing) -> str:
    """The newest version, by which a form tells that somebody else was faster."""
    return str(listing.revisions.order_by("-pk").values_list("pk", flat=True).first() or 0)


def _edit_page(
    request: HttpRequest,
    listing: Listing,
    *,
    typed: Mapping[str, str],
    changes: Mapping[str, Any] | None = None,
    refusal: ApiError | None = None,
) -> HttpResponse:
    facts, errors, newest = contents.facts_of(listing), _errors(refusal), _newest(listing)
    known = own.my_listing(owner_id=user_of(request).pk, listing_id=listing.pk, at=timezone.now())
    rows = inputs.fact_inputs(facts, typed=typed, errors=errors)
    values = {**(changes or {}).get("fields", {})}
    values |= {name: (changes or {})[name] for name in ("socials", "faqs") if name in (changes or {})}
    return _page(
        request,
        "edit",
        listing=known,
        sentence=sentence(known),
        tab="edit",
        newest=newest,
        is_outdated=bool(changes is not None and typed.get("seen") not in {None, newest}),
        is_checked=changes is not None,
        diffs=[
            (name, *inputs.sides(name, facts[name], value), name in listing.evidence)
            for name, value in values.items()
        ],
        inputs=[row for row in rows if row.name not in inputs.TEXTS],
        texts=[row for row in rows if row.name in inputs.TEXTS],
        socials=inputs.social_inputs(facts, typed=typed, errors=errors),
        questions=inputs.question_inputs(facts, typed=typed, errors=errors),
        others=[site for site in known["sites"] if site["linked"] and site["key"] != listing.site.key],
        ticked=request.POST.getlist("apply_to"),
        refusal=refusal,
        box=box_of(listing),
    )


@FORM
@signed_in
def news(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/updates`: what was posted, and a form for more."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    refusal, posted = None, request.POST.dict()
    if request.method == "POST":
        owner_id = _writer(request)
        try:
            values = inputs.validated(PostListingUpdateIn, given(posted, ("title", "body")))
            made = updates.post_listing_update(
                owner_id=owner_id, listing_id=listing_id, at=timezone.now(), **values
            )
        except ApiError as error:
            refusal = error
        else:
            people = "person follows" if made.followers_notified == 1 else "people follow"
            messages.success(
                request, f"Posted. {made.followers_notified} {people} it and will get it by e-mail."
            )
            return HttpResponseRedirect(request.path)
    return _page(
        request,
        "updates",
        listing=own.headed(listing),
        tab="updates",
        inputs=plain_inputs(NEWS, typed=posted, refusal=refusal),
        followers=listing.follow_rows.count(),
        rows=own.posted_updates(listing),
        refusal=refusal,
    )


@FORM
@signed_in
def milestones(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/milestones`: the steps there are, and a form for one more."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    refusal, posted = None, request.POST.dict()
    if request.method == "POST":
        owner_id = _writer(request)
        try:
            step = inputs.validated(MilestoneIn, given(posted, [row[0] for row in STEP]))
            editing.add_milestone(owner_id=owner_id, listing_id=listing_id, step=step, at=timezone.now())
        except ApiError as error:
            refusal = error
        else:
            messages.success(request, f"Added: {step['title']}.")
            return HttpResponseRedirect(request.path)
    return _page(
        request,
        "milestones",
        listing=own.headed(listing),
        tab="milestones",
        inputs=plain_inputs(STEP, typed=posted, refusal=refusal),
        rows=listing.milestones.order_by("-date", "-pk"),
        is_open="milestones" in own.sections_of(listing),
        refusal=refusal,
    )


@require_POST
@signed_in
def drop_milestone(request: HttpRequest, listing_id: int, milestone_id: int) -> HttpResponse:
    editing.delete_milestone(
        owner_id=_writer(request), listing_id=listing_id, milestone_id=milestone_id, at=timezone.now()
    )
    messages.success(request, "The milestone is removed. The versions keep what it said.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}/milestones")


@FORM
@signed_in
def story(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/story`: the founder story, section by section."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    refusal, posted = None, request.POST.dict()
    if request.method == "POST":
        owner_id = _writer(request)
        try:
            values = inputs.validated(SetFounderStoryIn, given(posted, STORY))
            editing.set_founder_story(
                owner_id=owner_id, listing_id=listing_id, story=values, at=timezone.now()
            )
        except ApiError as error:
            refusal = error
        else:
            messages.success(request, "The story is saved.")
            return HttpResponseRedirect(request.path)
    rows = [
        (
            name,
            label,
            limits.STORY_TITLE if name == "title" else limits.STORY_SECTION,
            0 if name == "title" else 5,
            "",
        )
        for name, label in STORY.items()
    ]
    return _page(
        request,
        "story",
        listing=own.headed(listing),
        tab="story",
        inputs=plain_inputs(rows, typed=posted or listing.story, refusal=refusal),
        is_open="story" in own.sections_of(listing),
        refusal=refusal,
    )


@require_safe
@signed_in
def versions(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/versions`: every edit with both sides, and what the site team made of it."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    rows = [
        (
            row,
            own.author(row),
            [(name, *inputs.sides(name, row.before.get(name), row.after.get(name))) for name in row.changed],
        )
        for row in own.revisions(listing)
    ]
    return _page(request, "versions", listing=own.headed(listing), tab="versions", rows=rows)


@FORM
@signed_in
def interview_page(request: HttpRequest) -> HttpResponse:
    user_id, refusal, posted = user_of(request).pk, None, request.POST.dict()
    questions = interviews.interview_questions()
    if request.method == "POST":
        _writer(request)
        given = [
            {"question_id": row["id"], "answer": posted[f"answer-{row['id']}"]}
            for row in questions
            if f"answer-{row['id']}" in posted
        ]
        try:
            answers = inputs.validated(AnswerInterviewIn, {"answers": given[: limits.INTERVIEW_ANSWERS]})
            interviews.answer_interview(user_id=user_id, at=timezone.now(), **answers)
        except ApiError as error:
            refusal = error
        else:
            messages.success(request, "Your answers are saved.")
            return HttpResponseRedirect(request.path)
    known = {row["question_id"]: row["answer"] for row in interviews.interview_answers(user_id=user_id)}
    rows = [
        Input(
            name=f"answer-{row['id']}",
            label=row["question"],
            text=posted.get(f"answer-{row['id']}", known.get(row["id"], "")),
            bound=limits.INTERVIEW_ANSWER,
            rows=5,
            hint=row["help"] or "",
        )
        for row in questions
    ]
    return _page(request, "interview", inputs=rows, refusal=refusal)
