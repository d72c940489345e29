"""Which website a caller means by a domain, however it is written."""

from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from core.fetch import split_url


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def registrable(domain: str) -> str:
    """The registrable domain (https://publicsuffix.org) of a host or address, or the host itself."""
    text = domain.strip().lower()
    if _is_splittable(text):
        text = split_url(text if "//" in text else f"//{text}").hostname or text
    host = text.strip(".").removeprefix("www.")
    return _suffixes().privatesuffix(host) or host


def _is_splittable(text: str) -> bool:
    return "[" not in text and "]" not in text and "@" not in text
