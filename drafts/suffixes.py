"""The public suffix list (https://publicsuffix.org), read once and only where it is asked."""

from functools import lru_cache

from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def registered(host: str) -> str:
    """The registrable domain of a host, or the host itself where there is none."""
    return _suffixes().privatesuffix(host) or host
