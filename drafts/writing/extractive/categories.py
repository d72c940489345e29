"""Categories, tags, keywords and the stage, where the site's own words name them."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice

from drafts import languages
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.languages import Shape
from drafts.limits import DRAFTED_KEYWORDS, DRAFTED_TAGS, LIST_ITEM
from drafts.writing.choosing import Candidate
from drafts.writing.likeness import AUDIENCE, Hit, Likeness, Place, Term, vocabulary
from drafts.writing.port import CategoryHint, FieldDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks
from drafts.writing.text import CJK, folded, has_words, sentences, tidy

_STATED = Shape(r"{stage}", r"^\W*(?:v?\d[\d.]*\s)?{stage_badge}\W*$")
_NAMED = {
    name: Shape(f"{{stage_{name.replace('-', '_')}}}")
    for name in ("public-beta", "open-beta", "private-beta", "closed-beta", "early-access", "alpha")
}


def stage_in(text: str) -> str | None:
    """The stage that a text states: a beta, unless it says more of it."""
    if not _STATED.search(text):
        return None
    return next((name for name, shape in _NAMED.items() if shape.search(text)), "beta")


OFFERED = 3
_CONSIDERED, _STRONGEST = 12, 8
_TELLING = ("title", "description")
_NO_SOFTWARE = frozenset({"services", "physical-products"})
"""Branches for what people do and make, where a trade's word is all that a site says of itself."""
_ASIDE = frozenset({"nav", "footer", "legal", "blog", "review", "person", "faq"})
_EVERYWHERE = frozenset({"legal", "contact", "blog", "jobs", "security"})
"""Pages whose titles say the same on sites of all kinds."""
_TITLE, _DESCRIPTION, _FIRST_HEAD, _HEAD, _TEXT, _REST, _OTHER = 3.0, 2.5, 2.5, 0.8, 1.0, 0.35, 0.5
_INTRODUCED = 2.0
_READ, _FIRST, _LETTERS, _LABEL = 60, 6, 400, 14
_PAGES = 5
_TAG_WEIGHT = 1.0
_CLEAR, _RARE, _MUCH = 0.65, 1.0, 1000
_TOLD = frozenset({"title", "description", "top", "introduction"})
_KEYWORD = min(60, LIST_ITEM)
_PASSING = frozenset({"text", "rest"})
_BESIDE = 3.0
"""How much less speaks for what no word of the site names, but stands beside what one names."""


def category_candidates(
    site: SiteText, hints: tuple[CategoryHint, ...], *, names: Sequence[str]
) -> list[Candidate[Likeness]]:
    """The categories that the site's own words are likest, with what speaks for each."""
    ranked = like_categories(site, hints, names=names)[:_CONSIDERED]
    branches = {hint.parent for hint in hints}
    return [Candidate(entry, _measures(ranked, entry, branches)) for entry in ranked]


def like_categories(
    site: SiteText, hints: tuple[CategoryHint, ...], *, names: Sequence[str]
) -> list[Likeness]:
    """All categories that a site has a word of, the likest first."""
    return vocabulary(hints).rank(_places(site, names)) if hints and site.pages else []


def _measures(ranked: list[Likeness], like: Likeness, branches: Set[str | None]) -> dict[str, float]:
    """How like the site is a category, by itself, beside the others and beside its kin, and where its words stand."""
    others = [other for other in ranked if other is not like]
    best = max((other.score for other in others), default=0.0)
    hits, branch = like.hits[:_STRONGEST], _branch(like.hint)
    parent = sum(other.score for other in others if other.hint.slug == like.hint.parent)
    kin = sum(other.score for other in others if _branch(other.hint) == branch)
    return {
        **{f"in {kind}": max((h.rarity for h in hits if kind in h.kinds), default=0.0) for kind in _TELLING},
        **({f"of {branch}": 1.0} if branch in _NO_SOFTWARE else {}),
        "score": min(like.score, 3.0) / 3,
        "lead": max(-1.0, min(1.0, like.score - best)),
        "ratio": min(like.score / best, 2.0) / 2 if best else 1.0,
        "whole": max((hit.value for hit in hits if hit.is_whole), default=0.0),
        "second": max((hit.value for hit in hits[1:]), default=0.0),
        "hits": len(hits) / _STRONGEST,
        "phrase": float(any(len(hit.term) > 1 for hit in hits)),
        "one word": float(len(hits) == 1),
        "top": float(like.hint.slug in branches),
        "parent": min(parent, 2.0) / 2,
        "kin": kin / sum(other.score for other in ranked),
    }


