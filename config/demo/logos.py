"""Logos for demo products: white shapes on deep grounds, overlapping ones on pale grounds, lines on dark ones."""

from zlib import crc32

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

DEEP = ("#1f4e5f", "#8a3b52", "#2f5d3a", "#4a3f8f", "#a3541f", "#1d3d6b", "#6b2f5c", "#3c4a1e")
PALE = ("#e9f0e4", "#ece8f6", "#f7ebe1", "#e3eef5", "#f5e6ea", "#eef0dc", "#e2f1ee", "#f3eadb")
DARK = ("#1e2430", "#2a211b", "#1c2b26", "#281f33", "#2b1d22", "#1a2733", "#26261a", "#2d2420")
LIGHT = ("#f0b24a", "#f3c7a6", "#a8d5b0", "#c9c2f2", "#f5d08a", "#9cc6ee", "#eab6d6", "#cfdc9a")
SHAPES = (
    (DEEP, '<path d="M22 60V36a26 26 0 0 1 52 0v24h-14V36a12 12 0 0 0-24 0v24z" fill="#fff"/>'
           '<rect x="22" y="67" width="52" height="9" rx="4.5" fill="{light}"/>'),
    (DEEP, '<path d="M20 72V24h20a24 24 0 0 1 0 48z" fill="#fff"/><circle cx="66" cy="34" r="10" fill="{light}"/>'),
    (DEEP, '<path d="M48 16l28 48H20z" fill="#fff"/><rect x="20" y="70" width="56" height="9" fill="{light}"/>'),
    (DEEP, '<circle cx="40" cy="48" r="24" fill="#fff"/><path d="M58 24a24 24 0 0 1 0 48z" fill="{light}"/>'),
    (PALE, '<circle cx="39" cy="42" r="23" fill="{deep}"/>'
           '<path d="M34 36h40v16a24 24 0 0 1-24 24H34z" fill="{light}" fill-opacity=".86"/>'),
    (PALE, '<rect x="20" y="20" width="34" height="56" rx="8" fill="{deep}"/>'
           '<circle cx="58" cy="58" r="20" fill="{light}" fill-opacity=".88"/>'),
    (PALE, '<path d="M18 62a30 30 0 0 1 60 0z" fill="{deep}"/>'
           '<circle cx="48" cy="40" r="17" fill="{light}" fill-opacity=".85"/>'),
    (PALE, '<rect x="20" y="34" width="40" height="40" rx="6" fill="{deep}"/>'
           '<rect x="38" y="20" width="38" height="38" rx="19" fill="{light}" fill-opacity=".85"/>'),
    (DARK, '<g fill="none" stroke="{light}" stroke-width="5" stroke-linecap="round">'
           '<path d="M20 66c10-28 20-28 28-10s18 18 28-10"/>'
           '<path d="M20 50c10-28 20-28 28-10s18 18 28-10" stroke="#fff"/></g>'),
    (DARK, '<g fill="none" stroke="{light}" stroke-width="5" stroke-linejoin="round">'
           '<path d="M48 18 74 33v30L48 78 22 63V33z"/><path d="M22 33l26 15 26-15M48 48v30" stroke="#fff"/></g>'),
    (DARK, '<g fill="none" stroke="{light}" stroke-width="5" stroke-linecap="round"><circle cx="48" cy="48" r="28"/>'
           '<path d="M48 30v18l13 9" stroke="#fff"/></g>'),
    (DARK, '<g fill="none" stroke="#fff" stroke-width="5" stroke-linejoin="round"><path d="M22 30h52v36H22z"/>'
           '<path d="M22 32l26 20 26-20" stroke="{light}"/></g>'),
)  # fmt: skip
LETTERS = 8  # one in so many keeps its letter


def logo_of(slug: str) -> str:
    """The stored name of a demo product's logo; nothing for those that are shown by their letter."""
    number = crc32(f"logo of {slug}".encode())
    if number % LETTERS == 0:
        return ""
    return _name(number // 8 % len(SHAPES), number // 1024 % len(DEEP))


def _name(shape: int, colour: int) -> str:
    return f"logos/demo-{shape}-{colour}.svg"


def store_logos() -> None:
    """Put all of them into the storage, once."""
    for shape, (grounds, drawing) in enumerate(SHAPES):
        for colour, ground in enumerate(grounds):
            drawn = drawing.format(light=LIGHT[colour], deep=DEEP[(colour + 3) % len(DEEP)])
            svg = (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">'
                f'<rect width="96" height="96" fill="{ground}"/>{drawn}</svg>'
            )
            name = _name(shape, colour)
            if not default_storage.exists(name):
                default_storage.save(name, ContentFile(svg.encode()))
