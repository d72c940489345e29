"""People, questions and links of a draft as rows of its owner's form, and what the form changes of them. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from drafts import limits
from drafts.models import DraftField
from drafts.selectors import DraftView

COLUMNS = {"founders": ("name", "title", "bio"), "faqs": ("question", "answer")}
MOST = {"founders": limits.FOUNDERS, "faqs": limits.FAQS}
GROUPS = {
    DraftField.Group.COMPANY_SOCIALS.value: "The product’s links",
    DraftField.Group.FOUNDER_SOCIALS.value: "The first person’s links",
}
LINK_TOOLS = ("lock_link", "unlock_link")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One entry of a list with its inputs' names and texts; the last one is blank and adds an entry."""

    prefix: str
    values: Mapping[str, str]
    state: str = ""
    evidence: Sequence[Mapping[str, Any]] = field(default=())

    @property
    def is_new(self) -> bool:
        return not self.state

    @property
    def is_typed(self) -> bool:
        return any(self.values.values())


@dataclass(frozen=True, kw_only=True)
class LinkRow:
    key: str
    platform: str
    text: str
    state: str
    is_locked: bool
    evidence: Sequence[Mapping[str, Any]]


def rows_of(name: str, entries: Sequence[Mapping[str, Any]], *, typed: Mapping[str, str]) -> list[Row]:
    """The rows of a list; what was typed and refused stands in them again."""
    columns = COLUMNS[name]
    rows = []
    for number, entry in enumerate([*entries, {}][: MOST[name]]):
        prefix = f"{name}-{number}"
        values = {c: typed.get(f"{prefix}-{c}", entry.get(c) or "") for c in columns}
        rows.append(
            Row(
                prefix=prefix,
                values=values,
                state=entry.get("state", ""),
                evidence=entry.get("evidence", ()),
            )
        )
    return rows


def links_of(
    view: DraftView, *, typed: Mapping[str, str]
) -> list[tuple[str, str, list[LinkRow], Mapping[str, str]]]:
    """Both groups of links: key, title, the links that stand there, and what was typed to add one."""
    return [
        (
            group,
            title,
            [
                LinkRow(
                    key=f"{group}.{row.name}",
                    platform=row.name,
                    text=typed.get(f"{group}.{row.name}", str(row.value)),
                    state=row.state,
                    is_locked=row.is_locked,
                    evidence=row.evidence or (row.ai_evidence if row.state == "edited" else []),
                )
                for row in view.fields
                if row.group == group and row.value
            ],
            {part: typed.get(f"{group}.new.{part}", "") for part in ("platform", "link")},
        )
        for group, title in _titles(view).items()
    ]


def _titles(view: DraftView) -> dict[str, str]:
    """The headings of both groups, the second with the name of its person."""
    first = next((entry["name"] for entry in view.draft.founders if entry.get("name")), "")
    return GROUPS | ({DraftField.Group.FOUNDER_SOCIALS.value: f"{first}’s links"} if first else {})


def changes_in_lists(posted: Mapping[str, str], *, view: DraftView) -> dict[str, Any]:
    """The lists and links that a form changes, as update_draft takes them."""
    body: dict[str, Any] = {}
    kept = {"founders": view.draft.founders, "faqs": view.draft.faqs}
    for name, columns in COLUMNS.items():
        if any(key.startswith(f"{name}-0-") for key in posted):
            entries = _entries(name, posted)
            if entries != [{c: entry.get(c) or None for c in columns} for entry in kept[name]]:
                body[name] = entries
    for group in GROUPS:
        if links := dict(_links(group, posted, view=view)):
            body[group] = links
    for tool in LINK_TOOLS:
        group, _, platform = posted.get(tool, "").partition(".")
        if group in GROUPS and platform in limits.PLATFORMS:
            body[tool] = (group, platform)
    return body


def _entries(name: str, posted: Mapping[str, str]) -> list[dict[str, str | None]]:
    """The entries that were left, the one that was put first before the others; one without any text is none."""
    entries: list[dict[str, str | None]] = []
    for number in range(MOST[name]):
        prefix = f"{name}-{number}"
        values = {c: _text(posted.get(f"{prefix}-{c}", "")) or None for c in COLUMNS[name]}
        if any(values.values()) and posted.get("remove") != prefix:
            entries.insert(0 if posted.get("first") == prefix else len(entries), values)
    return entries


def _links(group: str, posted: Mapping[str, str], *, view: DraftView) -> Iterator[tuple[str, str | None]]:
    for row in view.fields:
        key = f"{group}.{row.name}"
        if row.group == group and key in posted:
            link = _text(posted[key]) if posted.get("remove") != key else ""
            if link != (row.value or ""):
                yield row.name, link or None
    platform, link = posted.get(f"{group}.new.platform", ""), _text(posted.get(f"{group}.new.link", ""))
    if link and platform in limits.PLATFORMS:
        yield platform, link


def _text(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
