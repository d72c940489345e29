"""What others show of a page that somebody shares: its card image, its tags, its structured data."""

from directory.sharing.pictures import Picture, Row
from directory.sharing.tags import (
    Share,
    crumbs,
    day,
    image_response,
    shortened,
    stated,
    stored_logo,
    web_addresses,
)

__all__ = [
    "Picture",
    "Row",
    "Share",
    "crumbs",
    "day",
    "image_response",
    "shortened",
    "stated",
    "stored_logo",
    "web_addresses",
]
