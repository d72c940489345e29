"""The founding year: only where a founding word stands beside it."""

from collections import Counter

from drafts.writing.founding import FoundingYear, founding_years, marked_years
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading, ranked


def draft_founded_year(reading: Reading) -> FieldDraft:
    """The year that most sentences and the markup name; the verifier sees what contradicts it."""
    sentences, marked = reading.once(founding_years), marked_years(reading)
    counts = Counter([*(candidate.year for candidate in sentences), *marked])
    if sentences:
        best = max(sentences, key=lambda candidate: (counts[candidate.year], candidate.is_firm))
        ordered = sorted(
            sentences,
            key=lambda candidate: (candidate is not best, not candidate.is_firm, -counts[candidate.year]),
        )
        rows = {entry.year: (1.0, _draft(reading, entry)) for entry in reversed(ordered)}
        return ranked([rows[year] for year in reversed(rows)], otherwise=reading.blank)
    if len(marked) > 1:
        return FieldDraft(reason="conflicting", evidence=tuple(marked.values()))
    return next((FieldDraft(value=year, evidence=(quote,)) for year, quote in marked.items()), reading.blank)


def _draft(reading: Reading, candidate: FoundingYear) -> FieldDraft:
    return FieldDraft(value=candidate.year, evidence=reading.quote(*candidate.sentence.parts))
