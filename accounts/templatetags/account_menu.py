from typing import Any

from django import template

from accounts.selectors import counts

register = template.Library()
SIGNING_IN = ("/accounts/", "/account/keys", "/account/webhooks", "/account/apps")


@register.inclusion_tag("accounts/parts/menu.html", takes_context=True)
def account_menu(context: dict[str, Any]) -> dict[str, Any]:
    """Every page of the account, with how many things are on it."""
    request = context["request"]
    return {
        "request": request,
        "counts": counts(user_id=request.user.pk) if request.user.pk else {},
        "is_signing_in": request.path.startswith(SIGNING_IN),
    }
