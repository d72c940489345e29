"""What can be bought for a listing of one's own: makes an order as create_checkout does, and leads to its page."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_form, user_of
from core.api import throttling
from core.api.errors import ApiError, RateLimitedError
from directory.errors import ListingNotFoundError
from directory.models import Listing
from directory.sites.lookup import current_site
from orders import limits, links
from orders.amounts import hundredths
from orders.checkout import checkout_once
from orders.pages import shop
from orders.payments import CLOSED, offered
from orders.promos import Caller
from orders.vat import NO_NUMBER


@signed_in_form
def buy(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/buy`."""
    at = timezone.now()
    listing = Listing.objects.owned_by(user_of(request).pk).filter(pk=listing_id).first()
    if listing is None:
        raise ListingNotFoundError("There is no such listing.")
    if request.method != "POST":
        return _page(request, listing, at=at)
    throttling.enforce("write", caller=f"user:{user_of(request).pk}")
    try:
        item = _item(request, listing_id=listing.pk)
    except ValidationError as wrong:
        return _page(request, listing, at=at, refusal=wrong.messages)
    try:
        order = checkout_once(
            buyer=Caller(user_id=user_of(request).pk, network=throttling.network_caller(request)),
            site=current_site(request),
            cart={"items": [item]},
            number=NO_NUMBER,
            at=at,
        )
    except ApiError as error:
        if isinstance(error, RateLimitedError):
            raise
        details = [entry.message for entry in error.errors] or [error.detail]
        return _page(request, listing, at=at, refusal=details)
    response = HttpResponseRedirect(links.checkout_url(order))
    response.status_code = 303
    return response


def _item(request: HttpRequest, *, listing_id: int) -> dict[str, Any]:
    """The posted form as an item of an order; what does not fit is for the order's own rules to refuse.

    Raises ValidationError for an amount that cannot be read.
    """
    posted = request.POST
    item: dict[str, Any] = {"product": posted.get("product", "")[: limits.PRODUCT], "listing_id": listing_id}
    if posted.get("week"):
        item["week"] = posted["week"][: limits.WEEK]
    if categories := posted.getlist("categories")[: limits.CATEGORIES_SENT]:
        item["categories"] = categories
    if options := {
        key: posted[key][:length]
        for key, length in (
            ("start", limits.WEEK),
            ("finish", limits.OPTION_TEXT),
            ("title", limits.OPTION_TEXT),
        )
        if posted.get(key)
    }:
        item["options"] = options
    if posted.get("amount"):
        item["amount_cents"] = hundredths(posted["amount"])
    return item


def _page(
    request: HttpRequest, listing: Listing, *, at: datetime, refusal: list[str] | None = None
) -> HttpResponse:
    chosen = request.POST.getlist("categories")
    filed = [row.category.name for row in listing.filed.select_related("category").order_by("position")]
    context = {
        "listing": listing,
        "shop": shop.shop_of(listing, user_id=user_of(request).pk, at=at),
        "refusal": refusal,
        "closed": "" if offered() else CLOSED,
        "currency": settings.CURRENCY,
        "extra": limits.EXTRA_CATEGORIES,
        "filed": filed,
        "groups": shop.category_groups(filed=filed, chosen=chosen),
        "chosen": chosen,
        "amount": request.POST.get("amount", ""),
    }
    return render(request, "orders/account/buy.html", context, status=400 if refusal else 200)
