"""Clients known by a document they publish: its address is the client id, its host proves who they are."""

import re
from typing import Any

from django.utils import timezone
from oauth2_provider.cimd import CIMDError
from oauth2_provider.models import get_application_model

from accounts import limits
from accounts.oauth import client_metadata
from core.api.bodies import parse
from core.api.errors import ApiError
from core.fetch import Fetched, Fetcher, FetchError, split_url

JSON_TYPE = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json\Z")
MAX_AGE = re.compile(r"(?:^|,)\s*max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
LEAST_SECONDS, MOST_SECONDS = 300, 86_400


def is_document(client_id: str) -> bool:
    return client_id[:8].lower() == "https://" and client_id.isprintable()


def needs_fetch(client_id: str) -> bool:
    fresh = get_application_model().objects.filter(client_id=client_id, cimd_expires_at__gt=timezone.now())
    return is_document(client_id) and not fresh.exists()


class DocumentFetcher:
    """Fetches a client's document through the guarded door; the toolkit keeps what it returns."""

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """The metadata, and for how many seconds it may be kept. Raises CIMDError."""
        check_address(client_id)
        try:
            with Fetcher() as fetcher:
                result = fetcher.get(
                    client_id,
                    accept=("application/json", "application/*"),
                    max_bytes=limits.CLIENT_DOCUMENT_BYTES,
                    timeout=limits.CLIENT_DOCUMENT_SECONDS,
                    max_redirects=0,
                )
        except FetchError as error:
            raise CIMDError(f"{error.code}: {error.detail}") from error
        return metadata(result, client_id=client_id), seconds_fresh(result)


def check_address(client_id: str) -> None:
    """Refuse addresses the draft forbids: another scheme, no path, user name, fragment, dot segments."""
    parts = split_url(client_id)
    if parts.scheme != "https" or not parts.hostname or parts.path in {"", "/"}:
        raise CIMDError("a client id must be an https address with a path")
    if "@" in parts.netloc or "#" in client_id or {".", ".."} & set(parts.path.split("/")):
        raise CIMDError("a client id must have no user name, fragment or dot segment")


def metadata(response: Fetched, *, client_id: str) -> dict[str, Any]:
    if response.status != 200 or not JSON_TYPE.match(response.content_type):
        raise CIMDError(f"the document is {response.status} of type {response.content_type!r}, not JSON")
    try:
        data = parse(response.body, max_bytes=limits.CLIENT_DOCUMENT_BYTES)
        existing = client_metadata.read(_as_public(data))
    except ApiError as error:
        raise CIMDError(error.detail) from error
    except client_metadata.MetadataError as error:
        raise CIMDError(error.detail) from error
    if data.get("client_id") != client_id or not existing.name:
        raise CIMDError("the document must hold its own address as client_id, and a client_name")
    return {
        "client_id": client_id,
        "client_name": existing.name,
        "redirect_uris": list(existing.redirect_uris),
        "grant_types": ["authorization_code"],
        "token_endpoint_auth_method": "none",
    }


def _as_public(data: Any) -> Any:
    """A published document keeps no secret, so its client is public; any other we cannot serve."""
    if not isinstance(data, dict):
        return data
    method = data.get("token_endpoint_auth_method", "none")
    if method != "none" or {"client_secret", "client_secret_expires_at"} & data.keys():
        raise CIMDError("a client known by its document must be public here")
    return {**data, "token_endpoint_auth_method": method}


def seconds_fresh(result: Fetched) -> int:
    """How long a good document is believed, by its Cache-Control within bounds."""
    control = result.headers.get("cache-control", "")
    if "no-store" in control.lower() or "no-cache" in control.lower():
        return LEAST_SECONDS
    stated = MAX_AGE.search(control)
    return max(LEAST_SECONDS, min(MOST_SECONDS, int(stated[1]))) if stated else MOST_SECONDS
