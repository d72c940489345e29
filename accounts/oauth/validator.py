"""What oauthlib asks us, where django-oauth-toolkit's answer is not ours."""

import hashlib
import re
from typing import Any

from django.utils import timezone
from oauth2_provider.models import get_grant_model, get_refresh_token_model
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.common import Request
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749 import errors
from oauthlib.oauth2.rfc6749.utils import scope_to_list

from accounts import services_apps
from accounts.oauth import addresses, audience
from core.api.scopes import Scope
from core.fetch import split_url

S256 = re.compile(r"[A-Za-z0-9_-]{43}\Z")
AUTHORIZE = "/oauth/authorize"


class Validator(OAuth2Validator):
    """Exact redirects, our scopes and resources, codes as digests, tokens only while the app is connected.

    The token view runs it in one transaction, so the rows it locks stay locked until the tokens are written.
    The arguments are oauthlib's; most of them repeat what the request holds.
    """

    def validate_redirect_uri(self, _client_id: str, redirect_uri: str, request: Request, *_: Any) -> bool:
        """Letter by letter, but for the port on loopback."""
        return addresses.is_registered(redirect_uri, request.client.redirect_uris.split())

    def validate_scopes(
        self, client_id: str, scopes: list[str], _client: Any, request: Request, *_: Any
    ) -> bool:
        """Leave out scopes we do not know (RFC 6749 section 3.3): clients add offline_access or their own.

        An empty scope is none at all (section 3.1), as an empty resource is.
        """
        named = scopes if any(scopes) else self.get_default_scopes(client_id, request)
        request.scopes = [scope.value for scope in Scope if scope.value in named]
        return bool(request.scopes)

    def get_original_scopes(self, refresh_token: str, request: Request, *_: Any) -> str:
        """What the person allowed, also after a refresh for less of it (RFC 6749 section 6)."""
        allowed = services_apps.allowed_scope(request.refresh_token_instance)
        request.allowed_scope = allowed or super().get_original_scopes(refresh_token, request)
        return request.allowed_scope

    def is_within_original_scope(
        self, scopes: list[str], refresh_token: str, request: Request, *_: Any
    ) -> bool:
        """The same when a token is refreshed: none may be wider than what was allowed."""
        original = scope_to_list(self.get_original_scopes(refresh_token, request))
        return self.validate_scopes("", scopes, None, request) and set(request.scopes) <= set(original)

    def validate_code(self, client_id: str, code: str, client: Any, request: Request, *_: Any) -> bool:
        """Hold the code until it is spent. One that was spent before takes its tokens down with it."""
        grant = get_grant_model().objects.select_for_update().filter(code=code, application=client).first()
        if grant is None:
            if family := services_apps.family_of_spent_code(code):
                get_refresh_token_model().revoke_family(family)
            return False
        request.code_row = grant
        return super().validate_code(client_id, code, client, request) and services_apps.touch_connection(
            user=request.user, application_id=request.client.pk, at=timezone.now()
        )

    def confirm_redirect_uri(
        self, client_id: str, code: str, redirect_uri: str, client: Any, request: Request, *_: Any
    ) -> bool:
        """A code that went to another address is no grant (RFC 6749 section 5.2)."""
        if not super().confirm_redirect_uri(client_id, code, redirect_uri, client):
            raise errors.InvalidGrantError(request=request)
        return True

    def invalidate_authorization_code(self, client_id: str, code: str, request: Request, *_: Any) -> None:
        super().invalidate_authorization_code(client_id, code, request)
        services_apps.remember_spent_code(code, family=request.token_family, at=timezone.now())

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Request, *_: Any) -> bool:
        """Only for people who may still sign in, and apps they still allow.

        The connection is held before the token is looked at: the second of two refreshes at once has to see
        that the first one used the token up.
        """
        rows = get_refresh_token_model().objects.select_related("user")
        row = rows.filter(token_checksum=digest(refresh_token), application=client).first()
        if row is None or not services_apps.touch_connection(
            user=row.user, application_id=client.pk, at=timezone.now()
        ):
            return False
        return super().validate_refresh_token(refresh_token, client, request)

    def _load_application(self, client_id: str | None, request: Request) -> Any:
        if not client_id or "\x00" in client_id:  # which PostgreSQL cannot even look for
            return None
        return super()._load_application(client_id, request)

    def _create_authorization_code(self, request: Request, code: dict[str, Any], expires: Any = None) -> Any:
        request.nonce = request.claims = (
            None  # of OpenID Connect, which is not on offer: they would only be stored
        )
        return super()._create_authorization_code(request, {**code, "code": digest(code["code"])}, expires)

    def _create_refresh_token(self, request: Request, code: str, access: Any, former: Any) -> Any:
        """As wide as the code or token it was exchanged for; only the access token may be narrower."""
        request.resource = (former or request.code_row).resource or request.resource
        row = super()._create_refresh_token(request, code, access, former)
        if former and set(access.scope.split()) < set(scope_to_list(request.allowed_scope)):
            services_apps.remember_allowed_scope(row, scope=request.allowed_scope)
        request.token_family = row.token_family
        return row

    def _check_and_set_request_resource(self, request: Request) -> None:
        values = [value for name, value in request.decoded_body or () if name == "resource" and value]
        try:
            request.resource = audience.identifiers(values) if values else []
        except audience.UnknownResourceError as error:
            raise unknown_resource(request) from error
        request.decoded_body = [pair for pair in request.decoded_body or () if pair[0] != "resource"]
        super()._check_and_set_request_resource(request)
        request.resource = request.resource or audience.identifiers(())


class FromSignedInPage:
    """Client documents are fetched for the consent page alone, which only signed-in people reach."""

    def has_permission(self, request: Request, _client_id: str) -> bool:
        return split_url(request.uri).path == AUTHORIZE


def digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def require_s256(request: Request) -> dict[str, Any]:
    """Refuse another challenge method before anybody is asked; a missing one is oauthlib's to refuse."""
    if request.code_challenge is None:
        return {}
    if request.code_challenge_method != "S256" or not S256.match(request.code_challenge):
        raise errors.InvalidRequestError(
            description="PKCE needs code_challenge_method S256 and its 43 characters.", request=request
        )
    return {}


def bind_resources(request: Request) -> dict[str, Any]:
    """What the code will be good for, in our own identifiers."""
    values = [value for name, value in request.uri_query_params if name == "resource" and value]
    try:
        return {"resource": audience.identifiers(values)}
    except audience.UnknownResourceError as error:
        raise unknown_resource(request) from error


def unknown_resource(request: Request) -> errors.CustomOAuth2Error:
    """The refusal of RFC 8707 section 2."""
    return errors.CustomOAuth2Error(
        error="invalid_target",
        description="This server gives no tokens for that resource.",
        state=request.state,
        request=request,
    )


def hash_code(request: Request) -> None:
    """From here on the request holds what is stored: codes are kept as digests only."""
    if request.code is not None:
        request.code = digest(request.code)


class Server(WebApplicationServer):
    """No password, client-credentials, implicit or device grant."""

    def __init__(self, request_validator: Any, **options: Any) -> None:
        super().__init__(request_validator, **options)
        rules = self.auth_grant.custom_validators
        rules.pre_auth.extend([require_s256, bind_resources])
        rules.pre_token.append(hash_code)
