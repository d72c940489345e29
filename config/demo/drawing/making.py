"""What processes of their own make: no models, so that these start quickly."""

from collections.abc import Mapping
from typing import Any

from config.demo.drawing.canvas import Palette
from config.demo.drawing.faces import face
from config.demo.drawing.kinds import screen
from config.demo.drawing.marks import mark
from directory.images.pictures import Made, gallery_of, logo_of, photo_of

Look = Mapping[str, Any]


def logo(look: Look) -> Made:
    return logo_of(mark(look["mark"], Palette(*look["colours"])))


def shot(look: Look, number: int) -> Made:
    """One of the screens of a product, in the sizes and formats of pages."""
    words = look["screens"][number]
    return gallery_of(screen(words["kind"], Palette(*look["colours"]), words, seed=words["alt"]))


def photo(name: str) -> Made:
    return photo_of(face(name).png())
