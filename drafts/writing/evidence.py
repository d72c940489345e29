"""Which lines of a site may speak for a value, and what the site says against one."""

from directory.facts import FACTS
from drafts.crawl.extract_parts import Segment
from drafts.writing.founding import founding_years, marked_years
from drafts.writing.places import places_in, same_place
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading
from drafts.writing.roles import NOT_OURS, is_review, speaks, states_facts

_VOICES = {"founders": "company"} | {name: fact.voice for name, fact in FACTS.items()}
_QUOTED = 5  # of which the first that can be quoted is shown


def may_speak(field: str, segment: Segment) -> bool:
    if "instruction" in segment.roles:
        return False
    if segment.kind != "text":
        return True
    voice = _VOICES.get(field)
    if voice == "company":
        return states_facts(segment)
    if voice == "product":
        return speaks(segment)
    if voice == "site":
        return not is_review(segment) and not segment.all_roles & NOT_OURS
    return "struck" not in segment.roles


def uncontradicted(reading: Reading, key: str, draft: FieldDraft) -> FieldDraft:
    """The value of a field, blank where another statement of equal weight says something else.

    The visible text beats markup: a value that only markup states does not contradict a shown one.
    """
    if isinstance(draft.value, str) and (quotes := _contrary_quotes(reading, key, draft.value)):
        return FieldDraft(reason="conflicting", evidence=draft.evidence[:1] + quotes[:1])
    return draft


def _contrary_quotes(reading: Reading, key: str, value: str) -> tuple[Evidence, ...]:
    """What the site says against the value of a field that can be contradicted."""
    if key == "founded_year":
        return _year_quotes(reading, value)
    return _place_quotes(reading, key, value) if key in {"country", "city"} else ()


def _year_quotes(reading: Reading, year: str) -> tuple[Evidence, ...]:
    """What the site says of another year, unless this one is said twice as often, the markup counted."""
    result = reading.once(founding_years)
    others = [each for each in result if each.year != year]
    if len(others) * 2 <= len(result) - len(others) + (year in marked_years(reading)):
        return ()
    return reading.quote(*(part for each in others[:_QUOTED] for part in each.sentence.parts))


def _place_quotes(reading: Reading, key: str, value: str) -> tuple[Evidence, ...]:
    """Statements of another place that are stronger than every statement of this one, or as strong and as many."""
    stated = [place for place in places_in(reading) if getattr(place, key)]
    ours = [p for p in stated if same_place(getattr(p, key), value)]
    rank = max((p.rank for p in ours), default=-1)
    theirs = [p for p in stated if p.rank >= rank and not same_place(getattr(p, key), value)]
    if len(theirs) * 2 <= sum(p.rank == rank for p in ours) and all(p.rank == rank for p in theirs):
        return ()
    strongest = sorted(theirs, key=lambda place: -place.rank)[:_QUOTED]
    return reading.quote(*((place.segment, place.quote) for place in strongest))
