"""Places that jobs take while they work on something that only a few may work on at a time.

They are leases in the cache, since a lock of a database session means nothing behind a pooler; after a crash, its
holder gets a place again, or another job does once the holder's own lease is over.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.cache import cache

from core.job_limits import GRACE_SECONDS
from core.jobs.kinds import KINDS
from core.jobs.queue import has_passed
from core.models import Job
from core.outages import NotNowError

WAIT_SECONDS = 1.0


@contextmanager
def place(name: str, *, places: int, holder: str) -> Iterator[None]:
    """One of the places of this name. Raises NotNowError when others have them all."""
    keys = [f"{name}:{number}" for number in range(places)]
    longest = max(kind.limit_seconds for kind in KINDS.values()) + GRACE_SECONDS  # that any job may take
    key = next((key for key in keys if cache.add(key, holder, longest)), None)
    key = key or next((key for key in keys if cache.get(key) == holder), None)
    key = key or next((key for key in keys if _inherits(key, holder, seconds=longest)), None)
    if key is None:
        raise NotNowError(seconds=WAIT_SECONDS)
    try:
        yield
    finally:
        if cache.get(key) == holder:
            cache.delete(key)


def _inherits(key: str, holder: str, *, seconds: float) -> bool:
    """Take the place of a job whose worker died; of all who find that, the first one does."""
    former = cache.get(key)
    with suppress(ValueError):
        row = Job.objects.filter(pk=uuid.UUID(former or ""), state=Job.State.RUNNING)
        if row.filter(has_passed("lease_until")).exists() and cache.add(
            f"{key}:after:{former}", holder, seconds
        ):
            cache.set(key, holder, seconds)
            return True
    return False
