"""The directory in which examples find what they name."""

from collections.abc import Iterator

import pytest
import time_machine
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from directory.models import Site
from tests.contract.world import NOW, build_world


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Made once for the tests of a file, each of which leaves it as it was."""
    with django_db_blocker.unblock(), transaction.atomic():
        with time_machine.travel(NOW, tick=False):
            build_world(Site.objects.get(is_default=True))
        yield
        transaction.set_rollback(True)
