"""update_draft: typed values, locks, redrafts, restores and the collections, each field on its own."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction

from core import events, jobs
from core.api import throttling
from core.api.errors import InvalidRequestError, check_all
from directory.categories.naming import categories_named
from directory.images import files, uploads
from directory.images.files import address_of, named
from directory.images.pictures import Made
from directory.models import Upload
from drafts import machinery
from drafts.drafting import redrafting
from drafts.drafting.first_draft import category_hints
from drafts.facts import completeness, states, storing
from drafts.facts.fitting import public_address
from drafts.models import Draft, DraftField
from drafts.pictures import logos
from drafts.publishing import saving
from drafts.requests.submitting import refuse_second

Group = DraftField.Group
SOCIALS = (Group.COMPANY_SOCIALS.value, Group.FOUNDER_SOCIALS.value)
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
COLLECTIONS = ("faqs", "founders", "ai_faqs", "ai_founders", "story", "milestones", "seo", "site_picture_url")
LINK_TOOLS = {"lock_link": states.locked, "unlock_link": states.unlocked}
SAVED = (
    *("status", "stage", "percent", *COLLECTIONS, "competitor", "redrafts", "redrafts_on", "redrafting"),
    *("undo", "logo", "completeness", "revision", "updated_at"),
)


@transaction.atomic
def update_draft(*, owner_id: int, draft_id: uuid.UUID, changes: Mapping[str, Any], at: datetime) -> Draft:
    """Change only what is sent. A draft that is a listing already updates its listing too.

    What is to be written again is marked and left to a job. Raises DraftNotReadyError, FieldLockedError or
    RegenerateLimitError when it cannot be, CategoryUnknownError, InvalidUrlError or UrlNotPublicError for a value,
    and InvalidRequestError for one that the draft's listing cannot hold.
    """
    draft = Draft.objects.locked_of(owner_id, draft_id)
    if not _says_something(changes):
        return draft
    editor = Editor(draft, at=at)
    undone = editor.take_back(changes["undo"]) if "undo" in changes else frozenset()
    editor.restore(changes.get("restore", ()))
    check_all(partial(editor.type, changes.get("fields", {})), partial(refuse_address, changes))
    for group in SOCIALS:
        editor.link(group, changes.get(group, {}))
    editor.collect(changes)
    editor.lock(changes.get("lock_fields", ()))
    editor.unlock(changes.get("unlock_fields", ()))
    editor.guard_links(changes)
    if draft.status == Draft.Status.FAILED and _gives_something(changes):
        _complete_by_hand(draft)
    if names := changes.get("regenerate"):
        redrafting.ask(draft, names=names, rows=editor.own_rows(), at=at)
    editor.write()
    if draft.listing_id is not None and (only := _changed(changes) | undone):
        saving.update_listing(draft=draft, at=at, only=only, restored=changes.get("restore", ()))
    return draft


def refuse_address(changes: Mapping[str, Any]) -> None:
    if url := changes.get("competitor_url"):
        public_address(url, pointer="/competitor_url")


def _says_something(changes: Mapping[str, Any]) -> bool:
    """Whether anything is asked for. An empty list of questions is: it takes them all away."""
    replaced = {"faqs", "founders", "milestones", "competitor_url"}
    return any(value or key in replaced for key, value in changes.items())


def _gives_something(changes: Mapping[str, Any]) -> bool:
    """Whether a value is given that is more than a removal."""
    groups = [changes.get(key, {}) for key in ("fields", *SOCIALS, "story", "seo")]
    return any(states.has_value(value) for group in groups for value in group.values()) or any(
        changes.get(key) for key in ("faqs", "founders", "milestones")
    )


def _complete_by_hand(draft: Draft) -> None:
    """A draft whose website could not be read becomes its owner's to fill in; why it failed stays told."""
    refuse_second(owner=draft.owner, site=draft.site, key=draft.site_key)
    draft.status, draft.stage, draft.percent = Draft.Status.READY, "ready", 100
    try:
        with transaction.atomic():
            draft.save(update_fields=["status", "stage", "percent"])
            events.emit("draft.ready", user_id=draft.owner_id, thing=draft.pk)
    except IntegrityError:  # another draft of this site was begun a moment ago
        refuse_second(owner=draft.owner, site=draft.site, key=draft.site_key)
        raise


