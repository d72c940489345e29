"""A canvas in units of the picture, drawn larger at first so that edges are smooth, and the colours of a product."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from directory.shown.sharing.text import Face

Box = tuple[float, float, float, float]  # left, top, width, height
Point = tuple[float, float]
WHITE, BLACK = "#ffffff", "#0b0b0c"


def mix(colour: str, other: str, part: float) -> str:
    """A colour with so much of another in it."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * part):02x}" for one, two in pairs)


@dataclass(frozen=True)
class Palette:
    deep: str
    bright: str

    @property
    def ink(self) -> str:
        return mix(self.deep, BLACK, 0.62)

    @property
    def muted(self) -> str:
        return mix(self.deep, "#8b8b8b", 0.55)

    @property
    def line(self) -> str:
        return mix(self.deep, WHITE, 0.87)

    @property
    def soft(self) -> str:
        return mix(self.deep, WHITE, 0.92)

    @property
    def warm(self) -> str:
        return mix(self.bright, WHITE, 0.72)

    @property
    def many(self) -> tuple[str, ...]:
        deep, bright = self.deep, self.bright
        return (deep, bright, mix(deep, WHITE, 0.55), mix(bright, BLACK, 0.4), mix(deep, bright, 0.5))


class Canvas:
    def __init__(self, width: int, height: int, *, ground: str, until: str = "", scale: float = 2) -> None:
        self.width, self.height, self.scale = width, height, scale
        size = (round(width * scale), round(height * scale))
        self.image = Image.new("RGB", size, ground)
        if until:
            shade = Image.linear_gradient("L").resize(size)
            self.image.paste(Image.new("RGB", size, until), mask=shade)
        self._on = ImageDraw.Draw(self.image, "RGBA")

    def _fill(self, colour: str, opacity: float) -> str:
        return colour if opacity >= 1 else f"{colour}{round(opacity * 255):02x}"

    def rect(self, box: Box, fill: str, radius: float = 0, opacity: float = 1) -> None:
        left, top, width, height = (value * self.scale for value in box)
        if width > 0 and height > 0:
            self._on.rounded_rectangle(
                (left, top, left + width - 1, top + height - 1),
                min(radius * self.scale, width / 2, height / 2),
                fill=self._fill(fill, opacity),
            )

    def circle(self, at: Point, radius: float, fill: str, opacity: float = 1) -> None:
        x, y, r = (value * self.scale for value in (*at, radius))
        self._on.ellipse((x - r, y - r, x + r, y + r), fill=self._fill(fill, opacity))

    def oval(self, box: Box, fill: str, *, start: float = 0, end: float = 360) -> None:
        """An ellipse or a slice of one, by degrees from the right on, clockwise."""
        left, top, width, height = (value * self.scale for value in box)
        self._on.pieslice((left, top, left + width, top + height), start, end, fill=fill)

    def arc(self, at: Point, radius: float, span: Point, fill: str, width: float) -> None:
        """Part of a ring, by degrees; its ends are round."""
        x, y, r = (value * self.scale for value in (*at, radius))
        half = width * self.scale / 2
        self._on.arc(
            (x - r - half, y - r - half, x + r + half, y + r + half), *span, fill=fill, width=round(2 * half)
        )

    def line(self, points: Sequence[Point], fill: str, width: float = 2, opacity: float = 1) -> None:
        scaled = [(x * self.scale, y * self.scale) for x, y in points]
        wide = max(1, round(width * self.scale))
        self._on.line(scaled, fill=self._fill(fill, opacity), width=wide, joint="curve")
        if wide > 4 and opacity >= 1:
            for x, y in (scaled[0], scaled[-1]):
                self._on.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=fill)

    def shape(self, points: Sequence[Point], fill: str, opacity: float = 1) -> None:
        self._on.polygon(
            [(x * self.scale, y * self.scale) for x, y in points], fill=self._fill(fill, opacity)
        )

    def text(
        self, at: Point, words: str, fill: str, size: float = 15, weight: int = 400, anchor: str = "l"
    ) -> None:
        """Words on a base line that begin at a point, end there (`r`) or have it in their middle (`m`)."""
        face = Face(round(size * self.scale), weight, round(size * self.scale) * 0.012)
        shift = 0 if anchor == "l" else face.width(words) / (2 if anchor == "m" else 1)
        face.draw(self._on, words, x=at[0] * self.scale - shift, y=at[1] * self.scale, fill=fill)

    def words(self, at: Point, words: str, fill: str, size: float, width: float) -> float:
        """The same in as many lines as it takes, four at most; gives the base line after them."""
        y = at[1]
        for line in Face(round(size * self.scale)).lines(words, width=width * self.scale, most=4):
            self.text((at[0], y), line, fill, size)
            y += size * 1.45
        return y

    def span(self, words: str, size: float, weight: int = 400) -> float:
        return (
            Face(round(size * self.scale), weight, round(size * self.scale) * 0.012).width(words) / self.scale
        )

    def shadow(self, box: Box, radius: float = 14) -> None:
        left, top, width, height = box
        for down, out, opacity in ((18, 4, 0.07), (5, 3, 0.07), (2, 1, 0.07)):
            grown = (left - out, top + down - out, width + 2 * out, height + 2 * out)
            self.rect(grown, BLACK, radius + out, opacity)

    def picture(self, image: Image.Image, box: Box, radius: float) -> None:
        left, top, width, height = (round(value * self.scale) for value in box)
        mask = Image.new("L", (width, height), 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), radius * self.scale, fill=255)
        self.image.paste(image.resize((width, height), Image.Resampling.BOX), (left, top), mask)

    def card(self, box: Box, fill: str = WHITE, radius: float = 14) -> None:
        self.shadow(box, radius)
        self.rect(box, fill, radius)

    def window(self, box: Box, palette: Palette, title: str, fill: str = WHITE) -> None:
        left, top, width, _ = box
        is_dark = fill != WHITE
        bar = mix(fill, WHITE, 0.08) if is_dark else palette.soft
        self.card(box, fill)
        self.rect((left, top, width, 40), bar, 14)
        self.rect((left, top + 20, width, 16), bar)
        self.rect((left, top + 34, width, 8), fill)
        for number in range(3):
            dot = mix(fill, WHITE, 0.3) if is_dark else mix(palette.deep, WHITE, 0.72)
            self.circle((left + 22 + 17 * number, top + 17), 5, dot)
        self.text(
            (left + width / 2, top + 22),
            title,
            mix(fill, WHITE, 0.6) if is_dark else palette.muted,
            13,
            500,
            "m",
        )

    def pill(self, at: Point, words: str, fill: str, ink: str, size: float = 13) -> float:
        """Words on a round ground; gives where it ends."""
        width = self.span(words, size, 550) + size * 1.7
        self.rect((at[0], at[1], width, size * 2), fill, size)
        self.text((at[0] + size * 0.85, at[1] + size * 1.36), words, ink, size, 550)
        return at[0] + width

    def png(self) -> bytes:
        """The finished picture, at half of the size that it was drawn in."""
        result = io.BytesIO()
        self.image.reduce(2).save(result, "PNG", compress_level=1)
        return result.getvalue()
