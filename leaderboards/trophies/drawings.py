"""Trophies and cabinets as SVG: gold is a cup, silver a shield, bronze a medal, with week and year engraved."""

from collections.abc import Sequence
from datetime import date

from directory.launches.badges import FONT, drawn_text

METALS = {  # light, plain, dark, ink
    1: ("#fbe9b0", "#dcae3c", "#8f6410", "#4a3000"),
    2: ("#f4f6f8", "#bcc4cc", "#6d7883", "#26303a"),
    3: ("#f2d2b9", "#c98a5d", "#85502b", "#3f210c"),
}
NAMES = {1: "Gold", 2: "Silver", 3: "Bronze"}
SHAPES = {
    1: '<path d="M30 12h60v26c0 20-12 33-30 36-18-3-30-16-30-36z"/>'
    '<path class="l" d="M30 20H14c0 22 8 32 22 34M90 20h16c0 22-8 32-22 34"/><path d="M54 72h12l3 22H51z"/>',
    2: '<path d="M60 8l40 12v28c0 22-16 38-40 46-24-8-40-24-40-46V20z"/>'
    '<path class="l" d="M60 18l30 9v21c0 16-11 28-30 35-19-7-30-19-30-35V27z"/>',
    3: '<path d="M36 4h18l8 32H46zM84 4H66l-8 32h16z"/><circle cx="60" cy="60" r="34"/>'
    '<circle class="l" cx="60" cy="60" r="27"/>',
}
MIDDLE = {1: 50, 2: 62, 3: 70}
FINISHES = {  # ground, line, shelf, ink
    "": ("#ffffff", "#d2cdc0", "#e5e2da", "#1b1a17"),
    "paper": ("#fbf6e9", "#d9ccab", "#eadfc2", "#3a2f17"),
    "oak": ("#7a4f2a", "#4d2f14", "#a0703f", "#fff4e2"),
    "steel": ("#3a4148", "#20262b", "#8d979f", "#f3f6f8"),
    "glass": ("#e4f1f4", "#8fb3bd", "#b9d7df", "#12333c"),
}
ON_SHELF = 5
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img"'
    ' aria-labelledby="t">'
)


def engraved(week: date, *, is_of_week: bool = True) -> str:
    """Week and year as they stand on the foot, "W47 2026"; of a programme the year alone."""
    year, number, _ = week.isocalendar()
    return f"W{number} {year}" if is_of_week else f"{year}"


def _metal(rank: int) -> str:
    light, plain, dark, _ = METALS[rank]
    return (
        f'<linearGradient id="m{rank}" x2="1" y2="1"><stop stop-color="{light}"/>'
        f'<stop offset=".55" stop-color="{plain}"/><stop offset="1" stop-color="{dark}"/></linearGradient>'
    )


def _shape(rank: int) -> str:
    """The body of a trophy of 120 by 144, without what is engraved."""
    _, _, dark, ink = METALS[rank]
    return (
        f'<g id="s{rank}" fill="url(#m{rank})" stroke="{dark}" stroke-width="1.5">{SHAPES[rank]}'
        f'<path d="M34 102h52l6 16H28z"/></g>'
        f'<text id="n{rank}" x="60" y="{MIDDLE[rank]}" fill="{ink}" font-size="28" font-weight="700">{rank}</text>'
    )


STYLE = f"<style>text{{font-family:{FONT};text-anchor:middle}}.l{{fill:none;stroke-width:2}}</style>"


def award(*, rank: int, title: str, name: str, foot: str, plate: str, site: str) -> str:
    """One award, 320 by 320: the trophy, who won, when, and where."""
    sentence = drawn_text(f"{title}: {name}, {NAMES[rank].lower()}, {foot}, {site}", limit=240)
    lines = (
        (236, 20, 650, drawn_text(name, limit=26)),
        (260, 13, 500, drawn_text(title, limit=44)),
        (281, 12, 400, drawn_text(foot, limit=44)),
        (302, 12, 400, drawn_text(site, limit=40)),
    )
    texts = "".join(
        f'<text x="160" y="{y}" font-size="{size}" font-weight="{weight}" fill="#1b1a17">{words}</text>'
        for y, size, weight, words in lines
    )
    return (
        f'{HEAD.format(w=320, h=320)}<title id="t">{sentence}</title>{STYLE}<defs>{_metal(rank)}</defs>'
        f'<rect x="1" y="1" width="318" height="318" rx="24" fill="#fff" stroke="{METALS[rank][1]}" stroke-width="2"/>'
        f'<g transform="translate(76 22) scale(1.4)">{_shape(rank)}{_plate(rank, plate)}</g>{texts}</svg>'
    )


def _plate(rank: int, text: str) -> str:
    return f'<text x="60" y="113" fill="{METALS[rank][3]}" font-size="9.5" font-weight="600">{text}</text>'


def cabinet(*, name: str, title: str, finish: str, trophies: Sequence[tuple[int, str]], total: int) -> str:
    """A shelf of up to five trophies, 360 by 176, on the finish that was bought."""
    ground, line, shelf, ink = FINISHES.get(finish, FINISHES[""])
    visible = trophies[:ON_SHELF]
    ranks = sorted({rank for rank, _ in visible})
    more = f"and {total - len(visible)} more" if total > len(visible) else ""
    heading = drawn_text(title or f"Trophies of {name}", limit=42)
    says = ", ".join(f"{NAMES[rank].lower()} {plate}" for rank, plate in visible) or "no trophies yet"
    step, half = 340 / max(len(visible), 1), 340 / max(len(visible), 1) / 2
    rows = "".join(
        f'<g transform="translate({10 + step * place + half - 36:.0f} 48) scale(.6)"><use href="#s{rank}"/>'
        f'<use href="#n{rank}"/>{_plate(rank, plate)}</g>'
        for place, (rank, plate) in enumerate(visible)
    )
    foot = more or ("No trophies yet" if not visible else "")
    return (
        f'{HEAD.format(w=360, h=176)}<title id="t">{heading}: {says}</title>{STYLE}'
        f"<defs>{''.join(_metal(rank) + _shape(rank) for rank in ranks)}</defs>"
        f'<rect x=".5" y=".5" width="359" height="175" rx="14" fill="{ground}" stroke="{line}"/>'
        f'<text x="180" y="30" font-size="15" font-weight="650" fill="{ink}">{heading}</text>'
        f'<rect x="14" y="119" width="332" height="9" rx="2" fill="{shelf}" stroke="{line}"/>{rows}'
        f'<text x="180" y="154" font-size="12" fill="{ink}">{foot}</text></svg>'
    )
