"""What each scope allows, in words for the person who is asked."""

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


def allows(scopes: list[str]) -> list[tuple[str, str, str, str]]:
    """Scope, title, what it allows, and where that ends, in the interface's order."""
    return [(scope.value, *words) for scope, words in ALLOWS.items() if scope.value in scopes]


def refused(scopes: list[str]) -> list[str]:
    """What the person is not asked for."""
    return [words[0] for scope, words in ALLOWS.items() if scope.value not in scopes]
