"""Certificates that a test signs itself."""

import ssl
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Keys:
    """The two ends of one trust: a server that has the certificate and a client that trusts only it."""

    server: ssl.SSLContext
    client: ssl.SSLContext


def self_signed(host: str) -> Keys:
    """A certificate for this host, valid for an hour."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public = certificate.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "both.pem"
        path.write_bytes(private + public)
        server.load_cert_chain(path)
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(cadata=public.decode("ascii"))
    return Keys(server=server, client=client)


@dataclass(frozen=True)
class Key:
    """A key that signs, with its certificate and the path where that is to be had."""

    private: rsa.RSAPrivateKey
    pem: str
    path: str

    def sign(self, message: bytes) -> bytes:
        """SHA256withRSA."""
        return self.private.sign(message, padding.PKCS1v15(), hashes.SHA256())


def signing_key(owner: str, *, name: str = "CERT-360caa42", days: int = 365) -> Key:
    """A certificate of this owner, issued by another that comes along; with negative days it is over."""
    issuer, private = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
    now = datetime.now(UTC)

    def certificate(subject: str, key: rsa.RSAPrivateKey) -> bytes:
        return (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An issuer")]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=3650))
            .not_valid_after(now + timedelta(days=days))
            .sign(issuer, hashes.SHA256())
            .public_bytes(serialization.Encoding.PEM)
        )

    pem = certificate(owner, private) + certificate("An issuer", issuer)
    return Key(private=private, pem=pem.decode(), path=f"/v1/notifications/certs/{name}")
