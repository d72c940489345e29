"""Who sells, for VAT; and what day it is where the seller keeps its books."""

from datetime import date, datetime
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from django.conf import settings

from core.postgresql.base import fetch_all
from orders.vat import Seller

REGISTERED = """
SELECT DISTINCT ON (country) country, number FROM orders_vatregistration
WHERE withdrawn_at IS NULL AND valid_from <= %(on)s::date AND (valid_until IS NULL OR valid_until >= %(on)s::date)
ORDER BY country, valid_from DESC
"""


def local(moment: datetime) -> datetime:
    """A moment by the seller's clock: SELLER_TIME_ZONE, or else the first zone of its country."""
    return moment.astimezone(ZoneInfo(zone()))


def day_of(moment: datetime) -> date:
    """The day that documents are dated by, and that VAT rates and registrations hold on."""
    return local(moment).date()


def zone() -> str:
    return settings.SELLER_TIME_ZONE or _zone_of(settings.SELLER_COUNTRY)


@cache
def _zone_of(country: str) -> str:
    """The zone that the tz database names first for a country, which is its capital's in nearly all of them."""
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text()
    rows = (row.split("\t") for row in table.splitlines() if not row.startswith("#"))
    return next((row[2] for row in rows if row[0] == country), "UTC")


def registrations(*, on: date) -> dict[str, str]:
    """The countries outside the EU in which the seller is registered for VAT on a day, with its numbers there.

    Exempt as a small business, its own country is among them, without a number.
    """
    return dict(fetch_all(REGISTERED, {"on": on}))


def seller(*, on: date) -> Seller:
    """The seller as the settings and the rows of staff say it."""
    registered = registrations(on=on)
    return Seller(
        country=settings.SELLER_COUNTRY,
        uses_oss=settings.VAT_OSS,
        registered=frozenset(registered) - {settings.SELLER_COUNTRY},
        is_small=registered.get(settings.SELLER_COUNTRY) == "",
    )
