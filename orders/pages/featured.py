"""The page of a featured place: where it stands, how it looks, its dates and its price before anything is ordered."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.sessions import signed_in, user_of
from directory.errors import ListingNotFoundError
from directory.launches.featured import featured as featured_now
from directory.listings.profile import covers
from directory.models import Listing
from directory.search.cards import summaries
from orders import limits
from orders.pages.offering import sums_of
from orders.payments import CLOSED, offered
from orders.products import PRODUCTS
from orders.products.featured import Featured
from orders.selectors import catalogue
from orders.selectors.featured import beside


@require_safe
@signed_in
def featured(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/buy/featured`; its form is the shop's."""
    user_id, at = user_of(request).pk, timezone.now()
    listing = Listing.objects.owned_by(user_id).filter(pk=listing_id).select_related("site").first()
    product = PRODUCTS[Featured.code]
    price = catalogue.prices(at=at).get(product.code)
    if listing is None or price is None or not price.is_on_sale or not product.fits(listing):
        raise ListingNotFoundError("There is no such listing, or it cannot be featured now.")
    mondays = list(catalogue.places_left(site_id=listing.site_id, at=at))
    starts = product.starts_for(listing, mondays, at)
    name = f"Featured, {limits.FEATURED_DAYS} days"
    context = {
        "listing": listing,
        "starts": [
            (value, span, is_launch, beside(listing=listing, begins=span[0], ends=span[1]))
            for value, span, is_launch in starts
        ],
        "sums": sums_of(
            product.code, name=name, listing=listing, user_id=user_id, currency=settings.CURRENCY, at=at
        ),
        "days": limits.FEATURED_DAYS,
        "spots": product.spots(listing),
        "preview": summaries(listing_ids=[listing.pk]),
        "covers": covers(site=listing.site, slugs=[listing.slug]),
        "standing": featured_now(site_id=listing.site_id, at=at),
        "closed": "" if offered() else CLOSED,
    }
    return render(request, "orders/account/featured.html", context)
