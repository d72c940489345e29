"""Draws the pictures of the demo from `config/demo/content/pictures.json`, into the folder beside it."""

import io
import os

from PIL import Image

from benchmarks.demo_pictures.canvas import Palette
from benchmarks.demo_pictures.faces import face
from benchmarks.demo_pictures.kinds import screen
from benchmarks.demo_pictures.marks import mark
from config.demo.content import CONTENT, listings, read

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")  # where the fonts are


def write(kind: str, name: str, png: bytes) -> None:
    folder = CONTENT / "pictures" / kind
    folder.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(png)).convert("RGB").save(folder / f"{name}.webp", lossless=True, method=6)


def main() -> None:
    looks = read("pictures.json")
    rows = [row for row in listings() if row["facts"]["slug"] in looks or row["reviewed"]]
    for slug in {person["slug"] for row in rows for person in row["founders"]}:
        write("faces", slug, face(slug).png())
    plans = {row["facts"]["slug"]: row["facts"]["plan"] for row in rows}
    for slug, look in looks.items():
        palette = Palette(*look["colours"])
        write("logos", slug, mark(look["mark"], palette))
        for number, words in enumerate(look["screens"]):
            is_large = "is_first" in words or (plans[slug] == "paid" and number == 0)
            write("screens", f"{slug}-{number}", screen(palette, words, is_large=is_large))


if __name__ == "__main__":
    main()
