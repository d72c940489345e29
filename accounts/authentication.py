"""From the Authorization header to a person and what the credential allows."""

from django.utils import timezone
from oauth2_provider.models import get_access_token_model
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts import keys, services, services_apps
from accounts.models import ApiKey, User
from accounts.oauth import audience, registration
from core.api.errors import AccountSuspendedError, InvalidTokenError
from core.api.links import challenge
from core.api.scopes import Credential


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
    if token.startswith(keys.PREFIX):
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
    row = None
    if keys.is_well_formed(token):
        row = ApiKey.objects.select_related("user").filter(digest=keys.digest(token)).first()
    now = timezone.now()
    if row is None or not row.is_valid(at=now) or not row.user.is_active:
        raise refuse("The API key is unknown, expired or revoked.", resource=resource)
    services.record_use(key=row, at=now)
    return row.user, Credential(
        kind="api_key", id=f"key:{row.pk}", scopes=frozenset(row.scopes), name=row.name, prefix=row.prefix
    )


def _by_access_token(token: str, *, resource: str) -> tuple[User, Credential]:
    result = get_access_token_model().objects.select_related("user", "application")
    row = result.filter(token_checksum=keys.digest(token)).first()
    now = timezone.now()
    if row is None or row.expires <= now or row.user is None or not row.user.is_active:
        raise refuse("The access token is unknown, expired or revoked.", resource=resource)
    scopes = frozenset(row.scope.split())
    if registration.SCOPE in scopes or audience.identifier(resource) not in row.resource:
        raise refuse("The access token was made for something else.", resource=resource)
    services_apps.record_token_use(token=row, at=now)
    return row.user, Credential(
        kind="oauth",
        id=f"token:{row.pk}",
        scopes=scopes,
        client=row.application.name if row.application else "",
    )


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
