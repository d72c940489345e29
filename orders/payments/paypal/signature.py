"""Whether PayPal signed a notification, found out here with PayPal's certificate and without asking PayPal.

PayPal signs the transmission's id, its time, the id of the webhook and the body's checksum. Where its certificate is,
a header says that anybody could have written: only PayPal's own addresses for certificates are opened, few in an hour.
"""

import base64
import binascii
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.utils.module_loading import import_string

from core.api import throttling
from core.fetch import Fetcher, FetchError
from core.outages import Bulkhead
from orders.payments.base import BadNotificationError, GatewayUnclearError

ADDRESS = re.compile(
    r"https://api(?:-m)?(?P<test>\.sandbox)?\.paypal\.com/v1/notifications/certs/[A-Za-z0-9_-]{1,100}"
)
ALGORITHM = "SHA256withRSA"
LARGEST, SECONDS = 64 * 1024, 5.0
UNPROVED_SECONDS = 600  # for which a certificate is kept that has signed nothing yet
GONE = frozenset({400, 403, 404, 410})


@dataclass(frozen=True, kw_only=True)
class Signature:
    algorithm: str
    address: str
    transmission: str
    sent: str
    signature: str


def read(headers: Mapping[str, str]) -> Signature:
    """The signature. Raises BadNotificationError where a part of it is missing or can be none."""
    stated = Signature(
        algorithm=headers.get("Paypal-Auth-Algo", ""),
        address=headers.get("Paypal-Cert-Url", ""),
        transmission=headers.get("Paypal-Transmission-Id", ""),
        sent=headers.get("Paypal-Transmission-Time", ""),
        signature=headers.get("Paypal-Transmission-Sig", ""),
    )
    if not (stated.transmission and stated.sent and stated.signature):
        raise BadNotificationError("The signature is missing.")
    if stated.algorithm != ALGORITHM:
        raise BadNotificationError("The signature is of another kind.")
    return stated


def verify(
    stated: Signature, *, body: bytes, webhook_id: str, is_live: bool, at: datetime, bulkhead: Bulkhead
) -> None:
    """Raise BadNotificationError for what PayPal did not sign, GatewayUnclearError if that cannot be told now."""
    address = ADDRESS.fullmatch(stated.address)
    if address is None or bool(address["test"]) == is_live:
        raise BadNotificationError("The certificate is at no address of PayPal's.")
    try:
        signature = base64.b64decode(stated.signature, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNotificationError("The signature cannot be read.") from error
    message = f"{stated.transmission}|{stated.sent}|{webhook_id}|{zlib.crc32(body)}"
    key = f"paypal-certificate:{stated.address}"
    pem = _pem(key, address=stated.address, bulkhead=bulkhead)
    verify = import_string("orders.payments.paypal.certificate.verify")  # 9 MB a worker, with cryptography
    ends_at: datetime = verify(pem, signature=signature, message=message.encode(), at=at)
    # to its end: who spends the hour's fetches on forgeries must not shut PayPal out once a day is over
    cache.set(key, pem, (ends_at - at).total_seconds())


def _pem(key: str, *, address: str, bulkhead: Bulkhead) -> bytes:
    """The certificate with its issuers, as kept or fetched; nothing where there is none."""
    pem: bytes | None = cache.get(key)
    if pem is None:
        pem = _fetched(address, bulkhead=bulkhead)
        cache.set(key, pem, UNPROVED_SECONDS)
    return pem


def _fetched(address: str, *, bulkhead: Bulkhead) -> bytes:
    """The certificate with those that vouch for it, nothing where there is none."""
    if throttling.count("paypal_certificate", caller="all").is_exceeded:
        raise GatewayUnclearError("too many certificates")
    try:
        with Fetcher(bulkhead=bulkhead) as fetcher:
            answer = fetcher.get(address, max_bytes=LARGEST, timeout=SECONDS, max_redirects=0)
    except FetchError as error:
        raise GatewayUnclearError(f"certificate: {error.code}") from error
    if answer.status in GONE:
        return b""
    if answer.status != 200:
        raise GatewayUnclearError(f"certificate: status {answer.status}")
    return answer.body
