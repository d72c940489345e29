"""The types of events, each declared by the area whose change it tells of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.module_loading import import_string

TEST = "test"  # what a person has sent from the page of an endpoint; no endpoint chooses it
TYPES: dict[str, "Type"] = {}

Item = Callable[..., dict[str, Any] | None]


@dataclass(frozen=True, kw_only=True)
class Type:
    """One type: its words, and where the function stands that gives its data.

    That function takes `user_id` and `thing` and gives the list item that the API gives to that person, or None for
    what is not theirs any more. It is named by its path, so that what makes answers is loaded at first use.
    """

    name: str
    words: str
    item: str

    def data(self, *, user_id: int, thing: str) -> dict[str, Any] | None:
        make: Item = import_string(self.item)
        return make(user_id=user_id, thing=thing)


def declare(item: str, **words: str) -> None:
    """Declare types that share a kind of item; a `__` in a name is its dot."""
    for name, sentence in words.items():
        written = name.replace("__", ".")
        TYPES[written] = Type(name=written, words=sentence, item=item)
