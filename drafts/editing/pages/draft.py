"""HTML doors of the drafts area: see a website read, check the draft, submit it."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.conf.locale import LANG_INFO
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.timesince import timesince
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import ApiError, InvalidRequestError
from core.api.pagination import paginate
from core.domains import host_of
from core.methods import require_safe
from directory.categories.naming import all_names
from directory.errors import CategoryUnknownError, ListingNotFoundError
from directory.facts import FACTS
from directory.listings import own
from directory.listings.next_actions import Tip, tips
from directory.listings.pages import sections as groups
from directory.listings.pages.forms import FactsForm
from directory.listings.pages.gallery import PictureForm
from directory.listings.pages.glance import at_a_glance
from directory.reading import PER_PAGE, page_number
from directory.wording import need_a_fix
from drafts import selectors
from drafts.editing import updating
from drafts.editing.pages import marks, redrafts
from drafts.editing.pages.tools import box_of, cover_of, gallery_of
from drafts.errors import DraftNotReadyError
from drafts.facts import completeness, fitting
from drafts.models import Draft, DraftField, FounderPhoto
from drafts.pictures import photos
from drafts.publishing import saving
from drafts.requests import submitting
from drafts.writing.support import language_of

LATER = "{} before you submit"
NEXT = "Submit, then choose a launch week, free or paid. Private until then."
RUNNING = {Draft.Status.CRAWLING, Draft.Status.DRAFTING}
STAGES = {
    "queued": "In the queue",
    "robots": "Reading robots.txt",
    "reading": "Reading the pages",
    "writing": "Writing the draft",
}
QUOTED = 4_000  # letters that tell a language
LANGUAGES = {**LANG_INFO, "zh": {"name": "Chinese"}}
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
    return editor_page(request, view)


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


def _language(view: selectors.DraftView) -> str:
    """What the website is written in, by what is quoted of it, where that is not English."""
    of_rows = ((row.evidence, *(other["evidence"] for other in row.others)) for row in view.fields)
    quotes = [quote["quote"] for evidence in chain(*of_rows) for quote in evidence]
    code = language_of(" ".join(quotes)[:QUOTED])
    return "" if code in {"", "en"} else LANGUAGES[code]["name"]


def _ago(at: datetime) -> str:
    words = timesince(at, depth=1)
    return "just now" if words.startswith("0") else f"{words} ago"


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


def _names_logo(draft: Draft) -> bool:
    """Whether it has one, or one is being fetched."""
    return bool(draft.logo) and not marks.is_logo_dead(draft)


def _tips(view: selectors.DraftView, values: dict[str, Any]) -> list[Tip]:
    group = DraftField.Group.COMPANY_SOCIALS
    socials = {row.name: row.value for row in view.fields if row.group == group and row.value}
    checked = {**values, "faqs": view.draft.faqs, "socials": socials}
    counts = {"founders": len(view.draft.founders or ())}
    return list(tips(checked, counts=counts, has_logo=_names_logo(view.draft)))


def editor_page(
    request: HttpRequest,
    view: selectors.DraftView,
    form: FactsForm | None = None,
    *,
    redrawn: Collection[str] = (),
    picture_form: PictureForm | None = None,
) -> HttpResponse:
    values = {row.name: row.value for row in view.fields if row.group == DraftField.Group.FIELDS}
    suggested = selectors.suggested_in(view.fields)
    form = form or marks.form_of(view)
    typed = {name: value for name, value in form.typed.items() if name in FACTS}
    unfit = fitting.unfit(values | typed)
    needed = completeness.required(values | typed)
    marks.mark(form, view, needed=needed)
    redrafts.answer(request, view, form)
    form.is_valid()
    listing = _listing_of(view, owner_id=user_of(request).pk)
    _tell_unfit(form, unfit, gone=[] if "categories" in typed else view.gone)
    paid = groups.locked(listing["unlocked_sections"] if listing else ())
    sections = _sections(form, view, needed=needed, paid=paid)
    around = _of_draft(view, values)
    context = {
        **_log(view),
        **_rewriting(view),
        **around,
        "form": form,
        "sections": sections,
        **at_a_glance(needed=needed, sections=sections, tips=around["tips"]),
        **_left(form, groups.left(values | typed, form), is_submitted=bool(listing)),
        "redrawn": redrawn,
        "paid": paid,
        "hints": _hints(view, values, suggested=suggested),
        "ideas": groups.ideas_of(form, (values.get("categories") or [])[:1], around["categories"]),
        "taking": [] if view.gone else _taking(values, suggested=suggested),
        "listing": listing,
        "picture_form": picture_form or PictureForm(),
    }
    return groups.answered(request, "drafts/draft.html", context)


def _tell_unfit(form: FactsForm, unfit: Mapping[str, fitting.UnfitError], *, gone: Sequence[str]) -> None:
    """Beside its field, what keeps a value out of a listing; `gone` is said of categories that are none any more."""
    for name in [name for name in unfit if name not in form.errors]:
        form.add_error(name, unfit[name].hint)
    if gone and "categories" not in form.errors:
        form.add_error("categories", list(gone))


def _taking(values: dict[str, Any], *, suggested: Mapping[str, Sequence[Any]]) -> list[tuple[str, str]]:
    """Where a press each completes the draft, if no more is needed."""
    names = completeness.completed_by_taking(values, suggested)
    return [(f"field-{name}", FACTS[name].label.lower()) for name in names]


def _hints(
    view: selectors.DraftView, values: Mapping[str, Any], *, suggested: Mapping[str, Sequence[Any]]
) -> list[str]:
    """What is said of categories that the plan does not hold yet."""
    absent = completeness.missing(values, suggested=suggested, waiting=view.waiting)
    return [entry["hint"] for entry in absent if entry["field"] == "categories" and view.waiting]


def _left(form: FactsForm, to_do: Sequence[tuple[str, str]], *, is_submitted: bool) -> dict[str, Any]:
    """What is between the draft and a listing, in words."""
    return {
        "left": to_do,
        "later_words": LATER.format(need_a_fix(len(form.later)).capitalize()),
        "saved_words": "" if is_submitted else NEXT,
    }


def _sections(
    form: FactsForm, view: selectors.DraftView, *, needed: set[str], paid: Collection[str]
) -> list[groups.Section]:
    count = len(view.draft.media) or bool(cover_of(view.draft))
    pictures = groups.Section(title=groups.PICTURES, pictures=count)
    has_logo, titles = _names_logo(view.draft), _titles(view)
    return groups.sections_of(
        form, needed=needed, pictures=pictures, has_logo=has_logo, paid=paid, titles=titles
    )


def _of_draft(view: selectors.DraftView, values: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of a draft around its fields."""
    draft, tied = view.draft, photos.of_draft(view.draft)
    return {
        "undo": (draft.undo or {}).get("revision") == draft.revision and draft.revision,
        "undoes": marks.undone(draft),
        "language": _language(view),
        "read_ago": _ago(draft.created_at),
        "undo_verb": "Redo" if (draft.undo or {}).get("is_redo") else "Undo",
        "is_picture_removed": marks.PICTURE in marks.undone(draft) and not draft.site_picture_url,
        "saved_at": draft.updated_at,
        "host": host_of(draft.home_url or draft.url),
        "card": {**values, "name": values.get("name") or draft.domain},
        **gallery_of(draft),
        "tips": _tips(view, values),
        "refused": [(_label(row["field"]), row) for row in draft.writer_refused or ()],
        "can_restore": _restorable(draft),
        "invites": view.invites,
        "box": box_of(draft),
        "categories": all_names(),
        "photos": tied,
        "people": {person["name"]: _face(person, tied) for person in draft.founders},
    }


