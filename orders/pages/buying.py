"""What can be bought for a listing of one's own: makes an order as create_checkout does, and leads to its page."""

from datetime import date, datetime
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, user_of
from core import throttling
from core.errors import ApiError, RateLimitedError
from directory.errors import ListingNotFoundError
from directory.models import Category, Listing
from directory.selectors.sites import current_site
from orders import limits, links
from orders.amounts import hundredths
from orders.catalogue import PRODUCTS, ProductSpec, description_of, why_not_offered
from orders.models import Product
from orders.payments import CLOSED, offered
from orders.selectors import catalogue
from orders.services import offering  # noqa: F401  (tells listing pages what a paid launch costs)
from orders.services.checkout import checkout_once
from orders.services.featured_dates import starts_to_choose
from orders.services.promos import Guesser
from orders.vat import NO_NUMBER

NOT_HERE = {Product.DONE_FOR_YOU.value}  # it is for people who have no listing yet


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
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
        return _page(request, listing, at=at, refusal=wrong.messages, product=request.POST.get("product", ""))
    try:
        order = checkout_once(
            buyer=Guesser(user_id=user_of(request).pk, network=throttling.network_caller(request)),
            site=current_site(request),
            asked={"items": [item]},
            number=NO_NUMBER,
            at=at,
        )
    except ApiError as error:
        if isinstance(error, RateLimitedError):
            raise
        details = [entry.message for entry in error.errors] or [error.detail]
        return _page(request, listing, at=at, refusal=details, product=request.POST.get("product", ""))
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
    if posted.get("start"):
        item["options"] = {"start": posted["start"][: limits.WEEK]}
    if posted.get("amount"):
        item["amount_cents"] = hundredths(posted["amount"])
    return item


def _page(
    request: HttpRequest,
    listing: Listing,
    *,
    at: datetime,
    refusal: list[str] | None = None,
    product: str = "",
) -> HttpResponse:
    prices = catalogue.prices(at=at)
    places = catalogue.places_left(site_id=listing.site_id, at=at)
    offers = [
        {
            "spec": spec,
            "name": name_for(spec, listing),
            "description": description_for(spec, listing),
            "cents": prices[code].amount_cents,
            "weeks": _weeks(spec, listing, places),
            "starts": starts_to_choose(listing=listing, mondays=places, at=at)
            if code == Product.FEATURED
            else [],
            "refusal": refusal if code == product else None,
        }
        for code, spec in PRODUCTS.items()
        if code not in NOT_HERE
        and code in prices
        and prices[code].is_on_sale
        and not why_not_offered(spec)
        and _fits(spec, listing)
    ]
    context = {
        "listing": listing,
        "offers": offers,
        "refusal": refusal,
        "closed": "" if offered() else CLOSED,
        "currency": settings.CURRENCY,
        "categories": Category.objects.order_by("name").values_list("slug", "name"),
    }
    return render(request, "orders/account/buy.html", context, status=400 if refusal else 200)


def _fits(spec: ProductSpec, listing: Listing) -> bool:
    is_offered = spec.code not in NOT_HERE and not why_not_offered(spec)
    return is_offered and listing.status in spec.statuses and listing.plan in spec.plans


def name_for(spec: ProductSpec, listing: Listing) -> str:
    """What is bought; a launch publishes nothing of what is live: it is the paid plan then."""
    return spec.name.replace("Launch", "Paid plan") if spec.starts and listing.is_live else spec.name


def description_for(spec: ProductSpec, listing: Listing) -> str:
    """What is bought for this listing."""
    if not spec.starts or not listing.is_live:
        return description_of(spec)
    if spec.parts:
        return description_of(spec).replace("Launch", "The paid plan", 1)
    return (
        "Adds story, milestones and gallery to your page, and up to four categories. It stays live as it is."
    )


def _weeks(spec: ProductSpec, listing: Listing, places: dict[date, int]) -> list[date]:
    """The weeks that a product can have for this listing."""
    if spec.week == "none" or (spec.starts and listing.is_live):
        return []
    before = listing.launch_week if spec.code == Product.SKIP_QUEUE else None
    return [week for week, left in places.items() if left and (before is None or week < before)]
