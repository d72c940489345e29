"""A client of the authorization server, step by step, with Django's test client as the person's browser."""

import base64
import hashlib
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.test import Client

from accounts.models import User

CALLBACK = "https://agent.example/callback"
CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback"
LOOPBACK = "http://127.0.0.1:41213/callback"
VERIFIER = "0123456789abcdefghijklmnopqrstuvwxyz0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
DROPPED = object()


def site(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def post_form(client: Client, path: str, fields: dict[str, Any]) -> Any:
    """Send a form as browsers and programs do; Django's client would send multipart."""
    body = urlencode(fields, doseq=True)
    return client.post(path, data=body, content_type="application/x-www-form-urlencoded")


def register(**changes: Any) -> Any:
    """POST /oauth/register."""
    metadata = {
        "client_name": "Test agent",
        "redirect_uris": [CALLBACK],
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        **changes,
    }
    body = json.dumps({name: value for name, value in metadata.items() if value is not DROPPED})
    return Client().post("/oauth/register", body, content_type="application/json")


@dataclass
class Agent:
    """A registered client and the person whose browser it opens."""

    user: User
    client_id: str = ""
    redirect_uri: str = CALLBACK
    browser: Client = field(default_factory=Client)
    person_signed_in: bool = True

    def __post_init__(self) -> None:
        if not self.client_id:
            self.client_id = register(redirect_uris=[self.redirect_uri]).json()["client_id"]
        if self.person_signed_in:
            self.browser.force_login(self.user)

    def address(self, **changes: Any) -> str:
        """The authorization request."""
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": "account:read",
            "state": "st4te",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "resource": site("/mcp"),
            **changes,
        }
        given = [(name, value) for name, value in query.items() if value is not DROPPED]
        return "/oauth/authorize?" + urlencode(given, doseq=True)

    def ask(self, **changes: Any) -> Any:
        """Open the consent page."""
        return self.browser.get(self.address(**changes))

    def decide(self, decision: str = "allow", **changes: Any) -> Any:
        """Press a button of the consent page."""
        return post_form(self.browser, self.address(**changes), {"decision": decision})

    def answer(self, decision: str = "allow", **changes: Any) -> dict[str, str]:
        """What the client gets in its redirect address."""
        response = self.decide(decision, **changes)
        assert response.status_code == 302, response.content
        return dict(parse_qsl(urlsplit(response["Location"]).query))

    def token(self, **changes: Any) -> Any:
        """POST /oauth/token."""
        form = {"client_id": self.client_id, **changes}
        return post_form(Client(), "/oauth/token", {k: v for k, v in form.items() if v is not DROPPED})

    def exchange(self, given: str, **changes: Any) -> Any:
        """Exchange a code."""
        form = {"grant_type": "authorization_code", "code": given, "redirect_uri": self.redirect_uri}
        return self.token(**{**form, "code_verifier": VERIFIER, **changes})

    def refresh(self, refresh_token: str, **changes: Any) -> Any:
        """Exchange a refresh token."""
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **changes)

    def tokens(self, **changes: Any) -> dict[str, Any]:
        """The whole way: asked, allowed, exchanged."""
        response = self.exchange(self.answer(**changes)["code"])
        assert response.status_code == 200, response.content
        return response.json()


def me(token: str) -> Any:
    """GET /api/v1/me."""
    return Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
