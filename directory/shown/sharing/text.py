"""Text on images in any script: which font has a character, how wide it is, where a line ends."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from PIL import ImageDraw, ImageFont

from directory.wording import ELLIPSIS, ended

FONTS = Path(__file__).parent / "fonts"
GEIST = "geist-latin.woff2"
FILES = (
    *(GEIST, "noto-sans-latin-ext", "noto-sans-vietnamese", "noto-sans-cyrillic", "noto-sans-cyrillic-ext"),
    *("noto-sans-greek", "noto-sans-hebrew-hebrew", "noto-sans-arabic-arabic", "noto-sans-devanagari"),
    *("noto-sans-thai-thai", "noto-sans-jp-japanese", "noto-sans-sc-chinese-simplified"),
    *("noto-sans-kr-korean", "noto-emoji-emoji"),
)
NO_CHARACTER = "\U0010fffe"
JOINED, JOINS = "\u200d", {"\u200d", "\ufe0f", "\ufe0e", "\u20e3"}  # one picture of several characters
FROM_THE_RIGHT = {"R", "AL"}
LONGEST = 300  # characters that are looked at; no line is that long
Draw = ImageDraw.ImageDraw


@dataclass(frozen=True)
class Face:
    """A size and weight of all fonts; `tracking` draws Latin letters closer by so many pixels."""

    size: int
    weight: int = 400
    tracking: float = 0

    def width(self, text: str) -> float:
        return sum(self._run_width(file, run) for file, run in runs(text))

    def _run_width(self, file: str, run: str) -> float:
        return _font(file, self).getlength(run) - (len(run) * self.tracking if file == GEIST else 0)

    def draw(self, on: Draw, text: str, *, x: float, y: float, fill: str) -> None:
        """Draw a line whose text begins at x (ends there, from the right) and stands on the base line y."""
        is_mirrored = reads_from_the_right(text)
        for file, run in runs(text):
            font, width = _font(file, self), self._run_width(file, run)
            x -= width if is_mirrored else 0
            parts = enumerate(run) if self.tracking and file == GEIST else [(0, run)]
            for place, part in parts:
                shift = font.getlength(run[:place]) - place * self.tracking
                on.text((x + shift, y), part, font=font, fill=fill, anchor="ls")
            x += 0 if is_mirrored else width

    def lines(self, text: str, *, width: float, most: int) -> list[str]:
        """The text in at most so many lines of a width; what is left over becomes an ellipsis."""
        rows: list[str] = []
        rest = list(_pieces(text[:LONGEST]))
        while rest and len(rows) < most:
            line = ""
            while rest and self.width((line + rest[0]).rstrip()) <= width:
                line += rest.pop(0)
            if not line:  # one piece that is wider than a line
                line, rest[0] = self._cut(rest[0], width=width)
            rows.append(line.rstrip())
        if rest and rows:
            rows[-1] = self._shortened(rows[-1], width=width)
        return rows

    def balanced(self, text: str, *, width: float, most: int) -> list[str]:
        """The same lines, none much shorter than the others."""
        lines = result = self.lines(text, width=width, most=most)
        while len(lines) > 1 and not result[-1].endswith(ELLIPSIS) and len(lines) == len(result):
            result, width = lines, width * 0.95
            lines = self.lines(text, width=width, most=most + 1)
        return result

    def fits(self, text: str, *, width: float, most: int) -> bool:
        lines = self.lines(text, width=width, most=most)
        return "".join(lines).replace(" ", "") == text.replace(" ", "") and all(
            piece in " ".join(lines) for piece in text.split()
        )

    def _cut(self, piece: str, *, width: float) -> tuple[str, str]:
        end = next((end for end in range(2, len(piece)) if self.width(piece[:end]) > width), len(piece)) - 1
        return piece[: max(1, end)], piece[max(1, end) :]

    def _shortened(self, line: str, *, width: float) -> str:
        """The line with an ellipsis after its last whole word, or within the only word that it has."""
        pieces = list(_pieces(line))
        while len(pieces) > 1 and self.width(ended("".join(pieces))) > width:
            pieces.pop()
        line = "".join(pieces)
        while line and self.width(ended(line)) > width:
            line = line[:-1]
        return ended(line)


def reads_from_the_right(text: str) -> bool:
    """Whether the first letter with a direction is written from right to left (UAX 9, rule P2)."""
    for letter in text[:LONGEST]:
        direction = unicodedata.bidirectional(letter)
        if direction in FROM_THE_RIGHT or direction == "L":
            return direction in FROM_THE_RIGHT
    return False


def runs(text: str) -> Iterator[tuple[str, str]]:
    """Parts of a line that one font can draw, with its file."""
    files: list[str] = []
    before = ""
    for letter in text:
        goes_on = letter in JOINS or unicodedata.category(letter).startswith("M") or before == JOINED
        files.append(files[-1] if files and goes_on else _file_of(letter))
        before = letter
    for file, group in groupby(zip(files, text, strict=True), key=lambda pair: pair[0]):
        yield file, "".join(letter for _, letter in group)


def _pieces(text: str) -> Iterator[str]:
    """Where a line may end: after a space, and between letters of scripts that do not part words."""
    piece = ""
    for letter in " ".join(text.split()):
        if piece and (piece[-1] == " " or unicodedata.east_asian_width(letter) in "WF"):
            yield piece
            piece = ""
        piece += letter
    if piece:
        yield piece


@lru_cache(maxsize=10_000)
def _file_of(letter: str) -> str:
    return next((file for file in FILES if _has(file, letter)), GEIST)


def _has(file: str, letter: str) -> bool:
    font = _font(file, Face(20))
    return letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(NO_CHARACTER))


@lru_cache(maxsize=200)
def _font(file: str, face: Face) -> ImageFont.FreeTypeFont:
    if file == GEIST:
        font = ImageFont.truetype(settings.BASE_DIR / "config" / "static" / "fonts" / GEIST, face.size)
        font.set_variation_by_axes([face.weight])
        return font
    return ImageFont.truetype(FONTS / f"{file}.woff2", face.size)
