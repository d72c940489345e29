"""The founding year: only where a founding word stands beside it."""

from collections import Counter

from drafts.writing.founding import Found, founding_years, marked_years
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading


def draft_founded_year(reading: Reading) -> FieldDraft:
    """The year that most sentences and the markup name; half as many for another year leave the field blank."""
    shown = founding_years(reading)
    firm = [found for found in shown if found.is_firm] or shown
    marked = _marked(reading)
    if not firm:
        return marked
    told = Counter(found.year for found in shown)
    if isinstance(marked.value, str):
        told[marked.value] += 1
    best = max(dict.fromkeys(found.year for found in firm), key=lambda year: told[year])
    other = next((year for year in told if year != best and told[year] * 2 > told[best]), None)
    evidence = _evidence(reading, next(f for f in firm if f.year == best))
    if other is None:
        return FieldDraft(value=best, evidence=evidence)
    against = next((_evidence(reading, f) for f in shown if f.year == other), marked.evidence)
    return FieldDraft(reason="conflicting", evidence=evidence + against)


def _evidence(reading: Reading, found: Found) -> tuple[Evidence, ...]:
    return reading.quote(*found.sentence.parts)


def _marked(reading: Reading) -> FieldDraft:
    years = marked_years(reading)
    if len(years) == 1:
        year, evidence = next(iter(years.items()))
        return FieldDraft(value=year, evidence=(evidence,))
    return FieldDraft(reason="conflicting", evidence=tuple(years.values())) if years else reading.blank
