"""Who sells, for VAT; and what day it is where the seller keeps its books."""

from datetime import datetime
from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo

from django.conf import settings

from orders.vat import Seller


def local(moment: datetime) -> datetime:
    """A moment by the seller's clock: SELLER_TIME_ZONE, or else the first zone of its country."""
    return moment.astimezone(ZoneInfo(zone()))


def zone() -> str:
    """What the tz database calls that clock."""
    return settings.SELLER_TIME_ZONE or _zone_of(settings.SELLER_COUNTRY)


@cache
def _zone_of(country: str) -> str:
    """The zone that the tz database names first for a country, which is its capital's in nearly all of them."""
    table = resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text()
    rows = (row.split("\t") for row in table.splitlines() if not row.startswith("#"))
    return next((row[2] for row in rows if row[0] == country), "UTC")


def registrations() -> dict[str, str]:
    """The countries outside the EU in which the seller is registered for VAT, with its numbers there."""
    pairs = (pair.partition(":") for pair in settings.VAT_REGISTERED.split(",") if ":" in pair)
    return {country.strip().upper(): number.strip() for country, _, number in pairs}


def seller() -> Seller:
    """The seller as the settings say it."""
    return Seller(
        country=settings.SELLER_COUNTRY,
        uses_oss=settings.VAT_OSS,
        registered=frozenset(registrations()),
        is_small=settings.VAT_SMALL_BUSINESS,
    )
