"""update_draft: typed values, locks, redrafts, restores and the collections, each field on its own."""

import difflib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core import jobs
from core.errors import FieldError
from directory.models import Category
from drafts import completeness, fields, limits
from drafts.addresses import public_address
from drafts.crawl.segments import read_site
from drafts.errors import (
    CategoryUnknownError,
    DraftNotFoundError,
    DraftNotReadyError,
    FieldLockedError,
    RegenerateLimitError,
)
from drafts.models import Draft, DraftField
from drafts.services import keeping, publishing
from drafts.services.writing import kept_report, note_writer, write
from drafts.writing.port import Written

REWORDED = frozenset({"tagline", "short_description", "description", "usps"})
LISTED_AS: dict[str, frozenset[str]] = {
    "faqs": frozenset({"faqs"}),
    "founders": frozenset({"founders"}),
    "founder_socials": frozenset({"founders"}),
    "company_socials": frozenset({"socials"}),
    "story": frozenset({"story"}),
    "milestones": frozenset({"milestones"}),
    "seo": frozenset({"seo_title", "seo_description"}),
}
COMPETITOR_JOB = "drafts.read_competitor"


@dataclass(frozen=True, kw_only=True)
class Redraft:
    """What the writer made of the fields that are to be written again, before any row is locked."""

    names: frozenset[str]
    written: Written


def plan_redraft(*, owner_id: int, draft_id: uuid.UUID, names: list[str]) -> Redraft | None:
    """Write fields again from the pages that were read; holds no transaction, since a model may take seconds.

    Raises DraftNotReadyError before the first draft is there, FieldLockedError for a locked field,
    RegenerateLimitError when the day's redrafts are used up.
    """
    if not names:
        return None
    draft = _mine(owner_id=owner_id, draft_id=draft_id)
    if draft.status != Draft.Status.READY:
        raise DraftNotReadyError("The first draft is not there yet.", current=draft.status)
    rows = {row.name: row for row in draft.field_rows.filter(group=DraftField.Group.FIELDS)}
    _refuse_locked(names, rows)
    _count_redraft(draft, at=timezone.now())
    wanted = frozenset(names)
    avoid = {
        name: _wording(rows[name].value) for name in wanted & REWORDED if name in rows and rows[name].value
    }
    site = read_site(kept_report(draft))
    return Redraft(names=wanted, written=write(site, owner_id=owner_id, only=wanted, avoid=avoid))


def _wording(value: Any) -> str:
    return value if isinstance(value, str) else "\n".join(map(str, value))


@transaction.atomic
def _count_redraft(draft: Draft, *, at: datetime) -> None:
    held = Draft.objects.select_for_update().only("redrafts", "redrafts_on").get(pk=draft.pk)
    used = held.redrafts if held.redrafts_on == at.date() else 0
    limit = max(1, round(limits.REDRAFTS_A_DAY * settings.RATE_LIMIT_FACTOR))
    if used >= limit:
        raise RegenerateLimitError(
            f"This draft has been rewritten {limit} times today. Try again after midnight UTC.", limit=limit
        )
    Draft.objects.filter(pk=draft.pk).update(redrafts=used + 1, redrafts_on=at.date())


def _refuse_locked(names: list[str], rows: Mapping[str, DraftField]) -> None:
    errors = [
        FieldError(
            code="field_locked", pointer=f"/regenerate/{index}", message=f"{name} is locked; unlock it first."
        )
        for index, name in enumerate(names)
        if name in rows and rows[name].is_locked
    ]
    if errors:
        raise FieldLockedError(
            "A locked field is not written again. Restore it, or unlock it, first.", errors=errors
        )


def _mine(*, owner_id: int, draft_id: uuid.UUID) -> Draft:
    draft = Draft.objects.owned_by(owner_id).filter(pk=draft_id).first()
    if draft is None:
        raise DraftNotFoundError("There is no such draft.")
    return draft


@transaction.atomic
def update_draft(
    *, owner_id: int, draft_id: uuid.UUID, changes: Mapping[str, Any], redraft: Redraft | None, at: datetime
) -> Draft:
    """Change only what is sent. A draft that is a listing already updates its listing too."""
    draft = Draft.objects.select_for_update().owned_by(owner_id).filter(pk=draft_id).first()
    if draft is None:
        raise DraftNotFoundError("There is no such draft.")
    if not changes:
        return draft
    editor = _Editor(draft, at=at)
    editor.restore(changes.get("restore", ()))
    editor.type(changes.get("fields", {}))
    if redraft is not None:
        note_writer(draft, redraft.written)
        editor.redraft(redraft, names=changes.get("regenerate", []))
    editor.lock(changes.get("lock_fields", ()))
    editor.unlock(changes.get("unlock_fields", ()))
    for group in (DraftField.Group.COMPANY_SOCIALS, DraftField.Group.FOUNDER_SOCIALS):
        editor.link(group, changes.get(group.value, {}))
    editor.collect(changes)
    draft.completeness = completeness.percent(editor.values())
    draft.revision += 1
    draft.updated_at = at
    draft.save()
    if draft.listing_id is not None:
        publishing.save_listing(draft=draft, at=at, only=_changed(changes))
    return draft


def _changed(changes: Mapping[str, Any]) -> frozenset[str]:
    """What a listing has to take over, by the listing's own names."""
    names = {*changes.get("fields", {}), *changes.get("regenerate", ()), *changes.get("restore", ())}
    for key, own in LISTED_AS.items():
        if key in changes:
            names |= own
    return frozenset(names)


