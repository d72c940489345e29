"""Secrets and signatures of endpoints. A secret is made of the site's own key and a nonce: no table holds it."""

import base64
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook

from core.models import Endpoint

SALT = "core.events.endpoint"
GRACE = timedelta(hours=24)  # so long a secret signs on after its successor was made
NONCE_BYTES, SECRET_BYTES = 16, 24


def new_nonce() -> bytes:
    return secrets.token_bytes(NONCE_BYTES)


def secret_of(nonce: bytes, *, key: str | None = None) -> str:
    """`whsec_…` of a nonce, by the site's key or one that it had before."""
    digest = salted_hmac(SALT, nonce.hex(), secret=key or settings.SECRET_KEY, algorithm="sha256").digest()
    return f"whsec_{base64.b64encode(digest[:SECRET_BYTES]).decode()}"


def headers(endpoint: Endpoint, *, message: str, body: str, at: datetime) -> dict[str, str]:
    """What goes with a message: its id, the moment of this try, and a signature by every secret that holds now."""
    nonces = [bytes(endpoint.nonce)]
    if endpoint.former_nonce is not None and endpoint.former_until is not None and endpoint.former_until > at:
        nonces.append(bytes(endpoint.former_nonce))
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    signatures = [
        Webhook(secret_of(nonce, key=key)).sign(msg_id=message, timestamp=at, data=body)
        for nonce in nonces
        for key in keys
    ]
    return {
        "Content-Type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
