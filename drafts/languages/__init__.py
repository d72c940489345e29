"""Words of many languages: one file for each, one line for each kind of word. A new language is one file.

A kind is a list of phrases with commas between them. A phrase is found as whole words, whatever its case, with its
accents or without; the words of scripts without spaces are found anywhere. In a phrase

- `word*` begins, `*word` ends a longer word, and `*` alone is one word;
- `a|b` is either word, `(a)` may be missing, and `...` are a few words of the same sentence;
- `!word` is written with its accents only;
- `#` is a number, `^` the beginning and `$` the end of the text; a hyphen may be a space or missing.

A `Shape` is a neutral expression with kinds as its slots.
"""

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_SLOT = re.compile(r"\{([a-z_]+)\}")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SOME_WORDS = r"[^.;:!?\n]{0,25}?"
_SIGNS = {"*": r"\w*", "#": r"\d{1,9}", "-": r"[-\s]?", "'": "['’´]?", "_": r"\s"}
_NOTHING = "(?!)"
_END = ""

_Tree = dict[str, Any]
_shapes: list["Shape"] = []


@cache
def _files() -> dict[str, dict[str, str]]:
    files = sorted(FOLDER.glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}


def of(names: Collection[str], kind: str) -> list[str]:
    """The lines of one kind in some languages, which are told by their two letters."""
    return [line for name, line in lines(kind) if name in names]


def lines(kind: str) -> Iterator[tuple[str, str]]:
    """The line of one kind in each language that has it."""
    return ((name, words[kind]) for name, words in _files().items() if kind in words)


def phrases(kind: str) -> Iterator[str]:
    """All phrases of one kind, in every language."""
    return (phrase for _, line in lines(kind) for phrase in listed(line))


@cache
def pattern(names: frozenset[str], kind: str) -> re.Pattern[str] | None:
    """What finds the words of one kind in some languages; nothing where they have none."""
    result = [phrase for line in of(names, kind) for phrase in listed(line)]
    return re.compile(_any_of(result), re.IGNORECASE) if result else None


def listed(line: str) -> Iterator[str]:
    return (phrase for part in line.split(",") if (phrase := " ".join(part.split())))


class Shape:
    """An expression with `{kind}` for the words of a kind, put together when it is first asked.

    A template with several kinds stands once for each language, so that words of two never make a phrase together;
    one that captures is filled with the words of all. Other shapes fill the slots that are named after them.
    """

    def __init__(self, *templates: str, flags: int = re.IGNORECASE, **shapes: "Shape") -> None:
        self.templates = templates
        self.flags = flags
        self.shapes = shapes
        _shapes.append(self)

    @cached_property
    def source(self) -> str:
        return "|".join(self._filled(template) for template in self.templates)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        return self.compiled.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.compiled.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text)

    def split(self, text: str) -> list[str]:
        return self.compiled.split(text)

    def _filled(self, template: str) -> str:
        for name, shape in self.shapes.items():
            template = template.replace(f"{{{name}}}", f"(?:{shape.source})")
        kinds = dict.fromkeys(_SLOT.findall(template))
        if len(kinds) < 2 or "(?P<" in template:
            return _SLOT.sub(lambda slot: _any_of(phrases(slot[1])), template)
        spoken = [words for words in _files().values() if all(kind in words for kind in kinds)]
        return "|".join(
            _SLOT.sub(lambda slot, words=words: _any_of(listed(words[slot[1]])), template)  # type: ignore[misc]
            for words in spoken
        )


def compile_all() -> None:
    """Put every shape together now. It takes a second, which each process would need for itself."""
    for shape in _shapes:
        _ = shape.compiled


def alternation(names: Iterable[str]) -> str:
    """A group that matches the longest of some names as they are written."""
    tree: _Tree = {}
    for name in names:
        node = tree
        for letter in name:
            node = node.setdefault(re.escape(letter), {})
        node[_END] = {}
    return f"(?:{_branches(tree)})"


def _any_of(phrases: Iterable[str]) -> str:
    """A group that matches each of some phrases, by their beginnings: a list would be gone through at each letter."""
    tree: _Tree = {}
    for phrase in phrases:
        for tokens in _expressions(phrase):
            node = tree
            for token in tokens:
                node = node.setdefault(token, {})
            node[_END] = {}
    return f"(?i:{_branches(tree)})" if tree else _NOTHING


def _branches(node: _Tree) -> str:
    if len(node) == 1:
        ((token, rest),) = node.items()
        return token + _branches(rest) if token else ""
    order = sorted(node, key=lambda token: (token in {_END, r"\b"}, len(token) == 1, token))
    return "(?:" + "|".join(token + _branches(node[token]) if token else "" for token in order) + ")"


def _expressions(phrase: str) -> Iterator[list[str]]:
    """The forms of a phrase, each cut into pieces of an expression."""
    bare = phrase.removeprefix("^").removesuffix("$")
    start, end = ["^"] * phrase.startswith("^"), ["$"] * phrase.endswith("$")
    choices = []
    for word in bare.split():
        optional = word.startswith("(") and word.endswith(")")
        choices.append([*word.strip("()").split("|"), *([""] if optional else [])])
    for words in product(*choices):
        yield start + _tokens([word for word in words if word]) + end


def _tokens(words: list[str]) -> list[str]:
    tokens: list[str] = []
    for at, word in enumerate(words):
        if at and not tokens[-1].startswith(_SOME_WORDS) and word != "...":
            dense = _SPACELESS.search(words[at - 1]) and _SPACELESS.search(word)
            tokens.append(r"\s*" if dense else r"\s+")
        if word in {"...", "*"}:
            tokens.append(_SOME_WORDS if word == "..." else r"\w+")
            continue
        tokens += _of_word(word)
    return tokens


def _of_word(word: str) -> list[str]:
    body = word.lstrip("*!")
    before = r"\b" if not word.startswith("*") and _is_bounded(body[0]) else ""
    after = r"\b" if _is_bounded(body[-1]) else ""
    letters = [re.escape(letter) if word.startswith("!") else _letter(letter) for letter in body]
    return [token for token in (before, *letters, after) if token]


def _is_bounded(letter: str) -> bool:
    return letter.isalnum() and not _SPACELESS.search(letter)


def _letter(letter: str) -> str:
    if letter in _SIGNS:
        return _SIGNS[letter]
    bare = unicodedata.normalize("NFD", letter)
    is_marked = len(bare) > 1 and not _SPACELESS.search(letter)
    umlaut = "e?" if letter in "äöü" else ""
    return f"[{letter}{bare[0]}]{umlaut}" if is_marked else re.escape(letter)
