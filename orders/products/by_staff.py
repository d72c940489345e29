"""What products have in common whose work staff do."""

from datetime import datetime

from orders import mails
from orders.models import OrderLine, StaffTask
from orders.products.base import Effect, Product, effect_on_order


class DoneByStaff(Product):
    """A task of the product's code: the part is done when staff close it. What staff did once stays done."""

    is_done_by_staff = True

    def effects(self, line: OrderLine) -> list[Effect]:
        results = line.tasks.filter(kind=self.code, closed_at__isnull=False).values_list("result", flat=True)
        return [effect_on_order(line, result) for result in results]

    def do(self, line: OrderLine, at: datetime) -> bool:
        """A task that a refund closed is open again."""
        detail = "\n".join(f"{name}: {value}" for name, value in line.options.items())
        task, is_new = StaffTask.objects.get_or_create(
            line=line, kind=self.code, defaults={"detail": detail, "opened_at": at}
        )
        if task.closed_by_id is not None:
            return True
        if not is_new and task.closed_at is not None:
            task.opened_at, task.closed_at, task.result = at, None, ""
            task.save(update_fields=["opened_at", "closed_at", "result"])
        mails.send_to_staff(order=line.order, reason=f"{line.name}: somebody waits for you.", about=at)
        return False
