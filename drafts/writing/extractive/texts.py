"""Tagline, short description and description: the site's own words, measured, chosen and quoted."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from drafts import languages
from drafts.crawl.extract_parts import Segment, words
from drafts.limits import EVIDENCE_PER_VALUE, EVIDENCE_QUOTE, SHORT_DESCRIPTION_DRAFTED, TEXT_FIELDS
from drafts.writing.choosing import Candidate
from drafts.writing.extractive.names import TITLE_PARTS, clean
from drafts.writing.measuring import is_passing, length_of, states_figures
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks
from drafts.writing.text import CJK, sentence_spans, sentences, shorten, squashed, tidy, tokens

_TITLES = frozenset({"title", "og:title", "twitter:title"})
_DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description"})
_SLOGANS = frozenset({"slogan", "alternativeHeadline"})
_TAGLINE, _CLAUSE, _REST = 160, 30, 40
_HEADS, _OPENING = 12, 25
_TOLD, _LEAST, _PARAGRAPH = 60, 20, 60
_PARAGRAPHS, _PIECES, _FEW = 4, 2, 3
_BESIDE = 2.0
"""How much less may speak for a further paragraph than for the best."""
_ASIDE = words("footer legal faq cta form person contact blog others stats event donation cookie review")
_NO_TEXT = frozenset({"summary", "dt", "button", "th", "option", "label"})
Found = tuple[Segment, str]


def draft_tagline(reading: Reading) -> FieldDraft:
    """The line that says in a breath what the product is."""
    return _first(reading, "tagline", tagline_candidates(reading), limit=TEXT_FIELDS["tagline"])


def draft_short_description(reading: Reading) -> FieldDraft:
    """The sentence or two that tell the product, from the markup or from the page."""
    return _first(
        reading, "short_description", description_candidates(reading), limit=SHORT_DESCRIPTION_DRAFTED
    )


def _first(reading: Reading, field: str, candidates: Iterator[Candidate[Found]], *, limit: int) -> FieldDraft:
    for _, (segment, text) in reading.judges[field].ranked(candidates):
        evidence = cut(reading.site, segment, text)
        if evidence is not None:
            return FieldDraft(value=tidy(text)[:limit], evidence=(evidence,))
    return reading.blank


def tagline_candidates(reading: Reading) -> Iterator[Candidate[Found]]:
    """Headings, the rests of titles, slogans and the first clauses of the home page."""
    seen: set[str] = set()
    for way, segment, text in _lines(reading):
        reading.check()
        value = tidy(text)
        if squashed(value) not in seen and _is_line(reading, value):
            seen.add(squashed(value))
            yield Candidate((segment, text), reading.said.measures(segment, text) | {f"as {way}": 1.0})


def _lines(reading: Reading) -> Iterator[tuple[str, Segment, str]]:
    home = reading.home
    spoken = [s for s in home.texts if speaks(s)]
    heads = [s for s in spoken if s.level]
    yield from (("heading", s, s.text) for s in heads[:_HEADS])
    for before, segment in pairwise(spoken):
        if before.level == 1 and not segment.link:
            yield "subtitle", segment, _clause(segment.text)
    yield from _marked_lines(reading)
    for segment in spoken[:_OPENING]:
        if not segment.level and not segment.link:
            yield "clause", segment, _clause(sentences(segment.text)[0])


def _marked_lines(reading: Reading) -> Iterator[tuple[str, Segment, str]]:
    for segment in reading.home.marked:
        if "instruction" in segment.roles:
            continue
        if segment.key in _TITLES:
            parts = [part.strip() for part in TITLE_PARTS.split(segment.text)]
            yield from (("rest", segment, p) for p in parts if not reading.own.named_in(p) or len(p) > _REST)
        elif segment.kind == "json_ld" and segment.key.rsplit(".", 1)[-1] in _SLOGANS:
            yield "slogan", segment, segment.text


def _clause(text: str) -> str:
    """A long sentence up to the last comma that fits."""
    if len(text) <= _TAGLINE:
        return text
    comma = max(text.rfind(mark, 0, _TAGLINE) for mark in (", ", "，", "、", " – ", " — "))
    return text[:comma] if comma > _CLAUSE else shorten(text, _TAGLINE)


def _is_line(reading: Reading, text: str) -> bool:
    """Whether a text has the length of a line and says more than a name."""
    if not 6 <= len(text) <= _TAGLINE and not (CJK.search(text) and len(text) >= 4):
        return False
    names = {squashed(name) for name in reading.own.names}
    said = tokens(text) - _articles() - {word for name in reading.own.names for word in tokens(name)}
    is_name = squashed(clean(text)) in names or not said or len(tokens(text)) < 2
    return not (text.endswith((":", "：")) or is_name or is_placeholder(text) or reading.own.rival_in(text))


@cache
def _articles() -> frozenset[str]:
    return frozenset(word for kind in ("article", "is_a") for word in languages.phrases(kind))


def description_candidates(reading: Reading) -> Iterator[Candidate[Found]]:
    """What the home page's markup and its first paragraphs say of the product."""
    seen: set[str] = set()
    home = reading.home
    marked = [s for s in home.marked if s.key in _DESCRIPTIONS or s.key.rsplit(".", 1)[-1] == "description"]
    for segment in [*marked, *(s for s in home.texts if _is_prose(s) and not states_figures(s.text))][:_TOLD]:
        reading.check()
        text = shorten(segment.text, SHORT_DESCRIPTION_DRAFTED)
        is_ours = "instruction" not in segment.roles and not is_placeholder(text) and _fits(reading, segment)
        if is_ours and length_of(text) >= _LEAST and squashed(text) not in seen:
            opening = 1 / (1 + len(seen))
            seen.add(squashed(text))
            yield Candidate((segment, text), reading.said.measures(segment, text) | {"opening": opening})


