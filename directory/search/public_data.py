"""What public reads are made of, kept in step with listings in the transaction that changes them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import QuerySet

from core import jobs
from core.cache import changed
from directory.models import Category, Listing, ListingCategory, ShownWhileLive
from directory.search.index.documents import Source, category_tree, sources
from directory.search.index.writing import write_cards, write_documents, write_launches, write_stats

AT_ONCE = 500
SEARCHED = frozenset(
    (
        "name",
        "tagline",
        "short_description",
        "description",
        "keywords",
        "tags",
        "url",
        "country",
        "stage",
        "pricing_model",
        "categories",
    )
)


@transaction.atomic(savepoint=False)
def refresh(*, listing_ids: Collection[int]) -> None:
    """Bring summaries, counts and search rows in line with these listings; call it after every change."""
    listings = Listing.objects.filter(pk__in=listing_ids)
    # whoever comes second waits here and then reads what the first has written
    list(listings.order_by("pk").select_for_update().values_list("pk", flat=True))
    refresh_locked(listing_ids=listing_ids)


def refresh_locked(*, listing_ids: Collection[int]) -> None:
    """The same for listings that the caller has locked, or written, in this transaction."""
    result, tree = sources(Listing.objects.filter(pk__in=listing_ids)), category_tree()
    write_stats(result)
    write_launches(result)
    write_public(result)
    write_cards(result, tree=tree)
    write_documents(result, tree=tree)
    changed("listings")


def refresh_facts(*, listing_ids: Collection[int], names: Collection[str]) -> None:
    """The same after an edit of these facts of locked listings, whose status, site and launches are what they were."""
    result, tree = sources(Listing.objects.filter(pk__in=listing_ids)), category_tree()
    write_cards(result, tree=tree)
    if SEARCHED.intersection(names):
        write_documents(result, tree=tree)
    changed("listings")


def write_public(sources: Sequence[Source]) -> None:
    """Rows of areas above follow their listings as well; those areas say so by making them `ShownWhileLive`."""
    live = {source.id: source.public_status == "live" for source in sources}
    for model in apps.get_models():
        if issubclass(model, ShownWhileLive):
            for is_live in (True, False):
                others: QuerySet[Any] = QuerySet(model).filter(is_live=not is_live)
                others.filter(listing__in=[pk for pk in live if live[pk] == is_live]).update(is_live=is_live)


def plan_category_refresh(*, category_id: int, at: datetime) -> None:
    """Have listings follow a changed category soon; there may be too many for whoever changed it to wait."""
    jobs.add("directory.refresh_category", key=f"{category_id}-{at.isoformat()}", category_id=category_id)


def refresh_category(*, category_id: int) -> None:
    """Bring listings in line with a category whose name, slug or place in the tree has changed."""
    tree = category_tree()
    below = [pk for pk in Category.objects.values_list("pk", flat=True) if category_id in tree.above[pk]]
    filed = ListingCategory.objects.filter(category_id__in=below).order_by("listing_id")
    listing_ids = list(filed.values_list("listing_id", flat=True).distinct())
    for start in range(0, len(listing_ids), AT_ONCE):
        refresh(listing_ids=listing_ids[start : start + AT_ONCE])
