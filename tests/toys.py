"""What a start with one more part in its folder would do: the parts have it, and the documents are written anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from config.docs import pages as docs
from tests.contract import validation


@contextmanager
def part(parts: dict[str, Any], toy: Any) -> Iterator[None]:
    """Add a toy to the parts of a kind."""
    caches = (docs.schema, docs.schema_bytes, validation.document, validation.validator)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(parts, toy.code, toy)
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()
