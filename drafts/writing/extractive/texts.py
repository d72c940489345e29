"""Tagline, short description and description: the site's own words, measured, chosen and quoted."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, pairwise

from drafts import languages
from drafts.crawl.extract_parts import Segment, words
from drafts.limits import EVIDENCE_PER_VALUE, EVIDENCE_QUOTE, SHORT_DESCRIPTION_DRAFTED, TEXT_FIELDS
from drafts.writing.choosing import Candidate
from drafts.writing.extractive.names import TITLE_PARTS, clean
from drafts.writing.measuring import is_code, is_passing, length_of, opens_chapter, states_figures
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks
from drafts.writing.support import is_foreign, language_of
from drafts.writing.text import CJK, is_cut, sentence_spans, sentences, shorten, squashed, tidy, tokens

_TITLES = frozenset({"title", "og:title", "twitter:title"})
_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
"""The last parts of the keys, in meta elements and in structured data."""
_LINE, _LONGEST, _REST = 160, 200, 40
_HEADS, _OPENING = 12, 25
_CJK_WORD = 4  # pairs of signs, which two words have at least
_TEXTS, _LEAST, _PARAGRAPH = 60, 20, 60
_PARAGRAPHS, _PIECES, _FEW, _ENOUGH = 4, 2, 3, 100
_NOTES = frozenset("※*†‡ℹ⚠")
"""As a note begins that adds to something else."""
_POINTS = (":", "：", "→", "↓", "↗", "›", "»")
"""How a sentence ends that leads to what stands below or elsewhere."""
_MARKS = ('"', "“", "”", "„", "«", "»", "「", "」")
_ODD = re.compile(r"^(?:[✓✔✅☑]|---\s)|[:：]$|©|\w@\w|\|.*\||(?:[\U0001F000-\U0001FAFF].*){3}")
"""As one of several points begins, as what leads to a list ends, and as heads of files, feet and menus look."""
_BETWEEN = re.compile(r"\s[^\w\s&–—-]\s")
_TURN = languages.Shape(r": | [–—] |, (?={is_a} )")  # after which a sentence says the rest
_BESIDE = 2.0
"""How much less may speak for a further paragraph than for the best."""
_SURE = 3.0
"""Below, read on eighty sites, most paragraphs were scenes, steps or asides: the markup's description goes before."""
_ASIDE = words("footer legal faq cta form person contact blog others stats event donation cookie review")
Quoted = tuple[Segment, str]


def draft_tagline(reading: Reading) -> FieldDraft:
    """The line that says in a breath what the product is."""
    return _first(reading, "tagline", tagline_candidates(reading), limit=TEXT_FIELDS["tagline"])


def draft_short_description(reading: Reading) -> FieldDraft:
    """The sentence or two that tell the product, from the markup or from the page."""
    candidates = description_candidates(reading)
    return _first(reading, "short_description", candidates, limit=SHORT_DESCRIPTION_DRAFTED)


def _first(
    reading: Reading, field: str, candidates: Iterator[Candidate[Quoted]], *, limit: int
) -> FieldDraft:
    ordered = reading.judges[field].ordered(candidates)
    quoted = ((score, text, reading.quote((segment, text))) for score, (segment, text) in ordered)
    rows = (
        (score, FieldDraft(value=_paired(tidy(text)[:limit]), evidence=q)) for score, text, q in quoted if q
    )
    return reading.choose(field, rows)


def _paired(text: str) -> str:
    """A text without the quote marks that stand around all of it, or open or end it alone, as markup is left with."""
    if text[:1] == text[-1:] == '"' and text.count('"') == len('""'):
        return text[1:-1]
    marks = [mark for mark in _MARKS if text.count(mark) == 1 and mark in {text[:1], text[-1:]}]
    return text.strip("".join(marks) + " ") if marks else text


def tagline_candidates(reading: Reading) -> Iterator[Candidate[Quoted]]:
    """Headings, the rests of titles, slogans and the first clauses of the home page."""
    seen: set[str] = set()
    for way, segment, text in _lines(reading):
        value = tidy(text)
        if (key := squashed(value).rstrip(".!。")) not in seen and _is_line(reading, value):
            seen.add(key)
            yield Candidate((segment, text), reading.measured.measures(segment, text) | {f"as {way}": 1.0})


