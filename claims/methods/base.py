"""What is asked of a method: where it counts, what to publish for it, and whether that is there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, ClassVar

from claims import limits
from claims.reach import Host, Reach
from core.api.errors import FieldError, InvalidRequestError, needs_fix
from core.api.serializers import Shape


@dataclass(frozen=True, kw_only=True)
class Target:
    reach: Reach
    token: str
    email: str = ""
    link_expires_at: datetime | None = None

    @property
    def line(self) -> str:
        return f"plverify={self.token}"


@dataclass(frozen=True, kw_only=True)
class Instructions:
    """What to publish: in words, as the answer's own part, and in lines to copy with their labels."""

    summary: str
    values: Mapping[str, Any]
    lines: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What one check showed: a word of the interface, a sentence for a person, what was there, raw for staff."""

    result: str
    detail: str
    texts: tuple[str, ...] = ()
    raw: str = ""

    @property
    def is_proof(self) -> bool:
        return self.result == "found"


class Method:
    code: ClassVar[str]
    position: ClassVar[int] = 0
    strength: ClassVar[int] = 1  # a contest is decided between proofs as strong as each other
    # closed where the host is not one's own, or where anybody has a mailbox, unless a method says otherwise
    works_on: ClassVar[frozenset[Host]] = frozenset({Host.OWN})
    proof_age: ClassVar[timedelta] = limits.PROOF_AGE
    by_link: ClassVar[bool] = False  # a person opens a mailed link, instead of a machine that looks

    label: ClassVar[str]  # as in "Verified by …"
    noun: ClassVar[str]  # as in "shown by …", on the listing's page
    icon: ClassVar[str]
    hint: ClassVar[str]  # who can use it
    summary: ClassVar[str]  # for programs, in a word or two
    answer: ClassVar[str]  # the name of its part of the instructions
    shape: ClassVar[type[Shape]]  # and what that part holds

    def publish(self, target: Target) -> Instructions:
        raise NotImplementedError

    def find_proof(self, target: Target, *, seconds: float) -> CheckResult:
        """Look for the proof for at most so long. A method that is not by link has one."""
        raise NotImplementedError

    def check(self, target: Target, *, seconds: float) -> CheckResult:
        """What `find_proof` saw, within the bounds of what is stored."""
        result = self.find_proof(target, seconds=seconds)
        return replace(
            result,
            detail=result.detail[:500],
            texts=tuple(_bounded(text) for text in islice(result.texts, limits.SEEN)),
            raw=result.raw.replace("\0", "\ufffd")[: limits.RAW],
        )

    def refuse_address(self, email: str, *, reach: Reach | None = None) -> None:
        """Raise what is wrong with the address that came with a claim; of no listing, with its being there."""
        if email:
            why = "Leave this out: it is for the method email alone."
            error = FieldError(code="not_applicable", pointer="/email", message=why)
            raise InvalidRequestError(needs_fix([error]), errors=[error])


def _bounded(text: str) -> str:
    """A stranger's text, short and without what cannot be stored or seen."""
    return "".join(letter if letter.isprintable() else " " for letter in text[: limits.SEEN_TEXT]).strip()
