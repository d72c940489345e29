"""Remember what was found for a short text; a stranger's long ones would fill the memory."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Found = TypeVar("Found")
LONGEST = 2000


def kept(most: int) -> Callable[[Callable[..., Found]], Callable[..., Found]]:
    """Keep the last `most` answers of a function of texts, as far as these have `LONGEST` characters together."""

    def keep(find: Callable[..., Found]) -> Callable[..., Found]:
        remembered = lru_cache(maxsize=most)(find)

        @wraps(find)
        def answer(*texts: str) -> Found:
            return (remembered if sum(map(len, texts)) <= LONGEST else find)(*texts)

        return answer

    return keep
