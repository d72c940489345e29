"""What an owner's listing states, on its editor: saved as one goes for its owner alone, shown, then published."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.errors import ApiError, InvalidRequestError
from core.methods import require_safe
from directory.categories.naming import all_names, categories_named
from directory.facts import FACTS, lacking
from directory.listings import contents, editing, own
from directory.listings import versions as edits
from directory.listings.next_actions import check_listing
from directory.listings.pages import sections as groups
from directory.listings.pages.forms import FactsForm
from directory.listings.pages.gallery import PictureForm, box_of, gallery_of
from directory.listings.pages.glance import at_a_glance
from directory.listings.pages.marks import Mark, blank_note, options_of, ordered, sides, taken, worth_offering
from directory.listings.pages.owned import sentence
from directory.listings.shapes.inputs import EditListingIn
from directory.listings.sources import photos_for, suggestions_for
from directory.models import Category, Listing, UnpublishedEdit
from directory.wording import need_a_fix

PARTS = ("fields", "founders", "faqs", "socials", "story", "milestones")
WHOLE = ("socials", "story")
TYPED_LONGEST = 400_000
TOOLS = {
    "take",
    "add",
    "remove",
    "earlier",
    "later",
    "theirs",
    "stored",
    "without",
}  # buttons that save and stay
BLANK = Mark(state="not_found", words="Blank", icon="circle-dashed")
STORED = "Saved for you alone: {} before you can publish."
GOES = "The quote goes once you publish."
REDO = "redo"  # among what Undo brings back: the last press was Undo itself
ELSEWHERE = "Not saved yet: you typed on another device or page too. Press Save to see both."


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def edit(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/edit`: keeps what was typed, shows it beside what is there, and publishes it."""
    user_id, at = user_of(request).pk, timezone.now()
    listing = own.own_row(owner_id=user_id, listing_id=listing_id)
    if request.method != "POST":
        return edit_page(request, listing)
    throttling.enforce("write", caller=f"user:{user_id}")
    with transaction.atomic():
        rows = UnpublishedEdit.objects.select_for_update()
        stored, _ = rows.get_or_create(listing=listing, user_id=user_id, defaults={"at": at})
        return _posted(request, listing, stored)


def _posted(request: HttpRequest, listing: Listing, stored: UnpublishedEdit) -> HttpResponse:
    typed = request.POST.dict() | taken(request.POST, suggestions_for(listing.pk).items())
    form = form_of(listing, typed)
    is_older = typed.get("edits", str(stored.revision)) != str(stored.revision)
    parts = form_of(listing, stored.typed).typed if is_older or "stored" in typed else {}
    unseen = {name: value for name, value in parts.items() if form.typed.get(name) != value}
    is_stale = is_older and bool(unseen)
    if typed.get("do") == "discard" or "undo" in typed:
        return _taken_back(request, stored, form, is_stale=is_stale)
    elsewhere = {name: value for name, value in unseen.items() if is_stale or name == typed.get("stored")}
    form = form_of(listing, typed, elsewhere=elsewhere) if elsewhere else form
    if is_stale and groups.is_part(request):
        form.refuse(InvalidRequestError(ELSEWHERE))
        return edit_page(request, listing, form, is_stale=True)
    if not (elsewhere and form.clashes):
        _store(stored, form.left_over(), former=stored.typed)
    do = typed.get("do")
    is_saved = do == "save" or not TOOLS.isdisjoint(typed)
    if not _is_fit(form) and (form.clashes or not is_saved):
        return edit_page(request, listing, form)
    form = _waiting(form) if is_saved else form
    if do == "publish" and not is_stale:
        return _publish(request, listing, form, stored)
    if groups.is_part(request) or not is_saved:
        return edit_page(request, listing, form, is_checked=not is_saved)
    return HttpResponseRedirect(request.path + groups.place_of(form, typed))