def _branch(hint: CategoryHint) -> str:
    return hint.parent or hint.slug


def named_like(text: str, hints: tuple[CategoryHint, ...]) -> list[str]:
    """The names of the three categories that are likest to what somebody types to find one."""
    return [entry.hint.name for entry in vocabulary(hints).rank([Place(text, _TITLE)])[:OFFERED]]


def draft_categories(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    """The likest category when enough speaks for it, and as tags the words of the site that speak for it."""
    candidates = category_candidates(reading.site, reading.hints, names=reading.own.names)
    ordered = reading.judges["categories"].ordered(candidates)
    scored = [(score, like.hint, like.hits[:2]) for score, like in ordered]
    if scored and len(scored) <= OFFERED:  # a site of few words: what stands beside the likest may be meant
        score, likest, hits = scored[0]
        taken = {hint.slug for _, hint, _ in scored}
        kin = (h for h in reading.hints if _branch(h) == _branch(likest) and h.slug not in taken)
        scored += [(score - _BESIDE, hint, hits) for hint in islice(kin, OFFERED)]
    rows = ((score, _write(reading, hits, values=[hint.name])) for score, hint, hits in scored)
    is_brief = sum(len(segment.text) for segment in reading.home.texts) < _MUCH
    is_clear = any(_is_clear(each, is_brief=is_brief) for each in candidates if each.value is ordered[0][1])
    drafted = reading.choose("categories", rows, is_sure=is_clear)
    return drafted, _tags(reading, ordered[0][1]) if drafted.value else reading.blank


def _is_clear(candidate: Candidate[Likeness], *, is_brief: bool) -> bool:
    """Whether a category stands well before the next, or the site has words of its branch too.

    Where a home page says much, two of its words also say what the site is, or a rare one: of 83 that were set on
    unseen sites 56 of those 60 were right, and 14 of the 23 others, which are offered.
    """
    measures, hits = candidate.measures, candidate.value.hits[:_STRONGEST]
    told = sum(not hit.kinds.isdisjoint(_TOLD) for hit in hits)
    is_told = is_brief or told > 1 or measures["whole"] >= _RARE
    return is_told and measures["ratio"] + measures["parent"] >= _CLEAR


def _tags(reading: Reading, likest: Likeness) -> FieldDraft:
    """The words of the site that speak for its category, no two of one stem."""
    telling = filter(_is_telling, likest.hits)
    hits = [hit for hit in telling if hit.weight >= _TAG_WEIGHT * (1 + _is_passing(hit))]
    chosen: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (-len(hit.term), -hit.value)):
        if not (reading.own.resembles(hit.words) or any(_holds(other.term, hit.term) for other in chosen)):
            chosen.append(hit)
    chosen = sorted(chosen, key=lambda hit: -hit.value)[:DRAFTED_TAGS]
    return _write(reading, chosen, values=[tidy(hit.words).lower() for hit in chosen])


def _is_telling(hit: Hit) -> bool:
    """Whether words say what the product is: not for whom, not half of it, nor what a link or a button is for."""
    segment = hit.place.segment
    is_pressed = segment is not None and (segment.link or "button" in segment.roles)
    is_open = folded(hit.words).split()[-1] in languages.phrases("for")
    return len(hit.words) > 1 and hit.is_whole and hit.kinds != {AUDIENCE} and not (is_pressed or is_open)


def _holds(longer: Term, shorter: Term) -> bool:
    """Whether each word of a tag begins one of another, so that it says nothing more."""
    return all(any(part.startswith(word) or word.startswith(part) for part in longer) for word in shorter)


def _is_passing(hit: Hit) -> bool:
    """Whether a word by itself stands in running text alone, where a site also says what it is not about."""
    return len(hit.term) == 1 and hit.kinds <= _PASSING


