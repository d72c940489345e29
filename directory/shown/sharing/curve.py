"""A plot of votes by the hour as a picture for mails: drawn with Pillow, as cards are, on a ground of its own."""

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

from directory.shown.sharing.text import Face

WIDTH, HEIGHT = 1088, 400  # twice as large as mails show it
EDGE, TOP, BASE = 32, 76, 330
GROUND, INK, INK_2, LINE, ACCENT = "#f3f1ec", "#1b1a17", "#54514a", "#d8d4ca", "#0b6b4f"
TITLE, LABEL = Face(28, 600), Face(24)
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def drawn(by_hour: Sequence[int]) -> bytes:
    """A bar for each hour of a week, the highest as high as the plot."""
    image = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    on = ImageDraw.Draw(image)
    most, step = max(*by_hour, 1), (WIDTH - 2 * EDGE) / len(by_hour)
    TITLE.draw(on, "Votes by hour (UTC)", x=EDGE, y=48, fill=INK)
    text = f"{max(by_hour)} in an hour"
    LABEL.draw(on, text, x=WIDTH - EDGE - LABEL.width(text), y=48, fill=INK_2)
    for number, name in enumerate(DAYS):
        x = EDGE + number * (WIDTH - 2 * EDGE) / len(DAYS)
        if number:
            on.line((x, TOP, x, BASE), fill=LINE, width=2)
        LABEL.draw(on, name, x=x + 4, y=BASE + 40, fill=INK_2)
    for number, votes in enumerate(by_hour):
        x = EDGE + number * step
        if votes:
            on.rectangle((x + 1, BASE - (BASE - TOP) * votes / most, x + step - 1, BASE), fill=ACCENT)
    on.line((EDGE, BASE + 1, WIDTH - EDGE, BASE + 1), fill=INK_2, width=2)
    result = io.BytesIO()
    image.quantize(colors=32, dither=Image.Dither.NONE).save(result, "PNG", optimize=True)
    return result.getvalue()
