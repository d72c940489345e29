"""Remember answers for short texts; a stranger's long ones would fill the memory."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Result = TypeVar("Result")
LONGEST = 2000


def cached(most: int) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Remember the last `most` answers of a function of texts, as far as these have `LONGEST` characters together."""

    def decorate(find: Callable[..., Result]) -> Callable[..., Result]:
        remembered = lru_cache(maxsize=most)(find)

        @wraps(find)
        def answer(*texts: str) -> Result:
            return (remembered if sum(map(len, texts)) <= LONGEST else find)(*texts)

        return answer

    return decorate
