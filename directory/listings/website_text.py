"""What a listing's website says, as it was read last, and may mean: stored by the area that reads websites."""

from collections.abc import Callable
from typing import Any

from core.parts import Several

Pages = list[tuple[str, str]]  # address and text
Suggestions = dict[str, list[dict[str, Any]]]  # by fact: value, evidence, confidence
reads_websites = Several[Callable[[int], Pages]]()
suggests = Several[Callable[[int], Suggestions]]()
shows_photos = Several[Callable[[int], dict[str, Any]]]()


def website_text(listing_id: int) -> Pages:
    """Addresses and texts of the pages that were read; none when the website was never read here."""
    return [page for read in reads_websites for page in read(listing_id)]


def suggestions_for(listing_id: int) -> Suggestions:
    """Values that the website may mean, by the name of the fact, the likeliest first."""
    return {name: others for read in suggests for name, others in read(listing_id).items()}


def photos_for(listing_id: int) -> dict[str, Any]:
    """Photos that the website shows of its founders, by their names, as their owner may take them or has."""
    return {name: photo for show in shows_photos for name, photo in show(listing_id).items()}
