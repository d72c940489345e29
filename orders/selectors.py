"""What is for sale, and in which weeks."""

from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.db.models import Count

from directory import weeks
from directory.models import Launch, Site
from directory.selectors.sites import rules_of

WEEKS_ON_SALE = 12


@dataclass(frozen=True, kw_only=True)
class WeekOnSale:
    """A launch week and the paid places it has left."""

    week: date
    slots_left: int


@dataclass(frozen=True, kw_only=True)
class ProductList:
    """Everything that can be bought, in one currency, before VAT."""

    currency: str
    weeks: list[WeekOnSale]


def product_list(*, site: Site, at: datetime) -> ProductList:
    """The coming weeks with their paid places, and the products of the catalogue."""
    slots = rules_of(site.pk).paid_slots_per_week
    first = weeks.week_of(at) + weeks.WEEK
    taken = dict(
        Launch.objects.filter(site=site, week__gte=first, week__lt=first + WEEKS_ON_SALE * weeks.WEEK)
        .exclude(kind=Launch.Kind.FREE)
        .values_list("week")
        .annotate(Count("id"))
    )
    coming = [first + number * weeks.WEEK for number in range(WEEKS_ON_SALE)]
    return ProductList(
        currency=settings.CURRENCY,
        weeks=[WeekOnSale(week=week, slots_left=max(0, slots - taken.get(week, 0))) for week in coming],
    )
