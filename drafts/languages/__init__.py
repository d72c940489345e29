"""Words of many languages: one file for each, one line for each kind of word.

A phrase stands for itself as whole words; one that ends in * for everything that begins so. Words of scripts
without spaces are found anywhere. A new language is one file.
"""

import re
import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path

_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@cache
def _files() -> dict[str, dict[str, str]]:
    files = sorted(Path(__file__).parent.glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}


def of(names: Collection[str], kind: str) -> list[str]:
    """The lines of one kind in some languages, which are told by their two letters."""
    return [words[kind] for name, words in _files().items() if name in names and kind in words]


@cache
def phrases(kind: str) -> tuple[str, ...]:
    """All phrases of one kind, in every language, the longest first."""
    found = {phrase.strip() for words in _files().values() for phrase in words.get(kind, "").split(",")}
    return tuple(sorted(found - {""}, key=lambda phrase: (-len(phrase), phrase)))


@cache
def source(*kinds: str) -> str:
    """A group that matches every phrase of some kinds, for use inside of a larger expression."""
    return "(?:" + "|".join(_expression(phrase) for kind in kinds for phrase in phrases(kind)) + ")"


@cache
def pattern(*kinds: str) -> re.Pattern[str]:
    """What finds a phrase of some kinds, whatever its case."""
    return re.compile(source(*kinds), re.IGNORECASE)


def _expression(phrase: str) -> str:
    if _SPACELESS.search(phrase):
        return re.escape(phrase)
    body = phrase.removesuffix("*")
    before, after = (r"\b" if body[at].isalnum() else "" for at in (0, -1))
    escaped = re.escape(body).replace(r"\ ", r"\s")
    return f"{before}{escaped}" + (r"\w*" if phrase.endswith("*") else after)
