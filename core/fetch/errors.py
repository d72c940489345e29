"""What comes of asking a stranger's address: its answer, or what went wrong."""

from dataclasses import dataclass
from datetime import datetime

from core.api.errors import ApiError


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """The answer of a server, read to its end: `url` is the last address asked, `hops` those that redirected to it."""

    url: str
    status: int
    headers: dict[str, str]
    content_type: str
    charset: str
    body: bytes
    hops: tuple[str, ...]
    fetched_at: datetime
    seconds: float


class InvalidUrlError(ApiError, code="invalid_url", title="Not a website address"):
    """Not an http or https address that we would ever open."""


class UrlNotPublicError(ApiError, code="url_not_public", title="Not a public address"):
    """An address that cannot be on the public internet, known without asking the DNS."""


class FetchError(Exception):
    """A fetch that gave nothing to use. `code` is stable; `detail` is a sentence for a person.

    Codes: invalid_url, address_not_public, dns_failed, connect_failed, tls_failed, timeout, too_large,
    too_many_redirects, redirect_refused, bad_response, content_type_refused, busy. `partial` holds what had
    arrived when the code is too_large, and the head of the answer when it is content_type_refused.
    """

    def __init__(self, code: str, detail: str, *, partial: "Fetched | None" = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.partial = partial
