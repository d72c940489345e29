import tomllib
from functools import lru_cache

from django.conf import settings


@lru_cache(maxsize=1)
def version() -> str:
    result: str = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
    return result
