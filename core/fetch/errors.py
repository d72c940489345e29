"""What can go wrong between us and a stranger's address."""

from typing import TYPE_CHECKING

from core.api.errors import ApiError

if TYPE_CHECKING:
    from core.fetch.answer import Fetched


class InvalidUrlError(ApiError, code="invalid_url", title="Not a website address"):
    """Not an http or https address that we would ever open."""


class UrlNotPublicError(ApiError, code="url_not_public", title="Not a public address"):
    """An address that cannot be on the public internet, known without asking the DNS."""


class FetchError(Exception):
    """A fetch that gave nothing to use. `code` is stable; `detail` is a sentence for a person.

    Codes: invalid_url, address_not_public, dns_failed, connect_failed, tls_failed, timeout, too_large,
    too_many_redirects, redirect_refused, bad_response, content_type_refused, busy. `partial` holds what had
    arrived when the code is too_large.
    """

    def __init__(self, code: str, detail: str, *, partial: "Fetched | None" = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.partial = partial
