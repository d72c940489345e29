"""What is for sale at a moment: prices, VAT rates, and the places that are left in launch weeks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from django.conf import settings

from core.postgresql.base import fetch_all
from directory import weeks
from directory.models import Site
from orders.payments import offered
from orders.products import PRODUCTS, Price, Product

PRICES = """
SELECT DISTINCT ON (product) product, amount_cents, is_on_sale FROM orders_productprice
WHERE effective_at <= %(at)s::timestamptz AND withdrawn_at IS NULL AND id <> %(without)s
ORDER BY product, effective_at DESC, id DESC
"""
RATES = """
SELECT DISTINCT ON (country) country, percent FROM orders_vatrate
WHERE country = ANY(%(countries)s::text[]) AND valid_from <= %(on)s::date AND withdrawn_at IS NULL
    AND id <> %(without)s
ORDER BY country, valid_from DESC
"""
# A place is taken by a launch that is not free, by an order that was paid for it, or while one is being paid.
PLACES = """
WITH rules AS (
    SELECT paid_slots_per_week, weeks_shown FROM directory_sitesettings WHERE site_id = %(site)s
    ORDER BY changed_at DESC, id DESC LIMIT 1
)
SELECT series.week::date, greatest(
    0,
    coalesce(own.capacity, (SELECT paid_slots_per_week FROM rules), 0)
    - (SELECT count(*) FROM directory_launch WHERE site_id = %(site)s AND week = series.week::date AND kind <> 'free')
    - (
        SELECT count(*) FROM orders_slothold AS hold
        WHERE hold.site_id = %(site)s AND hold.week = series.week::date
          AND (hold.state = 'taken' OR hold.state = 'held' AND hold.held_until > %(at)s::timestamptz)
    )
)::int
FROM generate_series(
    %(first)s::date,
    coalesce(%(last)s::date, %(first)s::date + 7 * ((SELECT weeks_shown FROM rules) - 1)),
    interval '7 days'
) AS series(week)
LEFT JOIN orders_launchweek AS own ON own.site_id = %(site)s AND own.week = series.week::date
ORDER BY 1
"""


@dataclass(frozen=True, kw_only=True)
class ProductList:
    """Everything that can be bought, in one currency, before VAT."""

    currency: str
    is_open: bool  # somebody can be paid
    places: Mapping[date, int]
    products: list[tuple[Product, Price]]


def prices(*, at: datetime, without: int = 0) -> dict[str, Price]:
    """The prices in effect, by product; as if the row `without` were not there."""
    return {
        product: Price(amount_cents=amount, is_on_sale=is_on_sale)
        for product, amount, is_on_sale in fetch_all(PRICES, {"at": at, "without": without})
    }


def vat_rates(*, countries: Iterable[str], on: date, without: int = 0) -> dict[str, Decimal]:
    """The standard rates of these countries on that day; countries without one are left out."""
    return dict(fetch_all(RATES, {"countries": sorted(set(countries)), "on": on, "without": without}))


def places_left(*, site_id: int, at: datetime) -> dict[date, int]:
    """The weeks on sale of a site, the nearest first, each with the paid places that nobody has or holds.

    How many they are is a setting of the site.
    """
    first = weeks.week_of(at) + weeks.WEEK
    return dict(fetch_all(PLACES, {"site": site_id, "first": first, "last": None, "at": at}))


def places_in(*, site_id: int, week: date, at: datetime) -> int:
    ((_, left),) = fetch_all(PLACES, {"site": site_id, "first": week, "last": week, "at": at})
    return int(left)


def product_list(*, site: Site, at: datetime) -> ProductList:
    """The catalogue with the coming weeks; a product without a price is not for sale."""
    current = prices(at=at)
    nothing = Price(amount_cents=0, is_on_sale=False)
    return ProductList(
        currency=settings.CURRENCY,
        is_open=bool(offered()),
        places=places_left(site_id=site.pk, at=at),
        products=[(product, current.get(code, nothing)) for code, product in PRODUCTS.items()],
    )
