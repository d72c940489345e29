"""Regular expressions that cost much to compile and that few processes ever use."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any


class LatePattern:
    """A regular expression that is compiled when it is first asked.

    Those for people's names take half a second and several megabytes, in every process of the web server too.
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self.source, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match anywhere."""
        return self.compiled.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """A match at the beginning."""
        return self.compiled.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match."""
        return self.compiled.finditer(text)

    def findall(self, text: str) -> list[Any]:
        """The texts of every match."""
        return self.compiled.findall(text)