def _listing_of(view: selectors.DraftView, *, owner_id: int) -> dict[str, Any] | None:
    listing_id = view.draft.listing_id
    return own.my_listing(owner_id=owner_id, listing_id=listing_id, at=timezone.now()) if listing_id else None


def _face(person: dict[str, Any], tied: dict[str, FounderPhoto]) -> dict[str, str]:
    photo = tied.get(person["name"])
    return {"name": person["name"], "photo_url": photo.file.url if photo and photo.file else ""}


def _label(name: str) -> str:
    return FACTS[name].label if name in FACTS else name.capitalize()


def _titles(view: selectors.DraftView) -> dict[str, str]:
    """The heading of the links of the first person."""
    first = next((entry["name"] for entry in view.draft.founders if entry.get("name")), "")
    return {"founder_socials": f"{first}’s links" if first else "The first person’s links"}


def _restorable(draft: Draft) -> set[str]:
    pairs = {"faqs": (draft.ai_faqs, draft.faqs), "founders": (draft.ai_founders, draft.founders)}
    return {name for name, (original, now) in pairs.items() if original and original != now}


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
        return editor_page(request, view)
    throttling.enforce("write", caller=f"user:{owner_id}")
    form = marks.form_of(view, posted)
    changes = marks.tools_in(posted)
    try:
        if form.is_valid():
            changes = marks.typed_back(view, {**form.changes, **changes})
            updating.update_draft(owner_id=owner_id, draft_id=draft_id, changes=changes, at=timezone.now())
    except ApiError as error:
        if error.status == 404:
            raise
        form.refuse(error)
    if form.refusal:
        return editor_page(request, view, form)
    return _saved(request, view, form, changes)


