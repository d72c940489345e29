"""What stands beside the groups of the editor: what is to do, what is worth a check, what is best done next."""

from collections.abc import Collection, Sequence
from typing import Any

from django.forms.boundfield import BoundField

from directory.facts import lacking
from directory.listings.next_actions import Tip
from directory.listings.pages.sections import Section

NEEDED = len(lacking({}))
PICTURE = Tip(
    title="Add pictures", text="People look before they read. Lists show the first.", at="gallery-title"
)
Place = tuple[str, str]  # where, and what


def at_a_glance(
    *, needed: Collection[str], sections: Sequence[Section], tips: Sequence[Tip]
) -> dict[str, Any]:
    """How much of what is needed is there, what could be added or wants a check, and what is best done next."""
    is_next = [name for section in sections for name in section.missing] == ["picture"]
    return {
        "steps": NEEDED,
        "steps_done": NEEDED - len(needed),
        "best": PICTURE if is_next else next(iter(tips), None),
        "better": [
            *(place for section in sections for place in section.absent),
            *(_place(entry) for section in sections for entry in section.choices),
        ],
        "unsure": [place for section in sections for place in _unsure(section)],
    }


def _place(entry: BoundField) -> Place:
    return f"field-{entry.name}", str(entry.label).lower()


def _unsure(section: Section) -> list[Place]:
    pairs = zip(section.inputs, section.marks, strict=True)
    return [_place(entry) for entry, mark in pairs if mark.is_unsure]
