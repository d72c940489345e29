"""Reviews and questions of the listings that are seen first: this week's, those of the last weeks, the most voted."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from config.demo.content import read
from config.demo.listings import Placed
from config.demo.people import users
from directory.models import Question, Review
from directory.reviews.rating import recount

WEEKS, REVIEWED, EACH = 3, 60, 3
REPLIED, ASKED = 3, 2  # every third review has a reply, every second listing a question


def add_reviews(placed: Sequence[Placed], *, at: datetime) -> None:
    """Three reviews of each, by people who are nobody's makers; the same each time."""
    seen_first = sorted(
        (entry for entry in placed if entry.share == 1 and entry.listing.launched_at),
        key=lambda entry: (not _is_recent(entry), -entry.count("votes")),
    )[:REVIEWED]
    content = read("reviews.json")
    emails = {f"reader{number}@demo.example": name for number, name in enumerate(content["people"])}
    people = users(emails, at=at)
    ids = [people[email] for email in emails]
    Review.objects.bulk_create(
        review
        for number, entry in enumerate(seen_first)
        for review in _reviews(entry, number=number, people=ids, content=content, at=at)
    )
    Question.objects.bulk_create(
        question
        for number, entry in enumerate(seen_first)
        if number % ASKED == 0 and entry.listing.owner_id
        for question in _questions(entry, number=number, people=ids, content=content, at=at)
    )
    recount([entry.listing.pk for entry in seen_first])


def _is_recent(entry: Placed) -> bool:
    week = entry.row["launch_week"]
    return week is not None and week >= -WEEKS


def _reviews(
    entry: Placed, *, number: int, people: Sequence[int], content: dict[str, Any], at: datetime
) -> Iterator[Review]:
    listing = entry.listing
    features = listing.features or [listing.tagline]
    rng = Random(f"reviews:{listing.slug}")  # noqa: S311  (nobody's secret)
    authors = rng.sample(people, EACH)
    for place, author in enumerate(authors):
        position = number * EACH + place
        stars, how, text = content["texts"][(position * 5 + number) % len(content["texts"])]
        written = _between(listing.launched_at or at, at, rng=rng)
        review = Review(
            listing=listing,
            author_id=author,
            stars=stars,
            how=how,
            text=text.format(name=listing.name, feature=features[place % len(features)]),
            created_at=written,
            status=Review.Status.PUBLISHED,
        )
        if position % REPLIED == 0 and listing.owner_id:
            review.reply = content["replies"][0 if stars == 4 else 3 if stars < 3 else 1 if stars == 3 else 2]
            review.replied_at, review.replied_by_id = _between(written, at, rng=rng), listing.owner_id
        yield review


def _questions(
    entry: Placed, *, number: int, people: Sequence[int], content: dict[str, Any], at: datetime
) -> Iterator[Question]:
    listing = entry.listing
    rng = Random(f"questions:{listing.slug}")  # noqa: S311  (nobody's secret)
    for text, answer in rng.sample(content["questions"], 1 + number % 3):
        asked_at = _between(listing.launched_at or at, at, rng=rng)
        yield Question(
            listing=listing,
            author_id=rng.choice(people),
            text=text,
            created_at=asked_at,
            status=Question.Status.ANSWERED,
            answer=answer,
            answered_at=_between(asked_at, at, rng=rng),
            answered_by_id=listing.owner_id,
        )


def _between(since: datetime, until: datetime, *, rng: Random) -> datetime:
    return since + timedelta(seconds=int(rng.random() * (until - since).total_seconds()))
