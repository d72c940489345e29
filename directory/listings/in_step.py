"""What areas above hold of a listing follows its edits, in the edit's own transaction.

An area registers a holder: given listings, it locks what it holds of them and returns how each is brought up to date.
Holders lock before the listings are locked, as those areas do themselves when they write to a listing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol


class Follow(Protocol):
    """Takes over the values that an edit gave a listing, by the names of `contents.facts_of`."""

    def __call__(self, *, values: Mapping[str, Any], by: str, at: datetime) -> None:
        """`by` is `user` or `staff`."""


Holder = Callable[[Sequence[int]], Mapping[int, Follow]]
HOLDERS: list[Holder] = []


def holds_listings(holder: Holder) -> Holder:
    HOLDERS.append(holder)
    return holder


def lock_followers(listing_ids: Sequence[int]) -> dict[int, list[Follow]]:
    """Lock what is held of these listings. Returns what follows each."""
    result: dict[int, list[Follow]] = {listing_id: [] for listing_id in listing_ids}
    for holder in HOLDERS:
        for listing_id, follow in holder(listing_ids).items():
            result[listing_id].append(follow)
    return result
