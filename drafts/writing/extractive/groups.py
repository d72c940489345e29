"""Headings with text, items of lists, boxes and bold beginnings that stand side by side."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import PageText, Segment
from drafts.writing.cues.headings import names_part
from drafts.writing.gazetteer import countries_of_town
from drafts.writing.measuring import length_of
from drafts.writing.reading import Reading
from drafts.writing.roles import NOT_OURS, speaks
from drafts.writing.text import CJK, asks

_BULLET = re.compile(r"^(?:[✓✔✅☑•·▸►→\-–—*]|[\U0001F000-\U0001FAFF\u2600-\u27bf]\ufe0f?\u200d?)+\s*")
_LEAD = re.compile(r"^([^:：]{3,60})[:：]\s+\S")
_DASHED = re.compile(r"^([^–—]{3,60})\s[–—]\s\S")
_SKIPPED = frozenset({"comparison", "blog", "jobs", "legal", "faq", "team", "contact"})
_NO_FEATURE = frozenset({"form", "pain"})
_ITEM_TAGS = frozenset({"li", "dt"})
_FRAMES = frozenset({"main", "body", "[document]"})
_MAX_TITLE, _MAX_ITEM, _LONG_LINE = 90, 220, 60
_SOME_TEXT, _CARD_TEXT = 15, 12
_CARD_PARTS, _CARD_TITLE, _CARD_SHARE = 6, 60, 0.75
_FEW, _MANY, _MOST_ITEMS = 3, 8, 25
_MOST_CHAPTER, _LONG_TOLD = 12, 200
Item = tuple[Segment, str]


@dataclass(frozen=True)
class Group:
    """Texts that stand side by side, and in what form."""

    items: tuple[Item, ...]
    form: str
    page: int


def groups_of(reading: Reading) -> Iterator[Group]:
    """All groups of the pages that may present the product, in reading order of each form."""
    for page in reading.written:
        if page.kind in _SKIPPED:
            continue
        usable = [s for s in page.texts if _is_usable(reading, s)]
        forms = {
            "headings": _headed(page, usable),
            "list": _listed(page, usable),
            "cards": _carded(page, usable),
            "leads": _led(page, usable),
        }
        for form, found in forms.items():
            for items in found:
                worded = [item for item in items if any(map(str.isalnum, item[1]))]
                seen = [item for item in worded if not item[0].hidden] or worded
                if 2 <= len(seen) <= _MOST_ITEMS:
                    yield Group(tuple(seen), form, page.index)


def _is_usable(reading: Reading, segment: Segment) -> bool:
    reading.check()
    if segment.all_roles & (_NO_FEATURE | NOT_OURS if segment.hidden else _NO_FEATURE):
        return False
    return (segment.hidden or speaks(segment)) and not reading.own.rival_in(segment.text)


def _headed(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    """Headings of one level with the same heading above, each with text of its own below."""
    found: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    places = {segment.id: at for at, segment in enumerate(page.texts)}
    tops = sum(segment.level == 1 for segment in page.texts)
    for segment in usable:
        at = places[segment.id]
        level = segment.level or (7 if _is_bold_title(page.texts, at) else 0)
        level = 2 if level == 1 and tops >= _FEW else level
        if (
            level >= 2
            and is_title(segment.flat)
            and not names_part(segment.flat)
            and _has_text(page.texts, at)
        ):
            found[(segment.outline, level, _section_of(page, segment))].append((segment, title_of(segment)))
    yield from found.values()


def _has_text(texts: tuple[Segment, ...], at: int) -> bool:
    """Whether running text follows a heading, and neither a list nor titles of its own."""
    near = (at + 1 + n for n, s in enumerate(texts[at + 1 : at + 4]) if not s.hidden or texts[at].hidden)
    place = next(near, None)
    if place is None:
        return False
    below = texts[place]
    is_list = below.tag in {"li", "dt", "summary"} or _is_bold_title(texts, place)
    is_code = below.tag == "pre"
    return not (below.level or is_list or is_code) and length_of(below.text) >= _SOME_TEXT


def _is_bold_title(texts: tuple[Segment, ...], at: int) -> bool:
    segment = texts[at]
    following = texts[at + 1] if at + 1 < len(texts) else None
    return (
        segment.bold
        and not segment.level
        and segment.tag in {"p", "div", "dt", "li"}
        and following is not None
        and not following.bold
        and following.block != segment.block
    )


def _section_of(page: PageText, segment: Segment) -> int:
    """The section that holds a heading together with its siblings; a section of one small box is passed over."""
    for block in page.climb(segment.block):
        tag = page.blocks[block].tag
        if tag in _FRAMES:
            return block
        if tag == "section":
            inside = page.texts_in(block, most=_CARD_PARTS + 1)
            if len(inside) > _CARD_PARTS or sum(s.level == segment.level for s in inside) > 1:
                return block
    return 0


def _listed(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    found: dict[int, list[Item]] = defaultdict(list)
    for segment in usable:
        item = next((b for b in page.climb(segment.block) if page.blocks[b].tag in _ITEM_TAGS), None)
        if item is None or page.segments[page.blocks[item].first].id != segment.id or segment.level:
            continue
        if 3 <= length_of(segment.text) <= _MAX_ITEM:
            found[page.blocks[item].parent].append((segment, title_of(segment)))
    yield from found.values()


def _led(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    """Paragraphs side by side that begin in bold type."""
    found: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for segment in usable:
        title = _BULLET.sub("", segment.lead).rstrip(" .:：。-–—")
        if segment.tag == "p" and is_title(title) and length_of(title) <= _CARD_TITLE:
            found[(segment.outline, page.blocks[segment.block].parent)].append((segment, title))
    yield from (items for items in found.values() if len(items) >= _FEW)


def _carded(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    """Small boxes side by side, nearly all of one tag, whose titles are no headings."""
    found: dict[int, dict[int, list[Segment]]] = defaultdict(lambda: defaultdict(list))
    for segment in usable:
        if segment.level or segment.tag in {"li", "td", "th", "summary"}:
            continue
        for card in page.climb(segment.block):
            parent = page.blocks[card].parent
            if parent >= 0 and page.blocks[card].last - page.blocks[card].first <= _CARD_PARTS:
                found[parent][card].append(segment)
    taken: set[str] = set()
    for cards in found.values():
        titled = {card: item for card, inside in cards.items() if (item := _card_title(page, inside))}
        items = list(titled.values())
        alike = max(Counter(page.blocks[card].tag for card in titled).values(), default=0)
        enough = len(items) >= max(_FEW, len(cards) * _CARD_SHARE) and alike >= len(items) * _CARD_SHARE
        if enough and not any(s.id in taken for s, _ in items):
            taken.update(s.id for s, _ in items)
            yield items


def _card_title(page: PageText, inside: list[Segment]) -> Item | None:
    """The title of a box that holds a short title and a text."""
    if any(s.level for s in page.inside(inside[0].block)):
        return None
    first = next((s for s in inside if length_of(re.sub(r"\W", "", s.text)) >= 3), inside[0])
    title = title_of(first)
    rest = [s.text for s in inside if s.index > first.index]
    rest = rest or [line for line in first.lines if line.strip() != title and length_of(line) >= _CARD_TEXT]
    fits = is_title(title) and length_of(title) <= _CARD_TITLE and not title.endswith((".", "。", "!", "！"))
    return (first, title) if fits and rest and length_of(rest[0]) >= _CARD_TEXT and rest[0] != title else None


def title_of(segment: Segment) -> str:
    """What a segment is called: its first line with words, up to a colon or a dash when it is long."""
    worded = [line for line in segment.lines if length_of(re.sub(r"[\W\d]", "", line)) >= 3]
    first = worded[0] if worded and len(segment.lines) > 1 else segment.flat
    first = _BULLET.sub("", first)
    for pattern in (_LEAD, _DASHED):
        found = pattern.match(first)
        if found and len(first) > _LONG_LINE:
            return found.group(1).strip()
    return first


def is_title(text: str) -> bool:
    """Whether a text is as short as a title, and asks nothing."""
    most = _MAX_TITLE * (2 if CJK.search(text) else 1)
    return 3 <= length_of(text) <= most and not asks(text)


def group_measures(reading: Reading, group: Group) -> dict[str, float]:
    """What its items have in common, and how they stand together."""
    page = reading.site.pages[group.page - 1]
    count = len(group.items)
    shares: dict[str, float] = defaultdict(float)
    for segment, text in group.items:
        for name, value in reading.said.measures(segment, text).items():
            shares[name] += value / count
    segments = [segment for segment, _ in group.items]
    sizes = [length_of(text) for _, text in group.items]
    below = [_below(page, segment) for segment in segments]
    gap = (segments[-1].index - segments[0].index) / (count - 1)
    return dict(shares) | {
        f"form {group.form}": 1.0,
        "items": min(count, _MANY) / _MANY,
        "pair": float(count == 2),
        "gap": min(gap, _MOST_CHAPTER) / _MOST_CHAPTER,
        "told": sum(size > 0 for size in below) / count,
        "told at length": min(sum(below) / count, _LONG_TOLD) / _LONG_TOLD,
        "asked": sum(text.rstrip().endswith(("?", "？")) for _, text in group.items) / count,
        "uneven": (max(sizes) - min(sizes)) / max(*sizes, 1),
        "named things": _named_things(page, group),
        "towns": sum(_is_town(text) for _, text in group.items) / count,
        "cut": sum(text != segment.flat for segment, text in group.items) / count,
        "other page": float(group.page > 1),
    }


def _below(page: PageText, segment: Segment) -> int:
    """How much is told right below a text, in plain type."""
    after = page.segments[segment.index + 1] if segment.index + 1 < len(page.segments) else None
    is_told = after is not None and after.kind == "text" and not after.level and not after.link
    return length_of(after.text) if after is not None and is_told else 0


def _is_town(text: str) -> bool:
    return len(text.split()) <= 2 and bool(countries_of_town(text))


def _named_things(page: PageText, group: Group) -> float:
    """How many titles are made of words that the page writes with a capital everywhere: people, systems, brands."""
    texts = [text.split() for _, text in group.items]
    names = 0
    for words in texts:
        is_capital = len(words) <= _FEW and all(word[:1].isupper() for word in words)
        names += is_capital and not any(
            re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", page.text) for word in words
        )
    return names / len(texts)
