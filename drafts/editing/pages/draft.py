"""HTML doors of the drafts area: see a website read, check the draft, submit it."""

import uuid
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework.exceptions import ValidationError

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import ApiError, FieldError, InvalidRequestError
from core.api.pagination import paginate
from core.api.serializers import body_errors
from directory.facts import FACTS
from directory.listings import own
from directory.listings.check import Tip, tips
from directory.models import Category
from directory.reading import PER_PAGE, page_number
from directory.wording import not_saved
from drafts import limits, selectors
from drafts.editing import updating
from drafts.editing.pages import editor, editor_lists
from drafts.editing.pages.tools import box_of
from drafts.errors import DraftNotReadyError
from drafts.facts import completeness, fitting
from drafts.models import Draft, DraftField
from drafts.publishing import saving
from drafts.requests import submitting
from drafts.shapes.inputs import UpdateDraftIn

LISTS = {"founders": "People", "faqs": "Questions"}
IDEAS = 6
RUNNING = {Draft.Status.CRAWLING, Draft.Status.DRAFTING}
STAGES = {
    "queued": "In the queue",
    "robots": "Reading robots.txt",
    "reading": "Reading the pages",
    "writing": "Writing the draft",
}
LONG = timedelta(minutes=2)  # without news; what usually takes a minute in all
WARNINGS = {
    "script_only": "The home page builds its text with scripts. We don’t run them, so we saw little.",
    "noindex": "The home page asks search engines not to show it.",
    "other_domain": "The address led to another domain, so we read that one.",
    "instructions": "One page gives orders to programs that read it. We ignored them.",
}


@require_safe
@signed_in
def drafts(request: HttpRequest) -> HttpResponse:
    rows = selectors.my_drafts(owner_id=user_of(request).pk)
    page = paginate(rows, page=page_number(request), per_page=PER_PAGE)
    return render(request, "drafts/drafts.html", {"page": page})


