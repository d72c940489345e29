"""The boards as parts of other pages."""

from typing import Any

from django import template

from config.home import billboard as first_places
from config.home import cards_of
from directory.selectors.sites import current_site
from leaderboards.boards import BOARDS
from leaderboards.pages import TABS

register = template.Library()


@register.inclusion_tag("parts/board_tabs.html")
def board_tabs(current: str) -> dict[str, Any]:
    """The boards side by side; the running week has a page of its own."""
    return {
        "tabs": [(name.value, words, BOARDS[name].paid) for name, words in TABS.items()],
        "current": current,
    }


@register.inclusion_tag("parts/billboard.html", takes_context=True)
def billboard(context: dict[str, Any]) -> dict[str, Any]:
    """The first paid places in their box."""
    paid = first_places(site=current_site(context["request"]))
    cards = cards_of([listing_id for listing_id, *_ in paid])
    return {"billboard": [(cards[pk], value, unit) for pk, value, unit in paid if pk in cards]}
