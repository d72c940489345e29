"""Write the names that people bear anew from Faker's lists (MIT licence), with `faker` installed beside the project."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import faker.providers.person as people

from drafts.writing.sense import NAMES, bare


def names() -> Iterator[str]:
    """The given names and surnames of every locale, as single words."""
    for module in pkgutil.iter_modules(people.__path__):
        provider = importlib.import_module(f"{people.__name__}.{module.name}").Provider
        for attribute in dir(provider):
            listed = getattr(provider, attribute)
            if attribute.startswith(("first_name", "last_name")) and isinstance(listed, list | tuple | dict):
                for name in filter(lambda each: isinstance(each, str), listed):
                    yield from bare(name).replace("-", " ").split()


def main() -> None:
    """One name a line, between empty ones."""
    found = sorted({name for name in names() if name.isalpha()})
    NAMES.write_text("\n" + "\n".join(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
