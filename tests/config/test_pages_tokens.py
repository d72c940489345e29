"""The colours: text stands out by at least 4.5, outlines by 3, in both themes (WCAG 2.2)."""

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "config" / "static" / "css"
TOKEN = re.compile(r"--([\w-]+): ?(?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));")
GROUNDS = ("bg", "surface", "sunken")
TEXTS = [
    *((ink, ground) for ink in ("ink", "ink-2", "ink-3") for ground in GROUNDS),
    *(("accent", ground) for ground in (*GROUNDS, "accent-soft")),
    *(("danger", ground) for ground in (*GROUNDS, "danger-soft")),
    *((tone, f"{tone}-soft") for tone in ("ai", "info", "warn", "danger", "accent")),
    *(
        (tone, ground)
        for tone in ("ink", "ink-2")
        for ground in ("accent-soft", "warn-soft", "paid-soft", "danger-soft")
    ),
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-button", "button"),
    ("on-mark", "mark"),
    ("on-paid", "paid"),
    *(("on-tint", f"tint-{number}") for number in range(8)),
]
OUTLINES = [
    *(("control", ground) for ground in GROUNDS),
    *(("focus", ground) for ground in (*GROUNDS, "accent-soft")),
    ("paid-line", "paid-soft"),
]


def tokens() -> dict[str, tuple[str, str]]:
    """Each colour in the light and in the dark theme."""
    text = (CSS / "tokens.css").read_text()
    return {name: (light or both, dark or both) for name, light, dark, both in TOKEN.findall(text)}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("pairs", "least"), [(TEXTS, 4.5), (OUTLINES, 3.0)])
def test_every_pair_stands_out_in_both_themes(pairs: list[tuple[str, str]], least: float) -> None:
    known = tokens()
    weak = {
        (front, ground, theme): round(contrast(known[front][theme], known[ground][theme]), 2)
        for front, ground in pairs
        for theme in (0, 1)
        if contrast(known[front][theme], known[ground][theme]) < least
    }

    assert weak == {}


def test_no_colour_stands_outside_the_tokens() -> None:
    stray = {
        path.name: found
        for path in CSS.glob("*.css")
        if path.name != "tokens.css"
        and (found := re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(", path.read_text()))
    }

    assert stray == {}


def test_no_declaration_runs_into_the_next_rule() -> None:
    """A missing brace is no error to a browser: what follows it just never holds."""
    sheets = {path: path.read_text() for path in CSS.parent.rglob("*.css")}
    names = {
        name for text in sheets.values() for name in re.findall(r"[{;]\s*([a-z-]+):[^{};]*(?=[;}])", text)
    }
    broken = {
        path.name: found
        for path, text in sheets.items()
        if (found := names.intersection(re.findall(r"[{};]\s*([a-z-]+):[^{};]*\{", text)))
    }

    assert broken == {}


def test_the_sheets_of_a_page_stay_within_their_budget() -> None:
    sizes = {path.stem: path.stat().st_size for path in CSS.glob("*.css")}
    shared = sum(sizes.pop(name) for name in ("tokens", "base", "layout", "components", "pages"))

    uploads, shop, orders = sizes.pop("uploads"), sizes.pop("shop"), sizes.pop("orders")
    quotes, race, reviews = sizes.pop("evidence"), sizes.pop("race"), sizes.pop("reviews")
    stay, pictures, tables = sizes.pop("stay"), sizes.pop("pictures"), sizes.pop("tables")
    podium, flows, tiles, clock = (sizes.pop(name) for name in ("podium", "flows", "tiles", "clock"))
    of_room = race + podium + sizes.pop("room") + stay + tables
    menu, diff = sizes.pop("menu"), sizes.pop("diff")
    of_docs = menu + sizes.pop("docs") + tables
    of_account = (
        menu
        + sizes.pop("account")
        + max(diff, orders + tables, shop, sizes.pop("choice") + stay, uploads, of_room)
    )
    of_quoted = quotes + max(sizes.pop("listing") + flows + reviews + race + tiles, sizes.pop("compare"))
    of_founder = sizes.pop("founder") + flows + stay + tiles + race
    of_race = race + clock + max(podium + sizes.pop("week") + tables, sizes.pop("home") + tiles)
    of_draft, of_featured = sizes.pop("draft") + diff + uploads + pictures, race + orders + shop
    of_board, of_found = (
        race + clock + sizes.pop("boards") + tables,
        race + max(sizes.pop("search"), sizes.pop("trophies")),
    )
    of_some = (
        of_account,
        of_docs,
        reviews,
        of_draft,
        of_featured,
        of_quoted,
        of_founder,
        of_race,
        of_board,
        of_found,
    )
    assert shared + max(*of_some, *sizes.values()) <= 40 * 1024  # others have at most one of their own
