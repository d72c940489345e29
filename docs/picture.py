"""Takes the README's picture of the home page: `python -m docs.picture CHROMIUM ADDRESS`, with `make up` running."""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "home.png"
SIZE = {"width": 1280, "height": 860}
COLOURS = 256  # which keeps it well under 200 KB


def main(chromium: str, address: str) -> None:
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
        page.goto(address)
        taken = page.screenshot()
        browser.close()
    Image.open(io.BytesIO(taken)).convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
