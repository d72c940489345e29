"""What a credential may do, and who holds it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Scope(StrEnum):
    ACCOUNT_READ = "account:read"
    LISTINGS_WRITE = "listings:write"
    ORDERS_WRITE = "orders:write"


@dataclass(frozen=True, kw_only=True)
class Credential:
    """What came with the request, once checked: an API key or an OAuth access token."""

    kind: Literal["api_key", "oauth"]
    id: str
    scopes: frozenset[str]
    name: str = ""
    prefix: str = ""
    client: str = ""
