"""The boards as parts of other pages."""

from typing import Any

from django import template

from config.home import cards_of, in_boxes, paid_places
from directory.sites.lookup import current_site
from leaderboards.boards import BOARDS

register = template.Library()


@register.inclusion_tag("parts/board_tabs.html")
def board_tabs(current: str) -> dict[str, Any]:
    """The boards side by side, those that are paid last; `current` is the path of the one that is open."""
    return {"boards": sorted(BOARDS.values(), key=lambda board: board.paid), "current": current}


@register.inclusion_tag("parts/billboard.html", takes_context=True)
def billboard(context: dict[str, Any]) -> dict[str, Any]:
    """The first paid places in their box."""
    paid = paid_places(site=current_site(context["request"]))
    return {"billboard": in_boxes(paid, cards_of([row[0] for _, rows in paid for row in rows]))}
