"""What the head of the editor says at a glance: what is filled, what is worth a check, what is blank, what is next."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from django.forms.boundfield import BoundField

from directory.facts import lacking
from directory.listings.next_actions import Tip
from directory.listings.pages.sections import HEADING, PICTURES, SEARCH, STORY, Section
from directory.wording import in_a_row

NEEDED = len(lacking({}))
PICTURE = Tip(
    title="Add pictures", text="People look before they read. Lists show the first.", at="gallery-title"
)
Place = tuple[str, str]  # where, and what


def at_a_glance(
    *, needed: Collection[str], sections: Sequence[Section], tips: Sequence[Tip]
) -> dict[str, Any]:
    """How much of what is needed is there, what the whole holds, and what is best done next."""
    is_next = any(section.missing == ["picture"] for section in sections)
    choices = [_place(entry) for section in sections for entry in section.choices]
    absent = [place for section in sections for place in section.absent]
    filled = [name for section in sections for name in _filled(section)]
    return {
        "steps": NEEDED,
        "steps_done": NEEDED - len(needed),
        "best": PICTURE if is_next else next(iter(tips), None),
        "choices": choices,
        "absent": absent,
        "better": [*choices, *absent],
        "filled": in_a_row(filled).capitalize() if filled else "",
        "filled_count": len(filled),
        "unsure": [place for section in sections for place in _unsure(section)],
        "bare": [place for section in sections for place in _bare(section)],
    }


def _place(entry: BoundField) -> Place:
    return f"field-{entry.name}", str(entry.label).lower()


def _filled(section: Section) -> Iterator[str]:
    """What is filled, by name; of entries, links and pictures how many."""
    if section.title != PICTURES:
        yield from (str(entry.label).lower() for entry in section.inputs if entry.value())
    if section.has_logo:
        yield "logo"
    if section.things:
        yield section.things
    if links := sum(bool(entry.value()) for _, rows in section.links for entry in rows):
        yield f"{links} link{'s' if links > 1 else ''}"


def _unsure(section: Section) -> list[Place]:
    pairs = zip(section.inputs, section.marks, strict=True)
    return [_place(entry) for entry, mark in pairs if mark.is_unsure]


def _bare(section: Section) -> list[Place]:
    """What is blank and may stay so; a list or the links as one. What few write and what is bought is not named."""
    if section.is_paid or section.title in {PICTURES, STORY, SEARCH}:
        return []
    if section.rows or section.links:
        return [] if section.filled else [(f"in-{section.key}", section.title.lower())]
    return [
        _place(entry)
        for entry in section.inputs
        if not (entry.value() or section.asks(entry) or entry.name in HEADING)
    ]
