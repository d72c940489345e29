"""oauthlib's server with the authorization code and refresh grants alone, and our rules before its own."""

import hashlib
import re
from typing import Any

from oauthlib.common import Request
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749 import errors

from accounts.oauth import audience

S256 = re.compile(r"[A-Za-z0-9_-]{43}\Z")


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
