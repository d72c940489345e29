"""Draws the pictures of the demo anew, all or those that are named: `kanvane-0`, `mossline`, `screens/mossline-1`."""

import argparse
import io
import os
from pathlib import Path

from PIL import Image

from benchmarks.demo_pictures.browser import renderer
from benchmarks.demo_pictures.sources import drawings, looks
from config.demo.content import CONTENT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")  # where the fonts of share cards are


def write(path: Path, image: Image.Image, *, quality: int | None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    how = {"lossless": True} if quality is None else {"quality": quality}
    image.convert("RGB").save(path, method=6, **how)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--into", type=Path, default=CONTENT / "pictures")
    given = parser.parse_args()

    def is_wanted(path: str) -> bool:
        return not given.names or path in given.names or path.partition("/")[2] in given.names

    for path, png in looks().items():
        if is_wanted(path):
            write(given.into / f"{path}.webp", Image.open(io.BytesIO(png())), quality=None)
    wanted = {path: svg for path, svg in drawings().items() if is_wanted(path)}
    if wanted:
        with renderer() as rendered:
            for path, svg in wanted.items():
                lossy = 80 if path.startswith("screens/") else None
                write(given.into / f"{path}.webp", rendered(svg), quality=lossy)


if __name__ == "__main__":
    main()
