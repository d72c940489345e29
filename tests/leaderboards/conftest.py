"""A week with launches and votes cast by people."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from accounts.models import User
from directory.models import Listing, Vote
from directory.weeks import week_of

WEDNESDAY = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)
NEXT_MONDAY = datetime(2026, 11, 23, 0, 0, tzinfo=UTC)
WEEK = week_of(WEDNESDAY)


@pytest.fixture
def voters(db: None) -> Callable[..., list[User]]:
    """So many people."""

    def make(number: int) -> list[User]:
        return [
            User.objects.create_user(f"voter{User.objects.count()}@people.example") for _ in range(number)
        ]

    return make


@pytest.fixture
def vote(voters: Callable[..., list[User]]) -> Callable[..., list[Vote]]:
    """Stored votes for a listing, as they would have been cast."""

    def cast(listing: Listing, number: int, *, at: datetime = WEDNESDAY) -> list[Vote]:
        return [
            Vote.objects.create(listing=listing, user=user, week=week_of(at), created_at=at)
            for user in voters(number)
        ]

    return cast
