"""Card images, 1200 by 630, for whoever shows a link to a page: drawn with Pillow from what the page says.

Measures and colours are those of the design; the light ones alone. There is no vote count in an image that caches keep,
but a final one. A name that reads from the right mirrors the image, all but its foot.
"""

import io
from collections.abc import Sequence

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import default_storage
from PIL import Image, ImageDraw, ImageOps

from directory.shown.sharing.ribbon import draw_ribbon, edge_of, ink_of
from directory.shown.sharing.tags import HEIGHT, WIDTH, Picture, Row
from directory.shown.sharing.text import Face, reads_from_the_right

EDGE = 80
GROUND, INK, INK_2, LINE, ACCENT = "#fbfaf7", "#1b1a17", "#54514a", "#e5e2da", "#0b6b4f"
LETTER_GROUND, PAID, ON_PAID = "#d9e7e0", "#f2bf4b", "#2a1c00"
FOOT_LINE, FOOT_BASE = 500, 562
NAMES = (Face(88, 600, 2.6), Face(68, 600, 2), Face(56, 600, 1.7))
TAGLINE, KICKER, FOOT, SITE = Face(38), Face(30, 550), Face(28), Face(34, 650)
MARK = ((3, 15, 8, 21), (9.5, 10, 14.5, 21))  # the bars of mark.svg; the third has a point
POINTED = ((16, 21), (16, 5.5), (18.5, 2), (21, 5.5), (21, 21))
LOGO, SMALL_LOGO, SCALE = 200, 72, 4
RIBBON_AT, WON_LEFT, WON_WIDTH, WON_LOGO, WON_LOGO_AT = (72, 130), 330, 640, 132, (996, 72)
CORNER = 0.24
COVER, COVER_LEFT, COVER_TOP, TOP_LOGO, BESIDE = (640, 400), 690, 72, 112, 560


def drawn(picture: Picture) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    on = ImageDraw.Draw(image)
    on.rectangle((0, 0, WIDTH, 11), fill=edge_of(picture.rank) if picture.rank else ACCENT)
    if picture.rank:
        _award(image, on, picture)
    elif picture.cover and (cover := _stored(picture.cover)):
        _beside(image, on, picture, cover)
    elif picture.rows:
        KICKER.draw(on, picture.kicker, x=EDGE, y=94, fill=INK_2)
        face = Face(58, 600, 1.7)
        face.draw(on, face.lines(picture.title, width=WIDTH - 2 * EDGE, most=1)[0], x=EDGE, y=158, fill=INK)
        for number, row in enumerate(picture.rows[:3]):
            _row(image, on, row, number=number)
    else:
        _subject(image, on, picture)
    _foot(on, picture)
    result = io.BytesIO()
    colours, dither = (256, Image.Dither.FLOYDSTEINBERG) if picture.cover else (128, Image.Dither.NONE)
    image.quantize(colors=colours, dither=dither).save(result, "PNG", optimize=True)
    return result.getvalue()


def _subject(image: Image.Image, on: ImageDraw.ImageDraw, picture: Picture) -> None:
    has_logo = bool(picture.logo or picture.letter)
    indent = LOGO + 56 if has_logo else 0
    width = WIDTH - 2 * EDGE - indent
    is_mirrored = reads_from_the_right(picture.title)
    name, names = _name(picture.title, width=width)
    texts = TAGLINE.balanced(picture.text, width=width, most=2)
    heights = [*([44] if picture.kicker else []), *[name.size * 1.12] * len(names), *[50] * len(texts)]
    y = 72 + (FOOT_LINE - 72 - sum(heights) - 20) / 2
    middle = y + (sum(heights) + 20) / 2
    x = WIDTH - EDGE - indent if is_mirrored else EDGE + indent
    if picture.kicker:
        y += 44
        KICKER.draw(
            on, picture.kicker, x=x - is_mirrored * KICKER.width(picture.kicker), y=y - 14, fill=INK_2
        )
    for line in names:
        y += name.size * 1.12
        _line(on, name, line, x=x, y=y - name.size * 0.26, fill=INK, is_mirrored=is_mirrored)
    y += 20
    for line in texts:
        y += 50
        _line(on, TAGLINE, line, x=x, y=y - 14, fill=INK_2, is_mirrored=is_mirrored)
    if has_logo:
        at = (WIDTH - EDGE - LOGO if is_mirrored else EDGE, int(middle - LOGO / 2))
        _logo(image, picture.logo, letter=picture.letter, at=at, size=LOGO)


