"""What the reviews of a listing amount to, kept beside its other counters and counted anew after each change."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

from core.cache import changed
from directory.models import ListingStats, Question, Review, Site
from directory.reviews import limits

AT_ONCE = 500


@dataclass(frozen=True, kw_only=True)
class Rating:
    count: int
    stars: int
    answers: int = 0

    @property
    def average(self) -> float | None:
        """To one decimal, halves up as the database rounds; none while they are too few."""
        if self.count < limits.AVERAGE_FROM:
            return None
        return (20 * self.stars + self.count) // (2 * self.count) / 10


def lock(listing_ids: Collection[int]) -> list[ListingStats]:
    """The counters of these listings, held until the transaction ends."""
    return list(ListingStats.objects.select_for_update().filter(pk__in=listing_ids).order_by("pk"))


@transaction.atomic(savepoint=False)
def recount(listing_ids: Collection[int]) -> None:
    rows = lock(listing_ids)
    counted = Review.objects.counted().filter(listing__in=[row.pk for row in rows]).order_by()
    sums = {
        pk: (number, stars)
        for pk, number, stars in counted.values_list("listing").annotate(Count("pk"), Sum("stars"))
    }
    moved = [row for row in rows if (row.reviews, row.stars) != sums.get(row.pk, (0, 0))]
    for row in moved:
        row.reviews, row.stars = sums.get(row.pk, (0, 0))
        row.save(update_fields=["reviews", "stars"])
    if moved:
        changed("listings")


def recount_of_people(user_ids: Collection[int]) -> None:
    """After accounts were shut or opened: what they have reviewed."""
    recount(set(Review.objects.filter(author__in=user_ids).values_list("listing", flat=True)))


def recount_all() -> None:
    """Whoever became a founder or owner of what they had reviewed no longer counts."""
    listed = Review.objects.filter(status=Review.Status.PUBLISHED).order_by("listing").distinct("listing")
    ids = set(listed.values_list("listing", flat=True))
    ids.update(ListingStats.objects.filter(reviews__gt=0).values_list("pk", flat=True))
    every = sorted(ids)
    for start in range(0, len(every), AT_ONCE):
        recount(every[start : start + AT_ONCE])


def ratings(*, site: Site, slugs: Iterable[str]) -> Mapping[str, Rating]:
    """What lists show beside these listings: an average of enough reviews, and answers of makers from two on."""
    answered = Question.objects.public().filter(listing=OuterRef("pk")).order_by().values("listing")
    rows = ListingStats.objects.filter(site=site, listing__slug__in=set(slugs)).annotate(
        answers=Coalesce(Subquery(answered.annotate(number=Count("pk")).values("number")), 0)
    )
    return {
        slug: Rating(count=count, stars=stars, answers=answers if answers > 1 else 0)
        for slug, count, stars, answers in rows.filter(
            Q(reviews__gte=limits.AVERAGE_FROM) | Q(answers__gt=1)
        ).values_list("listing__slug", "reviews", "stars", "answers")
    }
