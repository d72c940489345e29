"""Which lines of a site a model is shown, the telling ones first, so that any site fits into the same question."""

import math
import re
from collections.abc import Iterator
from itertools import islice

from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.crawl.segments import is_instruction
from drafts.writing.roles import is_placeholder, page_is_ours, speaks
from drafts.writing.text import folded

TOKENS_PER_LINE = 9  # of its id, its mark and its end
MARKUP_PER_PAGE = 30
LONGEST = 1200
_MARKUP_KEYS = re.compile(
    r"description|site_name|slogan|founder|founding|address|email|price|\bname$|^title$", re.I
)
_LINK = re.compile(r"^(?:https?:)?//\S+$|^/\S*$")
_AROUND = frozenset({"nav", "footer", "button", "form"})
_RUNS = re.compile(
    r"(?P<ascii>[A-Za-z]+)|(?P<digits>\d+)|(?P<han>[\u3400-\u9fff]+)|(?P<kana>[\u3040-\u30ff]+)|"
    r"(?P<hangul>[\uac00-\ud7af]+)|(?P<letters>[^\W\d_]+)|(?P<signs>[^\w\s]+|_+)"
)
_CHARACTERS_A_TOKEN = {
    "ascii": 4.5,
    "digits": 3.0,
    "han": 1.1,
    "kana": 1.3,
    "hangul": 1.4,
    "letters": 2.6,
    "signs": 1.6,
}


def tokens(text: str) -> int:
    """About what a tokeniser of today makes of a text, by its scripts: each run of letters is one token or more."""
    return sum(
        math.ceil(len(run.group()) / _CHARACTERS_A_TOKEN[run.lastgroup or "signs"])
        for run in _RUNS.finditer(text)
    )


def choose(site: SiteText, *, limit: int) -> tuple[tuple[tuple[Segment, ...], ...], int]:
    """The lines that fit, in three groups, and how many were left out because they speak to a machine.

    First what the pages say, then what stands around it, then the legal pages: what comes last is cut first.
    """
    groups: tuple[list[Segment], ...] = ([], [], [])
    seen: set[str] = set()
    left_out = 0
    for segment in _usable(site):
        if "instruction" in segment.roles or is_instruction(segment.text):
            left_out += 1
            continue
        key = folded(segment.text)
        if key not in seen or "price" in segment.all_roles:
            seen.add(key)
            groups[_group(segment)].append(segment)
    pages_fitting = []
    for group in groups:
        lines = []
        for segment in group:
            limit -= tokens(segment.text[:LONGEST]) + TOKENS_PER_LINE
            if limit >= 0:
                lines.append(segment)
        pages_fitting.append(tuple(lines))
    return tuple(pages_fitting), left_out


def _group(segment: Segment) -> int:
    if "legal" in segment.roles:
        return 2
    return int(bool(segment.roles & _AROUND))


def _usable(site: SiteText) -> Iterator[Segment]:
    for page in site.pages:
        if page_is_ours(page):
            yield from _markup(page)
            yield from (s for s in page.texts if "instruction" in s.roles or speaks(s))


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
