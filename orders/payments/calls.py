"""One call to a provider's server, with an end to it and nothing of it in the logs."""

from collections.abc import Mapping
from typing import Any

import httpx2

from core.bulkhead import Bulkhead, ServiceAwayError
from core.timed import timed_client
from orders.payments.base import TIMEOUT_SECONDS, GatewayRefusedError, GatewayUnclearError

UNCLEAR = frozenset({408, 409, 425, 429})


class Server:
    """A provider's server, named by the operator. Proxy variables are ignored, redirects are not followed."""

    def __init__(self, base: str, *, bulkhead: Bulkhead) -> None:
        self._base = base.rstrip("/")
        self._bulkhead = bulkhead

    def call(self, method: str, path: str, *, headers: Mapping[str, str], **options: Any) -> Any:
        """The JSON of a successful answer. Raises GatewayUnclearError or GatewayRefusedError with the status alone."""
        answer = self._answer(method, path, headers=dict(headers), **options)
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

    def _answer(self, method: str, path: str, **options: Any) -> httpx2.Response:
        try:
            with self._bulkhead.place():
                seconds = self._bulkhead.seconds_left(in_job=TIMEOUT_SECONDS)
                with timed_client(seconds) as client:
                    return client.request(method, f"{self._base}{path}", **options)
        except (httpx2.HTTPError, ServiceAwayError) as error:
            raise GatewayUnclearError(f"{method}: {type(error).__name__}") from error
