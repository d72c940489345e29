"""What a plan holds of sections and of categories, one rule everywhere (decision 0099). Pure."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from directory import limits
from directory.models import Listing

Key = TypeVar("Key", int, str)
PAID_SECTIONS = ("story", "milestones", "media")
OWN = {Listing.Plan.FREE.value: 1, Listing.Plan.PAID.value: 1 + limits.EXTRA_CATEGORIES}


def divide(*, wanted: Sequence[Key], bought: Collection[Key], plan: str) -> tuple[list[Key], list[Key]]:
    """The wanted categories that a plan holds beside bought ones, and those beyond it, in their order."""
    own = [category for category in wanted if category not in bought][: OWN[plan]]
    return own, [category for category in wanted if category not in own]
