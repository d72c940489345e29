"""Features and selling points: the groups of texts in which most speaks for it."""

import re
from collections.abc import Iterator
from itertools import islice

from drafts.crawl.extract_parts import words
from drafts.languages import Shape
from drafts.limits import DRAFTED_FEATURES, DRAFTED_USPS, LIST_ITEM
from drafts.writing.choosing import Candidate
from drafts.writing.cues.money import MONEY
from drafts.writing.extractive.groups import Group, group_measures, groups_of
from drafts.writing.measuring import states_figures
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import OPTIONS, Reading
from drafts.writing.text import CJK, squashed, tidy

_BESIDE = 1.8
"""How much less may speak for a further group than for the best of its page."""
_UNSURE = 3.0
"""How much less may speak for selling points, which have a heading of their own, than for features."""
_FEW, _MANY, _PROMISE = 3, 6, 60
_SLOGAN = 40
_NUMBER = re.compile(r"\W*[A-Za-z]?\d")
"""As `1`, `(2)` and `F3`, which count what happens one after the other, and as figures begin."""
_STEP = re.compile(r"\W*(?:[^\W\d_]{2,10}\s)?\d{1,2}\s?[.)）、:：–—-]")
_FOR = Shape(r"^\W*{for}\s")
_SOON = Shape(r"{soon}")
_PLAN = 24
"""So many texts at most make up the box of a plan."""
_FIGURES = frozenset({"price", "stats"})
_OF_OTHERS = words("steps person others audience review catalogue nav header footer")
_TELLING = frozenset({"home", "features", "about", "pricing"})
Ranked = list[tuple[float, Group]]


def group_candidates(reading: Reading) -> Iterator[Candidate[Group]]:
    for group in groups_of(reading):
        yield Candidate(group, group_measures(reading, group))


def ordered_groups(reading: Reading) -> Ranked:
    """All groups, the likeliest list of features first."""
    return reading.judges["features"].ordered(group_candidates(reading))


def draft_features(reading: Reading, ordered: Ranked) -> FieldDraft:
    """The groups of the page with the best one, the best first."""
    likely = (entry for entry in ordered if entry[0] >= reading.judges["features"].threshold)
    ranked = [entry for entry in likely if _figures(entry[1]) * 2 <= len(entry[1].items)]
    sound = [entry for entry in ranked if _goes_on(reading, entry[1])]
    likeliest = sound if sound and _is_passed_over(reading, ranked[0][1]) else ranked
    if not likeliest or all("audience" in segment.under for segment, _ in likeliest[0][1].items):
        return reading.blank
    most, best = likeliest[0]
    chosen = [best, *_joining(sound, best, most)]
    rest = (entry for entry in ordered if entry[1] not in chosen and _goes_on(reading, entry[1]))
    drafted = ((score, _write(reading, [group], DRAFTED_FEATURES)) for score, group in rest)
    rows = [(most, _write(reading, chosen, DRAFTED_FEATURES)), *islice(drafted, OPTIONS)]
    is_alone = len(chosen) == 1 and _goes_on(reading, best)
    is_sure = (is_alone or all(map(_is_called, chosen))) and not _is_slogans(best)
    return reading.choose("features", rows, is_sure=is_sure)


def _joining(sound: Ranked, best: Group, most: float) -> Iterator[Group]:
    """The further groups of the page, the likeliest first: none that nothing calls features beside one that is.

    What stands among the best one's own items tells more of one of them.
    """
    for score, group in sound:
        is_why = all("why" in segment.under for segment, _ in group.items)
        is_within = best.items[0][0].index <= group.items[0][0].index <= best.items[-1][0].index
        is_beside = group is not best and group.page == best.page and score >= most - _BESIDE
        if is_beside and _is_called(group) >= _is_called(best) and (is_why or not is_within):
            yield group


def _is_slogans(group: Group) -> bool:
    """Whether most headings are short sentences, which praise rather than name."""
    texts = [text for _, text in group.items]
    is_short = len("".join(texts)) <= _SLOGAN * len(texts)
    return (
        group.form == "headings" and is_short and sum(t.endswith((".", "。")) for t in texts) * 2 > len(texts)
    )


def _is_called(group: Group) -> bool:
    """Whether a class or a heading calls a group features or says why: those are right in nearly every case."""
    first = group.items[0][0]
    return "feature" in first.all_roles or all("why" in segment.under for segment, _ in group.items)


