"""How control of a website is shown: one file a method. `METHODS` has them by code, the strongest first."""

from claims.methods.base import CheckResult, Instructions, Method, Target
from claims.reach import Reach
from core.parts import load

METHODS: dict[str, Method] = {code: method() for code, method in load(__name__, Method).items()}


def open_at(reach: Reach) -> list[str]:
    return [code for code, method in METHODS.items() if reach.kind in method.works_on]


def closed_reason(method: Method, reach: Reach) -> str:
    """Why a method is not open at an address, and which are; empty if it is."""
    if reach.kind in method.works_on:
        return ""
    others = open_at(reach)
    return f"{reach.reason} Use {' or '.join(others)}." if others else reach.reason


def as_strong_as(rival: Method, *, reach: Reach) -> str:
    """The ways at an address that hold against a proof, in words."""
    return " or ".join(
        METHODS[code].label for code in open_at(reach) if METHODS[code].strength >= rival.strength
    )
