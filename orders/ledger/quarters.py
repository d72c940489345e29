"""Quarters of a year, by which VAT is returned."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

FORM = re.compile(r"(20\d\d)-?Q([1-4])", re.ASCII)


@dataclass(frozen=True, kw_only=True, order=True)
class Quarter:
    year: int
    number: int

    @classmethod
    def read(cls, text: str) -> Self | None:
        """A quarter as it is written; nothing for what is none."""
        match = FORM.fullmatch(text)
        return cls(year=int(match[1]), number=int(match[2])) if match else None

    @classmethod
    def of(cls, day: date) -> Self:
        return cls(year=day.year, number=(day.month + 2) // 3)

    def __str__(self) -> str:
        return f"{self.year}-Q{self.number}"

    @property
    def first(self) -> date:
        return date(self.year, 3 * self.number - 2, 1)

    @property
    def before(self) -> "Quarter":
        return Quarter.of(self.first - timedelta(days=1))

    @property
    def last(self) -> date:
        after = date(self.year + 1, 1, 1) if self.number == 4 else date(self.year, 3 * self.number + 1, 1)
        return after - timedelta(days=1)


def last_quarters(today: date, *, number: int) -> list[Quarter]:
    """So many of them, the present one first."""
    rows = [Quarter.of(today)]
    while len(rows) < number:
        rows.append(rows[-1].before)
    return rows
