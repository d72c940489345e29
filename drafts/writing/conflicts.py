"""Where a site contradicts itself: the field is left blank and both quotes are shown."""

from drafts.writing.founding import founding_years, marked_years
from drafts.writing.places import places_in
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading


def contradicted(reading: Reading, fields: dict[str, FieldDraft]) -> dict[str, FieldDraft]:
    """The fields, blank where another statement of equal weight says something else.

    The visible text beats markup: a value that only markup states does not contradict a shown one.
    """
    checked = dict(fields)
    for key, others in (("founded_year", _year_quotes), ("country", _place_quotes), ("city", _place_quotes)):
        draft = fields.get(key)
        if draft and isinstance(draft.value, str) and (quotes := others(reading, key, draft.value)):
            checked[key] = FieldDraft(reason="conflicting", evidence=draft.evidence[:1] + quotes[:1])
    return checked


def _year_quotes(reading: Reading, _key: str, year: str) -> tuple[Evidence, ...]:
    """What the site says of another year, unless this one is said twice as often, the markup counted."""
    found = founding_years(reading)
    others = [each for each in found if each.year != year]
    if len(others) * 2 <= len(found) - len(others) + (year in marked_years(reading)):
        return ()
    return reading.quote(*(part for each in others for part in each.sentence.parts))


def _place_quotes(reading: Reading, key: str, value: str) -> tuple[Evidence, ...]:
    """Statements of another place that are stronger than every statement of this one, or as strong and as many."""
    stated = [place for place in places_in(reading) if getattr(place, key)]
    ours = [p for p in stated if same_place(getattr(p, key), value)]
    theirs = [p for p in stated if not same_place(getattr(p, key), value)]
    rank = max((p.rank for p in ours), default=-1)
    strong = [p for p in theirs if p.rank > rank]
    equal = [p for p in theirs if p.rank == rank]
    if not strong and len(equal) * 2 <= sum(p.rank == rank for p in ours):
        return ()
    return reading.quote(*((place.segment, place.quote) for place in strong or equal))


def same_place(one: str, other: str) -> bool:
    """Whether two spellings name one place."""
    first, second = (text.casefold().replace("-", " ") for text in (one, other))
    return first == second or first in second or second in first
