"""What the kinds of screens have in common: headings, buttons, ticks, words too small to read."""

from collections.abc import Mapping
from random import Random
from typing import Any

from benchmarks.demo_pictures.canvas import WHITE, Box, Canvas, Palette

Words = Mapping[str, Any]
FRAME = (64.0, 46.0, 832.0, 508.0)


def heading(canvas: Canvas, palette: Palette, words: Words, *, x: float, y: float) -> None:
    canvas.text((x, y), words["title"], palette.ink, 26, 650)
    if words.get("note"):
        canvas.text((x, y + 27), words["note"], palette.muted, 15)


def button(canvas: Canvas, palette: Palette, words: str, *, right: float, y: float) -> None:
    width = canvas.span(words, 14, 600) + 32
    canvas.rect((right - width, y, width, 34), palette.deep, 9)
    canvas.text((right - width / 2, y + 22), words, WHITE, 14, 600, "m")


def tick(canvas: Canvas, x: float, y: float, *, fill: str, sign: str = WHITE, radius: float = 9) -> None:
    canvas.circle((x, y), radius, fill)
    k = radius / 9
    canvas.line([(x - 4 * k, y), (x - 1 * k, y + 3.4 * k), (x + 4.4 * k, y - 3.4 * k)], sign, 2.2 * k)


def text_lines(canvas: Canvas, box: Box, fill: str, rng: Random, *, gap: float = 17) -> None:
    """Lines of words that are too small to read."""
    left, top, width, height = box
    for number in range(int(height // gap)):
        canvas.rect((left, top + number * gap, width * rng.uniform(0.66, 1), 7), fill, 3.5)
