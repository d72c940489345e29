"""Ratings from a CSV file: header `domain,domain_rating`, optional `date` and `source`."""

import csv
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

from core.fetch import split_url
from directory.limits import DOMAIN
from leaderboards import limits
from leaderboards.errors import RatingFileError
from leaderboards.ratings.storing import Rating

DEFAULT_SOURCE = "import"


def read(path: Path, *, today: date) -> Iterator[Rating]:
    """The ratings of a file. Raises RatingFileError naming the line."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = csv.DictReader(file)
            if not {"domain", "domain_rating"} <= set(rows.fieldnames or ()):
                raise RatingFileError(
                    "The header must name domain and domain_rating; date and source may follow."
                )
            for row in rows:
                yield rating_of(row, line=rows.line_num, today=today)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RatingFileError(f"{path}: {error}") from error


def rating_of(row: Mapping[str, str | None], *, line: int, today: date) -> Rating:
    """The rating of a row. Raises RatingFileError naming the line."""
    domain = (row["domain"] or "").strip().lower().rstrip(".")
    try:
        host = (split_url(domain if "//" in domain else f"//{domain}").hostname or "").removeprefix("www.")
        value = round(float(row["domain_rating"] or ""))
        day = (
            date.fromisoformat((row.get("date") or "").strip()) if (row.get("date") or "").strip() else today
        )
    except (ValueError, OverflowError) as error:
        raise RatingFileError(f"Line {line}: {error}.") from error
    if "." not in host or len(host) > DOMAIN or not host.isprintable() or " " in host:
        raise RatingFileError(f"Line {line}: {domain!r} is not a domain.")
    if day > today:
        raise RatingFileError(f"Line {line}: {day:%-d %B %Y} is still to come.")
    if not 0 <= value <= limits.RATING_MAX:
        raise RatingFileError(f"Line {line}: a rating is from 0 to {limits.RATING_MAX}, not {value}.")
    return Rating(domain=host, value=value, source=_source(row), date=day)


def _source(row: Mapping[str, str | None]) -> str:
    named = "".join(letter for letter in row.get("source") or "" if letter.isprintable())
    return named.strip()[:80] or DEFAULT_SOURCE
