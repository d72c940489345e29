"""Screens one works in: boards, lists, texts, calendars, talks, code."""

from random import Random

from benchmarks.demo_pictures.canvas import WHITE, Canvas, Palette, mix
from benchmarks.demo_pictures.faces import face
from benchmarks.demo_pictures.parts import FRAME, Words, button, heading, text_lines, tick

CODE = ("#7fb4ff", "#9be0b8", "#ffd38a", "#c49bff", "#e7edf3", "#7e8d9c")


def board(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=126)
    columns = words["columns"]
    width = 768 / len(columns)
    for number, (name, cards) in enumerate(columns.items()):
        x, colour = 96 + number * width, palette.many[number % 5]
        canvas.rect((x, 170, width - 14, 360), palette.soft, 12)
        canvas.circle((x + 18, 193), 5, colour)
        canvas.text((x + 30, 198), name, palette.ink, 14, 600)
        for place, card in enumerate(cards):
            y = 214 + place * 76
            canvas.rect((x + 10, y + 2, width - 34, 66), mix(palette.deep, WHITE, 0.84), 9)
            canvas.rect((x + 10, y, width - 34, 66), WHITE, 9)
            canvas.rect((x + 10, y + 12, 4, 42), colour, 2)
            canvas.words((x + 24, y + 25), card, palette.ink, 13, width - 60)
            canvas.rect((x + 24, y + 50, rng.randrange(30, 80), 6), palette.line, 3)


