"""What a client may say of itself (RFC 7591), as it registers or in a document that it publishes."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from oauth2_provider.cimd import CIMDError
from oauth2_provider.models import get_application_model

from accounts import limits
from accounts.oauth import addresses
from accounts.site_names import site_names
from core.api.bodies import parse
from core.api.errors import ApiError
from core.fetch import Fetched, Fetcher, FetchError, split_url
from core.normal_forms import normalize

SEAL = re.compile(r"\b(?:verif(?:ied|y|ication)|officially|certified|authenticated)\b", re.IGNORECASE)
CHECK_MARKS = {"\N{SQUARE ROOT}", "\N{VARIATION SELECTOR-15}", "\N{VARIATION SELECTOR-16}"}
AUTH_METHODS = ("none", "client_secret_basic", "client_secret_post")
GRANT_TYPES = ("authorization_code", "refresh_token")
JSON_TYPE = re.compile(r"application/(?:[a-z0-9.+-]+\+)?json\Z")
MAX_AGE = re.compile(r"(?:^|,)\s*max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
LEAST_SECONDS, MOST_SECONDS = 300, 86_400


class MetadataError(Exception):
    """Client metadata that we do not take. `code` is one of RFC 7591 section 3.2.2."""

    def __init__(self, detail: str, *, code: str = "invalid_client_metadata") -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code


@dataclass(frozen=True, kw_only=True)
class ClientMetadata:
    name: str
    redirect_uris: tuple[str, ...]
    auth_method: str

    @property
    def is_public(self) -> bool:
        return self.auth_method == "none"


def read(data: Any) -> ClientMetadata:
    """The metadata, checked. Raises MetadataError.

    Grant types we do not offer are left out, as RFC 7591 allows: some clients list all they could ever use.
    """
    if not isinstance(data, Mapping):
        raise MetadataError("Client metadata must be a JSON object.")
    if "authorization_code" not in _strings(data, "grant_types", default=["authorization_code"]):
        raise MetadataError("grant_types must hold authorization_code; we offer no grant without a person.")
    if "code" not in _strings(data, "response_types", default=["code"]):
        raise MetadataError("response_types must hold code.")
    auth_method = data.get("token_endpoint_auth_method", "client_secret_basic")
    if auth_method not in AUTH_METHODS:
        raise MetadataError(f"token_endpoint_auth_method must be one of {', '.join(AUTH_METHODS)}.")
    return ClientMetadata(name=_name(data), redirect_uris=_redirect_uris(data), auth_method=auth_method)


def _strings(data: Mapping[str, Any], name: str, *, default: list[str]) -> list[str]:
    values = data.get(name, default)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise MetadataError(f"{name} must be an array of strings.")
    return values


def _name(data: Mapping[str, Any]) -> str:
    """The name as people will read it: letters as they are meant, without signs that look like a seal of ours."""
    name = data.get("client_name", "")
    if not isinstance(name, str):
        raise MetadataError("client_name must be a string.")
    if any(unicodedata.category(character)[0] == "C" for character in name):
        raise MetadataError("client_name must not hold control or formatting characters.")
    name = normalize("NFKC", name)
    name = " ".join("".join(" " if _is_sign(character) else character for character in name).split())
    if len(name) > limits.CLIENT_NAME:
        raise MetadataError(f"client_name has at most {limits.CLIENT_NAME} characters.")
    if SEAL.search(name):
        raise MetadataError(
            "client_name must not say that the client is verified; the consent page says what is."
        )
    if _letters(name) in {_letters(site) for site in site_names()} - {""}:
        raise MetadataError("client_name must not be the name of this site.")
    return name


def _letters(name: str) -> str:
    """What is read of a name at a glance: its letters and digits, without accents and case."""
    plain = normalize("NFKD", name).casefold()
    return "".join(character for character in plain if character.isalnum())


def _is_sign(character: str) -> bool:
    return character in CHECK_MARKS or unicodedata.category(character) in {"So", "Me"}


def _redirect_uris(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The addresses that we can serve: some clients list one for every platform. Refused only if none is left."""
    uris = _strings(data, "redirect_uris", default=[])
    if not 1 <= len(uris) <= limits.REDIRECT_URIS:
        raise MetadataError(
            f"redirect_uris must hold 1 to {limits.REDIRECT_URIS} addresses.", code="invalid_redirect_uri"
        )
    fit, refusal = [], ""
    for uri in dict.fromkeys(uris):
        try:
            fit.append(addresses.check(uri))
        except addresses.RedirectRefusedError as error:
            refusal = str(error)
    if not fit:
        raise MetadataError(refusal, code="invalid_redirect_uri")
    return tuple(fit)


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
        existing = read(_as_public(data))
    except ApiError as error:
        raise CIMDError(error.detail) from error
    except MetadataError as error:
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
