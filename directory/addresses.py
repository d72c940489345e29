"""Which product an address belongs to, however it is spelt. Pure."""

from core.domains import host_of
from core.fetch import split_url


def product_address(url: str) -> str:
    """What all spellings of one product's address share: host without `www.`, path without trailing slash, no query."""
    return host_of(url) + split_url(url).path.rstrip("/")
