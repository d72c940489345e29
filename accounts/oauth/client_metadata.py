"""What a client may say of itself (RFC 7591), whether it registers or publishes a document."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accounts import limits
from accounts.oauth import addresses
from accounts.site_names import site_names
from core.normal_forms import normalize

SEAL = re.compile(r"\b(?:verif(?:ied|y|ication)|officially|certified|authenticated)\b", re.IGNORECASE)
CHECK_MARKS = {"\N{SQUARE ROOT}", "\N{VARIATION SELECTOR-15}", "\N{VARIATION SELECTOR-16}"}
AUTH_METHODS = ("none", "client_secret_basic", "client_secret_post")
GRANT_TYPES = ("authorization_code", "refresh_token")


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