def _waiting(form: FactsForm) -> FactsForm:
    """A form that is stored: what is wrong in it stops nothing until it is to be published."""
    if not _is_fit(form) and not form.clashes:
        form.refusal = None
        form.refused.clear()
    return form


def _is_fit(form: FactsForm) -> bool:
    """Whether what was typed can be published. It is stored all the same, unless somebody else changed it meanwhile."""
    form.is_valid()
    now = {name: part.now for name, part in form.parts.items()}
    try:
        edits.refuse_loss(now, now | form.typed)
        categories_named(form.typed.get("categories") or ())
    except ApiError as refusal:
        form.refuse(refusal)
    if form.refusal and not form.clashes:
        form.refusal = InvalidRequestError(
            STORED.format(need_a_fix(len(form.faults))), errors=form.refusal.errors
        )
    return not form.refusal


def _taken_back(
    request: HttpRequest, stored: UnpublishedEdit, form: FactsForm, *, is_stale: bool
) -> HttpResponse:
    """Undo the last save, or discard all of them; nothing that this page has not shown."""
    is_undo = "undo" in form.posted
    undone = _undone(stored) if is_undo else []
    former = {name: text for name, text in stored.former.items() if name != REDO} if is_undo else {}
    redo = {} if REDO in stored.former else {REDO: "1"}
    if is_stale:
        messages.warning(request, "Something was saved elsewhere meanwhile. Nothing was taken back.")
    else:
        _store(stored, former, former=stored.typed | redo if is_undo else stored.typed)
        messages.success(
            request,
            "Undone." if is_undo else "Discarded. Nothing was changed.",
            extra_tags="bar" if is_undo else "",
        )
    return HttpResponseRedirect(
        request.path + (groups.place_of(form, form.posted, undone=undone) if is_undo else "")
    )


def _undone(stored: UnpublishedEdit) -> list[str]:
    """The names of the inputs that the last save changed."""
    pairs = {*stored.typed.items()} ^ {*stored.former.items()}
    return sorted({name for name, _ in pairs} - {REDO, "seen", "category_also"})


def _store(stored: UnpublishedEdit, typed: dict[str, str], *, former: dict[str, str]) -> None:
    """Keep what was typed for when its author comes back, with what Undo brings back."""
    if typed == stored.typed or sum(map(len, typed.values())) > TYPED_LONGEST:
        return  # longer than all that a listing may state, and refused as such
    stored.typed, stored.former, stored.at = typed, former, timezone.now()
    stored.revision += 1
    stored.save(update_fields=["typed", "former", "at", "revision"])


def _publish(
    request: HttpRequest, listing: Listing, form: FactsForm, stored: UnpublishedEdit
) -> HttpResponse:
    changes = form.changes | {"apply_to": request.POST.getlist("apply_to")}
    try:
        done = editing.update_my_listing(
            owner_id=user_of(request).pk, listing_id=listing.pk, changes=changes, at=timezone.now()
        )
    except ApiError as refusal:
        if refusal.status in {404, 429}:
            raise
        form.refuse(refusal)
        return edit_page(request, listing, form)
    _store(stored, {}, former={})
    count = len(form.typed)
    words = f"Published: {count} change{'' if count == 1 else 's'}."
    messages.success(request, words if done.edit.changes else "Nothing was changed.")
    return HttpResponseRedirect(request.path)


def form_of(
    listing: Listing, typed: Mapping[str, str] | None = None, *, elsewhere: Mapping[str, Any] | None = None
) -> FactsForm:
    """The form over what a listing states."""
    stated = contents.facts_of(listing)
    names = dict(Category.objects.filter(slug__in=stated["categories"]).values_list("slug", "name"))
    fields = {**stated, "categories": [names[slug] for slug in stated["categories"] if slug in names]}
    facts = {"fields": fields, **{name: stated[name] for name in PARTS if name != "fields"}}
    return FactsForm(EditListingIn, facts, typed, names=PARTS, whole=WHOLE, elsewhere=elsewhere)


