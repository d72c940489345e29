"""People who press the same button at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from orders import places, timeline
from orders.models import Order


def at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """All act at the same moment; what each got."""
    gate = Barrier(len(acts))

    def act(each: Callable[[], Any]) -> Any:
        try:
            gate.wait()
            return each()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(act, acts))


def race(orders: list[Order], *, refusal: type[Exception]) -> int:
    """All start to pay at once; how many of them may."""
    gate, won = Barrier(len(orders)), []

    def pay(order: Order) -> None:
        try:
            gate.wait()
            now = timezone.now()
            with transaction.atomic():
                held = timeline.locked(order.pk)
                places.reserve_for_payment(order=held, until=now + timedelta(minutes=35), at=now)
            won.append(order)
        except refusal:
            pass
        finally:
            connection.close()

    threads = [Thread(target=pay, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(won)
