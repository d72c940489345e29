"""Which product an address belongs to, however it is spelt. Pure."""

from core.fetch import split_url


def host_of(url: str) -> str:
    """The host without `www.`, in lower case."""
    return (split_url(url).hostname or "").lower().rstrip(".").removeprefix("www.")


def product_address(url: str) -> str:
    """What all spellings of one product's address share: host without `www.`, path without trailing slash, no query."""
    return host_of(url) + split_url(url).path.rstrip("/")
