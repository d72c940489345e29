"""What a listing's website says, as it was read last, and may mean: stored by the area that reads websites."""

from collections.abc import Callable
from typing import Any

Pages = list[tuple[str, str]]  # address and text
READERS: list[Callable[[int], Pages]] = []
Suggestions = dict[str, list[dict[str, Any]]]  # by fact: value, evidence, confidence
SUGGESTERS: list[Callable[[int], Suggestions]] = []


def reads_websites(read: Callable[[int], Pages]) -> Callable[[int], Pages]:
    READERS.append(read)
    return read


def website_text(listing_id: int) -> Pages:
    """Addresses and texts of the pages that were read; none when the website was never read here."""
    return [page for read in READERS for page in read(listing_id)]


def suggests(read: Callable[[int], Suggestions]) -> Callable[[int], Suggestions]:
    """Register who knows what a website may mean, by listing."""
    SUGGESTERS.append(read)
    return read


def suggestions_for(listing_id: int) -> Suggestions:
    """Values that the website may mean, by the name of the fact, the likeliest first."""
    return {name: others for read in SUGGESTERS for name, others in read(listing_id).items()}
