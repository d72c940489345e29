"""What one look found."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is. Only what is wrong fails the command."""

    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


@dataclass(frozen=True)
class Finding:
    level: Level
    name: str
    words: str

    def __str__(self) -> str:
        return f"{self.level:<6} {self.name}: {self.words}"


def ok(name: str, words: str) -> Finding:
    return Finding(Level.OK, name, words)


def note(name: str, words: str) -> Finding:
    return Finding(Level.NOTE, name, words)


def wrong(name: str, words: str) -> Finding:
    """Not as it should be; the words say what to do."""
    return Finding(Level.WRONG, name, words)
