"""One call to a provider's server, with an end to it and nothing of it in the logs."""

from collections.abc import Mapping
from typing import Any

import httpx2

from orders.payments.port import TIMEOUT_SECONDS, GatewayRefusedError, GatewayUnclearError

UNCLEAR = frozenset({408, 409, 425, 429})


class Server:
    """A provider's server, named by the operator. Proxy variables are ignored, redirects are not followed."""

    def __init__(self, base: str) -> None:
        self._base = base.rstrip("/")

    def call(self, method: str, path: str, *, headers: Mapping[str, str], **options: Any) -> Any:
        """The JSON of a successful answer. Raises GatewayUnclearError or GatewayRefusedError with the status alone."""
        try:
            answer = httpx2.request(
                method,
                f"{self._base}{path}",
                headers=dict(headers),
                timeout=TIMEOUT_SECONDS,
                trust_env=False,
                **options,
            )
        except httpx2.HTTPError as error:
            raise GatewayUnclearError(f"{method}: {type(error).__name__}") from error
        if answer.status_code >= 500 or answer.status_code in UNCLEAR:
            raise GatewayUnclearError(f"{method}: status {answer.status_code}")
        if not answer.is_success:
            raise GatewayRefusedError(f"{method}: status {answer.status_code}")
        if not answer.content:
            return {}
        try:
            return answer.json()
        except ValueError as error:
            raise GatewayUnclearError(f"{method}: no JSON") from error