def _beside(image: Image.Image, on: ImageDraw.ImageDraw, picture: Picture, cover: Image.Image) -> None:
    """Logo, name and tagline under each other, and beside them the product's picture, over the edge of the card."""
    is_mirrored = reads_from_the_right(picture.title)
    width, height = COVER
    left = WIDTH - COVER_LEFT - width if is_mirrored else COVER_LEFT
    fitted = ImageOps.fit(cover.convert("RGB"), COVER, Image.Resampling.LANCZOS)
    image.paste(fitted, (left, COVER_TOP), _rounded(width, height, radius=20))
    on.rounded_rectangle((left, COVER_TOP, left + width - 1, COVER_TOP + height - 1), 20, outline=LINE)
    x = WIDTH - EDGE if is_mirrored else EDGE
    _logo(
        image, picture.logo, letter=picture.letter, at=(x - is_mirrored * TOP_LOGO, COVER_TOP), size=TOP_LOGO
    )
    name, names = _name(picture.title, width=BESIDE)
    if len(names) > 1:  # two of the largest lines leave the tagline no room above the foot
        name, names = _name(picture.title, width=BESIDE, faces=NAMES[1:])
    y: float = COVER_TOP + TOP_LOGO + 26
    for line in names:
        y += name.size * 1.12
        _line(on, name, line, x=x, y=y - name.size * 0.26, fill=INK, is_mirrored=is_mirrored)
    for line in TAGLINE.balanced(picture.text, width=BESIDE, most=2):
        y += 50
        _line(on, TAGLINE, line, x=x, y=y - 2, fill=INK_2, is_mirrored=is_mirrored)


def _award(image: Image.Image, on: ImageDraw.ImageDraw, picture: Picture) -> None:
    """The ribbon on the left, what won in the middle, its logo in the corner."""
    draw_ribbon(image, rank=picture.rank, at=RIBBON_AT)
    is_mirrored = reads_from_the_right(picture.title)
    name, names = _name(picture.title, width=WON_WIDTH)
    texts = TAGLINE.balanced(picture.text, width=WON_WIDTH, most=2)
    y = 72 + (FOOT_LINE - 72 - 44 - name.size * 1.12 * len(names) - 20 - 50 * len(texts)) / 2 + 44
    x = WON_LEFT + is_mirrored * WON_WIDTH
    _line(on, KICKER, picture.kicker, x=x, y=y - 14, fill=ink_of(picture.rank), is_mirrored=is_mirrored)
    for line in names:
        y += name.size * 1.12
        _line(on, name, line, x=x, y=y - name.size * 0.26, fill=INK, is_mirrored=is_mirrored)
    y += 20
    for line in texts:
        y += 50
        _line(on, TAGLINE, line, x=x, y=y - 14, fill=INK_2, is_mirrored=is_mirrored)
    if picture.logo or picture.letter:
        _logo(image, picture.logo, letter=picture.letter, at=WON_LOGO_AT, size=WON_LOGO)


def _line(  # noqa: PLR0913  (a place, a text and its look)
    on: ImageDraw.ImageDraw, face: Face, text: str, *, x: float, y: float, fill: str, is_mirrored: bool
) -> None:
    """A line that begins at x, or ends there in a mirrored image, whichever way it reads itself."""
    if reads_from_the_right(text) == is_mirrored:
        face.draw(on, text, x=x, y=y, fill=fill)
    else:
        face.draw(on, text, x=x - face.width(text) if is_mirrored else x + face.width(text), y=y, fill=fill)


def _name(title: str, *, width: float, faces: Sequence[Face] = NAMES) -> tuple[Face, list[str]]:
    """The largest size at which a name fits two lines, else the smallest with an ellipsis."""
    face = next((face for face in faces if face.fits(title, width=width, most=2)), faces[-1])
    return face, face.lines(title, width=width, most=2)


