"""From the Authorization header to a person and what the credential allows."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from oauth2_provider.models import get_access_token_model, get_application_model
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts.models import KEY_PREFIX, ApiKey, ConnectedApp, User, is_key, key_digest
from accounts.oauth import audience, registration
from core.api.errors import AccountSuspendedError, InvalidTokenError
from core.api.links import challenge
from core.api.scopes import Credential
from core.outages import if_writable
from core.postgresql.base import columns_of, fetch_row, objects_of

USED_RECORDED_EVERY = timedelta(minutes=1)
AccessToken, Application = get_access_token_model(), get_application_model()
# Each call of a program begins with one of these: through the ORM it was half of what a call cost.
BY_KEY = f"""
SELECT {columns_of(ApiKey, of="key")}, {columns_of(User, of="person")}
FROM accounts_apikey AS key JOIN accounts_user AS person ON person.id = key.user_id
WHERE key.digest = %(digest)s::text
"""  # noqa: S608 constants
BY_TOKEN = f"""
SELECT {columns_of(AccessToken, of="token")}, {columns_of(User, of="person")}, {columns_of(Application, of="app")}
FROM oauth2_provider_accesstoken AS token
JOIN accounts_user AS person ON person.id = token.user_id
LEFT JOIN oauth2_provider_application AS app ON app.id = token.application_id
WHERE token.token_checksum = %(digest)s::text
"""  # noqa: S608 constants


def refuse(reason: str, *, resource: str) -> InvalidTokenError:
    """A 401 with the challenge of RFC 6750."""
    return InvalidTokenError(
        reason,
        headers={
            "WWW-Authenticate": challenge(
                resource=resource, error="invalid_token", error_description=reason.rstrip(".")
            )
        },
    )


def authenticate(header: str, *, resource: str = "api/v1") -> tuple[User, Credential] | None:
    """The person and credential of an Authorization header; None when there is none.

    `resource` is the protected resource that is asked for: `api/v1` or `mcp`. A wrong credential is never
    silently anonymous: raises InvalidTokenError (401) or AccountSuspendedError (403).
    """
    if not header:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or " " in token:
        raise refuse("The Authorization header must be Bearer and one token.", resource=resource)
    if token.startswith(KEY_PREFIX):
        user, credential = _by_api_key(token, resource=resource)
    else:
        user, credential = _by_access_token(token, resource=resource)
    if user.is_suspended:
        raise AccountSuspendedError(
            "Staff have suspended this account. Write to them to ask why.",
            headers={"WWW-Authenticate": challenge(resource=resource, error="access_denied")},
        )
    return user, credential


def _by_api_key(token: str, *, resource: str) -> tuple[User, Credential]:
    row = fetch_row(BY_KEY, {"digest": key_digest(token)}) if is_key(token) else None
    now = timezone.now()
    key, user = objects_of(row, (ApiKey, User)) if row else (None, None)
    if key is None or user is None or not key.is_valid(at=now) or not user.is_active:
        raise refuse("The API key is unknown, expired or revoked.", resource=resource)
    _record_use(key=key, at=now)
    return user, Credential(
        kind="api_key", id=f"key:{key.pk}", scopes=frozenset(key.scopes), name=key.name, prefix=key.prefix
    )


def _by_access_token(token: str, *, resource: str) -> tuple[User, Credential]:
    row = fetch_row(BY_TOKEN, {"digest": key_digest(token)})
    now = timezone.now()
    access, user, app = objects_of(row, (AccessToken, User, Application)) if row else (None, None, None)
    if access is None or user is None or access.expires <= now or not user.is_active:
        raise refuse("The access token is unknown, expired or revoked.", resource=resource)
    scopes = frozenset(access.scope.split())
    if registration.SCOPE in scopes or audience.identifier(resource) not in access.resource:
        raise refuse("The access token was made for something else.", resource=resource)
    _record_token_use(token=access, at=now)
    client = app.name if app else ""
    return user, Credential(kind="oauth", id=f"token:{access.pk}", scopes=scopes, client=client)


def _record_use(*, key: ApiKey, at: datetime) -> None:
    """Remember when a key was last used, at most once a minute; not while the database takes no changes."""
    if key.last_used_at is None or key.last_used_at < at - USED_RECORDED_EVERY:
        with if_writable():
            ApiKey.objects.filter(pk=key.pk).update(last_used_at=at)


def _record_token_use(*, token: Any, at: datetime) -> None:
    """Remember when an app last used its access, the same way."""
    if token.updated > at - USED_RECORDED_EVERY:
        return
    connection = ConnectedApp.objects.filter(user=token.user_id, application=token.application_id)
    with if_writable():
        AccessToken.objects.filter(pk=token.pk).update(updated=at)
        connection.update(last_used_at=at)


class BearerAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, Credential] | None:
        """User and credential, or None for an anonymous caller."""
        return authenticate(request.headers.get("Authorization", ""))

    def authenticate_header(self, request: Request) -> str:
        return challenge()


class SignedInRequest(Request):
    """The request of an operation with a scope: there is a person and a credential. For annotations only."""

    user: User  # type: ignore[assignment]
    auth: Credential  # type: ignore[assignment]
