"""Renders drawings, which are SVG, in a Chromium of the machine and with the font of the site."""

import base64
import io
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as ET

from PIL import Image
from playwright.sync_api import Page, sync_playwright

FONT = Path(__file__).parents[2] / "config" / "static" / "fonts" / "geist-latin.woff2"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
GEIST = base64.b64encode(FONT.read_bytes()).decode()
STYLE = (
    f"<style>@font-face {{ font-family: Geist; font-weight: 100 900; src: url(data:font/woff2;base64,{GEIST}) }}"
    "* { margin: 0 } svg { display: block; width: 100vw; height: auto }</style>"
)


@contextmanager
def renderer() -> Iterator[Callable[[Path], Image.Image]]:
    """A browser for as long as drawings are rendered."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        yield lambda path: rendered(page, path.read_text(encoding="utf-8"))
        browser.close()


def rendered(page: Page, svg: str) -> Image.Image:
    """Drawn as large as its view box says, then made as small as its width and height say."""
    root = ET.fromstring(svg)
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(f"<!doctype html><meta charset=utf-8>{STYLE}{svg}")
    page.evaluate("document.fonts.ready.then(() => true)")
    size = (int(root.attrib["width"]), int(root.attrib["height"]))
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return shot.resize(size, Image.Resampling.LANCZOS)
