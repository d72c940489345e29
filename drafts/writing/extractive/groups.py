"""Headings with text, items of lists, boxes and bold beginnings that stand side by side."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from drafts.crawl.extract_parts import PageText, Segment
from drafts.writing.measuring import is_code, length_of, names_part
from drafts.writing.reading import Reading
from drafts.writing.roles import NOT_OURS, speaks
from drafts.writing.text import asks, is_cut, squashed

_BULLET = re.compile(r"^(?:[✓✔✅☑•·▸►→\-–—*]|[\U0001F000-\U0001FAFF\u2600-\u27bf]\ufe0f?\u200d?)+\s*")
_LEAD = re.compile(r"^([^:：]{3,60})[:：]\s+\S")
_DASHED = re.compile(r"^([^–—]{3,60})\s[–—]\s\S")
_SIGNS = re.compile(r"[\W\d_]")
_LABEL = re.compile(r"[:：]$|(?:^|\s)/\w")
_SKIPPED = frozenset({"comparison", "blog", "jobs", "legal", "faq", "team", "contact"})
_NO_FEATURE = frozenset({"form", "pain"})
_FRAMES = frozenset({"section", "main", "body", "[document]"})
_NO_TEXT = frozenset({"li", "dt", "summary", "pre"})
_MAX_TITLE, _MAX_ITEM, _LONG_LINE = 90, 220, 60
_SOME_TEXT, _CARD_TEXT = 15, 12
_CARD_PARTS, _CARD_TITLE, _CARD_SHARE = 6, 60, 0.75
_FEW, _MANY, _MOST_ITEMS = 3, 8, 25
_LONG_TEXT, _AFTER = 200, " →↗"
Item = tuple[Segment, str]


@dataclass(frozen=True)
class Group:
    items: tuple[Item, ...]
    form: str
    page: int


def groups_of(reading: Reading) -> Iterator[Group]:
    """All groups of the pages that may present the product, in reading order of each form."""
    names = {squashed(name) for name in reading.own.names}
    pages = (page for page in reading.written if page.index not in reading.translated)
    for page in (page for page in pages if page.kind not in _SKIPPED):
        usable = [s for s in page.texts if _is_usable(reading, s)]
        for form, find in (("headings", _headed), ("list", _listed), ("cards", _carded)):
            for items in find(page, usable):
                worded = [
                    item
                    for item in items
                    if len(_SIGNS.sub("", item[1])) > 1
                    and not (asks(item[1]) or _is_named(item[1]) or is_cut(item[1]))
                    and squashed(item[1]) not in names
                ]
                seen = _alike([item for item in worded if not item[0].hidden] or worded)
                if len({text for _, text in seen}) >= 2 and len(seen) <= _MOST_ITEMS:
                    yield Group(tuple(seen), form, page.index)


def _alike(items: list[Item]) -> list[Item]:
    """The titles alone, where a sentence or two stand among them."""
    titles = [item for item in items if not item[1].endswith((".", "。"))]
    return titles if len(titles) >= len(items) * _CARD_SHARE else items


def _is_named(text: str) -> bool:
    """Whether a text names a value that follows, a path, a file or whose all this is."""
    return bool(_LABEL.search(text)) or "©" in text or is_code(text)


def _is_usable(reading: Reading, segment: Segment) -> bool:
    if segment.all_roles & (_NO_FEATURE | NOT_OURS if segment.hidden else _NO_FEATURE):
        return False
    return (segment.hidden or speaks(segment)) and not reading.own.rival_in(segment.text)


def _headed(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    """Headings of one level with the same heading above, each with text of its own below."""
    rows: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    places = {segment.id: at for at, segment in enumerate(page.texts)}
    tops = sum(segment.level == 1 for segment in page.texts)
    for segment in usable:
        level = segment.level or 7 * _is_bold_title(segment)
        level = 2 if level == 1 and tops >= _FEW else level
        is_head = level >= 2 and is_title(segment.flat) and not names_part(segment.flat)
        if is_head and _has_text(page.texts, places[segment.id]):
            rows[(segment.outline, level, _section_of(page, segment))].append((segment, title_of(segment)))
    yield from rows.values()


def _has_text(texts: tuple[Segment, ...], at: int) -> bool:
    """Whether running text follows a heading, and neither a list nor titles of its own."""
    for below in texts[at + 1 : at + 4]:
        if not below.hidden or texts[at].hidden:
            is_head = below.level or below.tag in _NO_TEXT or _is_bold_title(below)
            return not is_head and length_of(below.text) >= _SOME_TEXT
    return False


def _is_bold_title(segment: Segment) -> bool:
    return segment.bold and segment.tag in {"p", "div", "dt", "li"}


def _section_of(page: PageText, segment: Segment) -> int:
    """The section that holds a heading together with its siblings; a section of one small box is passed over."""
    for block in (b for b in page.climb(segment.block) if page.blocks[b].tag in _FRAMES):
        inside = page.texts_in(block, most=_CARD_PARTS + 1)
        if len(inside) > _CARD_PARTS or sum(s.level == segment.level for s in inside) > 1:
            return block
    return 0


def _listed(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    rows: dict[int, list[Item]] = defaultdict(list)
    for segment in (s for s in usable if not s.level and 3 <= length_of(s.text) <= _MAX_ITEM):
        item = next((b for b in page.climb(segment.block) if page.blocks[b].tag in {"li", "dt"}), None)
        if item is not None and page.blocks[item].first == segment.index:
            rows[page.blocks[item].parent].append((segment, title_of(segment)))
    yield from rows.values()


def _carded(page: PageText, usable: list[Segment]) -> Iterator[list[Item]]:
    """Small boxes side by side, nearly all of one tag, whose titles are no headings."""
    rows: dict[int, dict[int, list[Segment]]] = defaultdict(lambda: defaultdict(list))
    for segment in usable:
        if segment.level or segment.tag in {"li", "td", "th", "summary"}:
            continue
        for card in page.climb(segment.block):
            if page.blocks[card].last - page.blocks[card].first <= _CARD_PARTS:
                rows[page.blocks[card].parent][card].append(segment)
    taken: set[str] = set()
    for cards in rows.values():
        titled = {card: item for card, inside in cards.items() if (item := _card_title(page, inside))}
        ids = {segment.id for segment, _ in titled.values()}
        alike = max(Counter(page.blocks[card].tag for card in titled).values(), default=0)
        is_row = len(titled) >= max(_FEW, len(cards) * _CARD_SHARE) and alike >= len(titled) * _CARD_SHARE
        if is_row and not ids & taken:
            taken |= ids
            yield list(titled.values())


def _card_title(page: PageText, inside: list[Segment]) -> Item | None:
    """The title of a box that holds a short title and a text."""
    if any(s.level for s in page.inside(inside[0].block)):
        return None
    first = next((s for s in inside if length_of(re.sub(r"\W", "", s.text)) >= 3), inside[0])
    title = title_of(first)
    lines = (line for line in first.lines if line.strip() != title and length_of(line) >= _CARD_TEXT)
    text_below = next((s.text for s in inside if s.index > first.index), "") or next(lines, "")
    is_short = is_title(title) and length_of(title) <= _CARD_TITLE
    is_sentence = title.endswith((".", "。", "!", "！"))
    return (first, title) if is_short and not is_sentence and length_of(text_below) >= _CARD_TEXT else None


def title_of(segment: Segment) -> str:
    """What a segment is called: its first line with words, up to a colon or a dash when it is long."""
    worded = (line for line in segment.lines if length_of(re.sub(r"[\W\d]", "", line)) >= 3)
    first = _BULLET.sub("", next(worded, segment.flat))
    if segment.level and _goes_on(segment):
        first = _BULLET.sub("", segment.flat)
    result = _LEAD.match(first) or _DASHED.match(first)
    return (result[1] if result and len(first) > _LONG_LINE else first).strip(_AFTER)


def _goes_on(heading: Segment) -> bool:
    """Whether a line goes on in the next one, since a style breaks it."""
    pairs = pairwise(heading.lines)
    return any(below.lstrip()[:1].islower() and any(map(str.isalpha, line)) for line, below in pairs)


def is_title(text: str) -> bool:
    """Whether a text is as short as a title."""
    return length_of(text) >= 3 and len(text) <= _MAX_TITLE


def group_measures(reading: Reading, group: Group) -> dict[str, float]:
    """What its items have in common, and how they stand together."""
    page = reading.site.pages[group.page - 1]
    count = len(group.items)
    shares: dict[str, float] = defaultdict(float)
    for segment, text in group.items:
        for name, value in reading.measured.measures(segment, text).items():
            shares[name] += value / count
    below = [_below(page, segment) for segment, _ in group.items]
    return dict(shares) | {
        f"form {group.form}": 1.0,
        "items": min(count, _MANY) / _MANY,
        "pair": float(count == 2),
        "told": sum(size > 0 for size in below) / count,
        "told at length": min(sum(below) / count, _LONG_TEXT) / _LONG_TEXT,
        "other page": float(group.page > 1),
    }


def _below(page: PageText, segment: Segment) -> int:
    """How much is told right below a text, in plain type."""
    after = (s for s in page.segments[segment.index + 1 : segment.index + 2] if s.kind == "text")
    return sum(length_of(s.text) for s in after if not (s.level or s.link))
