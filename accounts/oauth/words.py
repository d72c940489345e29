"""What each scope allows, in words for the person who is asked."""

from core.scopes import Scope

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


def allows(scopes: list[str]) -> list[tuple[str, str, str, str]]:
    """Scope, title, what it allows, and where that ends, in the interface's order."""
    return [(scope.value, *words) for scope, words in ALLOWS.items() if scope.value in scopes]


def refused(scopes: list[str]) -> list[str]:
    """What the person is not asked for."""
    return [words[0] for scope, words in ALLOWS.items() if scope.value not in scopes]