def _row(image: Image.Image, on: ImageDraw.ImageDraw, row: Row, *, number: int) -> None:
    top, x = 200 + 93 * number, EDGE + 152
    Face(36, 600).draw(on, str(number + 1), x=EDGE, y=top + 48, fill=INK)
    _logo(image, row.logo, letter=row.name[:1], at=(EDGE + 56, top), size=SMALL_LOGO)
    for face, text, base, fill in ((Face(34, 600), row.name, 30, INK), (FOOT, row.text, 67, INK_2)):
        for line in face.lines(text, width=WIDTH - EDGE - x, most=1):
            _line(on, face, line, x=x, y=top + base, fill=fill, is_mirrored=False)


def _logo(image: Image.Image, logo: str, *, letter: str, at: tuple[int, int], size: int) -> None:
    """A logo with round corners, or the first letter of the name on a ground."""
    result = _stored(logo)
    tile = Image.new("RGB", (size, size), "#ffffff" if result else LETTER_GROUND)
    if result:
        result = ImageOps.contain(result, (size, size), Image.Resampling.LANCZOS)
        tile.paste(result, ((size - result.width) // 2, (size - result.height) // 2), result)
    else:
        _in_the_middle(tile, Face(int(size * 0.56), 600), letter.upper(), fill=ACCENT)
    image.paste(tile, at, _rounded(size, size, radius=size * CORNER))


def _rounded(width: int, height: int, *, radius: float) -> Image.Image:
    large = Image.new("L", (width * SCALE, height * SCALE), 0)
    box = (0, 0, width * SCALE - 1, height * SCALE - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, radius=radius * SCALE, fill=255)
    return large.resize((width, height), Image.Resampling.LANCZOS)


def _stored(name: str) -> Image.Image | None:
    """A logo of the media storage, which holds what we have drawn anew ourselves; None when it is gone."""
    if not name:
        return None
    try:
        with default_storage.open(name) as file:
            return Image.open(file).convert("RGBA")
    except (OSError, SuspiciousFileOperation):
        return None


def _in_the_middle(tile: Image.Image, face: Face, text: str, *, fill: str) -> None:
    width = face.width(text)
    x = (tile.width + width) / 2 if reads_from_the_right(text) else (tile.width - width) / 2
    face.draw(ImageDraw.Draw(tile), text, x=x, y=tile.height / 2 + face.size * 0.36, fill=fill)


def _foot(on: ImageDraw.ImageDraw, picture: Picture) -> None:
    on.rectangle((EDGE, FOOT_LINE, WIDTH - EDGE, FOOT_LINE + 1), fill=LINE)
    left, top, unit = EDGE, FOOT_BASE - 36, 44 / 24
    for x0, y0, x1, y1 in MARK:
        on.rectangle(
            (left + x0 * unit, top + y0 * unit, left + x1 * unit - 1, top + y1 * unit - 1), fill=ACCENT
        )
    on.polygon([(left + x * unit, top + y * unit - 1) for x, y in POINTED], fill=ACCENT)
    site = SITE.lines(picture.site, width=420, most=1)[0]
    SITE.draw(on, site, x=left + 58 + reads_from_the_right(site) * SITE.width(site), y=FOOT_BASE, fill=INK)
    right: float = WIDTH - EDGE
    if picture.is_paid:
        face = Face(24, 700)
        width = face.width("PAID") + 24
        on.rounded_rectangle((right - width, FOOT_BASE - 32, right, FOOT_BASE + 10), radius=6, fill=PAID)
        face.draw(on, "PAID", x=right - width + 12, y=FOOT_BASE - 2, fill=ON_PAID)
        right -= width + 20
    for line in FOOT.lines(picture.foot, width=right - left - 58 - SITE.width(site) - 40, most=1):
        FOOT.draw(
            on, line, x=right - (not reads_from_the_right(line)) * FOOT.width(line), y=FOOT_BASE, fill=INK_2
        )
