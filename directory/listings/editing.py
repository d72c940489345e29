"""What owners change on their listings, and staff: facts, links, questions, milestones, the story.

What areas above hold of a listing follows its edits, in the edit's own transaction: an area registers what gives its
listeners, which locks what it holds of these listings and returns how each is brought up to date. They lock before the
listings are locked, as those areas do themselves when they write to a listing.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Subquery

from accounts.models import User
from core.api.errors import FieldError, InvalidRequestError, NotFoundError, needs_fix
from core.parts import Several
from directory import limits
from directory.categories.naming import categories_named
from directory.errors import ListingNotFoundError
from directory.listings import contents, versions
from directory.listings.versions import Edit
from directory.models import Listing, ListingRevision, Milestone, Site
from directory.search import public_data

Write = Callable[[Listing, Mapping[str, Any]], None]
EVERYWHERE = "all"
STEPS = ("milestones",)
APPLIED = ("headline", "summary", "seo_title", "seo_description")


class EditListener(Protocol):
    """Takes over the values that an edit gave a listing, by the names of `contents.facts_of`."""

    def __call__(self, *, values: Mapping[str, Any], by: str, at: datetime) -> None:
        """`by` is `user` or `staff`."""


ListenersOf = Callable[[Sequence[int]], Mapping[int, EditListener]]
listens_to_edits = Several[ListenersOf]()


def lock_listeners(listing_ids: Sequence[int]) -> dict[int, list[EditListener]]:
    """Lock what is held of these listings. Returns what follows each."""
    result: dict[int, list[EditListener]] = {listing_id: [] for listing_id in listing_ids}
    for listeners_of in listens_to_edits:
        for listing_id, listener in listeners_of(listing_ids).items():
            result[listing_id].append(listener)
    return result


@dataclass(frozen=True, kw_only=True)
class EditedListing:
    """An edited listing, what changed on it, and the keys of the other sites that were written."""

    listing: Listing
    edit: Edit
    applied_to: Sequence[str] = field(default=())


class ListingEditor:
    """A person's listings, locked once with all that is held of them; edits of them are kept and followed."""

    def __init__(self, *, owner_id: int, listing_ids: Collection[int]) -> None:
        """Raises ListingNotFoundError when one of them is not the person's."""
        self.by_id = owner_id
        self.listeners = lock_listeners(sorted(listing_ids))
        joined = User.objects.filter(pk=owner_id).values("date_joined")
        mine = Listing.objects.owned_among(owner_id, listing_ids).for_owner(owner_id)
        rows = mine.select_for_update().annotate(owner_joined=Subquery(joined))
        self.listings = {listing.pk: listing for listing in rows.order_by("pk")}
        if len(self.listings) < len(set(listing_ids)):
            raise ListingNotFoundError("There is no such listing.")

    def state(self, listing_id: int, values: Mapping[str, Any], *, at: datetime) -> Edit:
        """Write what of these values differs from what one of them states."""
        return self.edit(listing_id, value_writer(values, at=at), names=values, at=at)

    def edit(self, listing_id: int, write: Write, *, names: Collection[str], at: datetime) -> Edit:
        """Change these facts of one of them and keep both sides; what they feed follows.

        Raises InvalidRequestError when it would lose what it must have.
        """
        listing = self.listings[listing_id]
        before = versions.begin(listing, names=names)
        write(listing, before.facts)
        edit = versions.close(listing, before=before, by_id=self.by_id, at=at, joined=listing.owner_joined)
        if edit.changes:
            if listing.updated_at != at:
                listing.updated_at = at
                listing.save(update_fields=["updated_at"])
            values = {change["field"]: change["after"] for change in edit.changes}
            for listener in self.listeners[listing_id]:
                listener(values=values, by="user", at=at)
            public_data.refresh_facts(listing_ids=[listing_id], names=values)
        return edit


def value_writer(values: Mapping[str, Any], *, at: datetime) -> Write:
    """Writes what of these values differs. The owner states them, so no quote carries them any longer."""

    def write(listing: Listing, facts: Mapping[str, Any]) -> None:
        fresh = {name: value for name, value in values.items() if (value or None) != (facts[name] or None)}
        if fresh:
            versions.drop_evidence(listing, fresh)
            contents.write(listing, fresh, at=at)

    return write


@transaction.atomic
def update_my_listing(
    *, owner_id: int, listing_id: int, changes: Mapping[str, Any], at: datetime
) -> EditedListing:
    """Change only what is sent; it is public at once. The edit is kept with both sides for its history and review.

    `apply_to` writes headline, summary and texts for search engines to the same company's listings on other sites.
    A listing that staff have taken off the site may be edited, so that its owner can mend it.
    Raises InvalidRequestError for a site that is not known and for a change that takes away what every listing needs.
    """
    values = dict(changes.get("fields", {}))
    if "faqs" in changes:
        values["faqs"] = [dict(faq) for faq in changes["faqs"]]
    if "founders" in changes:
        values["founders"] = [dict(person) for person in changes["founders"]]
    if values.get("categories"):
        values["categories"] = list(categories_named(values["categories"]).values())
    if "socials" in changes:
        values["socials"] = {platform: link for platform, link in changes["socials"].items() if link}
    if "story" in changes:
        values["story"] = _sections(changes["story"])
    if "milestones" in changes:
        values["milestones"] = sorted(map(_row, changes["milestones"]), key=itemgetter("date"))
    others = _others(owner_id=owner_id, listing_id=listing_id, apply_to=changes.get("apply_to", ()))
    shared = {name: values[name] for name in APPLIED if name in values}
    editor = ListingEditor(owner_id=owner_id, listing_ids=[listing_id, *(others if shared else ())])
    edit = editor.state(listing_id, values, at=at)
    for other in others if shared else ():
        editor.state(other, shared, at=at)
    applied_to = dict.fromkeys(others.values()) if shared else ()
    return EditedListing(listing=editor.listings[listing_id], edit=edit, applied_to=list(applied_to))


