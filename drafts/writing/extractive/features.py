"""Features and selling points: the groups of texts in which most speaks for it."""

from collections.abc import Iterator

from drafts.limits import DRAFTED_FEATURES, DRAFTED_USPS, LIST_ITEM
from drafts.writing.choosing import Candidate
from drafts.writing.extractive.groups import Group, group_measures, groups_of
from drafts.writing.measuring import states_figures
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.text import squashed, tidy

_BESIDE = 1.5
"""How much less may speak for a further group than for the best of its page."""
_FEW = 3
Ranked = list[tuple[float, Group]]


def group_candidates(reading: Reading) -> Iterator[Candidate[Group]]:
    """All groups with what can be told of them."""
    for group in groups_of(reading):
        yield Candidate(group, group_measures(reading, group))


def ranked_groups(reading: Reading) -> Ranked:
    """The groups that may list features, the best first."""
    return reading.judges["features"].ranked(group_candidates(reading))


def draft_features(reading: Reading, ranked: Ranked) -> FieldDraft:
    """The groups of the page with the best one, the best first."""
    if not ranked:
        return reading.blank
    most, best = ranked[0]
    chosen = [
        group
        for score, group in ranked
        if group is best or (group.page == best.page and score >= most - _BESIDE and _goes_on(group))
    ]
    if len(chosen) == 1 and len(best.items) < _FEW:
        chosen += [group for _, group in ranked if group.page != best.page][:1]
    return _write(reading, chosen, DRAFTED_FEATURES)


def _goes_on(group: Group) -> bool:
    """Whether a further group may list features too: neither steps nor what a release brought."""
    first = group.items[0][0]
    return "steps" not in first.all_roles and not any(map(states_figures, first.outline))


def draft_usps(reading: Reading, ranked: Ranked, features: tuple[str, ...]) -> FieldDraft:
    """The best group under a heading that asks why, without what is a feature already."""
    taken = {squashed(f) for f in features}
    for _, group in ranked:
        is_fresh = not any(squashed(tidy(text)) in taken for _, text in group.items)
        if is_fresh and all("why" in segment.under for segment, _ in group.items):
            return _write(reading, [group], DRAFTED_USPS)
    return reading.blank


def _write(reading: Reading, groups: list[Group], limit: int) -> FieldDraft:
    values: list[str] = []
    evidence: list[Evidence] = []
    seen: set[str] = set()
    for segment, text in (item for group in groups for item in group.items):
        value = tidy(text)[:LIST_ITEM]
        quote = cut(reading.site, segment, text)
        if quote is None or squashed(value) in seen:
            continue
        seen.add(squashed(value))
        values.append(value)
        evidence.append(quote)
        if len(values) >= limit:
            break
    return FieldDraft(value=tuple(values), evidence=tuple(evidence)) if values else reading.blank
