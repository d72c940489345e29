"""Reviews and questions of the listings that are seen first: this week's, those of the last weeks, the most voted."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from config.demo.content import Row, read
from config.demo.listings import Placed
from config.demo.people import users
from directory.data.categories import category_tree
from directory.models import Founder, Question, Review
from directory.reviews.rating import recount

WEEKS, REVIEWED = 3, 130
# beside those of its own a listing has so many more: most few, some many
MORE, OFTEN = (0, 1, 2, 4, 7, 10), (34, 24, 18, 12, 8, 4)
MOODS = {"loved": (5, 5, 5, 4), "liked": (5, 4, 4, 3), "mixed": (5, 4, 4, 3, 2), "minded": (4, 3, 2, 1)}
MOODS_OFTEN, SEEN_OFTEN = (5, 7, 4, 2), (6, 8, 3, 0)  # the second of those seen first
REPLIED = 0.4
Content = dict[str, Any]


def add_reviews(placed: Sequence[Placed], *, at: datetime) -> None:
    """Some have many, most few or none; by readers, and by makers whose faces one knows, if not of the same week."""
    seen_first = sorted(
        (entry for entry in placed if entry.share == 1 and entry.listing.launched_at),
        key=lambda entry: (not entry.row["reviewed"], not _is_recent(entry), -entry.count("votes")),
    )[:REVIEWED]
    content = {**read("reviews.json"), "used": set(), "replied": set()}
    people = _impartial(placed, names=content["people"], at=at)
    Review.objects.bulk_create(
        review
        for entry in seen_first
        for review in _reviews(entry, people=people[entry.row["launch_week"]], content=content, at=at)
    )
    Question.objects.bulk_create(
        question
        for entry in seen_first
        for question in _questions(entry, people=people[entry.row["launch_week"]], at=at)
    )
    recount([entry.listing.pk for entry in seen_first])


def _impartial(
    placed: Sequence[Placed], *, names: Sequence[str], at: datetime
) -> dict[int | None, list[int]]:
    """Who may speak of the products of each week: readers, and makers who have none in it, in this or in a later."""
    emails = {f"reader{number}@demo.example": name for number, name in enumerate(names)}
    readers = users(emails, at=at)
    makers = Founder.objects.exclude(photo="").exclude(user=None).order_by("slug")
    ids = [*(readers[email] for email in emails), *makers.values_list("user_id", flat=True)]
    owners: dict[int | None, set[int | None]] = defaultdict(set)
    for entry in placed:
        owners[entry.row["launch_week"]].add(entry.listing.owner_id)
    racing = {owner for week in owners if week is not None and week >= 0 for owner in owners[week]}
    return {week: [person for person in ids if person not in racing | own] for week, own in owners.items()}


def _is_recent(entry: Placed) -> bool:
    week = entry.row["launch_week"]
    return week is not None and week >= -WEEKS


def _texts(row: Row, *, content: Content, rng: Random) -> list[tuple[int, str, str]]:
    """What is said of a listing: its own texts first, then such as fit how well it is liked."""
    often = SEEN_OFTEN if row["reviewed"] else MOODS_OFTEN
    mood = MOODS[rng.choices(list(MOODS), often)[0]]
    fits = content["texts"] + (content["texts_of_work"] if _is_of_work(row, content=content) else [])
    left = rng.sample(fits, len(fits))
    stated = [(stars, how, text) for stars, how, text in row["reviewed"]]
    for _ in range(rng.choices(MORE, OFTEN)[0]):
        stars = rng.choice(mood)
        for _, how, text in (
            entry for entry in left if entry[0] == stars and entry[2] not in content["used"]
        ):
            content["used"].add(text)  # no two products have the same words
            stated.append((stars, how, text.format(name=row["facts"]["name"])))
            break
    return stated


def _is_of_work(row: Row, *, content: Content) -> bool:
    parents = {category.slug: category.parent for category in category_tree()}
    first = row["categories"][0]
    return (parents[first] or first) in content["work"]


def _reviews(entry: Placed, *, people: Sequence[int], content: Content, at: datetime) -> Iterator[Review]:
    listing = entry.listing
    rng = Random(f"reviews:{listing.slug}")  # noqa: S311  (nobody's secret)
    stated = _texts(entry.row, content=content, rng=rng)
    for author, (stars, how, text) in zip(rng.sample(people, len(stated)), stated, strict=True):
        written = _between(listing.launched_at or at, at, rng=rng)
        review = Review(
            listing=listing,
            author_id=author,
            stars=stars,
            how=how,
            text=text,
            created_at=written,
            status=Review.Status.PUBLISHED,
        )
        fresh = [reply for reply in content["replies"][str(stars)] if reply not in content["replied"]]
        if listing.owner_id and fresh and rng.random() < REPLIED:
            review.reply = rng.choice(fresh)
            content["replied"].add(review.reply)
            review.replied_at, review.replied_by_id = _between(written, at, rng=rng), listing.owner_id
        yield review


def _questions(entry: Placed, *, people: Sequence[int], at: datetime) -> Iterator[Question]:
    listing = entry.listing
    rng = Random(f"questions:{listing.slug}")  # noqa: S311  (nobody's secret)
    for text, answer in entry.row["asked"]:
        created_at = _between(listing.launched_at or at, at, rng=rng)
        yield Question(
            listing=listing,
            author_id=rng.choice(people),
            text=text,
            created_at=created_at,
            status=Question.Status.ANSWERED,
            answer=answer,
            answered_at=_between(created_at, at, rng=rng),
            answered_by_id=listing.owner_id,
        )


def _between(since: datetime, until: datetime, *, rng: Random) -> datetime:
    return since + timedelta(seconds=int(rng.random() * (until - since).total_seconds()))