class _Editor:
    """The fields of one locked draft, changed by the rules and saved one by one."""

    def __init__(self, draft: Draft, *, at: datetime) -> None:
        self.draft = draft
        self.at = at
        self.rows = {(row.group, row.name): row for row in draft.field_rows.select_for_update()}

    def values(self) -> dict[str, Any]:
        """The values of the interface's fields."""
        return {
            name: row.value for (group, name), row in self.rows.items() if group == DraftField.Group.FIELDS
        }

    def _row(self, group: str, name: str) -> DraftField:
        key = (group, name)
        if key not in self.rows:
            self.rows[key] = DraftField(draft=self.draft, group=group, name=name, updated_at=self.at)
        return self.rows[key]

    def _apply(self, group: str, name: str, value: fields.FieldValue) -> None:
        keeping.put(self._row(group, name), value, at=self.at)

    def _current(self, name: str, group: str = DraftField.Group.FIELDS) -> fields.FieldValue:
        return keeping.field_value(self._row(group, name))

    def type(self, values: Mapping[str, Any]) -> None:
        """Values the owner typed; null removes."""
        if values.get("categories"):
            values = {**values, "categories": known_categories(values["categories"])}
        for name, value in values.items():
            self._apply(DraftField.Group.FIELDS, name, fields.typed(self._current(name), value))

    def restore(self, names: Any) -> None:
        """The AI's original values come back."""
        for name in names:
            self._apply(DraftField.Group.FIELDS, name, fields.restored(self._current(name)))

    def lock(self, names: Any) -> None:
        """Locked against redrafts."""
        for name in names:
            self._apply(DraftField.Group.FIELDS, name, fields.locked(self._current(name)))

    def unlock(self, names: Any) -> None:
        """The lock goes, the text stays (offered by the page)."""
        for name in names:
            self._apply(DraftField.Group.FIELDS, name, fields.unlocked(self._current(name)))

    def redraft(self, redraft: Redraft, *, names: list[str]) -> None:
        """What was written again, unless somebody locked it meanwhile."""
        _refuse_locked(names, {name: row for (group, name), row in self.rows.items() if group == "fields"})
        for name in names:
            found = redraft.written.fields.get(name)
            if name not in redraft.names or found is None:
                continue
            fresh = fields.redrafted(
                self._current(name),
                value=keeping.plain(found.value),
                evidence=keeping.evidence(found.evidence),
                reason=found.reason or "not_on_site",
            )
            self._apply(DraftField.Group.FIELDS, name, fresh)

    def link(self, group: str, links: Mapping[str, str | None]) -> None:
        """Social links; an empty one is removed."""
        for platform, link in links.items():
            self._apply(group, platform, fields.typed(self._current(platform, group), link))

    def collect(self, changes: Mapping[str, Any]) -> None:
        """Collections and texts that are kept on the draft itself."""
        draft = self.draft
        if "faqs" in changes:
            draft.faqs = _owned(changes["faqs"], before=draft.faqs, keys=("question", "answer"))
        if "founders" in changes:
            draft.founders = _owned(changes["founders"], before=draft.founders, keys=("name", "title", "bio"))
        if "milestones" in changes:
            draft.milestones = [
                {**milestone, "date": milestone["date"].isoformat()} for milestone in changes["milestones"]
            ]
        if "story" in changes:
            draft.story = _merged(draft.story, changes["story"])
        if "seo" in changes:
            draft.seo = _merged(draft.seo, changes["seo"])
        if "competitor_url" in changes:
            self._compare(changes["competitor_url"])

    def _compare(self, url: str | None) -> None:
        if not url:
            self.draft.competitor = {}
            return
        address = public_address(url, pointer="/competitor_url")
        self.draft.competitor = {"url": address, "status": "reading", "comparison": []}
        jobs.again(
            COMPETITOR_JOB,
            key=f"{self.draft.pk}-{self.draft.revision}",
            at=self.at,
            draft_id=str(self.draft.pk),
            url=address,
        )


def _merged(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: text for name, text in {**before, **changes}.items() if text}


def _owned(
    entries: list[Mapping[str, Any]], *, before: list[dict[str, Any]], keys: tuple[str, ...]
) -> list[dict[str, Any]]:
    def facts(entry: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(entry.get(key) or None for key in keys)

    ai = {facts(entry): entry for entry in before if entry.get("state") == "ai"}
    return [
        ai.get(facts(entry))
        or {**{key: entry.get(key) or None for key in keys}, "state": "manual", "evidence": []}
        for entry in entries
    ]


def known_categories(given: list[str]) -> list[str]:
    """The names of categories given by name or slug. Raises CategoryUnknownError with near names."""
    rows = list(Category.objects.order_by("position", "pk").values_list("name", "slug"))
    by_word = {word.casefold(): name for name, slug in rows for word in (slug, name)}
    errors, found, suggestions = [], [], {}
    for index, word in enumerate(given):
        name = by_word.get(word.casefold())
        if name:
            found.append(name)
            continue
        near = difflib.get_close_matches(word.casefold(), by_word, n=5, cutoff=0.5)
        suggestions[word] = list(dict.fromkeys(by_word[candidate] for candidate in near))
        hint = f" Near: {', '.join(suggestions[word])}." if suggestions[word] else ""
        message = f"There is no category {word!r}.{hint}"
        errors.append(
            FieldError(code="category_unknown", pointer=f"/fields/categories/{index}", message=message)
        )
    if errors:
        raise CategoryUnknownError(
            "Categories are the names that list_categories gives.", errors=errors, suggestions=suggestions
        )
    return list(dict.fromkeys(found))
