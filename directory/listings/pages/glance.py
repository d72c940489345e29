"""What stands above the groups of the editor: what is needed, what is to check, what is optional and best done next."""

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
    """How much of what is needed is there, what wants a check or could be added, and what is best done next."""
    is_next = [name for section in sections for name in section.missing] == ["picture"]
    return {
        "steps": NEEDED,
        "steps_done": NEEDED - len(needed),
        "best": PICTURE if is_next else next(iter(tips), None),
        "checks": [_place(entry) for section in sections for entry in section.checks],
        "optional": [place for section in sections for place in section.absent],
    }


def _place(entry: BoundField) -> Place:
    return f"field-{entry.name}", str(entry.label).lower()
