"""Reads of reviews and questions. Each is a constant number of statements."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, FloatField, Max, OuterRef, QuerySet
from django.db.models.functions import Cast, JSONObject
from django.utils.text import Truncator

from accounts.selectors import LISTED_OF_EACH, Waiting, tells_what_waits
from core.api.pagination import Page, paginate
from directory.categories.tree import below
from directory.limits import REVIEWS_FOR_BEST
from directory.models import (
    Category,
    Listing,
    ListingCategory,
    ListingFounder,
    ListingStats,
    Question,
    Review,
    Site,
)
from directory.reviews import limits
from directory.reviews.rating import Rating
from directory.search.cards import summaries

SEVERAL = 5  # answers of one maker in a row
OF_AN_ANSWER = (
    "text",
    "answer",
    "answered_at",
    "listing__slug",
    "listing__name",
    "answered_by__name",
    "answered_by__founder__photo",
)


def public_reviews(listing_id: int) -> QuerySet[Review]:
    rows = Review.objects.public().filter(listing=listing_id)
    people = ("author__founder", "replied_by__founder")
    theirs = ListingFounder.objects.filter(
        founder__user=OuterRef("author"),
        listing__site=OuterRef("listing__site"),
        listing__in=Listing.objects.public(),
    ).order_by("-listing__launch_week", "-listing")
    made = theirs.values(data=JSONObject(slug="listing__slug", name="listing__name"))[: limits.MADE]
    return rows.select_related(*people).annotate(makes=ArraySubquery(made)).order_by("-created_at", "-pk")


def public_questions(listing_id: int) -> QuerySet[Question]:
    """Answered ones, newest first, each with who asked and who answered."""
    rows = Question.objects.public().filter(listing=listing_id)
    return rows.select_related("author", "answered_by__founder").order_by("-created_at", "-pk")


@dataclass(frozen=True, kw_only=True)
class Overview:
    """What the reviews of a listing amount to, by stars, and how many there are to read."""

    rating: Rating
    bars: list[tuple[int, int]]  # stars and how many, the most stars first
    total: int
    uncounted: int | None  # its key, where it is one

    @property
    def is_one_page(self) -> bool:
        return self.total <= limits.PER_PAGE


def overview(listing_id: int) -> Overview:
    """One statement, whatever their number."""
    rows = Review.objects.public().filter(listing=listing_id).order_by()
    grouped = list(rows.values_list("stars", "how").annotate(Count("pk"), Max("pk")))
    counts = dict.fromkeys(range(limits.STARS_MAX, limits.STARS_MIN - 1, -1), 0)
    for stars, how, number, _ in grouped:
        if how != Review.How.WORKS_WITH:
            counts[stars] += number
    total = sum(row[2] for row in grouped)
    rating = Rating(count=sum(counts.values()), stars=sum(stars * number for stars, number in counts.items()))
    others = [pk for _, how, _, pk in grouped if how == Review.How.WORKS_WITH]
    uncounted = others[0] if total - rating.count == 1 else None
    return Overview(rating=rating, bars=list(counts.items()), total=total, uncounted=uncounted)


def review_of(*, user_id: int | None, listing_id: int) -> Review | None:
    """The person's own review, whatever became of it; not one that they withdrew."""
    return Review.objects.filter(author=user_id or 0, listing=listing_id).exclude(text="").first()


def on_listing(listing_id: int) -> dict[str, Any]:
    """What the page of a listing shows of both."""
    reviews = overview(listing_id)
    newest = list(public_reviews(listing_id)[: limits.ON_LISTING]) if reviews.total else []
    questions = list(public_questions(listing_id)[: limits.ON_LISTING + 1])
    return {
        "overview": reviews,
        "reviews": newest,
        "questions": questions[: limits.ON_LISTING],
        "has_more_questions": len(questions) > limits.ON_LISTING,
    }


def open_questions(listing_id: int, *, page: int) -> Page:
    rows = Question.objects.filter(listing=listing_id, status=Question.Status.OPEN)
    rows = rows.select_related("author").order_by("created_at", "pk")
    return paginate(rows, page=page, per_page=limits.PER_PAGE)


def own_reviews(user_id: int) -> list[Review]:
    rows = Review.objects.filter(author=user_id).exclude(text="").select_related("listing")
    return list(rows.order_by("-created_at", "-pk")[: limits.OWN_LISTED])


def own_questions(user_id: int) -> list[Question]:
    rows = Question.objects.filter(author=user_id).select_related("listing")
    return list(rows.order_by("-created_at", "-pk")[: limits.OWN_LISTED])


def answered_on(site: Site) -> QuerySet[Question]:
    """The answered questions about live listings of a site, the newest answer first."""
    rows = Question.objects.public().filter(listing__site=site, listing__status=Listing.Status.LIVE)
    return rows.select_related("listing", "author", "answered_by__founder").order_by("-answered_at", "-pk")


def answering(*, site: Site, most: int) -> list[Question]:
    """The newest answers of as many makers on a site who say their name, one of each."""
    newest = answered_on(site).filter(answered_by__is_active=True).exclude(answered_by__name="")
    newest = newest.select_related(None).select_related("listing", "answered_by__founder").only(*OF_AN_ANSWER)
    by_maker: dict[int | None, Question] = {}
    for row in newest[: most * SEVERAL]:
        by_maker.setdefault(row.answered_by_id, row)
    return list(by_maker.values())[:most]


@tells_what_waits
def answers_waiting(user_id: int) -> list[Waiting]:
    """Questions that the makers have not answered, and reviews that they have not replied to."""
    owned = list(Listing.objects.live().owned_by(user_id).values_list("pk", flat=True))
    questions = Question.objects.filter(listing__in=owned, status=Question.Status.OPEN)
    reviews = Review.objects.public().filter(listing__in=owned, replied_at=None).exclude(text="")
    return [
        *(_waiting(row, what="question about", act="Answer") for row in _oldest(questions)),
        *(_waiting(row, what=f"{row.stars}-star review of", act="Reply") for row in _oldest(reviews)),
    ]


def _oldest(rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows.select_related("listing").order_by("created_at", "pk")[:LISTED_OF_EACH]


def _waiting(row: Any, *, what: str, act: str) -> Waiting:
    return Waiting(
        title=f"A {what} {row.listing.name}",
        detail=Truncator(row.text).chars(120),
        path=f"/account/listings/{row.listing_id}/reviews",
        act=act,
    )


PLACES = 20


def best_reviewed(*, site: Site, category: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The summaries of the first, of a category with all under it or of everything; more reviews decide a tie."""
    rows = ListingStats.objects.filter(site=site, is_live=True, reviews__gte=REVIEWS_FOR_BEST)
    if category is not None:
        within = below(Category.objects.filter(slug=category["slug"]).values_list("pk", flat=True))
        rows = rows.filter(
            Exists(ListingCategory.objects.filter(listing=OuterRef("listing"), category__in=within))
        )
    ranked = rows.annotate(average=Cast(F("stars"), FloatField()) / F("reviews"))
    ids = ranked.order_by("-average", "-reviews", "listing").values_list("listing", flat=True)[:PLACES]
    return summaries(listing_ids=list(ids))
