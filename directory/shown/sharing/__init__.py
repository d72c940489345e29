"""What others show of a page that somebody shares: its card image, its tags, its structured data."""

from directory.shown.sharing.tags import (
    Picture,
    Row,
    Share,
    crumbs,
    day,
    image_response,
    shortened,
    stated,
    stored,
    stored_logo,
    web_addresses,
)
