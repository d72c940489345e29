"""Features and selling points: the groups of texts in which most speaks for it."""

import re
from collections.abc import Iterator

from drafts.limits import DRAFTED_FEATURES, DRAFTED_USPS, LIST_ITEM
from drafts.writing.choosing import Candidate
from drafts.writing.extractive.groups import Group, group_measures, groups_of
from drafts.writing.measuring import states_figures
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.text import squashed, tidy

_BESIDE = 1.8
"""How much less may speak for a further group than for the best of its page."""
_UNSURE = 3.0
"""How much less may speak for selling points, which have a heading of their own, than for features."""
_FEW, _MANY, _PROMISE = 3, 6, 60
_NUMBER = re.compile(r"\W*[A-Za-z]?\d")
"""As `1`, `(2)` and `F3`, which count what happens one after the other."""
_OF_OTHERS = frozenset({"steps", "person", "others", "audience", "review"})
Ranked = list[tuple[float, Group]]


def group_candidates(reading: Reading) -> Iterator[Candidate[Group]]:
    """All groups with what can be told of them."""
    for group in groups_of(reading):
        yield Candidate(group, group_measures(reading, group))


def ordered_groups(reading: Reading) -> Ranked:
    """All groups, the likeliest list of features first."""
    return reading.judges["features"].ordered(group_candidates(reading))


def draft_features(reading: Reading, ordered: Ranked) -> FieldDraft:
    """The groups of the page with the best one, the best first."""
    ranked = [one for one in ordered if one[0] >= reading.judges["features"].threshold]
    if not ranked:
        return reading.blank
    most, best = ranked[0]
    if all("audience" in segment.under for segment, _ in best.items):
        return reading.blank
    chosen = [
        group
        for score, group in ranked
        if group is best or (group.page == best.page and score >= most - _BESIDE and _goes_on(group))
    ]
    if len(chosen) == 1 and len(best.items) < _FEW:
        chosen += [group for _, group in ranked if group.page != best.page][:1]
    return _write(reading, chosen, DRAFTED_FEATURES)


def _goes_on(group: Group) -> bool:
    """Whether a further group may list features too: no steps, figures, people, customers or what a release brought."""
    first = group.items[0][0]
    is_numbered = all(_NUMBER.match(text) for _, text in group.items)
    return not (is_numbered or first.all_roles & _OF_OTHERS or any(map(states_figures, first.outline)))


def draft_usps(reading: Reading, ordered: Ranked, features: tuple[str, ...]) -> FieldDraft:
    """The best group under a heading that asks why, or the short list below the main heading; no feature again."""
    taken = {squashed(f) for f in features}
    least = reading.judges["features"].threshold - _UNSURE
    fresh = [
        (score, group)
        for score, group in ordered
        if not any(squashed(tidy(text)) in taken for _, text in group.items)
    ]
    told = [
        g
        for score, g in fresh
        if score >= least and _goes_on(g) and all("why" in s.under for s, _ in g.items)
    ]
    promised = [group for _, group in fresh if _is_promised(reading, group)]
    return _write(reading, (told or promised)[:1], DRAFTED_USPS) if told or promised else reading.blank


def _is_promised(reading: Reading, group: Group) -> bool:
    """Whether a list of a few short lines stands right below the home page's main heading."""
    tops = {s.flat for s in reading.home.texts if s.level == 1}
    return (
        group.form == "list"
        and group.page == 1
        and _FEW <= len(group.items) <= _MANY
        and all(
            len(s.outline) == 1
            and s.outline[0] in tops
            and not s.link
            and len(s.lines) == 1  # a figure stands above what it counts
            and len(text) <= _PROMISE
            for s, text in group.items
        )
    )


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