def edit_page(
    request: HttpRequest,
    listing: Listing,
    form: FactsForm | None = None,
    *,
    is_checked: bool = False,
    is_stale: bool = False,
    picture_form: PictureForm | None = None,
) -> HttpResponse:
    """The editor over what its owner typed before, or over a form that was sent."""
    stored = UnpublishedEdit.objects.filter(listing=listing, user=user_of(request)).first()
    form = form or _waiting(form_of(listing, stored.typed if stored else None))
    profile = own.my_listing(owner_id=user_of(request).pk, listing_id=listing.pk, at=timezone.now())
    values = {name: part.now for name, part in form.parts.items()} | form.typed
    needed = lacking(values)
    _mark(form, listing, needed=needed)
    gallery = gallery_of(listing)
    paid = groups.locked(own.sections_of(listing))
    pictures = _pictures(listing, gallery, paid=paid)
    sections = groups.sections_of(
        form, needed=needed, pictures=pictures, has_logo=bool(listing.logo), paid=paid
    )
    around = _of_listing(listing, profile)
    context = {
        "form": form,
        "sections": sections,
        "paid": paid,
        **at_a_glance(needed=needed, sections=sections, tips=around["tips"]),
        "left": groups.left(values, form),
        "tab": "edit",
        **_review(request, form, listing, is_checked=is_checked),
        "ideas": _ideas(form, around["categories"]),
        "is_stale": is_stale,
        "redrawn": _redrawn(stored, form),
        **_saved(stored, form),
        **around,
        "picture_form": picture_form or PictureForm(),
        **gallery,
    }
    return groups.answered(request, "directory/account/edit.html", context)


def _review(request: HttpRequest, form: FactsForm, listing: Listing, *, is_checked: bool) -> dict[str, Any]:
    """What would change, where it is looked at, and which other listings it would be for; or what is in its way."""
    return {
        "is_checked": is_checked,
        "diffs": _diffs(form, listing) if is_checked else [],
        "ticked": request.POST.getlist("apply_to"),
        "later_words": f"{need_a_fix(len(form.later)).capitalize()} before you can publish",
    }


def _ideas(form: FactsForm, categories: Mapping[str, str]) -> list[tuple[str, str]]:
    """Categories to choose from: those typed and public now come first."""
    typed, now = str(form.data["categories"]).partition("\n")[0], form.parts["categories"].now[:1]
    return groups.ideas_of(form, [typed, *now], {**dict.fromkeys(now, ""), **categories})


def _pictures(listing: Listing, gallery: Mapping[str, Any], *, paid: Collection[str]) -> groups.Section:
    """The group of the pictures. Those of its owner's are missed where everybody would see them."""
    count = len(listing.media) or bool(gallery["cover"])
    missing = [] if count or gallery["waiting"] or groups.PICTURES in paid else ["picture"]
    return groups.Section(title=groups.PICTURES, pictures=count, missing=missing)


def _of_listing(listing: Listing, profile: dict[str, Any]) -> dict[str, Any]:
    """What the page shows of a listing around its fields."""
    return {
        "listing": profile,
        "card": profile,
        "host": listing.host,
        "sentence": sentence(profile),
        "is_public": listing.status in {Listing.Status.LIVE, Listing.Status.SCHEDULED},
        "others": [site for site in profile["sites"] if site["linked"] and site["key"] != listing.site.key],
        "box": box_of(listing),
        "tips": check_listing(listing),
        "categories": all_names(),
        "bought": set(listing.filed.filter(is_bought=True).values_list("category__name", flat=True)),
        "people": _people(listing),
        "photos": photos_for(listing.pk),
    }


