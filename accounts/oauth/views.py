"""HTTP doors of the authorization server: consent, tokens, registration, discovery, and the pages of connected apps."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.views import RevokeTokenView, TokenView
from oauth2_provider.views.mixins import OAuthLibMixin
from oauthlib.oauth2.rfc6749 import errors

from accounts import limits, selectors, services_apps
from accounts.forms import SCOPE_WORDS
from accounts.oauth import addresses, client_metadata, registration
from accounts.oauth.audience import RESOURCES, identifier
from accounts.sessions import signed_in, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.bodies import parse
from core.api.errors import ApiError
from core.api.handler import answer
from core.api.links import absolute
from core.api.scopes import Scope

ALLOWS = {
    Scope.ACCOUNT_READ: (
        "See your account",
        "Your name, your e-mail address, your drafts, listings, claims and orders.",
        "It can’t change any of them with this.",
    ),
    Scope.LISTINGS_WRITE: (
        "Submit and edit for you",
        "Submit products, write and change drafts and listings, post updates to followers,"
        " invite co-founders, claim listings and choose a free launch week. Changes to a live listing are"
        " public at once.",
        "You find every change in the listing’s history.",
    ),
    Scope.ORDERS_WRITE: (
        "Prepare orders",
        "Ask for prices and make checkout links.",
        "It can’t pay. You open the link, check the order and pay yourself.",
    ),
}
NEVER = (
    "pay, or see how you pay",
    "vote or follow",
    "see your password, or change it or your e-mail address",
    "make API keys or connect other apps",
)

# What an OAuth error means, where the library that found it says no more than its code.
ERRORS = {
    "access_denied": "The person did not allow it.",
    "invalid_client": "The client is unknown, or its secret is wrong.",
    "invalid_grant": "The code or refresh token is unknown, expired, used or revoked, or belongs to another request.",
    "invalid_request": "A parameter is missing, repeated or malformed.",
    "invalid_scope": "No scope that was asked for is known, or it is more than was allowed.",
    "unauthorized_client": "The client may not ask in this way.",
    "unsupported_grant_type": "grant_type must be authorization_code or refresh_token.",
    "unsupported_response_type": "response_type must be code.",
    "unsupported_token_type": "The token is of a type that cannot be revoked here.",
}
Answer = Callable[..., HttpResponse]
FORM = "application/x-www-form-urlencoded"  # what RFC 6749 and 7009 have these endpoints take
CACHED = {"Cache-Control": "public, max-age=300"}
NAMES = {"mcp": "MCP server", "api/v1": "API"}
NOT_A_FORM = f"Send the parameters as {FORM}."


def limited(policy: str) -> Callable[[Answer], Answer]:
    """Count the request against a rate limit of its network."""

    def decorate(view: Answer) -> Answer:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            network = throttling.network(throttling.client_address(request))
            allowance = throttling.count(policy, caller=f"net:{network}")
            request.allowance = allowance  # type: ignore[attr-defined]
            if allowance.is_exceeded:
                return refused(allowance.error(), request=request)
            return view(request, *args, **kwargs)

        return counted

    return decorate


def refused(error: ApiError, *, request: HttpRequest) -> HttpResponse:
    status, body, media_type, headers = answer(error, request=request)
    return JsonResponse(body, status=status, content_type=media_type, headers=headers)


def oauth_error(code: str, description: str, *, status: int = 400) -> JsonResponse:
    body = {"error": code, "error_description": description}
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})


def not_a_form(request: HttpRequest) -> JsonResponse | None:
    """The refusal of parameters that stand in the address, come twice, or in another form than RFC 6749 has it."""
    if request.META.get("QUERY_STRING"):
        return oauth_error("invalid_request", "Send the parameters in the body, as a form.")
    if request.method == "POST" and request.content_type != FORM:
        return oauth_error("invalid_request", NOT_A_FORM)
    repeated = [name for name, values in request.POST.lists() if len(values) > 1 and name != "resource"]
    return oauth_error("invalid_request", f"Send {repeated[0][:40]} once.") if repeated else None


def described(response: HttpResponse) -> HttpResponse:
    """The toolkit's answer, with words where it gives a code alone, and headers it leaves out of some refusals."""
    if response.status_code >= 400 and response.content:
        body = json.loads(response.content)
        body.setdefault("error_description", ERRORS.get(body.get("error"), "The request was refused."))
        response.content = json.dumps(body)
    if response.status_code == 401:  # the scheme that a client can sign in by (RFC 6749 section 5.2)
        response["WWW-Authenticate"] = 'Basic realm="oauth"'
    response["Content-Type"] = "application/json"
    response["Cache-Control"] = "no-store"
    return response


CREDENTIALS = (
    "client_id",
    "redirect_uri",
    "response_type",
    "state",
    "code_challenge",
    "code_challenge_method",
    "resource",
)


