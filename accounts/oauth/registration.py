"""Clients that register themselves (RFC 7591) and manage what they registered (RFC 7592)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.models import get_access_token_model, get_application_model, set_token_value

from accounts import limits
from accounts.models import ClientRegistration, key_digest
from accounts.oauth.client_metadata import GRANT_TYPES, ClientMetadata, MetadataError
from core.api.links import absolute

SCOPE = "oauth2_provider:registration"


class RegistrationTokenError(Exception):
    """No registration access token, or not the one of this client."""


@dataclass(frozen=True, kw_only=True)
class Registered:
    """A client with what is told only now: its secret, if it has one, and its registration access token."""

    application: Any
    auth_method: str
    token: str
    secret: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The client information response of RFC 7591 section 3.2.1."""
        answer: dict[str, Any] = {
            "client_id": self.application.client_id,
            "client_id_issued_at": int(self.application.created.timestamp()),
            "client_name": self.application.name,
            "redirect_uris": self.application.redirect_uris.split(),
            "grant_types": list(GRANT_TYPES),
            "response_types": ["code"],
            "token_endpoint_auth_method": self.auth_method,
            "registration_access_token": self.token,
            "registration_client_uri": absolute(f"/oauth/register/{self.application.client_id}"),
        }
        if self.secret:
            answer |= {"client_secret": self.secret, "client_secret_expires_at": 0}
        return answer


@transaction.atomic
def register(metadata: ClientMetadata, *, at: datetime) -> Registered:
    """Make a client of anybody who asks. It can do nothing until a person allows it."""
    model = get_application_model()
    secret = "" if metadata.is_public else generate_client_secret()
    application = model.objects.create(
        name=metadata.name,
        redirect_uris=" ".join(metadata.redirect_uris),
        client_type=model.CLIENT_PUBLIC if metadata.is_public else model.CLIENT_CONFIDENTIAL,
        client_secret=secret,
        hash_client_secret=bool(secret),
        authorization_grant_type=model.GRANT_AUTHORIZATION_CODE,
        registration_source=model.RegistrationSource.DCR,
    )
    ClientRegistration.objects.create(application=application, auth_method=metadata.auth_method)
    return Registered(
        application=application,
        auth_method=metadata.auth_method,
        token=_fresh_token(application, at=at),
        secret=secret,
    )


def read(*, client_id: str, token: str, at: datetime) -> Registered:
    application = _authorized(client_id=client_id, token=token, at=at)
    return Registered(application=application, auth_method=_auth_method(application), token=token)


@transaction.atomic
def replace(metadata: ClientMetadata, *, client_id: str, token: str, at: datetime) -> Registered:
    """Replace a client's name and redirect addresses, and its registration access token."""
    application = _authorized(client_id=client_id, token=token, at=at)
    if metadata.is_public != (application.client_type == application.CLIENT_PUBLIC):
        raise MetadataError("A client cannot turn public or confidential; register another one.")
    application.name = metadata.name
    application.redirect_uris = " ".join(metadata.redirect_uris)
    application.save(update_fields=["name", "redirect_uris", "updated"])
    ClientRegistration.objects.update_or_create(
        application=application, defaults={"auth_method": metadata.auth_method}
    )
    get_access_token_model().objects.filter(application=application, scope=SCOPE).delete()
    return Registered(
        application=application, auth_method=metadata.auth_method, token=_fresh_token(application, at=at)
    )


@transaction.atomic
def remove(*, client_id: str, token: str, at: datetime) -> None:
    """Delete a client, and with it every token it has."""
    _authorized(client_id=client_id, token=token, at=at).delete()


def _fresh_token(application: Any, *, at: datetime) -> str:
    token = generate_client_secret()
    tokens = get_access_token_model()
    row = tokens(
        application=application, scope=SCOPE, expires=at + timedelta(days=limits.REGISTRATION_TOKEN_DAYS)
    )
    set_token_value(row, token)
    tokens.objects.bulk_create([row])
    return token


def _authorized(*, client_id: str, token: str, at: datetime) -> Any:
    if "\x00" in client_id:  # which PostgreSQL cannot even look for
        raise RegistrationTokenError
    row = (
        get_access_token_model()
        .objects.select_related("application")
        .filter(
            token_checksum=key_digest(token), scope=SCOPE, expires__gt=at, application__client_id=client_id
        )
        .first()
    )
    if row is None:
        raise RegistrationTokenError
    return row.application


def _auth_method(application: Any) -> str:
    row = ClientRegistration.objects.filter(application=application).first()
    if row is not None:
        return row.auth_method
    return "none" if application.client_type == application.CLIENT_PUBLIC else "client_secret_basic"