def _goes_on(reading: Reading, group: Group) -> bool:
    """Whether a further group may list features too: no steps, figures, people, goods, or what a release brought."""
    first = group.items[0][0]
    page = reading.site.pages[group.page - 1]
    numbered = [text for _, text in group.items if _NUMBER.match(text) or _STEP.match(text)]
    lists = (tag for at in page.climb(first.block) if (tag := page.blocks[at].tag) in {"ol", "ul"})
    is_counted = len(numbered) * 2 > len(group.items) or next(lists, "") == "ol"
    is_passing = any(map(states_figures, first.outline)) or _figures(group) or _is_figured(reading, group)
    is_whose = any(map(_FOR.match, first.outline[-1:]))  # a heading that says whom all this is for
    return not (is_counted or is_passing or is_whose or first.all_roles & _OF_OTHERS)


def _is_passed_over(reading: Reading, group: Group) -> bool:
    """Whether a list that is likeliest by its words is of figures, of a release, or of what happens in turn."""
    is_released = any(map(states_figures, group.items[0][0].outline))
    return is_released or all(_STEP.match(text) for _, text in group.items) or _is_figured(reading, group)


def _figures(group: Group) -> int:
    return sum(states_figures(text) for _, text in group.items)


def _is_figured(reading: Reading, group: Group) -> bool:
    """Whether these are figures, or the list of what one plan holds: its price stands in the same box."""
    first, last = group.items[0][0], group.items[-1][0]
    if first.roles & _FIGURES:
        return True
    page = reading.site.pages[group.page - 1]
    for at in page.climb(first.block) if group.form == "list" else ():
        box = page.blocks[at]
        if box.tag in {"section", "main", "body"} or box.last - box.first > _PLAN:
            break
        around = (s for s in page.inside(at) if not first.index <= s.index <= last.index)
        if box.last > last.index and any(MONEY.search(s.text) for s in around):
            return True
    return False


def draft_usps(reading: Reading, ordered: Ranked, features: tuple[str, ...]) -> FieldDraft:
    """The best group under a heading that asks why, or the short list below the main heading; no feature again."""
    taken = {squashed(f) for f in features}
    least = reading.judges["features"].threshold - _UNSURE
    fresh = [
        entry for entry in ordered if not any(squashed(tidy(text)) in taken for _, text in entry[1].items)
    ]
    telling = (entry for entry in fresh if reading.site.pages[entry[1].page - 1].kind in _TELLING)
    why = (
        group for score, group in telling if score >= least and all("why" in s.under for s, _ in group.items)
    )
    sound_groups = [group for group in why if _goes_on(reading, group) and not _is_labels(group)]
    promised = [group for _, group in fresh if _is_promised(reading, group)]
    return _write(reading, (sound_groups or promised)[:1], DRAFTED_USPS)


def _is_labels(group: Group) -> bool:
    """Whether most items are a word each, which says for whom something matters rather than why."""
    words = [text for _, text in group.items if not CJK.search(text)]
    return sum(len(text.split()) == 1 for text in words) * 2 > len(group.items)


def _is_promised(reading: Reading, group: Group) -> bool:
    """Whether a list of a few short lines, no figures above what they count, stands right below the main heading."""
    tops = {s.flat for s in reading.home.texts if s.level == 1}
    if group.form != "list" or group.page != 1 or not _FEW <= len(group.items) <= _MANY:
        return False
    plain = [s for s, text in group.items if not s.link and len(s.lines) == 1 and len(text) <= _PROMISE]
    heads = {s.outline for s in plain}
    return len(plain) == len(group.items) and all(len(entry) == 1 and entry[0] in tops for entry in heads)


def _write(reading: Reading, groups: list[Group], limit: int) -> FieldDraft:
    result: dict[str, tuple[str, Evidence]] = {}
    for segment, text in (item for group in groups for item in group.items if not _SOON.search(item[1])):
        value = tidy(text)[:LIST_ITEM]
        for quote in reading.quote((segment, text)):
            result.setdefault(squashed(value), (value, quote))
    values, quotes = zip(*islice(result.values(), limit), strict=True) if result else ((), ())
    return FieldDraft(value=values, evidence=quotes) if result else reading.blank
