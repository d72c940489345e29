"""The best reviewed products: by the average of the reviews that count, where they are enough."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, F, FloatField, OuterRef
from django.db.models.functions import Cast

from directory import limits
from directory.categories.tree import below
from directory.models import Category, ListingCategory, ListingStats, Site
from directory.search.cards import summaries

PLACES = 20


def best_reviewed(*, site: Site, category: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The summaries of the first, of a category with all under it or of everything; more reviews decide a tie."""
    rows = ListingStats.objects.filter(site=site, is_live=True, reviews__gte=limits.REVIEWS_FOR_BEST)
    if category is not None:
        within = below(Category.objects.filter(slug=category["slug"]).values_list("pk", flat=True))
        rows = rows.filter(
            Exists(ListingCategory.objects.filter(listing=OuterRef("listing"), category__in=within))
        )
    ranked = rows.annotate(average=Cast(F("stars"), FloatField()) / F("reviews"))
    ids = ranked.order_by("-average", "-reviews", "listing").values_list("listing", flat=True)[:PLACES]
    return summaries(listing_ids=list(ids))
