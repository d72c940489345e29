"""The draft as its owner's page shows it, and what the page's form changes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from directory.facts import FACTS, GROUPS
from directory.listings.diffs import Piece, word_diff
from directory.wording import Choice, choices_of, worded
from drafts import limits
from drafts.editing.pages.editor_lists import changes_in_lists
from drafts.facts import completeness
from drafts.facts.states import is_given
from drafts.models import Draft, DraftField
from drafts.selectors import DraftView

BY_GROUP = {
    group: sorted(
        (fact for fact in FACTS.values() if fact.group == group), key=lambda fact: fact.is_last_in_group
    )
    for group in GROUPS
}
STATES = {
    "ai": ("From the website", "quote"),
    "not_found": ("Not found", "circle-dashed"),
    "edited": ("Edited by you", "pencil"),
    "manual": ("Written by you", "pen-line"),
    "override": ("Locked", "lock"),
    "deleted": ("Removed", "trash-2"),
}
BY_MODEL = ("AI, from the website", "sparkles")
SUGGESTED = ("Suggested", "sparkles")
REASONS = {
    "unconfirmed": "Nothing is set yet. Use one of these, type your own, or leave it blank.",
    "not_on_site": "Not found on the website. {said}",
    "robots_blocked": "It may be on a page that robots.txt asked us not to read, so we didn’t.",
    "fetch_failed": "We couldn’t open a page that may say it.",
    "conflicting": "Two pages say different things, so we left it blank.",
}
TOOLS = {"lock": "lock_fields", "unlock": "unlock_fields", "restore": "restore", "regenerate": "regenerate"}


@dataclass(frozen=True, kw_only=True)
class Option:
    """A value that the website may mean: what takes it, its words, its quote and how sure the writer is of it."""

    key: str
    lines: Sequence[str]
    evidence: Sequence[Mapping[str, Any]]
    percent: int


@dataclass(frozen=True, kw_only=True)
class EditorField:
    """One value with its state, its source and what can be done with it."""

    name: str
    label: str
    hint: str
    text: str
    value: Any
    state: str
    state_words: str
    icon: str
    is_locked: bool
    is_long: bool
    is_needed: bool
    is_awaited: bool
    evidence: Sequence[Mapping[str, Any]]
    note: str
    can_restore: bool
    options: Sequence["Option"] = ()
    percent: int | None = None
    choices: Sequence[Choice] = ()
    before: Sequence[Piece] = ()
    after: Sequence[Piece] = ()
    errors: Sequence[str] = field(default=())


@dataclass(frozen=True, kw_only=True)
class EditorGroup:
    """Fields that belong together; one in which there is nothing to see is folded."""

    title: str
    fields: Sequence[EditorField]

    @property
    def given(self) -> int:
        return sum(is_given(entry.value) for entry in self.fields)

    @property
    def is_open(self) -> bool:
        """Whether something is in it, or is wanted in it."""
        return any(
            is_given(entry.value)
            or entry.text
            or entry.options
            or entry.is_needed
            or entry.is_awaited
            or entry.errors
            for entry in self.fields
        )


def as_text(value: Any) -> str:
    """A value as its input shows it: lists have one entry a line."""
    if isinstance(value, list | tuple):
        return "\n".join(str(entry) for entry in value)
    return str(value or "")


def as_value(name: str, text: str) -> Any:
    """What the form's text stands for; nothing typed removes the value."""
    text = text.replace("\r\n", "\n").strip()
    if name in limits.LIST_FIELDS:
        return [line.strip() for line in text.split("\n") if line.strip()] or None
    return text or None


def note_of(row: DraftField, *, pages: int) -> str:
    if row.state == "manual":
        return "You wrote this. No page we read says it, so the listing marks it as stated by the owner."
    if row.state == "edited":
        return "This quote backs the original, not your edit."
    if row.state == "deleted":
        return "You removed this. It won’t be on the listing."
    if not is_given(row.value) and pages:
        said = (
            "The one page we read doesn’t say."
            if pages == 1
            else f"None of the {pages} pages we read states it."
        )
        return REASONS.get(row.reason, REASONS["not_on_site"]).format(said=said)
    return ""


