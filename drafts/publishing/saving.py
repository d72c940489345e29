"""submit_draft: a ready draft becomes a saved listing, and goes on updating it."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from core.api.errors import ApiError, FieldError, InvalidRequestError, check_all
from core.domains import domain_of, host_of
from directory.categories.naming import categories_named
from directory.errors import ListingNotFoundError
from directory.facts import FACTS
from directory.images import uploads
from directory.listings.from_draft import EVERYTHING, DraftedListing, Saved, save_from_draft
from directory.listings.media import show_logo
from directory.listings.profile import profile
from directory.models import Category
from directory.wording import fields, not_saved
from drafts.errors import DraftNotReadyError
from drafts.facts import completeness, fitting
from drafts.facts.states import has_value
from drafts.models import Draft, DraftField
from drafts.pictures import gallery, photos, site_pictures

NOT_FOUND_REASONS = {"robots_blocked", "fetch_failed", "conflicting", "unconfirmed", "removed_by_owner"}
LINES = {"/fields/tagline", "/fields/short_description"}  # one of the two is enough
STATED_BY_WEBSITE = {"ai", "edited", "manual"}
"""With quotes: a person who takes a suggestion takes its quotes, one who types has none."""


@transaction.atomic
def submit_draft(*, owner_id: int, draft_id: uuid.UUID, at: datetime) -> Saved:
    """Save a ready draft as an unpublished listing; after edits, bring the same listing up to date.

    Where its owner has a listing of the product's address already, the draft goes into that one. Raises
    ListingNotFoundError when somebody else has the draft's listing by now, DraftNotReadyError for what a listing lacks,
    InvalidRequestError for values that no listing can hold, CategoryUnknownError for categories that are gone.
    """
    draft = Draft.objects.locked_of(owner_id, draft_id)
    if draft.lost_listing is not None:
        raise ListingNotFoundError("The listing of this draft is no longer yours.")
    _refuse_unready(draft)
    saved = save_listing(draft=draft, at=at)
    draft.listing = saved.listing
    draft.updated_at = at
    draft.save(update_fields=["listing", "updated_at"])
    photos.hand_over(draft)
    gallery.hand_over(draft, at=at)
    return saved


def _refuse_unready(draft: Draft) -> None:
    """Raise DraftNotReadyError, InvalidRequestError or CategoryUnknownError with all that keeps it from a listing."""
    if draft.status != Draft.Status.READY:
        raise DraftNotReadyError(draft.not_ready, current=draft.status)
    values = _values(draft)
    lacking = [_needed(name) for name in sorted(completeness.required(values))]
    try:
        check_all(lambda: categories_named(values.get("categories") or ()), lambda: _refuse_unfit(values))
    except ApiError as refusal:
        if not lacking:
            raise
        lacking += refusal.errors
    if lacking:
        raise DraftNotReadyError(
            "A listing needs a name, a tagline or a short description, and one category.",
            current=draft.status,
            errors=lacking,
        )


def _refuse_unfit(values: Mapping[str, Any]) -> None:
    if unfit := fitting.errors(fitting.unfit(values)):
        these = "this field" if len(unfit) == 1 else f"these {fields(len(unfit))}"
        raise InvalidRequestError(f"Fix {these} to go on.", errors=unfit)


def _needed(name: str) -> FieldError:
    return FieldError(code="required", pointer=f"/fields/{name}", message=FACTS[name].hint)


def _values(draft: Draft) -> dict[str, Any]:
    return dict(draft.field_rows.filter(group=DraftField.Group.FIELDS).values_list("name", "value"))


def update_listing(
    *, draft: Draft, at: datetime, only: frozenset[str], restored: Sequence[str] = ()
) -> Saved:
    """Write what was changed on a draft to its listing.

    Raises InvalidRequestError, with nothing changed, for a value that no listing can hold and for a change that takes
    away what every listing must have. `restored` tells which values came from there, for the error's pointer.
    """
    values = {name: value for name, value in _values(draft).items() if name in only}
    unfit = fitting.errors(fitting.unfit(values))
    try:
        saved = save_listing(draft=draft, at=at, only=only)
    except InvalidRequestError as refusal:
        named = {error.pointer for error in unfit}
        if named & LINES:  # once it fits, the other is not missed
            named |= LINES
        errors = unfit + [error for error in refusal.errors if error.pointer not in named]
        detail = not_saved(errors) if unfit else refusal.detail
        raise InvalidRequestError(detail, errors=_where_sent(errors, restored)) from refusal
    if unfit:
        raise InvalidRequestError(not_saved(unfit), errors=_where_sent(unfit, restored))
    return saved


def _where_sent(errors: Sequence[FieldError], restored: Sequence[str]) -> list[FieldError]:
    """Errors of values that were asked back point at where the call asked for them."""
    places = {f"/fields/{name}": f"/restore/{position}" for position, name in enumerate(restored)}
    return [replace(error, pointer=places.get(error.pointer or "", error.pointer)) for error in errors]


def save_listing(*, draft: Draft, at: datetime, only: frozenset[str] = EVERYTHING) -> Saved:
    """Write a draft's values to its listing, or only those that were changed."""
    saved = save_from_draft(
        owner=draft.owner,
        site=draft.site,
        listing_id=draft.listing_id,
        drafted=_as_listing(draft),
        at=at,
        only=only,
    )
    site_pictures.follow(draft, listing=saved.listing, at=at)
    if "logo_url" in only:
        existing = draft.logo or {}
        show_logo(listing_id=saved.listing.pk, url=existing.get("url", ""), name=existing.get("file", ""))
    return saved


