"""What areas above hold of a listing follows its edits, in the edit's own transaction.

An area registers what gives its listeners: it locks what it holds of these listings and returns how each is brought up
to date. They lock before the listings are locked, as those areas do themselves when they write to a listing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from core.parts import Several


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
