"""Where a buyer lives, answered on the page of an order that waits for it."""

from contextlib import suppress

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from core.api import throttling
from orders import evidence, links, place_answers
from orders.errors import OrderCannotMoveError
from orders.forms import PlaceForm
from orders.models import Order
from orders.pages.checkout import by_owner, closed, private


@require_POST
@private
def answer_place(request: HttpRequest, order: Order) -> HttpResponse:
    """`…/place`: where the buyer lives, where what is known of it does not agree."""
    throttling.enforce("write", caller=throttling.network_caller(request))
    form, at = PlaceForm(request.POST), timezone.now()
    page = HttpResponseRedirect(links.checkout_url(order))
    if not evidence.is_unanswered(order):  # answered already, or decided by staff
        return page
    if not form.is_valid():
        return closed(request, order, at=at, place=form)
    by = f"user:{order.owner_id}" if by_owner(request, order) else "payer"
    with suppress(OrderCannotMoveError):  # at this moment
        place_answers.answer(order_id=order.pk, **form.cleaned_data, by=by, at=at)
    return page
