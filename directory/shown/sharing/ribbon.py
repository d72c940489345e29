"""The ribbon of an award on a card image: a rosette in the metal of its place, told apart by the number as well."""

from math import cos, pi, sin

from PIL import Image, ImageDraw

from directory.shown.sharing.text import Face

WIDTH, HEIGHT, SCALE = 210, 308, 4
METALS = {  # edge, ground of the rosette, of the ribbon, ink
    1: ("#c99a2e", "#fbf0cf", "#f2d98e", "#5f3900"),
    2: ("#9aa3ab", "#e6e8ea", "#cfd4d9", "#3b424a"),
    3: ("#b3794a", "#f6e3d3", "#e5bf9c", "#5a2f10"),
}
TAILS = (
    ((58, 160), (32, 292), (72, 272), (100, 298), (104, 170)),
    ((152, 160), (178, 292), (138, 272), (110, 298), (106, 170)),
)
MIDDLE, RADIUS, RING, DOTS = 105, 100, 80, 45


def edge_of(rank: int) -> str:
    return METALS[rank][0]


def ink_of(rank: int) -> str:
    return METALS[rank][3]


def draw_ribbon(image: Image.Image, *, rank: int, at: tuple[int, int]) -> None:
    edge, ground, tail, ink = METALS[rank]
    tile = Image.new("RGBA", (WIDTH * SCALE, HEIGHT * SCALE), (0, 0, 0, 0))
    on = ImageDraw.Draw(tile)
    for points in TAILS:
        on.polygon([(x * SCALE, y * SCALE) for x, y in points], fill=tail, outline=edge, width=4 * SCALE)
    _circle(on, MIDDLE, MIDDLE, radius=RADIUS + 4, fill=edge)
    _circle(on, MIDDLE, MIDDLE, radius=RADIUS - 4, fill=ground)
    for number in range(DOTS):
        turn = 2 * pi * number / DOTS
        _circle(on, MIDDLE + RING * cos(turn), MIDDLE + RING * sin(turn), radius=1.7, fill=edge)
    face, text = Face(112 * SCALE, 650), str(rank)
    face.draw(on, text, x=MIDDLE * SCALE - face.width(text) / 2, y=144 * SCALE, fill=ink)
    small = tile.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    image.paste(small, at, small)


def _circle(on: ImageDraw.ImageDraw, x: float, y: float, *, radius: float, fill: str) -> None:
    on.ellipse(
        ((x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE), fill=fill
    )