def _saved(
    request: HttpRequest, view: selectors.DraftView, form: FactsForm, changes: dict[str, Any]
) -> HttpResponse:
    draft_id = view.draft.pk
    if form.posted.get("make"):
        return _make_listing(request, draft_id)
    if form.posted.get("preview"):
        return _preview(request, draft_id)
    if groups.is_part(request):
        saved = selectors.draft_view(owner_id=user_of(request).pk, draft_id=draft_id)
        return editor_page(request, saved, redrawn=form.typed)
    if "regenerate" in changes:
        redrafts.note(request, view, names=changes["regenerate"])
    if "undo" in changes or not changes:  # that it was saved stands in the bar, with its time
        words = "Undone." if changes else "Nothing was changed."
        messages.success(request, words, extra_tags="bar" if changes else "")
    return HttpResponseRedirect(f"/drafts/{draft_id}{_place(view, form, changes)}")


def _place(view: selectors.DraftView, form: FactsForm, changes: dict[str, Any]) -> str:
    undone = marks.undone(view.draft) if "undo" in changes else ()
    if "stays" not in form.posted and marks.PICTURE in {*undone, changes.get("take_down")}:
        return "#gallery-title"
    return groups.place_of(form, form.posted, undone=undone)


def _preview(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    try:
        saving.preview(owner_id=user_of(request).pk, draft_id=draft_id, at=timezone.now())
    except (DraftNotReadyError, InvalidRequestError, CategoryUnknownError) as error:
        return _refused(request, draft_id, error)
    return HttpResponseRedirect(f"/drafts/{draft_id}/preview")


def _refused(request: HttpRequest, draft_id: uuid.UUID, error: ApiError) -> HttpResponse:
    """The editor over what was saved, with what keeps it from going on."""
    view = selectors.draft_view(owner_id=user_of(request).pk, draft_id=draft_id)
    form = marks.form_of(view)
    form.refuse(error)
    return editor_page(request, view, form)


def _make_listing(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """The saved draft becomes a listing that only its owner sees."""
    owner_id = user_of(request).pk
    try:
        saved = saving.submit_draft(owner_id=owner_id, draft_id=draft_id, at=timezone.now())
    except (DraftNotReadyError, InvalidRequestError, CategoryUnknownError, ListingNotFoundError) as error:
        return _refused(request, draft_id, error)
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
