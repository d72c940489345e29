"""The boards as parts of other pages."""

from datetime import date
from typing import Any

from django import template
from django.utils import timezone

from config.home import cards_of, in_boxes, paid_places, winners_before
from directory import weeks
from directory.launches.race import voted_in
from directory.models import Listing
from directory.sites.lookup import current_site
from leaderboards.ballots import ballots_of_voter
from leaderboards.boards import BOARDS
from leaderboards.boards.base import Board
from leaderboards.models import WeekClose
from leaderboards.trophies.selectors import open_to
from orders.pricing import share
from orders.products.launch import Launch
from orders.quoting import public_rate
from orders.selectors.catalogue import product_list
from orders.vat import NOTHING
from orders.wording import price

register = template.Library()


@register.simple_tag
def all_boards() -> list[Board]:
    return sorted(BOARDS.values(), key=lambda board: board.paid)


@register.inclusion_tag("parts/board_tabs.html")
def board_tabs(current: str) -> dict[str, Any]:
    """The boards, those that are paid last; `current` is the path of the one that is open."""
    return {"tabs": [(board.path, board.tab, board.paid) for board in all_boards()], "current": current}


@register.inclusion_tag("parts/board_tabs.html")
def week_tabs(current: str) -> dict[str, Any]:
    """Three weeks in the order of time, and the way to the boards."""
    this = weeks.week_of(timezone.now())
    names = ((this - weeks.WEEK, "Last week"), ("this", "This week"), (this + weeks.WEEK, "Next week"))
    tabs = [(f"/weeks/{name}", words, False) for name, words in names]
    first = next(board for board in BOARDS.values() if not board.has_weeks)
    return {"tabs": [*tabs, (first.path, "Leaderboards", False)], "current": current}


@register.inclusion_tag("leaderboards/ballots_box.html", takes_context=True)
def ballots_box(context: dict[str, Any], close: WeekClose | None) -> dict[str, Any]:
    """How the votes of a closed week are checked, and the signed-in voter's own ballots in it."""
    user, site = context["request"].user, current_site(context["request"])
    row = close.ballots if close and hasattr(close, "ballots") and close.ballots.file else None
    mine = (
        ballots_of_voter(user_id=user.pk, site=site, week=close.week)
        if row and close and user.is_authenticated
        else []
    )
    return {
        "row": row,
        "week": close.week if close else None,
        "mine": mine,
        "is_signed_in": user.is_authenticated,
    }


@register.inclusion_tag("parts/billboard.html", takes_context=True)
def billboard(context: dict[str, Any]) -> dict[str, Any]:
    paid = paid_places(site=current_site(context["request"]))
    return {"billboard": in_boxes(paid, cards_of([row[0] for _, rows in paid for row in rows]))}


@register.inclusion_tag("leaderboards/trophies/open_programmes.html", takes_context=True)
def open_programmes(context: dict[str, Any], listing: Listing) -> dict[str, Any]:
    """The programmes that a listing of the reader may enter now, with one button each."""
    rows = open_to(listing, at=timezone.now())
    return {"rows": rows, "listing_id": listing.pk, "csrf_token": context["csrf_token"]}


@register.simple_tag(takes_context=True)
def paid_launch(context: dict[str, Any], monday: date) -> dict[str, Any] | None:
    """What a launch in a week costs and how many places are left; nothing where none is on sale."""
    now = timezone.now()
    result = product_list(site=current_site(context["request"]), at=now)
    cost = next(cost for product, cost in result.products if product.code == Launch.code)
    if not (result.is_open and cost.is_on_sale and monday in result.places):
        return None
    rate = public_rate(at=now)
    cents = cost.amount_cents + share(cost.amount_cents, rate or NOTHING)
    word = "plus VAT" if rate is None else "with VAT"
    return {"price": price(cents, result.currency), "word": word, "left": result.places[monday]}


@register.simple_tag(takes_context=True)
def voted_this_week(context: dict[str, Any]) -> list[Any]:
    request = context["request"]
    return voted_in(user_id=request.user.pk, site=current_site(request), week=weeks.week_of(timezone.now()))


@register.simple_tag(takes_context=True)
def past_winners(context: dict[str, Any], monday: date) -> list[Any]:
    return winners_before(site=current_site(context["request"]), week=monday)


@register.simple_tag(takes_context=True)
def week_closed(context: dict[str, Any], monday: date) -> WeekClose | None:
    """How a week was closed, if it is, with the file of its ballots."""
    closes = WeekClose.objects.filter(site=current_site(context["request"]), week=monday)
    return closes.select_related("ballots").first()


@register.filter
def star_shares(stars: float) -> list[str]:
    """How much of each of five stars is filled, such as 1.00, 1.00, 1.00, 1.00, 0.70 of 4.7."""
    return [f"{min(max(float(stars) - number, 0), 1):.2f}" for number in range(5)]