def _saved(stored: UnpublishedEdit | None, form: FactsForm) -> dict[str, Any]:
    """When its author last saved and how often, what waits, and whether Undo has something to bring back."""
    words = f"Not public yet: {groups.labels_of(form, form.typed)}." if form.typed else "Nothing to publish."
    if stored is None:
        return {"edits": 0, "saved_words": words}
    is_left = bool(stored.typed or stored.former)
    saved_at, undo = is_left and stored.at, is_left and "1"
    verb = "Redo" if REDO in stored.former else "Undo" if stored.typed else "Bring back your change"
    undoes = {"undo": undo, "undo_verb": verb, "undoes": _undone(stored)}
    return {"edits": stored.revision, "saved_words": words, "saved_at": saved_at, **undoes}


def _redrawn(stored: UnpublishedEdit | None, form: FactsForm) -> set[str]:
    """The inputs whose surroundings a save may have changed; an entry's group goes along with it."""
    names = stored.former if stored else ()
    return {*form.typed, *names, *(name.partition("-")[0] for name in names)}


def _mark(form: FactsForm, listing: Listing, *, needed: list[str]) -> None:
    """Put beside each input whether its value is public, and what quotes it."""
    offers = suggestions_for(listing.pk)
    for name, entry in form.fields.items():
        quotes = listing.evidence.get(name) or ()
        if name in form.typed:
            entry.mark = _edited(form, name, is_quoted=bool(quotes))
        elif quotes:
            entry.mark = Mark(
                state="ai",
                words="From the website",
                icon="quote",
                evidence=ordered(quotes, value=form.data[name]),
            )
        elif not form.data[name] and (worth := worth_offering(name, offers.get(name, ()), stated=form.data)):
            options = options_of(name, worth)
            entry.mark = Mark(state="suggested", words="Suggested", icon="sparkles", options=options)
        elif name in needed:
            entry.mark = Mark(is_needed=True)
        elif "-" not in name and not form.data[name]:
            entry.mark = replace(BLANK, note=blank_note(name))
        elif name in FACTS:
            entry.mark = Mark(note="Stated by you.")


def _edited(form: FactsForm, name: str, *, is_quoted: bool) -> Mark:
    """The mark of what waits for Publish, with what a quote stood for."""
    mark = Mark(state="edited", words="Not public yet", icon="pencil")
    part, value = form.parts[name], form.typed[name]
    if not (is_quoted and value) or name in form.errors:
        return mark
    return replace(mark, note=GOES, sides=sides(name, part.plain(part.now), value))


def _diffs(form: FactsForm, listing: Listing) -> list[tuple[Any, ...]]:
    """What the form changes, with both sides, and whether a quote goes with it."""
    pairs = ((name, form.parts[name], value) for name, value in form.typed.items())
    return [
        (
            str(form.fields[name].label) if name in form.fields else name,
            *sides(name, part.plain(part.now), value),
            name in listing.evidence,
        )
        for name, part, value in pairs
    ]


def _people(listing: Listing) -> dict[str, dict[str, str]]:
    """Who makes it, by name, with their photos and where one of the website is from."""
    people = (row.founder for row in listing.founded_by.select_related("founder"))
    return {
        person.name: {
            "name": person.name,
            "slug": person.slug,
            "photo_url": person.photo.url if person.photo else "",
            "photo_source": person.photo_source,
        }
        for person in people
    }


@require_safe
def group(_: HttpRequest, listing_id: int, name: str) -> HttpResponse:
    """The former pages of what is a group of the editor."""
    return HttpResponseRedirect(f"/account/listings/{listing_id}/edit#in-{name}")


@require_safe
@signed_in
def versions(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/versions`: every edit with both sides, and what the site team made of it."""
    listing = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    rows = [
        (
            row,
            own.author(row),
            [(name, *sides(name, row.before.get(name), row.after.get(name))) for name in row.changed],
        )
        for row in own.revisions(listing)
    ]
    context = {"listing": own.headed(listing), "tab": "versions", "rows": rows}
    return render(request, "directory/account/versions.html", context)