@require_safe
@signed_in
def draft(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>`: progress while it is written, then the editor."""
    view = selectors.draft_view(owner_id=user_of(request).pk, draft_id=draft_id)
    if view.draft.status in RUNNING:
        return render(request, "drafts/progress.html", _progress(view))
    if view.draft.status == Draft.Status.FAILED:
        return render(request, "drafts/failed.html", _log(view))
    return _editor_page(request, view)


@require_safe
@signed_in
def progress(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>/progress`: the part of the page that changes."""
    view = selectors.draft_view(owner_id=user_of(request).pk, draft_id=draft_id)
    if view.draft.status in RUNNING:
        return render(request, "drafts/parts/progress.html", _progress(view))
    if view.draft.redrafting:
        return render(request, "drafts/parts/rewriting.html", _rewriting(view))
    return HttpResponse("")


def _rewriting(view: selectors.DraftView) -> dict[str, Any]:
    return {"draft": view.draft, "rewritten": [FACTS[name].label for name in view.draft.redrafting or ()]}


def _log(view: selectors.DraftView) -> dict[str, Any]:
    return {
        "draft": view.draft,
        "read": [page for page in view.pages if not page.skipped],
        "skipped": [page for page in view.pages if page.skipped],
        "closed": [page for page in view.pages if page.skipped == "robots"],
        "warnings": [WARNINGS[code] for code in view.draft.warnings if code in WARNINGS],
    }


def _progress(view: selectors.DraftView) -> dict[str, Any]:
    draft = view.draft
    steps = list(STAGES)
    number = steps.index(draft.stage) if draft.stage in STAGES else 0
    silent = timezone.now() - draft.updated_at
    return {
        **_log(view),
        "steps": [(words, place - number) for place, words in enumerate(STAGES.values())],
        "sentence": f"Step {number + 1} of {len(steps)}: {STAGES[steps[number]].lower()}.",
        "is_queued": number == 0,
        "before": selectors.queued_before(draft) if number == 0 else 0,
        "silent_minutes": silent // timedelta(minutes=1) if silent > LONG else 0,
    }


def _tips(view: selectors.DraftView, values: dict[str, Any]) -> list[Tip]:
    group = DraftField.Group.COMPANY_SOCIALS
    socials = {row.name: row.value for row in view.fields if row.group == group and row.value}
    checked = {**values, "faqs": view.draft.faqs, "socials": socials}
    counts = {"founders": len(view.draft.founders or ())}
    return list(tips(checked, counts=counts, has_logo=bool(values.get("logo_url"))))


def _editor_page(
    request: HttpRequest,
    view: selectors.DraftView,
    *,
    typed: dict[str, str] | None = None,
    refusal: ApiError | None = None,
) -> HttpResponse:
    values = {row.name: row.value for row in view.fields if row.group == DraftField.Group.FIELDS}
    suggested = selectors.suggested_in(view.fields)
    unfit = fitting.unfit(values)
    errors = {name: [found.hint] for name, found in unfit.items()} | _errors_of(refusal)
    absent = completeness.missing(values, suggested=suggested, waiting=view.waiting)
    typed = typed or {}
    groups = editor.editor_groups(view, typed=typed, errors=errors)
    near = _suggested(refusal) if refusal else []
    tree = Category.objects.filter(parent=None).order_by("position", "pk").prefetch_related("children")
    context = {
        **_log(view),
        **_rewriting(view),
        "groups": groups,
        "faulty": _faulty(groups, errors),
        "refusal": refusal,
        "unfit": unfit,
        "waiting": view.waiting,
        "missing": [(entry, FACTS[entry["field"]].label) for entry in absent],
        "tips": _tips(view, values),
        "refused": [(_label(row["field"]), row) for row in view.draft.writer_refused or ()],
        "is_ready": completeness.is_submittable(values),
        "can_restore": _restorable(view.draft),
        **_lists(view, typed),
        "errors": errors,
        "box": box_of(view.draft),
        "ideas": _ideas(near, values.get("categories"), tree=tree),
        "taking": [FACTS[name].label for name in completeness.completed_by_taking(values, suggested)],
        "typed": typed,
        "tree": tree,
        "listing": _listing_of(view, owner_id=user_of(request).pk),
    }
    return render(request, "drafts/draft.html", context, status=400 if refusal else 200)


def _listing_of(view: selectors.DraftView, *, owner_id: int) -> dict[str, Any] | None:
    listing_id = view.draft.listing_id
    return own.my_listing(owner_id=owner_id, listing_id=listing_id, at=timezone.now()) if listing_id else None


def _label(name: str) -> str:
    return FACTS[name].label if name in FACTS else name.capitalize()


def _errors_of(refusal: ApiError | None) -> dict[str, list[str]]:
    """What a refusal says of each field."""
    errors: dict[str, list[str]] = {}
    for entry in refusal.errors if refusal else ():
        errors.setdefault(_field_of(entry), []).append(entry.message)
    return errors


def _suggested(refusal: ApiError) -> list[str]:
    return [name for names in (refusal.extras.get("suggestions") or {}).values() for name in names]


def _lists(view: selectors.DraftView, typed: dict[str, str]) -> dict[str, Any]:
    """People, questions, links and invitations, with what was typed last."""
    return {
        "people": editor_lists.rows_of("founders", view.draft.founders, typed=typed),
        "questions": editor_lists.rows_of("faqs", view.draft.faqs, typed=typed),
        "links": editor_lists.links_of(view, typed=typed),
        "platforms": limits.PLATFORMS,
        "invites": view.invites,
    }


def _faulty(groups: Any, errors: dict[str, list[str]]) -> list[tuple[str, str, str]]:
    """Where something is wrong, what it is called, and what is wrong with it."""
    rows = [
        (f"input-{entry.name}", entry.label, " ".join(entry.errors))
        for group in groups
        for entry in group.fields
        if entry.errors
    ]
    lists = {**LISTS, **editor_lists.GROUPS}
    return rows + [(f"field-{name}", lists[name], " ".join(errors[name])) for name in lists if name in errors]


def _ideas(names: list[str], chosen: list[str] | None, *, tree: Any) -> list[tuple[str, str]]:
    """The categories to choose from at once, the chosen one first, each with the one above it."""
    above = {child.name: root.name for root in tree for child in root.children.all()}
    known = {root.name for root in tree} | above.keys()
    wanted = dict.fromkeys([*(chosen or [])[:1], *names])
    return [(name, above.get(name, "")) for name in wanted if name in known][:IDEAS]


def _restorable(draft: Draft) -> set[str]:
    pairs = {"faqs": (draft.ai_faqs, draft.faqs), "founders": (draft.ai_founders, draft.founders)}
    return {name for name, (original, now) in pairs.items() if original and original != now}


def _field_of(entry: FieldError) -> str:
    pieces = (entry.pointer or "").strip("/").split("/")
    return pieces[1] if len(pieces) > 1 and pieces[0] == "fields" else pieces[0]


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>/edit`: the editor, also of a draft whose website could not be read.

    Posted, it saves what was typed and does what the pressed tool says.
    """
    owner_id, posted = user_of(request).pk, request.POST.dict()
    view = selectors.draft_view(owner_id=owner_id, draft_id=draft_id)
    if request.method != "POST":
        if view.draft.status in RUNNING:
            return HttpResponseRedirect(f"/drafts/{draft_id}")
        return _editor_page(request, view)
    throttling.enforce("write", caller=f"user:{owner_id}")
    body = editor.changes_in(posted, view=view)
    own = {tool: body.pop(tool) for tool in ("unlock_fields", *editor_lists.LINK_TOOLS) if tool in body}
    try:
        changes = _validated(body) | own
        updating.update_draft(owner_id=owner_id, draft_id=draft_id, changes=changes, at=timezone.now())
    except ApiError as error:
        if error.status == 404:
            raise
        return _editor_page(request, view, typed=posted, refusal=error)
    if posted.get("make"):
        return _make_listing(request, draft_id)
    if posted.get("preview"):
        return HttpResponseRedirect(f"/drafts/{draft_id}/preview")
    messages.success(request, "Saved." if changes else "Nothing was changed.")
    return HttpResponseRedirect(f"/drafts/{draft_id}{_place(posted)}")


def _place(posted: dict[str, str]) -> str:
    tool = next((posted[name] for name in editor.TOOLS if posted.get(name) in limits.RESTORABLE), "")
    for name in ("take", "remove", "first", "add", *editor_lists.LINK_TOOLS):
        tool = tool or posted.get(name, "").partition(".")[0].partition("-")[0]
    return f"#field-{tool}" if tool in {*limits.RESTORABLE} else ""


def _validated(body: dict[str, Any]) -> dict[str, Any]:
    serializer = UpdateDraftIn(data=body)
    try:
        serializer.is_valid(raise_exception=True)
    except ValidationError as error:
        errors = body_errors(error, serializer=serializer)
        raise InvalidRequestError(not_saved(errors), errors=errors) from error
    return dict(serializer.validated_data)


def _make_listing(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """The saved draft becomes a listing that only its owner sees."""
    owner_id = user_of(request).pk
    try:
        saved = saving.submit_draft(owner_id=owner_id, draft_id=draft_id, at=timezone.now())
    except (DraftNotReadyError, InvalidRequestError) as error:
        view = selectors.draft_view(owner_id=owner_id, draft_id=draft_id)
        return _editor_page(request, view, refusal=error)
    messages.success(request, "Submitted. Only you can see it until it launches.")
    return HttpResponseRedirect(f"/account/listings/{saved.listing.pk}")


@require_POST
@signed_in
def again(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>/again`: read the website once more after a failure."""
    try:
        submitting.try_again(owner_id=user_of(request).pk, draft_id=draft_id, at=timezone.now())
    except ApiError as error:
        if error.status in {404, 429}:
            raise
        messages.warning(request, error.detail)
    return HttpResponseRedirect(f"/drafts/{draft_id}")
