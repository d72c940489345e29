"""What stands beside an input of the editor: whose its value is, its quotes, and what the website may mean instead."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from directory.facts import FACTS, is_offered
from directory.listings.differences import Piece, as_text, word_diff
from directory.wording import worded

LIKELY, POSSIBLE = 0.5, 0.4


@dataclass(frozen=True, kw_only=True)
class Quoted:
    """What stands with the sentences of a website."""

    evidence: Sequence[Mapping[str, Any]] = ()

    @property
    def gist(self) -> str:
        """The quotes of the first one’s page as one: a plan and its sum are in two places, and both make the value."""
        url = self.evidence[0]["url"] if self.evidence else ""
        return " … ".join(dict.fromkeys(quote["quote"] for quote in self.evidence if quote["url"] == url))


@dataclass(frozen=True, kw_only=True)
class Option(Quoted):
    """A value that the website may mean: what takes it, its words, its quote, whether the writer merely guesses."""

    key: str
    lines: Sequence[str]
    is_guess: bool

    @property
    def words(self) -> str:
        return " ".join(self.lines)


def worth_offering(
    name: str, others: Sequence[Mapping[str, Any]], *, stated: Mapping[str, Any]
) -> Sequence[Mapping[str, Any]]:
    """The readings that help: beside a value the likeliest other; where nothing is set, those near the best one."""
    if not others:
        return others
    value = stated.get(name)
    offered = [
        other
        for other in others
        if is_offered(name, other["value"], stated=stated) and _letters(other["value"]) != _letters(value)
    ]
    least = max((other["confidence"] for other in offered), default=0) / 2
    if value:
        least = 2 if FACTS[name].is_decided else LIKELY
    elif not FACTS[name].is_needed:
        least = max(least, POSSIBLE)
    near = [other for other in offered if other["confidence"] >= least]
    return near[:1] if value else near


def ordered(quotes: Sequence[Mapping[str, Any]], *, value: Any) -> list[Mapping[str, Any]]:
    """Quotes with the one that says just the value first, the others as their page has them."""
    return sorted(quotes, key=lambda q: _letters(q["quote"]) != _letters(value))


def _letters(value: Any) -> str:
    return "".join(filter(str.isalnum, as_text(value).casefold()))


def options_of(name: str, offers: Sequence[Mapping[str, Any]]) -> list[Option]:
    return [
        Option(
            key=_key_of(name, other["value"]),
            lines=as_text(worded(name, other["value"])).split("\n"),
            evidence=other["evidence"],
            is_guess=other["confidence"] < LIKELY,
        )
        for other in offers
    ]


def blank_note(name: str) -> str:
    """What the page shows where nothing is set; that it lists most facts as not found is said with their group."""
    return FACTS[name].blank if name in FACTS else ""


def taken(
    posted: Mapping[str, str], offers: Iterable[tuple[str, Sequence[Mapping[str, Any]]]]
) -> dict[str, str]:
    """The suggestion whose button was pressed, as if it had been typed."""
    values = ((name, other["value"]) for name, others in offers for other in others)
    return {name: as_text(value) for name, value in values if _key_of(name, value) == posted.get("take")}


def _key_of(name: str, value: Any) -> str:
    """What names a suggestion in the form, so that a press takes what was read and nothing that came since."""
    return f"{name}.{sha256(as_text(value).encode()).hexdigest()[:16]}"


@dataclass(frozen=True, kw_only=True)
class Mark(Quoted):
    """What stands beside an input: whose its value is, the quotes for it, what can be done with it."""

    state: str = ""
    words: str = ""
    icon: str = ""
    note: str = ""
    options: Sequence[Option] = ()
    is_needed: bool = False
    is_awaited: bool = False
    tools: Collection[tuple[str, str, str]] = ()
    is_unsure: bool = False
    sides: Sequence[Sequence[Piece]] = ()

    @property
    def is_sourced(self) -> bool:
        """Whether its quote says whose it is: no chip is needed then."""
        return self.state in {"ai", "chosen"} and bool(self.evidence)

    @property
    def has_chip(self) -> bool:
        """Whether a chip says its state: a suggestion and a blank are seen as they are."""
        return bool(self.words) and not (self.is_sourced or self.state in {"suggested", "not_found"})

    @property
    def is_to_check(self) -> bool:
        """Whether its reader had better look: at a value that may be wrong, or at a suggestion to choose."""
        return (self.is_unsure or self.state == "suggested") and not self.is_needed

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is asked of its reader, so that what can be done with it may stand behind one control."""
        return self.is_sourced and not (self.is_unsure or self.is_awaited or self.is_needed)

    @property
    def tone(self) -> str:
        """The colour of its chip: a model's word and the website's own by their icons, the others by their state."""
        return {"sparkles": "ai", "quote": "good"}.get(self.icon, self.state)


def sides(name: str, before: Any, after: Any) -> tuple[list[Piece], list[Piece]]:
    """A fact before and after in pieces, for the diff."""
    return word_diff(as_text(worded(name, before)), as_text(worded(name, after)))
