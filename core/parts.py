"""Parts: things of one kind that answer the same questions, each a class of its own in a file of one folder.

What one area asks and areas above answer is registered with a decorator that is the list of the answers itself.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, TypeVar

T = TypeVar("T")


class Named(dict[str, T]):
    """What areas above answer, each under a name: `@tells_owners("orders")`."""

    def __call__(self, name: str) -> Callable[[T], T]:
        return partial(self.setdefault, name)


class Several(list[T]):
    """What areas above answer, all of it together: `@tells_site_names`."""

    def __call__(self, answer: T) -> T:
        self.append(answer)
        return answer


def load(folder: str, kind: type[T]) -> dict[str, type[T]]:
    """The classes of a kind in a folder's files by their `code`, in the order of `position`, then of code."""
    parts: dict[str, Any] = {}
    for file in iter_modules(import_module(folder).__path__):
        module = import_module(f"{folder}.{file.name}")
        for value in vars(module).values():
            code = vars(value).get("code") if isinstance(value, type) and issubclass(value, kind) else None
            if code is not None and parts.setdefault(code, value) is not value:
                raise ValueError(f"{module.__name__}: another part has the code {code}")
    return dict(sorted(parts.items(), key=lambda row: (getattr(row[1], "position", 0), row[0])))
