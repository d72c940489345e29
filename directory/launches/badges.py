"""Our badges: which a listing has earned, what they say, how they look, where they lead, the code that shows them."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import ordinal

from core.api.links import on_site
from directory.errors import ListingNotFoundError
from directory.launches.figures import live_place
from directory.models import Listing, Site

SHAPES = ("standard", "outline", "pill", "banner", "square")
MODES = ("light", "dark", "auto")
SIZES = {"s": 0.75, "m": 1.0, "l": 1.5}
AWARDS = {f"launch_of_the_week_{rank}": rank for rank in (1, 2, 3)}
LIVE = "live"
CODES = ("listed", *AWARDS, "verified", LIVE)

NAME_LETTERS, SITE_LETTERS = 120, 40
SMALLEST = 0.72
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LIGHT = {"ground": "#ffffff", "ink": "#1b1a17", "soft": "#54514a", "line": "#d2cdc0", "accent": "#0b6b4f"}
DARK = {"ground": "#191a18", "ink": "#f0efea", "soft": "#bdbab1", "line": "#484b45", "accent": "#63d2a7"}
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MARKS = {
    "listed": '<path class="a" d="M0 13 8 2l8 11z"/>',
    "verified": '<path class="k" d="m1 8 5 5 9-11"/>',
    LIVE: '<circle class="n" cx="8" cy="8" r="8"/><circle class="a" cx="8" cy="8" r="3.5"/>',
}
Status = Listing.Status
UNNAMED = (Status.DRAFT, Status.AWAITING_BADGE)
SHOWING = (*UNNAMED, Status.SCHEDULED, Status.LIVE)


@dataclass(frozen=True, kw_only=True)
class BadgeStyle:
    shape: str = "standard"
    mode: str = "auto"
    size: str = "m"

    @property
    def query(self) -> str:
        """The part of an address that asks for this look; nothing for the usual one."""
        return "" if self == BadgeStyle() else "?" + urlencode(vars(self))

    @property
    def box(self) -> "Box":
        return BOXES[self.shape]

    @property
    def width(self) -> int:
        return round(self.box.width * SIZES[self.size])

    @property
    def height(self) -> int:
        return round(self.box.height * SIZES[self.size])


@dataclass(frozen=True, kw_only=True)
class Line:
    """Where a line of text stands and how wide it may be."""

    x: int
    y: int
    width: int
    size: int
    anchor: str = "start"


@dataclass(frozen=True, kw_only=True)
class Box:
    """The measures of a shape at medium size: its box, its mark, its caption and its main line."""

    width: int
    height: int
    radius: int
    mark: tuple[int, int]
    caption: Line
    main: Line


TWO_LINES = Box(
    width=220,
    height=56,
    radius=10,
    mark=(18, 20),
    caption=Line(x=46, y=23, width=160, size=12),
    main=Line(x=46, y=42, width=160, size=16),
)
BOXES = {
    "standard": TWO_LINES,
    "outline": TWO_LINES,
    "pill": Box(
        width=232,
        height=48,
        radius=24,
        mark=(22, 16),
        caption=Line(x=50, y=19, width=160, size=11),
        main=Line(x=50, y=37, width=160, size=15),
    ),
    "banner": Box(
        width=340,
        height=44,
        radius=6,
        mark=(16, 14),
        caption=Line(x=42, y=27, width=118, size=13),
        main=Line(x=326, y=28, width=156, size=16, anchor="end"),
    ),
    "square": Box(
        width=128,
        height=128,
        radius=14,
        mark=(56, 29),
        caption=Line(x=64, y=76, width=108, size=12, anchor="middle"),
        main=Line(x=64, y=98, width=108, size=15, anchor="middle"),
    ),
}


@dataclass(frozen=True, kw_only=True)
class Badge:
    """What a badge says. `title` is for those who cannot see it."""

    code: str
    caption: str
    main: str
    title: str


def link_url(slug: str) -> str:
    return on_site(f"/listings/{slug}")


def image_prefix(slug: str) -> str:
    return on_site(f"/badges/{slug}/")


def image_url(slug: str, code: str, *, style: BadgeStyle | None = None) -> str:
    return f"{image_prefix(slug)}{code}.svg{(style or BadgeStyle()).query}"


def badge_html(
    *, slug: str, name: str, code: str = "listed", style: BadgeStyle | None = None, title: str = ""
) -> str:
    """The code to put on a homepage: a link to the listing with the badge's image in it."""
    style = style or BadgeStyle()
    alternative = title or f"{name} on {settings.SITE_NAME}"
    return (
        f'<a href="{escape(link_url(slug))}">'
        f'<img src="{escape(image_url(slug, code, style=style))}" alt="{escape(alternative)}"'
        f' width="{style.width}" height="{style.height}"></a>'
    )