def _as_listing(draft: Draft) -> DraftedListing:
    rows = list(draft.field_rows.all())
    own = {row.name: row for row in rows if row.group == DraftField.Group.FIELDS}
    values, _ = fitting.fitted({name: row.value for name, row in own.items()})
    values["socials"] = _links(rows, DraftField.Group.COMPANY_SOCIALS)
    values["faqs"] = [{key: faq[key] for key in ("question", "answer")} for faq in draft.faqs]
    values["story"] = draft.story
    values["seo_title"], values["seo_description"] = draft.seo.get("title", ""), draft.seo.get("meta", "")
    values["evidence"] = {
        name: row.evidence for name, row in own.items() if row.evidence and row.state in STATED_BY_WEBSITE
    } | _quotes_of_lists(draft, rows)
    values["not_found"] = [
        {"field": name, "reason": row.reason if row.reason in NOT_FOUND_REASONS else draft.blank_reason}
        for name, row in own.items()
        if FACTS[name].is_reported_when_blank and not has_value(row.value)
    ]
    values["last_crawled_at"] = draft.pages.aggregate(at=Max("fetched_at"))["at"]
    founder_links = _links(rows, DraftField.Group.FOUNDER_SOCIALS)
    own_links = _own_links(draft)
    links = (own_links.get(str(person["name"]).casefold(), {}) for person in draft.founders)
    founders = [
        {**person, "socials": own or ({} if position else founder_links)}
        for position, (person, own) in enumerate(zip(draft.founders, links, strict=True))
    ]
    home = draft.home_url or draft.url
    return DraftedListing(
        url=home,
        domain=domain_of(home),
        host=host_of(home),
        values=values,
        founded_year=values.get("founded_year"),
        categories=_slugs(values.get("categories") or []),
        founders=founders,
        milestones=draft.milestones,
        removed=frozenset(name for name, row in own.items() if row.state == DraftField.State.DELETED),
    )


def _quotes_of_lists(draft: Draft, rows: list[DraftField]) -> dict[str, list[dict[str, Any]]]:
    """The quotes that people, questions and links still rest on."""
    links = [row for row in rows if row.group == DraftField.Group.COMPANY_SOCIALS and has_value(row.value)]
    lists = {
        "founders": [person.get("evidence", []) for person in draft.founders if person.get("state") == "ai"],
        "faqs": [faq.get("evidence", []) for faq in draft.faqs if faq.get("state") == "ai"],
        "socials": [row.evidence for row in links if row.state == DraftField.State.AI],
    }
    joined = {name: [quote for quotes in result for quote in quotes] for name, result in lists.items()}
    return {name: quotes for name, quotes in joined.items() if quotes}


def _links(rows: list[DraftField], group: str) -> dict[str, str]:
    return {row.name: str(row.value) for row in rows if row.group == group and has_value(row.value)}


def _own_links(draft: Draft) -> dict[str, dict[str, str]]:
    """The links that invited founders gave with their profiles, by name."""
    profiles = [invite.profile for invite in draft.invites.all() if invite.profile]
    return {str(profile["name"]).casefold(): profile.get("socials") or {} for profile in profiles}


def _slugs(names: list[str]) -> list[str]:
    existing = dict(Category.objects.filter(name__in=names).values_list("name", "slug"))
    return [existing[name] for name in names if name in existing]


@transaction.atomic
def delete_draft(*, owner_id: int, draft_id: uuid.UUID) -> str:
    """Forget a draft with all that was read for it. A listing made from it stays. Returns its domain."""
    draft = Draft.objects.locked_of(owner_id, draft_id)
    gallery.drop_files(draft.media)
    uploads.forget_waiting(draft_id=draft_id)
    draft.delete()
    return draft.domain


def preview(*, owner_id: int, draft_id: uuid.UUID, at: datetime) -> dict[str, Any]:
    """The profile of the listing that this draft would be: it is saved, read and taken back.

    Raises DraftNotReadyError, InvalidRequestError or CategoryUnknownError for a draft that cannot be a listing yet.
    """
    with transaction.atomic():
        draft = Draft.objects.locked_of(owner_id, draft_id)
        _refuse_unready(draft)
        saved = save_listing(draft=draft, at=at)
        result = profile(listing_id=saved.listing.pk)
        transaction.set_rollback(True)
    return result