def options_of(row: DraftField) -> list[Option]:
    return [
        Option(
            key=_key_of(row.name, one["value"]),
            lines=as_text(worded(row.name, one["value"])).split("\n"),
            evidence=one["evidence"],
            percent=round(100 * one["confidence"]),
        )
        for one in row.others
    ]


def _key_of(name: str, value: Any) -> str:
    """What names a suggestion in the form, so that a press takes what was read and nothing that came since."""
    return f"{name}.{sha256(as_text(value).encode()).hexdigest()[:16]}"


def editor_field(
    row: DraftField,
    *,
    needed: set[str],
    awaited: Collection[str],
    draft: Draft,
    typed: Mapping[str, str],
    errors: Mapping[str, list[str]],
) -> EditorField:
    """One row of the form; what was typed and refused stands in it again."""
    fact = FACTS[row.name]
    is_by_model = row.state == "ai" and draft.writer_model
    words, icon = BY_MODEL if is_by_model else STATES.get(row.state, (row.state, "info"))
    options = options_of(row)
    if options and row.state == "not_found":
        words, icon = SUGGESTED
    text = as_text(row.value)
    before, after = _edit_of(row)
    choices = choices_of(row.name, typed.get(row.name, text))
    return EditorField(
        name=row.name,
        label=fact.label,
        hint="" if choices else fact.note,
        text=typed.get(row.name, text),
        value=row.value,
        state=row.state,
        state_words=words,
        icon=icon,
        is_locked=row.is_locked,
        is_long=fact.is_long,
        is_needed=row.name in needed,
        is_awaited=row.name in awaited,
        evidence=row.evidence or (row.ai_evidence if row.state == "edited" else []),
        note=note_of(row, pages=draft.pages_read),
        can_restore=row.state in {"edited", "deleted"} and is_given(row.ai_value),
        options=options,
        percent=None if row.sureness is None else round(100 * row.sureness),
        choices=choices,
        before=before,
        after=after,
        errors=errors.get(row.name, ()),
    )


def _edit_of(row: DraftField) -> tuple[list[Piece], list[Piece]]:
    """What the site said and what a person made of it, as marked words; empty unless it was edited."""
    if row.state != "edited":
        return [], []
    return word_diff(as_text(worded(row.name, row.ai_value)), as_text(worded(row.name, row.value)))


def editor_groups(
    view: DraftView, *, typed: Mapping[str, str], errors: Mapping[str, list[str]]
) -> list[EditorGroup]:
    rows = {row.name: row for row in view.fields if row.group == DraftField.Group.FIELDS}
    needed = completeness.required({name: row.value for name, row in rows.items()})
    return [
        EditorGroup(
            title=title,
            fields=[
                editor_field(
                    rows[fact.name],
                    needed=needed,
                    awaited=view.draft.redrafting or (),
                    draft=view.draft,
                    typed=typed,
                    errors=errors,
                )
                for fact in group
                if fact.name in rows
            ],
        )
        for title, group in BY_GROUP.items()
    ]


def changes_in(posted: Mapping[str, str], *, view: DraftView) -> dict[str, Any]:
    """What a form changes, as update_draft takes it: values that differ, and the tool that was pressed."""
    body: dict[str, Any] = {}
    if fields := dict(_changed_values(posted, view=view)) | _taken(posted, view=view):
        body["fields"] = fields
    body |= changes_in_lists(posted, view=view)
    for tool, key in TOOLS.items():
        if posted.get(tool) in (limits.RESTORABLE if tool == "restore" else limits.FIELDS):
            body[key] = [posted[tool]]
    return body


def _taken(posted: Mapping[str, str], *, view: DraftView) -> dict[str, Any]:
    key = posted.get("take", "")
    offered = ((row.name, one["value"]) for row in view.fields for one in row.others)
    return dict([(name, value) for name, value in offered if _key_of(name, value) == key][:1])


def _changed_values(posted: Mapping[str, str], *, view: DraftView) -> Iterator[tuple[str, Any]]:
    for row in view.fields:
        typed = posted.get("category_typed", "").strip() if row.name == "categories" else ""
        text = typed or posted.get(row.name)
        if row.group != DraftField.Group.FIELDS or text is None:
            continue
        value = as_value(row.name, text)
        if row.name == "categories" and value:
            value += [name for name in (row.value or [])[1:] if name not in value]
        if as_text(value) != as_text(row.value):
            yield row.name, value
