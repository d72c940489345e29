"""Logos: a mark is a line of shapes on a square of 96."""

from benchmarks.demo_pictures.canvas import WHITE, Canvas, Palette, mix

SIDE = 96


def mark(shapes: str, palette: Palette) -> bytes:
    """A logo from its shapes, parted by `;`: a letter, a colour, numbers.

    `o` is a disc (x y r), `a` part of a ring (x y r from to width), `r` a box (x y w h radius), `p` a polygon and
    `l` a line, its width first. Colours: w white, b the bright one, d the deep one, m between them, s a pale one.
    """
    canvas = Canvas(SIDE, SIDE, ground=palette.deep, scale=4)
    colours = {
        "w": WHITE, "b": palette.bright, "d": palette.deep, "m": mix(palette.deep, palette.bright, 0.5),
        "s": mix(palette.deep, WHITE, 0.7),
    }  # fmt: skip
    for part in shapes.split(";"):
        kind, colour, *rest = part.split()
        numbers = [float(one) for one in rest]
        _shape(canvas, kind, colours[colour], numbers)
    return canvas.png()


def _shape(canvas: Canvas, kind: str, fill: str, numbers: list[float]) -> None:
    if kind == "o":
        canvas.circle((numbers[0], numbers[1]), numbers[2], fill)
    elif kind == "a":
        x, y, radius, start, end, width = numbers
        canvas.arc((x, y), radius, (start, end), fill, width)
    elif kind == "r":
        x, y, width, height, radius = numbers
        canvas.rect((x, y, width, height), fill, radius)
    else:
        flat = numbers[1:] if kind == "l" else numbers
        points = list(zip(flat[::2], flat[1::2], strict=True))
        if kind == "l":
            canvas.line(points, fill, numbers[0])
        else:
            canvas.shape(points, fill)
