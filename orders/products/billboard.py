"""A place on the paid billboard, ranked by the money contributed."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Sum

from directory.models import Listing
from leaderboards.boards.billboard import knows_real_money, record_contribution
from leaderboards.models import Contribution
from orders import books
from orders.models import OrderLine
from orders.payments import takes_real_money
from orders.products.base import Effect, Product, Spot, effect_on_order, listing_of

knows_real_money(takes_real_money)

AFTER_LAUNCH = "on the billboard from its launch on"


class Billboard(Product):
    """What the documents leave of the line before VAT is what ranks."""

    position = 90
    code, name = "billboard_min", "Billboard"
    description = "A place on the paid billboard, ranked by the money contributed. You choose the amount."
    price_kind = "amount"
    card = "billboard"
    is_advertising = True
    on_refund = "it loses its place on the billboard"

    def spots(self, listing: Listing) -> Sequence[Spot]:
        return [Spot(drawing="board", place="Billboard", where="ranked by money")]

    def effects(self, line: OrderLine) -> list[Effect]:
        if line.listing is not None and line.listing.is_live:
            return [Effect(page="/leaderboards/billboard", name="The billboard", words=line.listing.name)]
        return [effect_on_order(line, AFTER_LAUNCH)]

    def detail(self, line: OrderLine) -> str:
        return "" if line.listing is None or line.listing.is_live else AFTER_LAUNCH

    def do(self, line: OrderLine, at: datetime) -> bool:
        cents = books.left_of_line(line).net_cents - _ranked(line)
        _rank(line, cents=cents, about=f"turn-{line.effect.get('turn', 0)}", at=at)
        return True

    def undo(self, line: OrderLine, at: datetime) -> None:
        _rank(line, cents=-_ranked(line), about=f"back-{line.effect.get('turn', 0)}", at=at)

    def refund_part(self, line: OrderLine, *, refund_id: str, at: datetime) -> None:
        surplus = _ranked(line) - books.left_of_line(line).net_cents
        _rank(line, cents=-max(0, surplus), about=f"refund-{refund_id}", at=at)


def _ranked(line: OrderLine) -> int:
    rows = Contribution.objects.filter(reference__startswith=f"line-{line.pk}-")
    return rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0


def _rank(line: OrderLine, *, cents: int, about: str, at: datetime) -> None:
    if cents:
        record_contribution(
            listing_id=listing_of(line),
            reference=f"line-{line.pk}-{about}",
            amount_cents=cents,
            currency=line.order.currency,
            is_test=bool(line.order.test_money),
            at=at,
        )