def _others(*, owner_id: int, listing_id: int, apply_to: Sequence[str]) -> dict[int, str]:
    """The same company's listings on the other sites that are meant, with the keys of their sites."""
    if not apply_to:
        return {}
    refuse_unknown_sites(apply_to)
    mine = Listing.objects.owned_among(owner_id, [listing_id]).first()
    if mine is None:
        return {}
    rows = Listing.objects.owned_by(owner_id).filter(domain=mine.domain).exclude(site=mine.site_id)
    if EVERYWHERE not in apply_to:
        rows = rows.filter(site__key__in=apply_to)
    return dict(rows.order_by("site__key", "pk").values_list("pk", "site__key"))


def refuse_unknown_sites(apply_to: Sequence[str | None]) -> None:
    """Raise InvalidRequestError for each key that names no site. None is one that breaks its shape."""
    existing = set(Site.objects.values_list("key", flat=True))
    errors = [
        FieldError(
            code="unknown_site",
            pointer=f"/apply_to/{position}",
            message=f"There is no such site. Sites: {', '.join(sorted(existing))}, or all.",
        )
        for position, key in enumerate(apply_to)
        if key not in existing | {EVERYWHERE, None}
    ]
    if errors:
        raise InvalidRequestError(f"{needs_fix(errors)} Nothing was changed.", errors=errors)


def _sections(story: Mapping[str, Any]) -> dict[str, Any]:
    return {name: words for name, words in story.items() if words}


def _row(step: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "date": step["date"].isoformat(),
        **{name: step.get(name) for name in ("title", "description", "url")},
    }


@transaction.atomic
def set_founder_story(
    *, owner_id: int, listing_id: int, story: Mapping[str, Any], at: datetime
) -> EditedListing:
    """Put this story in the place of the one before; an empty section is none."""
    editor = ListingEditor(owner_id=owner_id, listing_ids=[listing_id])
    edit = editor.state(listing_id, {"story": _sections(story)}, at=at)
    return EditedListing(listing=editor.listings[listing_id], edit=edit)


@transaction.atomic
def add_milestone(*, owner_id: int, listing_id: int, step: Mapping[str, Any], at: datetime) -> Milestone:
    """Add a dated step. It is public on paid listings, or once the section is unlocked.

    Raises InvalidRequestError when the listing has as many as it may.
    """
    added: list[Milestone] = []

    def write(listing: Listing, facts: Mapping[str, Any]) -> None:
        if len(facts["milestones"]) >= limits.MILESTONES:
            full = FieldError(
                code="max_items", pointer="", message="There is no room.", limit=limits.MILESTONES
            )
            raise InvalidRequestError(
                f"A listing has at most {limits.MILESTONES} milestones. Delete one first.", errors=[full]
            )
        added.append(Milestone.objects.create(listing=listing, **_columns(step)))

    ListingEditor(owner_id=owner_id, listing_ids=[listing_id]).edit(listing_id, write, names=STEPS, at=at)
    return added[0]


def _columns(step: Mapping[str, Any]) -> dict[str, Any]:
    return {"date": step["date"], **{name: step.get(name) or "" for name in ("title", "description", "url")}}


@transaction.atomic
def delete_milestone(*, owner_id: int, listing_id: int, milestone_id: int, at: datetime) -> None:
    """Take a step away. Raises NotFoundError."""

    def write(listing: Listing, _: Mapping[str, Any]) -> None:
        deleted, _ = listing.milestones.filter(pk=milestone_id).delete()
        if not deleted:
            raise NotFoundError("There is no such milestone.")

    ListingEditor(owner_id=owner_id, listing_ids=[listing_id]).edit(listing_id, write, names=STEPS, at=at)


Review = ListingRevision.Review
AT_ONCE = 100


class StaffEdit:
    """Edits by staff, saved by a form or from a file: begun before that and closed after it, in one transaction.

    Its statements are as many for many listings as for one, but for what follows them.
    """

    def __init__(self, *, listing_ids: Collection[int]) -> None:
        self.listing_ids = sorted(listing_ids)
        self.listeners = lock_listeners(self.listing_ids)
        self.before = versions.begin_all(self._locked())

    def _locked(self) -> list[Listing]:
        return list(Listing.objects.select_for_update().filter(pk__in=self.listing_ids).order_by("pk"))

    def close(self, *, staff_id: int, at: datetime) -> None:
        """Keep both sides, as accepted. Raises InvalidRequestError when a listing lost what it must have."""
        listings = self._locked()
        after = contents.facts_of_all(listings)
        fresh = {listing.pk: self._fresh(listing, after[listing.pk]) for listing in listings}
        for listing in listings:
            versions.drop_evidence(listing, fresh[listing.pk])
        Listing.objects.bulk_update(listings, ["evidence", "not_found"], batch_size=AT_ONCE)
        accepted = {"review": Review.ACCEPTED, "reviewed_by_id": staff_id, "reviewed_at": at}
        versions.close_all(listings, before=self.before, by_id=staff_id, at=at, review=accepted)
        for listing_id, values in fresh.items():
            for listener in self.listeners[listing_id] if values else ():
                listener(values=values, by="staff", at=at)
        public_data.refresh(listing_ids=self.listing_ids)

    def _fresh(self, listing: Listing, after: dict[str, Any]) -> dict[str, Any]:
        existing = self.before[listing.pk].facts
        return {name: value for name, value in after.items() if (value or None) != (existing[name] or None)}