def rows(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A table: names with faces or signs, a detail, a bar and a value."""
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=126)
    button(canvas, palette, words["button"], right=864, y=104)
    step = 360 / len(words["rows"])
    for number, (name, detail, value, part) in enumerate(words["rows"]):
        y, colour = 176 + number * step, palette.many[number % 2]
        canvas.rect((96, y, 768, 1.5), palette.line)
        middle = y + step / 2
        if words.get("people"):
            canvas.picture(face(name).image, (96, middle - 18, 36, 36), 18)
        else:
            canvas.rect((96, middle - 18, 36, 36), mix(colour, WHITE, 0.78), 10)
            canvas.text((114, middle + 6), name[0], mix(colour, palette.ink, 0.4), 17, 650, "m")
        canvas.text((146, middle - 2), name, palette.ink, 16, 600)
        canvas.text((146, middle + 17), detail, palette.muted, 13)
        if part:
            canvas.rect((520, middle - 5, 220, 10), palette.soft, 5)
            canvas.rect(
                (520, middle - 5, 220 * part / 100, 10), palette.bright if part > 85 else palette.deep, 5
            )
        canvas.text((864, middle + 5), value, palette.ink, 16, 600, "r")


def editor(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A text on the left, what is said of it on the right."""
    canvas.window(FRAME, palette, words["bar"])
    canvas.text((104, 132), words["title"], palette.ink, 27, 650)
    y = 164.0
    for kind, text in words["text"]:
        if kind == "mark":
            canvas.rect((98, y - 17, 436, 28), palette.warm, 6)
        elif kind == "gone":
            canvas.rect((98, y - 17, 436, 28), "#f7e1de", 6)
            canvas.line([(106, y - 4), (106 + canvas.span(text, 15.5), y - 4)], "#a8453a", 1.6)
        canvas.text(
            (106, y + 2),
            text,
            "#a8453a" if kind == "gone" else palette.ink,
            15.5,
            550 if kind == "mark" else 400,
        )
        y += 36
    text_lines(canvas, (106, y, 400, 520 - y), palette.line, rng)
    for number, (name, text) in enumerate(words["notes"]):
        top = 108 + number * 142
        canvas.rect((566, top, 300, 126), palette.soft, 12)
        canvas.rect((566, top, 6, 126), palette.many[number % 5], 3)
        canvas.picture(face(name).image, (588, top + 16, 32, 32), 16)
        canvas.text((630, top + 38), name, palette.ink, 15, 600)
        canvas.words((588, top + 74), text, palette.ink, 14.5, 262)


def calendar(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """Days or rooms from left to right, blocks in them."""
    canvas.window(FRAME, palette, words["bar"])
    heading(canvas, palette, words, x=96, y=126)
    button(canvas, palette, words["button"], right=864, y=104)
    days = words["days"]
    width = 712 / len(days)
    for number, hour in enumerate(words["hours"]):
        y = 212 + number * 316 / (len(words["hours"]) - 1)
        canvas.text((136, y + 5), hour, palette.muted, 13, 400, "r")
        canvas.rect((150, y, 714, 1.2), palette.line)
    for number, day in enumerate(days):
        canvas.text((152 + (number + 0.5) * width, 196), day, palette.muted, 14, 550, "m")
    for day, start, length, text, colour in words["blocks"]:
        x, y, tall = 154 + day * width, 212 + start * 316, length * 316 - 4
        fill = mix(palette.many[colour], WHITE, 0.0 if colour in {0, 1} else 0.25)
        ink = WHITE if colour in {0, 3} else palette.ink
        canvas.rect((x, y + 2, width - 8, tall), fill, 9)
        canvas.words((x + 12, y + 24), text, ink, 13.5, width - 28)


def talk(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """Messages of several people, the last one with something to press."""
    canvas.window(FRAME, palette, words["bar"])
    canvas.rect((64, 88, 214, 452), palette.soft)
    canvas.rect((64, 520, 214, 34), palette.soft, 14)
    for number, room in enumerate(words["rooms"]):
        top = 112 + number * 42
        if number == 0:
            canvas.rect((78, top, 186, 34), palette.deep, 9)
        canvas.text((94, top + 22), room, WHITE if number == 0 else palette.ink, 14.5, 550)
    heading(canvas, palette, words, x=306, y=126)
    y = 176.0
    for name, text in words["said"]:
        tall = 44 + 20 * (canvas.span(text, 14.5) // 440)
        canvas.picture(face(name).image, (306, y, 36, 36), 18)
        canvas.rect((354, y, 500, tall + 16), palette.soft, 12)
        canvas.text((370, y + 22), name, palette.deep, 13, 650)
        canvas.words((370, y + 44), text, palette.ink, 14.5, 468)
        y += tall + 28


def code(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """A dark window with lines, and a light card over its corner."""
    dark = mix(palette.deep, "#0a0d10", 0.78)
    canvas.window((64, 46, 720, 508), palette, words["bar"], fill=dark)
    for number, text in enumerate(words["lines"]):
        y = 122 + number * 34
        canvas.text((106, y), str(number + words["from"]), mix(dark, WHITE, 0.35), 14, 400, "r")
        fill = CODE[5] if text.startswith("#") else CODE[number % 5]
        canvas.text((122, y), text, fill, 15.5)
    left, top, card = 566, 250, words["card"]
    canvas.card((left, top, 330, 70 + 46 * len(card)), WHITE, 16)
    canvas.text((left + 24, top + 38), words["title"], palette.ink, 18, 650)
    for number, text in enumerate(card):
        y = top + 72 + number * 46
        tick(canvas, left + 34, y, fill=palette.deep)
        canvas.text((left + 54, y + 5), text, palette.ink, 14.5)


def phones(canvas: Canvas, palette: Palette, words: Words, rng: Random) -> None:
    """Two phones side by side, each with a short list."""
    for number, (title, note, entries) in enumerate(words["screens"]):
        x, y = 210 + number * 290, 38 + number * 34
        canvas.shadow((x, y, 250, 528), 40)
        canvas.rect((x, y, 250, 528), "#141312", 40)
        canvas.rect((x + 8, y + 8, 234, 512), "#fffdfa", 33)
        canvas.rect((x + 88, y + 18, 74, 20), "#141312", 10)
        canvas.text((x + 28, y + 86), title, palette.ink, 23, 650)
        canvas.text((x + 28, y + 110), note, palette.muted, 13.5)
        for place, (text, part) in enumerate(entries):
            top = y + 130 + place * 74
            canvas.rect(
                (x + 20, top, 210, 62), mix(palette.deep if number else palette.bright, WHITE, 0.82), 14
            )
            canvas.circle((x + 44, top + 31), 10, mix(palette.deep, WHITE, 0.55))
            if part >= 100:
                tick(canvas, x + 44, top + 31, fill=palette.deep, radius=10)
            canvas.words(
                (x + 64, top + (28 if canvas.span(text, 14) > 150 else 36)), text, palette.ink, 14, 152
            )
        canvas.rect((x + 20, y + 452, 210, 44), palette.deep, 14)
        canvas.text((x + 125, y + 480), words["buttons"][number], WHITE, 15, 600, "m")
