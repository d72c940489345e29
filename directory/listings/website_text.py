"""What a listing's website says, as it was read last: kept by the area that reads websites."""

from collections.abc import Callable

Pages = list[tuple[str, str]]  # address and text
READERS: list[Callable[[int], Pages]] = []


def reads_websites(read: Callable[[int], Pages]) -> Callable[[int], Pages]:
    READERS.append(read)
    return read


def website_text(listing_id: int) -> Pages:
    """Addresses and texts of the pages that were read; none when the website was never read here."""
    return [page for read in READERS for page in read(listing_id)]
