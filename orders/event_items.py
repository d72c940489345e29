"""What events about orders carry."""

from typing import Any

from orders.selectors import orders as selectors
from orders.serializers.orders import OrderOut


def order_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """The order as list_my_orders gives it."""
    row = selectors.my_orders(owner_id=user_id).filter(pk=thing).first()
    return None if row is None else OrderOut.render(row)