class ConsentView(OAuthLibMixin, View):
    """`/oauth/authorize`: asks the person, every time, and sends the answer back to the client.

    What was asked stays in the address; the form holds the decision alone.
    """

    def get(self, request: HttpRequest) -> HttpResponse:
        try:
            scopes, requested = self._requested(request)
        except OAuthToolkitError as error:
            return self._failed(request, error)
        application, uri = requested["request"].client, requested["redirect_uri"]
        context = {
            "app": selectors.identity(application, redirect_uri=uri),
            "allows": allows(scopes),
            "refused": unasked(scopes),
            "never": NEVER,
            "returns_to": uri,
            "returns_here": addresses.is_local(uri),
            "returns_to_app": uri in addresses.APPS,
            "switch": "/accounts/logout/?" + urlencode({"next": request.get_full_path()}),
        }
        response = render(request, "accounts/consent.html", context)
        response.form_targets = (addresses.origin(uri),)  # type: ignore[attr-defined]
        return response

    def post(self, request: HttpRequest) -> HttpResponse:
        """Take the decision. Anything but a clear yes is a no."""
        try:
            if request.content_type != FORM:
                raise FatalClientError(error=errors.InvalidRequestFatalError(description=NOT_A_FORM))
            scopes, requested = self._requested(request)
            credentials = {name: requested.get(name) for name in CREDENTIALS}
            may = request.POST.getlist("decision") == ["allow"]
            if may:
                services_apps.allow_app(
                    user=user_of(request), application_id=requested["request"].client.pk, at=timezone.now()
                )
            uri, _, _, _ = self.create_authorization_response(
                request, scopes=" ".join(scopes), credentials=credentials, allow=may
            )
        except OAuthToolkitError as error:
            return self._failed(request, error)
        return self._back(uri)

    def _requested(self, request: HttpRequest) -> tuple[list[str], dict[str, Any]]:
        if client_metadata.needs_fetch(request.GET.get("client_id", "")):
            throttling.enforce("register", caller=f"user:{user_of(request).pk}")
        try:
            return self.validate_authorization_request(request)
        except ValueError as error:  # what oauthlib raises for a query that cannot be decoded
            unreadable = errors.InvalidRequestFatalError(description="The query cannot be read.")
            raise FatalClientError(error=unreadable) from error

    def _failed(self, request: HttpRequest, error: OAuthToolkitError) -> HttpResponse:
        """Tell the client, if its address can be trusted; else tell the person, and go nowhere."""
        problem = error.oauthlib_error
        if isinstance(error, FatalClientError) or not problem.redirect_uri:
            return render(request, "accounts/consent_failed.html", {"problem": problem}, status=400)
        context = {"error_description": ERRORS.get(problem.error, ""), **dict(problem.twotuples)}
        return self._back(addresses.with_parameters(problem.redirect_uri, context))

    @staticmethod
    def _back(uri: str) -> HttpResponse:
        """To the client, naming us (RFC 9207) in good answers and bad ones."""
        uri = addresses.with_parameters(uri, {"iss": absolute("")})
        return OAuth2ResponseRedirect(uri, addresses.SCHEMES)


class OneTransactionTokenView(TokenView):
    """`/oauth/token`: what a code or refresh token is exchanged for is written at once or not at all."""

    @method_decorator(sensitive_post_parameters())
    def post(self, request: HttpRequest) -> HttpResponse:
        if misfit := not_a_form(request):
            return misfit
        with transaction.atomic():
            response = self.authorization_flow_token_response(request)
        return described(response)


consent = signed_in(cast(Answer, ConsentView.as_view()))
token = csrf_exempt(limited("read")(OneTransactionTokenView.as_view()))


@csrf_exempt
@limited("read")
def revoke(request: HttpRequest) -> HttpResponse:
    """`/oauth/revoke` (RFC 7009)."""
    if misfit := not_a_form(request):
        return misfit
    response = RevokeTokenView.as_view()(request)
    return described(response) if response.status_code >= 400 else response


@csrf_exempt
def register(request: HttpRequest) -> HttpResponse:
    """`/oauth/register` (RFC 7591)."""
    if request.method != "POST":
        return HttpResponse(status=405, headers={"Allow": "POST, OPTIONS"})
    return _register(request)


@limited("register")
def _register(request: HttpRequest) -> HttpResponse:
    try:
        made = registration.register(_metadata(request), at=timezone.now())
    except client_metadata.MetadataError as error:
        return oauth_error(error.code, error.detail)
    return JsonResponse(made.as_dict(), status=201, headers={"Cache-Control": "no-store"})


@csrf_exempt
@limited("write")
def registered_client(request: HttpRequest, client_id: str) -> HttpResponse:
    """`/oauth/register/<client id>` (RFC 7592)."""
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    bearer = bearer.strip() if scheme.lower() == "bearer" else ""
    try:
        return _manage(request, client_id=client_id, values=bearer)
    except registration.RegistrationTokenError:
        response = oauth_error(
            "invalid_token", "This is not the client's registration access token.", status=401
        )
        response["WWW-Authenticate"] = 'Bearer error="invalid_token"' if bearer else "Bearer"
        return response
    except client_metadata.MetadataError as error:
        return oauth_error(error.code, error.detail)


