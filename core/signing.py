"""What the site signs for anybody to check: Ed25519, its public keys at `/.well-known/jwks.json`."""

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from core.models import SigningKey

if TYPE_CHECKING:
    from jwcrypto.jwk import JWK

ALGORITHM = "EdDSA"
PUBLIC = ("kty", "crv", "x")  # Open Badges wants the key in the header; who checks looks it up by `kid`
logger = logging.getLogger(__name__)


class SignatureError(Exception):
    """The text was not signed by a key of this site, or was changed since."""


def sign(claims: Mapping[str, Any], *, typ: str = "JWT") -> str:
    """The claims as a compact JWS (RFC 7515) by the current key, which its `kid` names."""
    from jwcrypto.jws import JWS  # noqa: PLC0415  (9 MB in each worker, where something is signed)

    kid, private = _current()
    public = private.export_public(as_dict=True)
    header = {"alg": ALGORITHM, "kid": kid, "typ": typ, "jwk": {name: public[name] for name in PUBLIC}}
    signed = JWS(_json(claims))
    signed.add_signature(private, protected=_json(header))
    text: str = signed.serialize(compact=True)
    return text


def checked(text: str) -> dict[str, Any]:
    """The claims of a compact JWS by a key of ours, also a former one. Raises SignatureError."""
    from jwcrypto.common import JWException  # noqa: PLC0415  (as above)
    from jwcrypto.jwk import JWK  # noqa: PLC0415
    from jwcrypto.jws import JWS  # noqa: PLC0415

    signed = JWS()
    try:
        signed.deserialize(text)
        public = SigningKey.objects.values_list("public", flat=True).get(kid=signed.jose_header.get("kid"))
        signed.verify(JWK(**public), alg=ALGORITHM)
        claims: dict[str, Any] = json.loads(signed.payload)
    except (JWException, ValueError, SigningKey.DoesNotExist) as error:
        raise SignatureError("This was not signed by a key of this site, or was changed since.") from error
    return claims


def public_keys() -> list[dict[str, Any]]:
    """All keys ever used as JWKs (RFC 7517, RFC 8037), the current one first."""
    rows = SigningKey.objects.order_by("-is_current", "-retired_at", "kid")
    return list(rows.values_list("public", flat=True))


@transaction.atomic
def rotate(*, at: datetime) -> str:
    """Sign with a new key from now on; what former ones signed stays valid. Returns the new key's id."""
    for key in SigningKey.objects.select_for_update().filter(is_current=True):
        key.is_current, key.private, key.retired_at = False, b"", at
        key.save(update_fields=["is_current", "private", "retired_at"])
    return _create().kid


def _current() -> tuple[str, "JWK"]:
    key = SigningKey.objects.filter(is_current=True).first()
    private = _opened(bytes(key.private)) if key else None
    if key is None or private is None:
        if key:
            logger.warning("neither SECRET_KEY nor a fallback opens the signing key: a new one is taken")
        with suppress(IntegrityError):  # another process was first
            rotate(at=timezone.now())
        return _current()
    return key.kid, private


def _create() -> SigningKey:
    from jwcrypto.jwk import JWK  # noqa: PLC0415  (as above)

    fresh = JWK.generate(kty="OKP", crv="Ed25519")
    public = {**fresh.export_public(as_dict=True), "kid": fresh.thumbprint(), "use": "sig", "alg": ALGORITHM}
    private = fresh.export_to_pem(private_key=True, password=settings.SECRET_KEY.encode())
    return SigningKey.objects.create(kid=public["kid"], public=public, private=private)


@lru_cache(maxsize=4)
def _opened(private: bytes) -> "JWK | None":
    from jwcrypto.jwk import JWK  # noqa: PLC0415  (as above)

    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            return JWK.from_pem(private, password=secret.encode())
        except ValueError:
            continue
    return None


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