def _fits(reading: Reading, segment: Segment) -> bool:
    """Whether markup says what the page says too: it may be left over, or speak to machines alone."""
    if segment.kind == "text":
        return True
    told = reading.said.measures(segment, segment.text)
    shared = told.get("kept up", 0) + told.get("like title", 0) + told.get("like head", 0)
    return shared > 0 or len(reading.said.spread) < _FEW * _HEADS


def _is_prose(segment: Segment) -> bool:
    is_text = not segment.level and not segment.link and segment.tag not in _NO_TEXT
    told = max(map(length_of, segment.lines), default=0)  # a row of short lines is a menu
    return is_text and length_of(segment.text) >= 40 and told >= _LEAST and speaks(segment)


def draft_description(
    reading: Reading, features: tuple[str, ...], feature_evidence: tuple[Evidence, ...]
) -> FieldDraft:
    """The paragraphs that tell most of the product, whole and in reading order, and the features as a list."""
    ranked = reading.judges["description"].ranked(paragraph_candidates(reading))
    near = [segment for score, segment in ranked[:_PARAGRAPHS] if score >= ranked[0][0] - _BESIDE]
    chosen = sorted(near, key=lambda s: (s.page, s.index))
    if not chosen:
        marked = reading.judges["short_description"].ranked(description_candidates(reading))
        chosen = [segment for _, (segment, _) in marked if length_of(segment.text) >= _PARAGRAPH][:1]
    parts: list[str] = []
    evidence: list[Evidence] = []
    for segment in chosen:
        pieces = _pieces(segment.text)
        quotes = [quote for piece in pieces if (quote := cut(reading.site, segment, piece)) is not None]
        if quotes and len(quotes) == len(pieces):
            parts.append(tidy(" ".join(pieces)))
            evidence += quotes
    if not parts:
        return reading.blank
    if len(features) >= _FEW:
        parts.append("\n".join(f"- {feature}" for feature in features))
        evidence += feature_evidence
    return FieldDraft(
        value="\n\n".join(parts)[: TEXT_FIELDS["description"]],
        evidence=tuple(evidence[: EVIDENCE_PER_VALUE + _PARAGRAPHS * _PIECES]),
    )


def paragraph_candidates(reading: Reading) -> Iterator[Candidate[Segment]]:
    """The running text of the pages that present the product."""
    seen: set[str] = set()
    for page in reading.written:
        if page.index > 1 and page.kind not in {"features", "about"}:
            continue
        for segment in page.texts:
            reading.check()
            key = squashed(segment.text)
            if _is_paragraph(reading, segment) and key not in seen:
                opening = 1 / (1 + len(seen))
                seen.add(key)
                yield Candidate(segment, reading.said.measures(segment, segment.text) | {"opening": opening})


def _is_paragraph(reading: Reading, segment: Segment) -> bool:
    is_long = _is_prose(segment) and length_of(segment.text) >= _PARAGRAPH
    return is_long and not (
        segment.all_roles & _ASIDE or is_passing(segment.text) or reading.own.rival_in(segment.text)
    )


def _pieces(text: str) -> list[str]:
    """A paragraph in whole sentences, joined as far as one quote goes; nothing when one is too long to quote."""
    pieces: list[str] = []
    start = 0
    for first, end in sentence_spans(text):
        if pieces and end - start <= EVIDENCE_QUOTE:
            pieces[-1] = text[start:end]
        else:
            pieces.append(text[first:end])
            start = first
    whole = pieces[:_PIECES]
    return whole if whole and max(map(len, whole)) <= EVIDENCE_QUOTE else []
