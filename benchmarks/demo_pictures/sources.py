"""What each picture of the demo is drawn from: a look, which is a line of `looks.json`, or a drawing, a file."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.demo_pictures.canvas import Palette
from benchmarks.demo_pictures.faces import face
from benchmarks.demo_pictures.kinds import screen
from benchmarks.demo_pictures.marks import mark
from config.demo.content import listings, read

HERE = Path(__file__).parent


def looks() -> dict[str, Callable[[], bytes]]:
    """Pictures that are drawn from words, by their path: faces from a name, logos and screens from a description."""
    described = json.loads((HERE / "looks.json").read_text(encoding="utf-8"))
    rows = [row for row in listings() if row["facts"]["slug"] in described or row["reviewed"]]
    people = {person["slug"] for row in rows for person in row["founders"]}
    found: dict[str, Callable[[], bytes]] = {f"faces/{slug}": partial(face_png, slug) for slug in people}
    for slug, look in described.items():
        palette = Palette(*look["colours"])
        found[f"logos/{slug}"] = partial(mark, look["mark"], palette)
        for number, words in look["screens"].items():
            alt = read("pictures.json")[slug][int(number)]
            found[f"screens/{slug}-{number}"] = partial(screen, palette, words, alt)
    return found


def face_png(slug: str) -> bytes:
    return face(slug).png()


def drawings() -> dict[str, Path]:
    """Pictures that are SVG, by their path: a screen ends with its number, a logo has none."""
    paths = sorted((HERE / "drawings").glob("*.svg"))
    return {f"{'screens' if path.stem[-1].isdigit() else 'logos'}/{path.stem}": path for path in paths}