def _lines(reading: Reading) -> Iterator[tuple[str, Segment, str]]:
    home = reading.home
    spoken = [s for s in home.texts if speaks(s)]
    top = reading.measured.tops[home.index]
    heads = [s for s in spoken if s.level][:_HEADS]
    yield from (("heading", s, s.text) for s in heads if s.index == top or not opens_chapter(s.text))
    for before, segment in pairwise(spoken):
        if before.level == 1 and not segment.link:
            yield "subtitle", segment, _whole(segment.text)
    for segment in home.marked:
        is_title = segment.key in _TITLES and "instruction" not in segment.roles
        for part in map(str.strip, TITLE_PARTS.split(segment.text)) if is_title else ():
            if not reading.own.named_in(part) or len(part) > _REST:
                yield "rest", segment, part
    yield from (("clause", s, _whole(sentences(s.text)[0])) for s in spoken[:_OPENING] if not s.level)


def _whole(text: str) -> str:
    """The sentences that fit into a line; of a first one that does not, what stands before a turn of it."""
    ends = [end for _, end in sentence_spans(text)]
    turns = [turn.start() for turn in _TURN.finditer(text[:_LINE])]
    return text[: max([end for end in ends if end <= _LINE] or turns or ends[:1], default=0)]


def _is_line(reading: Reading, text: str) -> bool:
    """Whether a text has the length of a line and says more than a name, or a name and a word."""
    is_odd = (
        bool(_ODD.search(text))
        or len(text) > (_LONGEST if reading.own.introduced_in(text) else _LINE)
        or is_placeholder(text)
        or is_cut(text)
        or ("|" in text and reading.own.named_in(text))
    )
    return not (is_odd or _is_name(reading, text) or reading.own.rival_in(text))


def _is_name(reading: Reading, text: str) -> bool:
    """Whether a text says no more than a name and a word."""
    names = {squashed(name) for name in reading.own.names}
    spoken_words = tokens(text) - _articles() - {word for name in reading.own.names for word in tokens(name)}
    return squashed(clean(text)) in names or len(spoken_words) < (_CJK_WORD if CJK.search(text) else 2)


@cache
def _articles() -> frozenset[str]:
    kinds = ("article", "is_a", "welcome")
    return frozenset(word for kind in kinds for phrase in languages.phrases(kind) for word in tokens(phrase))


def description_candidates(reading: Reading) -> Iterator[Candidate[Quoted]]:
    """What the home page's markup and its first paragraphs say of the product."""
    marked = (s for s in reading.home.marked if s.key.rsplit(".", 1)[-1] in _DESCRIPTIONS)
    prose = (s for s in reading.home.texts if _is_prose(s) and not states_figures(s.text))
    telling = (s for s in (*marked, *prose) if "instruction" not in s.roles and not is_placeholder(s.text))
    fitting = (s for s in islice(telling, _TEXTS) if _fits(reading, s) and not _is_name(reading, s.text))
    yield from _opening(reading, ((s, shorten(s.text, SHORT_DESCRIPTION_DRAFTED)) for s in fitting))


def _opening(reading: Reading, quoted_rows: Iterable[Quoted]) -> Iterator[Candidate[Quoted]]:
    """Each text once, and how near to the beginning it stands."""
    seen: set[str] = set()
    for segment, text in quoted_rows:
        if squashed(text) not in seen and length_of(text) >= _LEAST:
            opening = 1 / (1 + len(seen))
            seen.add(squashed(text))
            yield Candidate((segment, text), reading.measured.measures(segment, text) | {"opening": opening})


def _fits(reading: Reading, segment: Segment) -> bool:
    """Whether markup says what the page says too: it may be left over, or speak to machines alone."""
    if segment.kind == "text":
        return True
    telling = reading.measured.measures(segment, segment.text)
    shared = telling.get("kept up", 0) + telling.get("like title", 0) + telling.get("like head", 0)
    return shared > 0 or len(reading.measured.spread) < _FEW * _HEADS


