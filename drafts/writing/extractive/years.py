"""The founding year: only where a founding word stands beside it."""

from collections import Counter

from drafts.writing.founding import Found, founding_years, marked_years
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading, ranked


def draft_founded_year(reading: Reading) -> FieldDraft:
    """The year that most sentences and the markup name; the verifier sees what contradicts it."""
    shown, marked = reading.once(founding_years), marked_years(reading)
    told = Counter([*(found.year for found in shown), *marked])
    if shown:
        best = max(shown, key=lambda found: (told[found.year], found.is_firm))
        ordered = sorted(shown, key=lambda found: (found is not best, not found.is_firm, -told[found.year]))
        rows = {one.year: (1.0, _said(reading, one)) for one in reversed(ordered)}
        return ranked([rows[year] for year in reversed(rows)], otherwise=reading.blank)
    if len(marked) > 1:
        return FieldDraft(reason="conflicting", evidence=tuple(marked.values()))
    return next((FieldDraft(value=year, evidence=(quote,)) for year, quote in marked.items()), reading.blank)


def _said(reading: Reading, found: Found) -> FieldDraft:
    return FieldDraft(value=found.year, evidence=reading.quote(*found.sentence.parts))