def badge_markdown(*, slug: str, code: str, style: BadgeStyle, title: str) -> str:
    alternative = re.sub(r"([\\\[\]])", r"\\\1", " ".join(title.split()))
    return f"[![{alternative}]({image_url(slug, code, style=style)})]({link_url(slug)})"


def neutral(site_name: str) -> Badge:
    """What is shown where there is no badge: the site's name."""
    return Badge(code="listed", caption="Product launches", main=site_name, title=site_name)


def svg(badge: Badge, *, style: BadgeStyle) -> str:
    """The image. Everything it says is real text, and its title says it again."""
    box = style.box
    has_ground = style.shape != "outline"
    mark_x, mark_y = box.mark
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{style.width}" height="{style.height}"'
        f' viewBox="0 0 {box.width} {box.height}" role="img" aria-labelledby="t">'
        f'<title id="t">{drawn_text(badge.title, limit=2 * NAME_LETTERS)}</title>'
        f"<style>{_style(style.mode)}</style>"
        f'<rect class="{"g" if has_ground else "o"}" x=".5" y=".5" width="{box.width - 1}"'
        f' height="{box.height - 1}" rx="{box.radius}"/>'
        f'<g transform="translate({mark_x} {mark_y})">{_mark(badge.code)}</g>'
        f"{_line(badge.caption, box.caption, name='c')}{_line(badge.main, box.main, name='m')}"
        "</svg>"
    )


def _style(mode: str) -> str:
    rules = f"text{{font-family:{FONT}}}.m,.d{{font-weight:600}}.k,.n{{fill:none;stroke-width:2.5}}"
    if mode == "auto":
        return f"{rules}{_colours(LIGHT)}@media(prefers-color-scheme:dark){{{_colours(DARK)}}}"
    return rules + _colours(DARK if mode == "dark" else LIGHT)


def _colours(of: dict[str, str]) -> str:
    return (
        f".g{{fill:{of['ground']};stroke:{of['line']}}}.o{{fill:none;stroke:{of['ink']}}}"
        f".c{{fill:{of['soft']}}}.m,.d{{fill:{of['ink']}}}.a{{fill:{of['accent']}}}.k,.n{{stroke:{of['accent']}}}"
    )


def _mark(code: str) -> str:
    if rank := AWARDS.get(code):
        digit = f'<text class="d" x="8" y="12" font-size="11" text-anchor="middle">{rank}</text>'
        return f'<circle class="n" cx="8" cy="8" r="9"/>{digit}'
    return MARKS[code]


def _line(text: str, line: Line, *, name: str) -> str:
    """A line that fits: in smaller letters if it is long, and pressed together if that is not enough."""
    width = _width(text[:SITE_LETTERS], size=line.size)
    size = round(line.size * max(SMALLEST, min(1, line.width / width)), 1) if width else line.size
    fit = ""
    if width * SMALLEST > line.width:
        fit = f' textLength="{line.width}" lengthAdjust="spacingAndGlyphs"'
    anchor = f' text-anchor="{line.anchor}"' if line.anchor != "start" else ""
    letters = drawn_text(text, limit=SITE_LETTERS)
    return (
        f'<text class="{name}" x="{line.x}" y="{line.y}" font-size="{size:g}"{anchor}{fit}>{letters}</text>'
    )


def _width(text: str, *, size: int) -> float:
    """How wide a line is at most, roughly: the fonts of readers differ."""
    wide = sum(1 for letter in text if unicodedata.east_asian_width(letter) in "WF")
    return size * (wide + 0.58 * (len(text) - wide))


def drawn_text(text: str, *, limit: int) -> str:
    """A text that is safe in a drawing, cut to a length."""
    clean = " ".join(NOT_XML.sub("", text).split())
    return escape(clean if len(clean) <= limit else clean[: limit - 1].rstrip() + "…")


