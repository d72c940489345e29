"""Screens one looks at: figures, maps, sound, trees, sheets, pictures side by side."""

import math
from random import Random

from benchmarks.demo_pictures.canvas import BLACK, WHITE, Canvas, Palette, mix
from benchmarks.demo_pictures.faces import face
from benchmarks.demo_pictures.parts import FRAME, Words, button, heading, text_lines, tick


def _curve(
    rng: Random, *, left: float, right: float, top: float, bottom: float, trend: float
) -> list[tuple[float, float]]:
    one, two, off = rng.uniform(0.9, 1.6), rng.uniform(2.4, 3.6), rng.uniform(0, 6)
    points = []
    for number in range(97):
        part = number / 96
        value = (
            0.5
            - trend * (part - 0.5) * 0.7
            - 0.16 * math.sin(one * 6 * part + off)
            - 0.07 * math.sin(two * 6 * part)
        )
        points.append((left + (right - left) * part, top + (bottom - top) * min(0.96, max(0.04, value))))
    return points


def figures(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """One large figure, a curve over time, and three small figures."""
    canvas.window(FRAME, palette, words["bar"])
    canvas.text((96, 148), words["title"], palette.ink, 42, 650)
    canvas.text((96, 178), words["note"], palette.muted, 16)
    for number, (name, value) in enumerate(words["tiles"]):
        left = 864 - (len(words["tiles"]) - number) * 128 + 10
        canvas.rect((left, 108, 118, 72), palette.soft, 12)
        canvas.text((left + 14, 134), name, palette.muted, 13)
        canvas.text((left + 14, 163), value, palette.ink, 18, 650)
    points = _curve(rng, left=96, right=864, top=212, bottom=490, trend=words["trend"])
    canvas.shape([*points, (864, 500), (96, 500)], palette.deep, 0.14)
    for height in (270, 340, 410):
        canvas.rect((96, height, 768, 1.2), palette.line)
    split = int(len(points) * words["known"])
    canvas.line(points[:split], palette.deep, 4.5)
    for number in range(split, len(points) - 1, 3):
        canvas.line(points[number : number + 2], palette.deep, 4)
    x, y = points[min(split, len(points) - 1) * 3 // 4]
    canvas.circle((x, y), 9, WHITE)
    canvas.circle((x, y), 6, palette.bright)
    width = canvas.span(words["mark"], 14.5, 550) + 32
    canvas.card((min(x + 14, 850 - width), y - 58, width, 40), WHITE, 12)
    canvas.text((min(x + 14, 850 - width) + 16, y - 33), words["mark"], palette.ink, 14.5, 550)
    for number, label in enumerate(words["labels"]):
        canvas.text((96 + number * 768 / (len(words["labels"]) - 1), 528), label, palette.muted, 13, 500, "m")


def bars(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=130)
    many = words["bars"]
    step, most = 768 / len(many), max(value for _, value, _ in many)
    for number, (name, value, told) in enumerate(many):
        tall, x = 250 * value / most, 96 + number * step
        fill = palette.bright if value == most else mix(palette.deep, WHITE, 0.12 if number % 2 else 0.0)
        canvas.rect((x + 8, 480 - tall, step - 16, tall), fill, 8)
        canvas.text((x + step / 2, 470 - tall), told, palette.ink, 14.5, 600, "m")
        canvas.text((x + step / 2, 508), name, palette.muted, 13.5, 500, "m")
    canvas.rect((96, 482, 768, 2), palette.line)


def street(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A row of houses with a figure below each."""
    canvas.circle((740, 150), 70, "#fff4e2", 0.9)
    canvas.text((56, 82), words["title"], palette.ink, 28, 650)
    canvas.text((56, 110), words["note"], mix(palette.ink, WHITE, 0.2), 16)
    canvas.rect((0, 486, 960, 114), palette.ink)
    for number, told in enumerate(words["houses"]):
        tall, x = rng.randrange(150, 290), 44 + number * 126
        wall = mix(palette.many[number % 5], "#7a3b1c", 0.25)
        canvas.rect((x, 486 - tall, 114, tall), wall)
        canvas.rect((x + 78, 486 - tall - 66, 16, 44), mix(wall, BLACK, 0.35))
        canvas.shape(
            [(x - 8, 486 - tall), (x + 122, 486 - tall), (x + 88, 438 - tall), (x + 26, 438 - tall)],
            mix(wall, BLACK, 0.45),
        )
        for row in range((tall - 70) // 58):
            for column in range(2):
                lit = rng.random() < 0.62
                canvas.rect(
                    (x + 20 + column * 44, 510 - tall + row * 58, 30, 38),
                    "#ffd98a" if lit else mix(wall, BLACK, 0.5),
                    3,
                )
        canvas.rect((x + 42, 438, 30, 48), mix(wall, BLACK, 0.6), 3)
        canvas.rect((x + 6, 512, 102, 34), "#ffd98a" if number == words["stands_out"] else WHITE, 17)
        canvas.text((x + 57, 534), told, palette.ink, 15, 600, "m")


def places(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A map with pins, and a card of one of them."""
    land, water, road = mix(palette.deep, "#f3f1e8", 0.84), mix("#6fa8c7", WHITE, 0.25), WHITE
    canvas.window(FRAME, palette, words["bar"])
    canvas.rect((64, 88, 832, 452), land)
    canvas.rect((64, 500, 832, 54), land, 14)
    for _ in range(9):
        x, y = rng.uniform(110, 800), rng.uniform(120, 470)
        canvas.rect((x, y, rng.uniform(50, 130), rng.uniform(30, 80)), mix("#7fae6a", WHITE, 0.45), 12, 0.7)
    for number in range(5):
        y = 150 + number * 88 + rng.uniform(-16, 16)
        canvas.line(
            [(66, y), (300, y + rng.uniform(-30, 30)), (620, y + rng.uniform(-30, 30)), (894, y)], road, 6
        )
        x = 170 + number * 150 + rng.uniform(-20, 20)
        canvas.line([(x, 90), (x + rng.uniform(-40, 40), 320), (x + rng.uniform(-20, 20), 550)], road, 5)
    canvas.line([(66, 420), (240, 380), (430, 436), (640, 372), (894, 410)], water, 26)
    spots = [(190, 200), (360, 310), (520, 190), (300, 480), (600, 460), (480, 330), (760, 480)]
    for number, at in enumerate(spots[: words["pins"]]):
        fill = palette.bright if number == 1 else palette.deep
        canvas.oval((at[0] - 16, at[1] - 2, 32, 10), mix(land, BLACK, 0.2))
        canvas.shape([(at[0] - 14, at[1] - 30), (at[0] + 14, at[1] - 30), (at[0], at[1] + 3)], fill)
        canvas.circle((at[0], at[1] - 36), 17, fill)
        canvas.circle((at[0], at[1] - 36), 7, WHITE)
    canvas.card((612, 116, 256, 74 + 40 * len(words["facts"])), WHITE, 16)
    canvas.text((634, 152), words["title"], palette.ink, 19, 650)
    for number, fact in enumerate(words["facts"]):
        tick(canvas, 643, 184 + number * 38, fill=palette.deep, radius=8)
        canvas.text((662, 189 + number * 38), fact, palette.ink, 14.5)


def rings(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """Loops as rings around the bar that sounds, and a list of voices."""
    colours = (palette.bright, "#e8694a", "#5bc0be", "#9b8bf4", "#f4e9cd")
    for number, radius in enumerate((252, 212, 172, 132, 92)):
        canvas.arc((350, 300), radius, (0, 360), mix(palette.deep, WHITE, 0.12), 20)
        steps = 16 - 2 * number
        for step in range(steps):
            if rng.random() < 0.52:
                start = 360 * step / steps
                canvas.arc((350, 300), radius, (start, start + 290 / steps), colours[number], 15)
    canvas.rect((347, 26, 6, 200), WHITE, 3)
    canvas.circle((350, 300), 38, mix(palette.deep, WHITE, 0.12))
    canvas.text((660, 130), words["title"], "#f7f2e6", 27, 650)
    canvas.text((660, 158), words["note"], mix(palette.deep, WHITE, 0.6), 15)
    for number, name in enumerate(words["voices"]):
        y = 190 + number * 72
        canvas.rect((660, y, 236, 58), mix(palette.deep, WHITE, 0.1), 14)
        canvas.circle((688, y + 29), 11, colours[number])
        canvas.text((710, y + 35), name, "#f7f2e6", 16, 550)
        canvas.rect((800, y + 25, 76, 8), mix(palette.deep, WHITE, 0.25), 4)
        canvas.rect((800, y + 25, rng.uniform(24, 70), 8), colours[number], 4)


def sound(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A wave of sound with chapters, and the words that were said."""
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=130)
    canvas.rect((96, 176, 768, 150), palette.soft, 14)
    for number in range(118):
        x, part = 112 + number * 6.3, number / 118
        tall = 12 + 100 * abs(math.sin(part * 9) * math.cos(part * 23 + 1)) * rng.uniform(0.5, 1)
        canvas.rect(
            (x, 251 - tall / 2, 3.6, tall), palette.deep if part < 0.42 else mix(palette.deep, WHITE, 0.6), 2
        )
    canvas.rect((112 + 0.42 * 743, 176, 2.5, 150), palette.bright)
    for number, (time, text) in enumerate(words["chapters"]):
        y = 364 + number * 44
        if number == 1:
            canvas.rect((88, y - 24, 784, 38), palette.warm, 10)
        canvas.text((100, y), time, palette.muted, 14.5, 550)
        canvas.text((170, y), text, palette.ink, 15.5, 600 if number == 1 else 400)


def sheet(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A printed sheet in front of the form that it is made with."""
    canvas.window((64, 60, 520, 480), palette, words["bar"])
    canvas.text((96, 142), words["title"], palette.ink, 24, 650)
    for number, (name, value) in enumerate(words["fields"]):
        y = 172 + number * 76
        canvas.text((96, y), name, palette.muted, 13.5, 500)
        canvas.rect((96, y + 10, 300, 40), mix(palette.deep, WHITE, 0.75), 9)
        canvas.rect((97.5, y + 11.5, 297, 37), WHITE, 8)
        canvas.text((110, y + 36), value, palette.ink, 15)
    canvas.card((470, 84, 400, 464), "#fffdf8", 6)
    canvas.rect((470, 84, 400, 128), palette.deep, 6)
    for number, line in enumerate(words["large"]):
        canvas.text((500, 138 + number * 44), line, WHITE if number == 0 else palette.bright, 36, 700)
    base = 250.0
    for line in words["small"]:
        tick(canvas, 508, base - 5, fill=palette.bright, sign=palette.ink)
        base = canvas.words((530, base), line, palette.ink, 16, 310) + 14
    text_lines(canvas, (500, base, 330, 528 - base), palette.line, rng)


def halves(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """The same thing before and after, with a handle between."""
    canvas.rect((0, 0, 480, 600), mix("#cfc8ba", palette.deep, 0.08))
    canvas.rect((480, 0, 480, 600), palette.deep)
    for number, ink in enumerate((mix("#8a8272", palette.deep, 0.2), WHITE)):
        x = 60 + number * 480
        canvas.text((x, 70), words["labels"][number], mix(ink, palette.deep, 0.25 * number), 16, 550)
        if number == 0:
            text_lines(canvas, (x, 120, 350, 300), mix("#8a8272", WHITE, 0.25), rng, gap=15)
        else:
            for place, line in enumerate(words["large"]):
                canvas.text((x + 24, 180 + place * 72), line, WHITE, 50, 600)
    canvas.rect((564, 458, 330, 8), mix(palette.deep, WHITE, 0.3), 4)
    canvas.rect((564, 458, 210, 8), palette.bright, 4)
    canvas.circle((774, 462), 14, palette.bright)
    canvas.text((564, 500), words["note"], mix(palette.deep, WHITE, 0.7), 16)
    canvas.rect((477, 0, 6, 600), WHITE)
    canvas.circle((480, 300), 30, WHITE)
    canvas.line([(472, 290), (462, 300), (472, 310)], palette.ink, 3.4)
    canvas.line([(488, 290), (498, 300), (488, 310)], palette.ink, 3.4)


def frames(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A landscape twice: scratched and pale on the left, clean on the right."""
    sky, hill, sun = ("#a9bfc6", "#e8b98a"), ("#5f7d6a", "#3f6a52", "#2c4f45"), "#ffe2a8"
    canvas.rect((0, 0, 960, 500), sky[0])
    canvas.circle((620, 190), 64, sun)
    for number, colour in enumerate(hill):
        base = 300 + number * 62
        ridge = [
            (x, base - 60 * math.sin(x / (150 - 20 * number) + number * 2) - 24 * math.sin(x / 61))
            for x in range(0, 970, 10)
        ]
        canvas.shape([*ridge, (960, 500), (0, 500)], colour)
    canvas.rect((0, 0, 480, 500), "#cbb68d", opacity=0.5)
    for _ in range(60):
        x, y = rng.uniform(0, 478), rng.uniform(0, 498)
        canvas.line([(x, y), (x + rng.uniform(-3, 3), min(499, y + rng.uniform(6, 70)))], "#f4ead2", 1.2, 0.7)
        canvas.circle((rng.uniform(0, 470), rng.uniform(0, 490)), rng.uniform(1, 2.6), "#4a3b26", 0.6)
    canvas.rect((477, 0, 6, 500), WHITE)
    canvas.circle((480, 250), 28, WHITE)
    canvas.line([(472, 240), (463, 250), (472, 260)], palette.ink, 3.4)
    canvas.line([(488, 240), (497, 250), (488, 260)], palette.ink, 3.4)
    canvas.rect((0, 500, 960, 100), palette.ink)
    for number, (name, value) in enumerate(words["steps"]):
        x = 50 + number * 222
        canvas.text((x, 540), name, "#f4ead2", 15, 550)
        canvas.rect((x, 558, 180, 7), mix(palette.ink, WHITE, 0.3), 3.5)
        canvas.rect((x, 558, 180 * value / 100, 7), palette.bright, 3.5)
        canvas.circle((x + 180 * value / 100, 561.5), 9, palette.bright)


def cards(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """Cards in two rows: a face or a letter, a name, two lines."""
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=126)
    if words.get("button"):
        button(canvas, palette, words["button"], right=864, y=104)
    for number, (name, text, told) in enumerate(words["cards"]):
        x, y = 96 + number % 3 * 262, 174 + number // 3 * 186
        colour = palette.many[number % 5]
        canvas.rect((x, y, 246, 170), palette.soft, 14)
        if words.get("people"):
            canvas.picture(face(name).image, (x + 16, y + 16, 56, 56), 12)
        else:
            canvas.rect((x + 16, y + 16, 56, 56), colour, 12)
            canvas.text(
                (x + 44, y + 54), name[0], WHITE if number % 5 in {0, 3} else palette.ink, 26, 650, "m"
            )
        canvas.text((x + 86, y + 40), name, palette.ink, 15.5, 650)
        canvas.text((x + 86, y + 61), told, palette.muted, 13)
        canvas.words((x + 16, y + 102), text, palette.ink, 14, 216)


def portraits(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=130)
    button(canvas, palette, words["button"], right=864, y=106)
    whole = face(words["who"]).image
    canvas.picture(whole, (96, 180, 300, 334), 18)
    for number, (name, tall) in enumerate(words["cuts"]):
        x = 424 + number * 150
        canvas.picture(whole.crop((60, 40, 420, 40 + 360)), (x, 180, 132, tall), 10)
        canvas.text((x, 204 + tall), name, palette.ink, 14.5, 600)
        canvas.text((x, 224 + tall), words["sizes"][number], palette.muted, 13)
    canvas.rect((424, 440, 440, 74), palette.soft, 14)
    tick(canvas, 452, 477, fill=palette.deep, radius=12)
    canvas.text((478, 483), words["told"], palette.ink, 15)


def roof(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A roof with plants, seen from above a corner, and a note on one bed."""

    def at(x: float, y: float, z: float = 0) -> tuple[float, float]:
        return 450 + (x - y) * 36, 150 + (x + y) * 20 - z

    def block(spot: tuple[float, float, float, float], heights: tuple[float, float], colour: str) -> None:
        x, y, wide, deep = spot
        low, high = heights
        top = [at(x, y, high), at(x + wide, y, high), at(x + wide, y + deep, high), at(x, y + deep, high)]
        left = [
            at(x, y + deep, low),
            at(x + wide, y + deep, low),
            at(x + wide, y + deep, high),
            at(x, y + deep, high),
        ]
        right = [
            at(x + wide, y, low),
            at(x + wide, y + deep, low),
            at(x + wide, y + deep, high),
            at(x + wide, y, high),
        ]
        for points, shade in ((left, 0.32), (right, 0.18), (top, 0)):
            canvas.shape(points, mix(colour, BLACK, shade))

    block((0, 0, 10, 10), (-50, 34), "#e6e2d6")
    for x in range(10):
        for y in range(10):
            if (x, y) not in {(7, 1), (8, 1), (7, 2), (8, 2)}:
                green = rng.choice(("#4f7a35", "#5d8a3d", "#6c9c47", "#82b058", "#3f6a2c"))
                block((x + 0.05, y + 0.05, 0.9, 0.9), (34, 40 + rng.random() * 10), green)
    block((7, 1, 2, 2), (34, 84), "#dfe6ea")
    for tree_at in ((2.5, 2.5), (4.5, 6.5), (8.5, 7.5), (1.5, 8.5)):
        left, top = at(*tree_at, 50)
        canvas.rect((left - 3, top - 20, 5, 22), "#5a4326")
        canvas.circle((left, top - 30), 19, "#37591f")
        canvas.circle((left - 6, top - 36), 12, "#5d8a3d")
    canvas.line([at(6.5, 4.5, 44), (650, 120)], palette.bright, 3)
    canvas.circle(at(6.5, 4.5, 44), 8, palette.bright)
    canvas.card((620, 60, 280, 128), WHITE, 16)
    canvas.text((644, 98), words["title"], palette.ink, 19, 650)
    canvas.text((644, 124), words["note"], palette.muted, 15)
    canvas.rect((644, 146, 232, 12), palette.line, 6)
    canvas.rect((644, 146, 74, 12), palette.bright, 6)