def _write(reading: Reading, hits: Sequence[Hit], *, values: list[str]) -> FieldDraft:
    """The values with the sentences in which the words stand that say so."""
    places = ((hit.place.segment, _sentence(hit.place, hit.words)) for hit in hits if hit.place.segment)
    quotes = tuple(dict.fromkeys(reading.quote(*places)))
    return FieldDraft(value=tuple(values), evidence=quotes) if quotes else reading.blank


def _sentence(place: Place, words: str) -> str:
    return next((s for s in sentences(place.text) if folded(words) in folded(s)), place.text)[:300]


def _places(site: SiteText, names: Sequence[str]) -> Iterator[Place]:
    yield from _marked_places(site)
    read, is_introduced = 0, False
    for segment in site.pages[0].texts:
        if not _is_read(segment) or segment.all_roles & _ASIDE or _is_label(segment.text, segment.level):
            continue
        read += 1
        if read > _READ:
            return
        weight, kind = (_REST, "rest") if read > _FIRST else (_TEXT, "text")
        if segment.level:
            weight, kind = (_FIRST_HEAD, "top") if segment.level == 1 else (_HEAD, "head")
        elif not is_introduced and any(has_words(segment.text[:_LETTERS], name) for name in names):
            weight, kind, is_introduced = _INTRODUCED, "introduction", True
        yield Place(segment.text[:_LETTERS], weight, segment, kind)


def _is_read(segment: Segment) -> bool:
    """Whether a text says what the site is about: what a job board lists does, beside what speaks for a product."""
    return speaks(segment) or ("job" in segment.all_roles and not segment.hidden)


def _is_label(text: str, level: int) -> bool:
    """Whether a text is an entry of a menu rather than something said."""
    lines = text.split("\n")
    return not level and not CJK.search(text) and len(text) / len(lines) < _LABEL


def _marked_places(site: SiteText) -> Iterator[Place]:
    """The titles of the first pages, and how the home page's markup describes it."""
    weights = {"title": _TITLE, "description": _DESCRIPTION, "og:description": 1.0, "keywords": 1.0}
    seen: set[str] = set()
    for page in site.pages[: _PAGES + 1]:
        for segment in page.marked:
            weight = weights.get(segment.key, 1.0 if segment.key.endswith("applicationCategory") else 0)
            kind = segment.key if segment.key in {"title", "description"} else "markup"
            if page is not site.pages[0]:
                weight = _OTHER if segment.key == "title" and page.kind not in _EVERYWHERE else 0
                kind = "other title"
            text = segment.text[:_LETTERS]
            if (
                weight
                and text not in seen
                and "instruction" not in segment.roles
                and not is_placeholder(text)
            ):
                seen.add(text)
                yield Place(text, weight, segment, kind)


def draft_keywords(reading: Reading) -> FieldDraft:
    for segment in reading.home.marked:
        if segment.key != "keywords" or segment.kind != "meta" or "instruction" in segment.roles:
            continue
        words = dict.fromkeys(map(tidy, re.split(r"[,;、，]", segment.text)))
        fitting = (
            w for w in words if 2 <= len(w) <= _KEYWORD and not (is_placeholder(w) or reading.own.rival_in(w))
        )
        chosen = tuple(islice(fitting, DRAFTED_KEYWORDS))
        if evidence := tuple(filter(None, (cut(reading.site, segment, word) for word in chosen))):
            return FieldDraft(value=chosen, evidence=evidence)
    return reading.blank


def draft_stage(reading: Reading) -> FieldDraft:
    """Only a stage that the site states about the product: a beta, an early access. Its name states none."""
    called = {stage_in(name) for name in reading.own.names}
    for sentence in reading.telling:
        segment = sentence.segment
        stage = stage_in(sentence.text) if segment.page == 1 and len(sentence.text) <= 160 else None
        is_badge = "header" in segment.roles and not segment.link
        is_ours = "hero" in segment.all_roles or segment.level == 1 or is_badge
        if stage and stage not in called and (is_ours or reading.own.named_in(sentence.text)):
            return FieldDraft(value=stage, evidence=reading.quote((segment, sentence.text)))
    return reading.blank
