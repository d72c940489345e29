"""What people wrote of a product goes along when staff make its listing part of another, and back."""

from django.db.models import Exists, OuterRef

from directory.models import Listing, Question, Review
from directory.reviews import rating


def move_texts(*, listing: Listing, into: Listing) -> None:
    """Reviews by people who have none of the other yet, and all questions; the merge is their transaction."""
    rating.lock([listing.pk, into.pk])
    same = Review.objects.filter(listing=into, author=OuterRef("author"))
    moved = Review.objects.filter(~Exists(same), listing=listing)
    moved.update(listing=into, merged_from=listing)
    Question.objects.filter(listing=listing).update(listing=into, merged_from=listing)
    rating.recount([listing.pk, into.pk])


def move_texts_back(*, listing: Listing, into: Listing) -> None:
    """What came by the merge goes back, but for reviews whose writers have written one there meanwhile."""
    rating.lock([listing.pk, into.pk])
    same = Review.objects.filter(listing=listing, author=OuterRef("author"))
    mine = {"listing": into, "merged_from": listing}
    Review.objects.filter(~Exists(same), **mine).update(listing=listing, merged_from=None)
    Question.objects.filter(**mine).update(listing=listing, merged_from=None)
    rating.recount([listing.pk, into.pk])
