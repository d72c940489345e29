"""Features and selling points: groups of headings with text, or lists, under telling headings."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_headings import heading_roles
from drafts.crawl.extract_parts import PageText, Segment
from drafts.limits import DRAFTED_FEATURES, DRAFTED_USPS, LIST_ITEM
from drafts.writing.cues.headings import names_part, opens_chapter
from drafts.writing.gazetteer import countries_of_town
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_review, speaks
from drafts.writing.text import CJK, squashed, tidy

_NEVER = frozenset(
    {
        "nav",
        "footer",
        "faq",
        "person",
        "legal",
        "blog",
        "job",
        "event",
        "cta",
        "form",
        "button",
        "others",
        "stats",
        "host",
        "cookie",
        "donation",
    }
)
_MONEY = re.compile(r"[$€£¥₩₽]\s?\d|\d\s?(?:[$€£¥₩₽]|EUR|USD|GBP|CHF|PLN|Kč|zł|руб|円|元|원)", re.IGNORECASE)
_NUMBERED = re.compile(
    r"^(?:\d{1,2}[.)]?\s+|step \d+[:.]?\s*|schritt \d+[:.]?\s*|[✓✔✅☑•·▸►→–-]\s*)", re.IGNORECASE
)
_BULLET = re.compile(r"^(?:[✓✔✅☑•·▸►→\-–—*]|[\U0001F000-\U0001FAFF\u2600-\u27bf]\ufe0f?\u200d?)+\s*")
_LEAD = re.compile(r"^([^:：]{3,60})[:：]\s+\S")
_DASHED = re.compile(r"^([^–—]{3,60})\s[–—]\s\S")
_LEGALISH = re.compile(
    r"privacy|terms|cookie|copyright|licen[cs]e|impressum|contact|newsletter|sign ?(?:in|up)|log "
    r"?in|download|roadmap|coming soon|"
    r"^about\b|company details|open positions|quick ?start|installation|user guide|tutorial|@|"
    r"requirements|changelog|support|community|sponsor|acknowledg|documentation$|read more|learn more",
    re.IGNORECASE,
)
_MAX_TITLE = 90
_ENOUGH = 1.5
_SHARE_OF_BEST = 0.5
_FEW = 3
_SOME_TEXT = 15
_CARD_PARTS = 6
_CARD_TITLE = 60
_TOLD = frozenset({"feature", "why"})
_YEAR = re.compile(r"\b20[0-3]\d\b")
_NAME_WORDS = 2
_FIGURE = re.compile(r"^\W*\d[\d.,]*\s?[%+kKmM×x/]?(?:\W|$)")
_SYSTEM = re.compile(
    r"(?:mac ?os x?|windows|linux|unix|ubuntu|debian|fedora|arch|mint|opensuse|centos|alpine|freebsd|raspberry|android|"
    r"ios|ipad|iphone|docker|homebrew|nas|source code)\b.*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Group:
    """Headings or list items that stand side by side."""

    items: tuple[tuple[Segment, str], ...]
    score: float
    roles: frozenset[str]
    page: int


def draft_features(reading: Reading) -> FieldDraft:
    """The groups of features on the home page, else the best ones of another page."""
    groups = [g for g in _groups(reading) if g.score >= _ENOUGH]
    if not groups:
        return reading.blank
    home = [g for g in groups if g.page == 1]
    best = max(home or groups, key=lambda g: g.score)
    chosen = [g for g in groups if g.page == best.page and g.score >= best.score * _SHARE_OF_BEST]
    if len(chosen) == 1 and len(best.items) < _FEW:
        chosen += sorted((g for g in groups if g.page != best.page), key=lambda g: -g.score)[:1]
    chosen.sort(key=lambda g: ("feature" not in g.roles, g.page, g.items[0][0].index))
    return _write(reading, chosen, DRAFTED_FEATURES)


def draft_usps(reading: Reading, features: tuple[str, ...]) -> FieldDraft:
    """The group under a heading that asks why, without what is a feature already."""
    taken = {squashed(f) for f in features}
    groups = [g for g in _groups(reading) if "why" in g.roles and g.score >= 1]
    fresh = [g for g in groups if not any(squashed(tidy(text)) in taken for _, text in g.items)]
    return _write(reading, fresh[:1], DRAFTED_USPS) if fresh else reading.blank


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


def _groups(reading: Reading) -> Iterator[Group]:
    for page in reading.site.pages:
        if page.kind in {"comparison", "blog", "jobs", "legal", "faq", "team", "contact"}:
            continue
        yield from _heading_groups(reading, page)
        yield from _list_groups(reading, page)
        yield from _card_groups(reading, page)
        yield from _lead_groups(reading, page)


def _usable(reading: Reading, segment: Segment) -> bool:
    reading.check()
    hidden_tab = segment.hidden and "instruction" not in segment.roles
    return (
        (speaks(segment) or hidden_tab)
        and not segment.all_roles & _NEVER
        and not reading.own.rival_in(segment.text)
    )


def _heading_groups(reading: Reading, page: PageText) -> Iterator[Group]:
    """Headings of one level with the same heading above, each with text of its own below."""
    found: dict[tuple[object, ...], list[tuple[Segment, str]]] = defaultdict(list)
    texts = page.texts
    tops = sum(segment.level == 1 for segment in texts)
    for at, segment in enumerate(texts):
        level = segment.level or (7 if _is_bold_title(texts, at) else 0)
        level = 2 if level == 1 and tops >= _FEW else level
        if level < 2 or not _is_title(segment.flat) or _is_section_head(segment.flat, level):
            continue
        if not _has_text_below(texts, at) or not _usable(reading, segment):
            continue
        found[(segment.outline, level, _section_of(page, segment))].append((segment, _title_of(segment)))
    for items in found.values():
        first = items[0][0]
        is_told = any(heading_roles(head) & _TOLD for head in first.outline)
        if len(items) >= _FEW or first.level != 2 or is_told:
            yield from _scored(page, items, base=1.0)


def _has_text_below(texts: tuple[Segment, ...], at: int) -> bool:
    """Whether running text follows a heading, and neither a list, nor a price, nor titles of its own."""
    near = (at + 1 + n for n, s in enumerate(texts[at + 1 : at + 4]) if not s.hidden or texts[at].hidden)
    place = next(near, None)
    if place is None:
        return False
    below = texts[place]
    is_list = below.tag in {"li", "dt", "summary"} or _is_bold_title(texts, place)
    return not (below.level or is_list or _MONEY.search(below.text)) and _length(below.text) >= _SOME_TEXT


def _is_section_head(text: str, level: int) -> bool:
    """Whether a heading names a part of the page, or a price, and no feature."""
    return names_part(text) or bool(_MONEY.search(text)) or (level == 2 and opens_chapter(text))


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
        if tag in {"main", "body", "[document]"}:
            return block
        if tag == "section":
            inside = page.texts_in(block, most=_CARD_PARTS + 1)
            if len(inside) > _CARD_PARTS or sum(s.level == segment.level for s in inside) > 1:
                return block
    return 0


def _list_groups(reading: Reading, page: PageText) -> Iterator[Group]:
    found: dict[int, list[tuple[Segment, str]]] = defaultdict(list)
    for segment in page.texts:
        if segment.tag not in {"li", "dt"} and page.blocks[segment.block].tag not in {"li", "dt"}:
            continue
        item = next((b for b in page.climb(segment.block) if page.blocks[b].tag in {"li", "dt"}), None)
        if item is None or page.segments[page.blocks[item].first].id != segment.id:
            continue
        if _usable(reading, segment) and not segment.level and 3 <= _length(segment.text) <= 220:
            found[page.blocks[item].parent].append((segment, _title_of(segment)))
    for items in found.values():
        linked = sum(bool(segment.link) for segment, _ in items)
        if linked <= len(items) / 2:
            yield from _scored(page, items, base=0.0)


def _lead_groups(reading: Reading, page: PageText) -> Iterator[Group]:
    """Paragraphs side by side that begin in bold type."""
    found: dict[tuple[object, ...], list[tuple[Segment, str]]] = defaultdict(list)
    for segment in page.texts:
        title = _BULLET.sub("", segment.lead).rstrip(" .:：。-–—")
        if (
            segment.tag == "p"
            and _is_title(title)
            and _length(title) <= _CARD_TITLE
            and _usable(reading, segment)
        ):
            found[(segment.outline, page.blocks[segment.block].parent)].append((segment, title))
    for items in found.values():
        if len(items) >= _FEW:
            yield from _scored(page, items, base=0.5)


def _card_groups(reading: Reading, page: PageText) -> Iterator[Group]:
    """Small boxes side by side whose titles are no headings."""
    found: dict[int, dict[int, list[Segment]]] = defaultdict(lambda: defaultdict(list))
    for segment in page.texts:
        if segment.level or segment.tag in {"li", "td", "th", "summary"} or not _usable(reading, segment):
            continue
        for card in page.climb(segment.block):
            parent = page.blocks[card].parent
            if parent >= 0 and page.blocks[card].last - page.blocks[card].first <= _CARD_PARTS:
                found[parent][card].append(segment)
    taken: set[str] = set()
    for cards in found.values():
        items = [item for inside in cards.values() if (item := _card_title(page, inside))]
        if len(items) >= 3 and len(items) >= len(cards) * 0.75 and not any(s.id in taken for s, _ in items):
            taken.update(s.id for s, _ in items)
            yield from _scored(page, items, base=0.5)


def _card_title(page: PageText, inside: list[Segment]) -> tuple[Segment, str] | None:
    """The title of a box that holds a short title and a text."""
    if any(s.level for s in page.inside(inside[0].block)):
        return None
    first = _first_worded(inside)
    title = _title_of(first)
    rest = [s.text for s in inside if s.index > first.index]
    rest = rest or [line for line in first.lines if line.strip() != title and _length(line) >= 12]
    if (
        not rest
        or not _is_title(title)
        or _length(title) > _CARD_TITLE
        or title.endswith((".", "。", "!", "！"))
    ):
        return None
    return (first, title) if _length(rest[0]) >= 12 and rest[0] != title else None


def _first_worded(segments: list[Segment]) -> Segment:
    return next((s for s in segments if _length(re.sub(r"\W", "", s.text)) >= 3), segments[0])


def _title_of(segment: Segment) -> str:
    worded = [line for line in segment.lines if _length(re.sub(r"[\W\d]", "", line)) >= 3]
    first = worded[0] if worded and len(segment.lines) > 1 else segment.flat
    first = _BULLET.sub("", first)
    for pattern in (_LEAD, _DASHED):
        found = pattern.match(first)
        if found and len(first) > 60:
            return found.group(1).strip()
    return first


def _is_title(text: str) -> bool:
    return 3 <= _length(text) <= _MAX_TITLE * (2 if CJK.search(text) else 1) and not text.rstrip().endswith(
        ("?", "？")
    )


def _length(text: str) -> int:
    return len(text) * (2 if CJK.search(text) else 1)


def _scored(page: PageText, items: list[tuple[Segment, str]], *, base: float) -> Iterator[Group]:
    if len(items) < 2:
        return
    items = [item for item in items if not item[0].hidden] or items
    segments = [segment for segment, _ in items]
    if len(items) < 2:
        return
    roles = frozenset.intersection(*(s.all_roles for s in segments))
    own = frozenset.intersection(*(s.roles for s in segments))
    near = segments[0].under
    if any(is_review(s) for s in segments) or (len(segments) > 25 and base == 0) or _are_names(page, items):
        return
    score = base + min(len(items), 8) * 0.25
    score += 2.5 * ("feature" in roles) + 1.5 * ("feature" in own) + (1.0 if "why" in near else 0)
    score += {"home": 1.5, "features": 1.25, "docs": -4.0, "security": -2.0}.get(page.kind, 0.0)
    score -= (
        2.5 * ("steps" in roles)
        + 6 * ("price" in roles)
        + 2 * ("audience" in roles)
        + 0.5 * (segments[0].level == 2)
    )
    score += 0.75 * (base == 0 and sum(t != s.flat for s, t in items) > len(items) / 2)
    if sum(t.rstrip().endswith(("?", "？")) for _, t in items) * 2 >= len(items):
        return
    score -= 1.5 * any(s.hidden for s in segments)
    score -= 1.5 * (base > 0 and _are_chapters(segments))
    score -= 1.5 * (sum(bool(_YEAR.search(t)) for _, t in items) > len(items) / 3)
    score -= 3 * (sum(bool(_MONEY.search(t)) for _, t in items) > len(items) / 3)
    score -= 1.5 * (sum(bool(_NUMBERED.match(t)) for _, t in items) > len(items) / 2 and base > 0)
    score -= 2 * (sum(bool(_LEGALISH.search(t)) for _, t in items) > len(items) / 3)
    score -= 1.0 * (sum(len(t) for _, t in items) / len(items) > 110)
    kept = tuple((s, t) for s, t in items if not _LEGALISH.search(t) or len(t) > 40)
    if kept:
        yield Group(kept, score, near | own, page.index)


def _are_names(page: PageText, items: list[tuple[Segment, str]]) -> bool:
    """Whether titles name people, towns, systems or figures, which a product shows, serves or counts."""
    texts = [text for _, text in items]
    if sum(_is_no_feature(text) for text in texts) * 2 > len(texts):
        return True
    words = [word for text in texts for word in text.split()]
    counts = [len(text.split()) for text in texts]
    if min(counts) < _NAME_WORDS or max(counts) > _NAME_WORDS + 1 or not all(w[:1].isupper() for w in words):
        return False
    return not any(re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", page.text) for word in words)


def _is_no_feature(text: str) -> bool:
    is_short = len(text.split()) <= _NAME_WORDS
    return bool(_SYSTEM.fullmatch(text) or _FIGURE.match(text) or (is_short and countries_of_town(text)))


def _are_chapters(heads: list[Segment]) -> bool:
    """Whether much text stands between the headings: chapters of a document, not boxes of a page."""
    first, last = heads[0].index, heads[-1].index
    return len(heads) > 1 and (last - first) / (len(heads) - 1) > 5
