"""Find quotes in segments and cut them out literally."""

import re

from drafts.crawl.extract_parts import PageText, Segment, SiteText, Source
from drafts.limits import EVIDENCE_QUOTE
from drafts.writing.port import Evidence
from drafts.writing.text import shorten

_SPACES = re.compile(r"\s+")
MIN_QUOTE = 2


def locate(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whatever its white space."""
    words = quote.split()
    result = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return result.span() if result else None


def cut(site: SiteText, segment: Segment, quote: str | None = None) -> Evidence | None:
    """Quote a segment, or a part of it, literally; nothing when the part does not stand there."""
    if quote is None:
        quote = shorten(segment.text, EVIDENCE_QUOTE)
    result = locate(segment.text, quote)
    if result is None:
        return None
    start, end = result
    literal = segment.text[start:end]
    is_text = segment.kind == "text" and segment.start >= 0
    return cite(
        site.pages[segment.page - 1],
        literal,
        segment.kind,
        start=segment.start + start if is_text else None,
        end=segment.start + end if is_text else None,
    )


def cite(
    page: PageText, quote: str, source: Source, *, start: int | None = None, end: int | None = None
) -> Evidence:
    """Evidence from one page for a quote that is known to stand there."""
    return Evidence(
        quote=_SPACES.sub(" ", quote).strip(),
        url=page.url,
        page_title=page.title,
        source=source,
        page_sha256=page.sha256,
        fetched_at=page.fetched_at,
        start=start,
        end=end,
    )
