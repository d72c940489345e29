"""How a listing can be shown to be somebody's. The area of claims, above this one, says it when the app is ready."""

from collections.abc import Mapping
from typing import Protocol


class Proof(Protocol):
    """A method of claims, as far as listings tell of it."""

    noun: str


methods: Mapping[str, Proof] = {}


def codes() -> list[str]:
    return list(methods)


def noun_of(code: str | None) -> str:
    return methods[code].noun if code and code in methods else ""
