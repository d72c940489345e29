"""The filled directory, and its two readers."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts import services as accounts
from accounts.models import User
from tests.conftest import signed_in
from tests.factories.staff import fresh
from tests.pages.table import ANYBODY
from tests.pages.world import fill
from tests.servers.website import Website


@pytest.fixture
def ines(db: None) -> User:
    return accounts.create_user(email="ines@brindle.example", password="correct horse battery")


@pytest.fixture
def names(ines: User, brindle: Website) -> dict[str, str]:
    """The filled directory, by the names that the table of pages speaks of."""
    return fill(owner=ines)


@pytest.fixture
def reader(ines: User) -> Callable[[Any], Client]:
    """The browser of somebody who may see a page."""
    maker = signed_in(ines)
    by_kind = {ANYBODY: Client()}
    return lambda page: by_kind.get(page.reader) or fresh(maker)
