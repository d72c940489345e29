"""The answer of a stranger's server, read to its end."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """One answer. `url` is the last address asked; `hops` are the addresses that redirected to it."""

    url: str
    status: int
    headers: dict[str, str]
    content_type: str
    charset: str
    body: bytes
    hops: tuple[str, ...]
    fetched_at: datetime
    seconds: float
