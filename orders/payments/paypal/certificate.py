"""PayPal's certificate: whose it is, whether it is valid, and what it signed. Loaded when a notification arrives."""

from datetime import datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.oid import NameOID

from orders.payments.base import BadNotificationError

OWNER = ".paypal.com"


def verify(pem: bytes, *, signature: bytes, message: bytes, at: datetime) -> datetime:
    """Until when the certificate is valid.

    Raises BadNotificationError unless it is PayPal's, valid now, and its key signed the message.
    """
    key, ends_at = _key(pem, at=at)
    try:
        key.verify(signature, message, PKCS1v15(), SHA256())
    except InvalidSignature as error:
        raise BadNotificationError("PayPal did not sign this.") from error
    return ends_at


def _key(pem: bytes, *, at: datetime) -> tuple[RSAPublicKey, datetime]:
    try:
        certificate, *issuers = x509.load_pem_x509_certificates(pem)
        _check_chain(certificate, issuers)
    except (ValueError, TypeError, InvalidSignature) as error:
        raise BadNotificationError("The certificate cannot be read.") from error
    if not certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc:
        raise BadNotificationError("The certificate is not valid now.")
    if not _is_of_paypal(certificate):
        raise BadNotificationError("The certificate is somebody else's.")
    key = certificate.public_key()
    if not isinstance(key, RSAPublicKey):
        raise BadNotificationError("The certificate is of another kind.")
    return key, certificate.not_valid_after_utc


def _check_chain(certificate: x509.Certificate, issuers: list[x509.Certificate]) -> None:
    """Each is issued by the next, as far as PayPal sends them along; that they are PayPal's, TLS has proved."""
    for issued, issuer in zip([certificate, *issuers], issuers, strict=False):
        issued.verify_directly_issued_by(issuer)


def _is_of_paypal(certificate: x509.Certificate) -> bool:
    names = [str(name.value) for name in certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
    return bool(names) and all(name.lower().endswith(OWNER) for name in names)