def _changed(changes: Mapping[str, Any]) -> frozenset[str]:
    """What a listing has to take over, by the listing's own names."""
    restored = changes.get("restore", ())
    names = {*changes.get("fields", {}), *(name for name in restored if name not in LISTED_AS)}
    for key, own in LISTED_AS.items():
        if key in restored or (key in changes and _says_something({key: changes[key]})):
            names |= own
    return frozenset(names)


class Editor:
    """The fields of one locked draft, changed by the rules and saved together."""

    def __init__(self, draft: Draft, *, at: datetime) -> None:
        self.draft = draft
        self.at = at
        self.rows = {(row.group, row.name): row for row in draft.field_rows.select_for_update()}
        self.changed: dict[tuple[str, str], dict[str, Any]] = {}
        self.former = {name: getattr(draft, name) for name in COLLECTIONS}
        self.is_redo = False

    def own_rows(self) -> dict[str, DraftField]:
        return {name: row for (group, name), row in self.rows.items() if group == Group.FIELDS}

    def write(self) -> None:
        """Write what was changed, in a number of statements that does not depend on how much it is."""
        storing.save_rows(self.rows[key] for key in sorted(self.changed))
        draft = self.draft
        logo = self.rows.get((str(Group.FIELDS), "logo_url"))
        logos.follow(draft, url=logo and logo.value, at=self.at)
        values = {name: row.value for name, row in self.own_rows().items()}
        draft.completeness = completeness.percent(values, logo=draft.logo)
        draft.revision += 1
        draft.undo = self._undo() or None
        draft.updated_at = self.at
        draft.save(update_fields=SAVED)

    def _undo(self) -> dict[str, Any]:
        """What takes this change back, for as long as nothing else changes."""
        lists = {name: was for name, was in self.former.items() if was != getattr(self.draft, name)}
        rows = [[*key, was] for key, was in self.changed.items()]
        undo = {"revision": self.draft.revision, "rows": rows, "lists": lists, "is_redo": self.is_redo}
        return undo if rows or lists else {}

    def take_back(self, revision: int) -> frozenset[str]:
        """Undo the last change, if it is this one. Gives what a listing has to take over, by the listing's names."""
        undo = self.draft.undo or {}
        if revision != self.draft.revision or undo.get("revision") != revision:
            raise InvalidRequestError("Something else was changed since, so this can’t be undone any more.")
        self.is_redo = not undo.get("is_redo")
        for group, name, was in undo["rows"]:
            self.apply(group, name, lambda _, value: states.FieldValue(**value), was)
        for name, was in undo["lists"].items():
            setattr(self.draft, name, was)
        groups = {group for group, _, _ in undo["rows"]} | undo["lists"].keys()
        fields = {name for group, name, _ in undo["rows"] if group == Group.FIELDS}
        redrafting.forget(self.draft, fields)
        return frozenset(fields.union(*(LISTED_AS[name] for name in groups & LISTED_AS.keys())))

    def apply(self, group: str, name: str, rule: Any, *arguments: Any) -> None:
        key = (str(group), name)
        if key not in self.rows:
            self.rows[key] = DraftField(draft=self.draft, group=group, name=name, updated_at=self.at)
        row = self.rows[key]
        value = storing.field_value(row)
        self.changed.setdefault(key, asdict(value))
        storing.put(row, rule(value, *arguments), at=self.at)

    def type(self, values: Mapping[str, Any]) -> None:
        """Values the owner typed; null removes. They are not written again any more."""
        if values.get("categories"):
            values = {**values, "categories": list(categories_named(values["categories"], like=_like))}
        for name, value in values.items():
            self.apply(Group.FIELDS, name, states.typed, value)
        redrafting.forget(self.draft, values)

    def put_back(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            self.apply(Group.FIELDS, name, states.put_back, value, self.draft.blank_reason)
        redrafting.forget(self.draft, values)

    def restore(self, names: Iterable[str]) -> None:
        """The AI's original values come back: of fields, of all links of a group, of questions and people."""
        for name in names:
            if name == "faqs":
                self.draft.faqs = _originals(self.draft.ai_faqs, self.draft.faqs)
            elif name == "founders":
                self.draft.founders = _originals(self.draft.ai_founders, self.draft.founders)
            elif name in SOCIALS:
                for group, platform in list(self.rows):
                    if group == name:
                        self.apply(group, platform, states.restored, self.draft.blank_reason)
            else:
                self.apply(Group.FIELDS, name, states.restored, self.draft.blank_reason)
        redrafting.forget(self.draft, names)

    def lock(self, names: Iterable[str]) -> None:
        for name in names:
            self.apply(Group.FIELDS, name, states.locked)
        redrafting.forget(self.draft, names)

    def unlock(self, names: Iterable[str]) -> None:
        for name in names:
            self.apply(Group.FIELDS, name, states.unlocked)

    def link(self, group: str, links: Mapping[str, str | None]) -> None:
        for platform, link in links.items():
            self.apply(group, platform, states.typed, link)

    def guard_links(self, changes: Mapping[str, Any]) -> None:
        """One social link is locked or unlocked (offered by the page)."""
        for tool, rule in LINK_TOOLS.items():
            if link := changes.get(tool):
                self.apply(*link, rule)

    def collect(self, changes: Mapping[str, Any]) -> None:
        """Collections and texts that are kept on the draft itself."""
        draft = self.draft
        if "faqs" in changes:
            draft.ai_faqs = _originals(draft.ai_faqs, draft.faqs)
            draft.faqs = _owned(changes["faqs"], originals=draft.ai_faqs, keys=("question", "answer"))
        if "founders" in changes:
            draft.ai_founders = _originals(draft.ai_founders, draft.founders)
            draft.founders = _owned(
                changes["founders"], originals=draft.ai_founders, keys=("name", "title", "bio")
            )
        if "milestones" in changes:
            draft.milestones = [
                {**milestone, "date": milestone["date"].isoformat()} for milestone in changes["milestones"]
            ]
        if "story" in changes:
            draft.story = _merged(draft.story, changes["story"])
        if "seo" in changes:
            draft.seo = _merged(draft.seo, changes["seo"])
        if "take_down" in changes:
            self.draft.site_picture_url = ""  # its file stays for Undo, and says that it is off
        if "competitor_url" in changes:
            self._compare(changes["competitor_url"])

    def _compare(self, url: str | None) -> None:
        if not url:
            self.draft.competitor = {}
            return
        address = public_address(url, pointer="/competitor_url")
        throttling.spend("crawl", user_id=self.draft.owner_id)
        self.draft.competitor = {"url": address, "status": "reading", "comparison": []}
        jobs.again(
            COMPETITOR_JOB,
            key=f"{self.draft.pk}-{self.draft.revision}",
            at=self.at,
            draft_id=str(self.draft.pk),
            url=address,
        )


def _like(word: str) -> list[str]:
    return list(machinery.named_like(word, category_hints()))


def _merged(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: text for name, text in {**before, **changes}.items() if text}


def _originals(stored: list[dict[str, Any]] | None, now: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the AI wrote; drafts from before it was kept apart still hold what their owners left of it."""
    return [entry for entry in now if entry.get("state") == "ai"] if stored is None else stored


def _owned(
    entries: list[Mapping[str, Any]], *, originals: list[dict[str, Any]], keys: tuple[str, ...]
) -> list[dict[str, Any]]:
    """The owner's entries; one that says what the AI wrote is the AI's, with its quotes."""

    def facts(entry: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(entry.get(key) or None for key in keys)

    ai = {facts(entry): entry for entry in originals}
    return [
        ai.get(facts(entry))
        or {**{key: entry.get(key) or None for key in keys}, "state": "manual", "evidence": []}
        for entry in entries
    ]


@uploads.finishes(Upload.Use.DRAFT_LOGO)
def use_logo(upload: Upload, made: Made, at: datetime) -> None:
    """A logo that an owner sent becomes the draft's, as if its address had been typed."""
    if upload.draft_id is None:
        return
    name, content = named(made)
    files.store(name, content)
    upload.file.name = name
    changes = {"fields": {"logo_url": address_of(name)}}
    update_draft(owner_id=upload.by_id, draft_id=upload.draft_id, changes=changes, at=at)
