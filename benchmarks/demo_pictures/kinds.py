"""Draws a screen of a product from its words: each kind is a function."""

from collections.abc import Callable
from random import Random

from benchmarks.demo_pictures import showing, working
from benchmarks.demo_pictures.canvas import BLACK, WHITE, Canvas, Palette, mix
from benchmarks.demo_pictures.parts import Words

WIDTH, HEIGHT = 960, 600
SCALE, LARGE = 4 / 3, 5 / 3  # of what is drawn, which is twice what is stored: 640 or 800 pixels wide
Kind = Callable[[Canvas, Palette, Words, Random], None]
KINDS: dict[str, Kind] = {
    "board": working.board,
    "rows": working.rows,
    "editor": working.editor,
    "calendar": working.calendar,
    "talk": working.talk,
    "code": working.code,
    "phones": working.phones,
    "figures": showing.figures,
    "bars": showing.bars,
    "street": showing.street,
    "places": showing.places,
    "rings": showing.rings,
    "sound": showing.sound,
    "sheet": showing.sheet,
    "halves": showing.halves,
    "frames": showing.frames,
    "cards": showing.cards,
    "portraits": showing.portraits,
    "roof": showing.roof,
}


def screen(palette: Palette, words: Words, alt: str) -> bytes:
    ground, until = _ground(palette, words)
    is_dark = bool(words.get("dark"))
    canvas = Canvas(
        WIDTH, HEIGHT, ground=ground, until=until, scale=LARGE if words.get("is_large") else SCALE
    )
    canvas.circle((WIDTH - 70, 60), 150, palette.bright if is_dark else WHITE, 0.16)
    canvas.circle((40, HEIGHT - 30), 190, palette.bright, 0.10)
    KINDS[words["kind"]](canvas, palette, words, Random(f"screen:{alt}"))
    return canvas.png()


def _ground(palette: Palette, words: Words) -> tuple[str, str]:
    if words.get("dark"):
        return palette.deep, mix(palette.deep, BLACK, 0.45)
    colour, parts = (palette.bright, (0.74, 0.42)) if words.get("warm") else (palette.deep, (0.80, 0.62))
    return mix(colour, WHITE, parts[0]), mix(colour, WHITE, parts[1])
