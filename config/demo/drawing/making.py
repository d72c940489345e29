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


def shot(look: Look, number: int, is_large: bool) -> Made:  # noqa: FBT001  (a job of another process)
    """One of the screens of a product, in the sizes and formats of pages."""
    return gallery_of(screen(Palette(*look["colours"]), look["screens"][number], is_large=is_large))


def photo(name: str) -> Made:
    return photo_of(face(name).png())
