"""Where a site contradicts itself: the field is left blank and both quotes are shown."""

from collections.abc import Iterable

from drafts.writing.founding import founding_years, marked_years
from drafts.writing.places import Place, places_in
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading


def contradicted(reading: Reading, fields: dict[str, FieldDraft]) -> dict[str, FieldDraft]:
    """The fields, blank where another statement of equal weight says something else.

    The visible text beats markup: a value that only markup states does not contradict a shown one.
    """
    checked = dict(fields)
    year = fields.get("founded_year")
    if year is not None and isinstance(year.value, str):
        checked["founded_year"] = _against(year, _year_quotes(reading, year.value))
    places = places_in(reading) if _has_value(fields, "country") or _has_value(fields, "city") else []
    for key in ("country", "city"):
        draft = fields.get(key)
        if draft is not None and isinstance(draft.value, str):
            checked[key] = _against(draft, _place_quotes(reading, places, key, draft.value))
    return checked


def _has_value(fields: dict[str, FieldDraft], key: str) -> bool:
    draft = fields.get(key)
    return draft is not None and draft.value is not None


def _against(draft: FieldDraft, others: tuple[Evidence, ...]) -> FieldDraft:
    if not others:
        return draft
    return FieldDraft(reason="conflicting", evidence=draft.evidence[:1] + others[:1])


def _year_quotes(reading: Reading, year: str) -> tuple[Evidence, ...]:
    """What the site says of another year, unless this one is said twice as often, the markup counted."""
    found = founding_years(reading)
    others = [each for each in found if each.year != year]
    if len(others) * 2 <= len(found) - len(others) + (year in marked_years(reading)):
        return ()
    return tuple(e for each in others for e in reading.quote(*each.sentence.parts))


def _place_quotes(reading: Reading, places: list[Place], key: str, value: str) -> tuple[Evidence, ...]:
    """Statements of another place that are stronger than every statement of this one, or as strong and as many."""
    stated = [place for place in places if getattr(place, key)]
    ours = [p for p in stated if same_place(getattr(p, key), value)]
    theirs = [p for p in stated if not same_place(getattr(p, key), value)]
    rank = max((p.rank for p in ours), default=-1)
    strong = [p for p in theirs if p.rank > rank]
    equal = [p for p in theirs if p.rank == rank]
    if not strong and len(equal) * 2 <= sum(p.rank == rank for p in ours):
        return ()
    return _cut(reading, ((p.segment, p.quote) for p in strong or equal))


def same_place(one: str, other: str) -> bool:
    """Whether two spellings name one place."""
    first, second = (text.casefold().replace("-", " ") for text in (one, other))
    return first == second or first in second or second in first


def _cut(reading: Reading, parts: Iterable[tuple[object, str]]) -> tuple[Evidence, ...]:
    return tuple(e for part in parts for e in reading.quote(part))  # type: ignore[arg-type]