def _is_prose(segment: Segment) -> bool:
    is_text = not segment.level and not segment.link and "nav" not in segment.roles
    telling = max(map(length_of, segment.lines), default=0)  # a row of short lines is a menu
    is_run = len(_BETWEEN.findall(segment.text)) >= _FEW - 1  # labels that pass by
    is_telling = length_of(segment.text) >= 40 and telling >= _LEAST and not (is_run or is_code(segment.text))
    return is_text and is_telling and speaks(segment) and not is_cut(segment.text)


def draft_description(reading: Reading) -> FieldDraft:
    """The paragraphs that tell most of the product, whole and in reading order."""
    ranked = reading.judges["description"].ranked(paragraph_candidates(reading))[:_PARAGRAPHS]
    language = language_of(ranked[0][1].text) if ranked else ""  # a page in two languages says all twice
    beside = (
        entry
        for entry in ranked
        if entry[0] >= ranked[0][0] - _BESIDE and not is_foreign(entry[1].text, language)
    )
    near = sorted(beside, key=lambda entry: (entry[1].page, entry[1].index))
    sure = [segment for score, segment in near if score >= _SURE]
    chosen = sure or [segment for _, segment in near[:1]]
    length = sum(length_of(segment.text) for segment in chosen)
    if length < _ENOUGH or not sure:  # it tells less than what the site says of itself in short
        marked = reading.judges["short_description"].ranked(description_candidates(reading))
        least, is_marked = max(_PARAGRAPH, length * bool(sure)), bool(chosen) and not sure
        fuller = (
            s for _, (s, _) in marked if length_of(s.text) >= least and (s.kind != "text" or not is_marked)
        )
        chosen = [s for s in fuller if not (length and is_passing(s.text))][:1] or chosen
    paragraphs = [(segment, pieces) for segment in chosen if (pieces := _pieces(segment.text))]
    value = "\n\n".join(tidy(" ".join(pieces)) for _, pieces in paragraphs)[: TEXT_FIELDS["description"]]
    evidence = reading.quote(*((segment, piece) for segment, pieces in paragraphs for piece in pieces))
    evidence = evidence[: EVIDENCE_PER_VALUE + _PARAGRAPHS * _PIECES]
    return FieldDraft(value=value, evidence=evidence) if paragraphs else reading.blank


def paragraph_candidates(reading: Reading) -> Iterator[Candidate[Segment]]:
    kinds = {"home", "features", "about"}
    pages = (p for p in reading.written if p.kind in kinds and p.index not in reading.translated)
    telling = ((s, s.text) for page in pages for s in page.texts if _is_paragraph(reading, s))
    yield from (Candidate(entry.value[0], entry.measures) for entry in _opening(reading, telling))


def _is_paragraph(reading: Reading, segment: Segment) -> bool:
    is_long = _is_prose(segment) and length_of(segment.text) >= _PARAGRAPH
    is_of_its_page = (
        segment.page > 1 and segment.roles & {"hero", "header"} and not reading.own.named_in(segment.text)
    )
    is_aside = is_of_its_page or segment.all_roles & _ASIDE or segment.text.lstrip()[:1] in _NOTES
    return is_long and not (is_aside or is_passing(segment.text) or reading.own.rival_in(segment.text))


def _pieces(text: str) -> list[str]:
    """A paragraph in whole sentences, joined as far as one quote goes; nothing when one is too long to quote."""
    pieces: list[str] = []
    start = 0
    spans = list(sentence_spans(text))
    while spans and text[: spans[-1][1]].endswith(_POINTS):
        spans.pop()
    for first, end in spans:
        if pieces and end - start <= EVIDENCE_QUOTE:
            pieces[-1] = text[start:end]
        else:
            pieces.append(text[first:end])
            start = first
    whole = pieces[:_PIECES]
    return whole if whole and max(map(len, whole)) <= EVIDENCE_QUOTE else []
