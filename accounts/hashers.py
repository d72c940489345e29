"""Passwords by Argon2, few at a time: each hash holds its memory for as long as it takes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from django.contrib.auth.hashers import Argon2PasswordHasher

from core.api.handler import UnavailableError

AT_ONCE = 2  # in a process
WAIT_SECONDS = 3.0


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """OWASP's second choice: 19 MiB, two passes, one lane. Hashes of other costs hold, and are renewed at sign-in."""

    time_cost = 2
    memory_cost = 19_456
    parallelism = 1
    places: ClassVar[threading.BoundedSemaphore] = threading.BoundedSemaphore(AT_ONCE)

    def encode(self, password: str, salt: str) -> str:
        with self._place():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with self._place():
            return super().verify(password, encoded)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """A place among those who hash; UnavailableError for who would wait too long."""
        if not self.places.acquire(timeout=WAIT_SECONDS):
            raise UnavailableError(
                "Too many people sign in just now. Try again soon.", headers={"Retry-After": "5"}
            )
        try:
            yield
        finally:
            self.places.release()