@dataclass(frozen=True, kw_only=True)
class Bearer:
    slug: str
    name: str
    status: str
    method: str
    awards: list[dict[str, Any]]
    place: int | None = None

    def has_earned(self, code: str) -> bool:
        if code in AWARDS:
            return self.status == Status.LIVE and self._week_of(code) is not None
        if code == "verified":
            return self.status == Status.LIVE and bool(self.method)
        return code in {"listed", LIVE}

    def has_image(self, code: str) -> bool:
        """Whether there is something to see at the badge's address: what get_badges names, or the badge waited for."""
        return self.has_earned(code) or (code in CODES and self.status not in UNNAMED)

    def badge(self, code: str, *, site_name: str) -> Badge:
        """What a badge says. A listing that is not public yet is not named; `live` is as `listed` between races."""
        if code in AWARDS:
            return self._award(code, site_name=site_name)
        if code == LIVE and self.place is not None:
            return self._live(site_name=site_name)
        caption = {"verified": "Verified on"}.get(code) or (
            "Listed on" if self.status == Status.LIVE else "Launching on"
        )
        sentence = f"{caption[0].lower()}{caption[1:]} {site_name}"
        title = f"{caption} {site_name}" if self.status in UNNAMED else f"{self._short}: {sentence}"
        mark = "listed" if code == LIVE else code
        return Badge(code=mark, caption=caption, main=site_name, title=title)

    def _award(self, code: str, *, site_name: str) -> Badge:
        week = self._week_of(code)
        when = f", {week.day} {week:%b %Y}" if week else ""
        title = f"{self._short}: Launch of the Week #{AWARDS[code]}{when} on {site_name}"
        return Badge(
            code=code, caption="Launch of the Week", main=f"{ordinal(AWARDS[code])}{when}", title=title
        )

    def _live(self, *, site_name: str) -> Badge:
        caption = f"Live on {site_name}"
        main = f"{ordinal(self.place)} this week" if self.place else "Vote this week"
        return Badge(
            code=LIVE, caption=caption, main=main, title=f"{self._short}: {main}, live on {site_name}"
        )

    @property
    def _short(self) -> str:
        return self.name if len(self.name) <= NAME_LETTERS else f"{self.name[: NAME_LETTERS - 1]}…"

    def _week_of(self, code: str) -> date | None:
        return max(
            (date.fromisoformat(won["week"]) for won in self.awards if won["code"] == code), default=None
        )


def bearer(*, site: Site, slug: str, at: datetime | None = None) -> Bearer | None:
    """A listing that may show badges: live, upcoming, or one whose owner is to put this very badge up.

    With `at` it has its place in the race that runs then.
    """
    row = (
        Listing.objects.filter(site=site, slug=slug, status__in=SHOWING)
        .values_list("pk", "slug", "name", "status", "claimed_by_method", "awards")
        .first()
    )
    if row is None:
        return None
    listing_id, result, name, status, method, awards = row
    place = live_place(listing_id=listing_id, at=at) if at and status == Status.LIVE else None
    return Bearer(slug=result, name=name, status=status, method=method, awards=awards, place=place)


def get_badges(*, site: Site, slug: str, style: BadgeStyle, at: datetime) -> dict[str, Any]:
    """Every badge a listing may show or may yet earn, with the code to copy.

    Raises ListingNotFoundError unless the listing is live or upcoming.
    """
    result = bearer(site=site, slug=slug, at=at)
    if result is None or result.status in UNNAMED:
        raise ListingNotFoundError("There is no such listing.")
    return {
        "listing": slug,
        **vars(style),
        "items": [_item(result, code, style=style, site_name=site.name) for code in CODES],
    }


def _item(result: Bearer, code: str, *, style: BadgeStyle, site_name: str) -> dict[str, Any]:
    badge = result.badge(code, site_name=site_name)
    return {
        "code": code,
        "title": badge.title,
        "earned": result.has_earned(code),
        "svg_url": image_url(result.slug, code, style=style),
        "width": style.width,
        "height": style.height,
        "html": badge_html(slug=result.slug, name=result.name, code=code, style=style, title=badge.title),
        "markdown": badge_markdown(slug=result.slug, code=code, style=style, title=badge.title),
        "link_url": link_url(result.slug),
    }
