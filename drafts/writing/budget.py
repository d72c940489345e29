"""Which segments of a site a model is shown, so that a site of any size fits into the same prompt."""

import re
from collections.abc import Iterator
from itertools import islice

from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.crawl.segments import is_instruction
from drafts.languages import Shape
from drafts.writing.cues.money import MONEY
from drafts.writing.roles import is_placeholder, page_is_ours, speaks
from drafts.writing.text import CJK, folded

TOKENS_PER_SEGMENT = 12
MARKUP_PER_PAGE = 30
LONGEST = 1200
_MARKUP_KEYS = re.compile(r"description|site_name|slogan|founder|founding|address|email|price|\bname$", re.I)
_LINK = re.compile(r"^(?:https?:)?//\S+$|^/\S*$")
_CUES = Shape(
    *("{founded}", "{since}", "{based}", "{address}", "{free}", "{trial}", "{time}", "{price}", "{plan}"),
    r"@|\b(?:19|20)\d\d\b",
)


def tokens(text: str) -> int:
    """A safe guess without a tokeniser: three characters a token, one for scripts without spaces."""
    wide = len(CJK.findall(text))
    return wide + (len(text) - wide) // 3 + 1


def choose(site: SiteText, *, limit: int) -> tuple[tuple[Segment, ...], int]:
    """The segments that fit, in reading order, and how many were left out because they speak to a machine."""
    shown: list[Segment] = []
    seen: set[str] = set()
    refused = 0
    for segment in _usable(site):
        if "instruction" in segment.roles or is_instruction(segment.text):
            refused += 1
        elif (key := folded(segment.text)) not in seen:
            seen.add(key)
            shown.append(segment)
    ranked = sorted(shown, key=lambda segment: (-_worth(segment), segment.page, segment.index))
    kept: list[Segment] = []
    for segment in ranked:
        limit -= tokens(segment.text[:LONGEST]) + TOKENS_PER_SEGMENT
        if limit < 0:
            break
        kept.append(segment)
    return tuple(sorted(kept, key=lambda segment: (segment.page, segment.index))), refused


def _usable(site: SiteText) -> Iterator[Segment]:
    for page in site.pages:
        if page_is_ours(page):
            yield from (s for s in page.texts if "instruction" in s.roles or speaks(s))
            yield from _markup(page)


def _markup(page: PageText) -> Iterator[Segment]:
    rows = (
        s
        for s in page.marked
        if s.kind in {"meta", "json_ld"}
        and _MARKUP_KEYS.search(s.key)
        and 1 < len(s.text) <= LONGEST
        and not _LINK.match(s.text)
        and not is_placeholder(s.text)
    )
    return islice(rows, MARKUP_PER_PAGE)


def _worth(segment: Segment) -> int:
    worth = max(0, 4 - segment.page) + (3 if segment.level else 0)
    if _CUES.search(segment.text) or MONEY.search(segment.text):
        worth += 3
    return worth + (2 if segment.kind != "text" else 0)