def _manage(request: HttpRequest, *, client_id: str, values: str) -> HttpResponse:
    now = timezone.now()
    if request.method == "GET":
        result = registration.read(client_id=client_id, token=values, at=now)
    elif request.method == "PUT":
        metadata = _metadata(request, client_id=client_id)
        result = registration.replace(metadata, client_id=client_id, token=values, at=now)
    elif request.method == "DELETE":
        registration.remove(client_id=client_id, token=values, at=now)
        return HttpResponse(status=204)
    else:
        return HttpResponse(status=405, headers={"Allow": "GET, PUT, DELETE, OPTIONS"})
    return JsonResponse(result.as_dict(), headers={"Cache-Control": "no-store"})


def _metadata(request: HttpRequest, *, client_id: str = "") -> client_metadata.ClientMetadata:
    """What a client says of itself. Raises MetadataError, also where it says to be another one."""
    raw = request.read(limits.REGISTRATION_BYTES + 1)
    if len(raw) > limits.REGISTRATION_BYTES:
        raise client_metadata.MetadataError(f"A registration has at most {limits.REGISTRATION_BYTES} bytes.")
    if request.content_type != "application/json":
        raise client_metadata.MetadataError("Send JSON, with Content-Type: application/json.")
    try:
        data = parse(raw)
    except ApiError as error:
        raise client_metadata.MetadataError(error.detail) from error
    if client_id and isinstance(data, dict) and data.get("client_id", client_id) != client_id:
        raise client_metadata.MetadataError("client_id must be the one of this client.")
    return client_metadata.read(data)


def authorization_server(_request: HttpRequest) -> JsonResponse:
    """Where everything is (RFC 8414)."""
    document = {
        "issuer": absolute(""),
        "authorization_endpoint": absolute("/oauth/authorize"),
        "token_endpoint": absolute("/oauth/token"),
        "registration_endpoint": absolute("/oauth/register"),
        "revocation_endpoint": absolute("/oauth/revoke"),
        "scopes_supported": [scope.value for scope in Scope],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(client_metadata.GRANT_TYPES),
        "token_endpoint_auth_methods_supported": list(client_metadata.AUTH_METHODS),
        "revocation_endpoint_auth_methods_supported": list(client_metadata.AUTH_METHODS),
        "code_challenge_methods_supported": ["S256"],
        "client_id_metadata_document_supported": True,
        "authorization_response_iss_parameter_supported": True,
        "protected_resources": [identifier(name) for name in RESOURCES],
        "service_documentation": absolute("/docs/mcp"),
    }
    return JsonResponse(document, headers=CACHED)


def protected_resource(_request: HttpRequest, resource: str = "") -> JsonResponse:
    """What a resource needs (RFC 9728); the one of the root is for our origin, so for all."""
    document = {
        "resource": identifier(resource) if resource else absolute(""),
        "authorization_servers": [absolute("")],
        "scopes_supported": [scope.value for scope in Scope],
        "bearer_methods_supported": ["header"],
        "resource_name": f"{settings.SITE_NAME} {NAMES[resource]}" if resource else settings.SITE_NAME,
        "resource_documentation": absolute("/docs/mcp" if resource == "mcp" else "/docs"),
    }
    return JsonResponse(document, headers=CACHED)


def allows(scopes: list[str]) -> list[tuple[str, str, str, str]]:
    """Scope, title, what it allows, and where that ends, in the interface's order."""
    return [(scope.value, *words) for scope, words in ALLOWS.items() if scope.value in scopes]


def unasked(scopes: list[str]) -> list[str]:
    return [words[0] for scope, words in ALLOWS.items() if scope.value not in scopes]


@signed_in_page
def connected_apps(request: HttpRequest) -> HttpResponse:
    apps = selectors.connected_apps(user=user_of(request), at=timezone.now())
    rows = [(app, [SCOPE_WORDS[scope][0] for scope in app.scopes if scope in SCOPE_WORDS]) for app in apps]
    return render(request, "accounts/connected_apps.html", {"rows": rows, "mcp_url": absolute("/mcp")})


@signed_in_form
def disconnect_app(request: HttpRequest, app_id: int) -> HttpResponse:
    app = selectors.connected_app(user=user_of(request), app_id=app_id, at=timezone.now())
    if request.method != "POST":
        return render(request, "accounts/disconnect_app.html", {"app": app})
    services_apps.disconnect_app(user=user_of(request), app_id=app_id)
    messages.success(request, f"“{app.identity.name}” can no longer act for you.")
    return HttpResponseRedirect("/account/apps")
