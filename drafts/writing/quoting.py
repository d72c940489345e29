"""Find quotes in segments and cut them out literally."""

import re
import unicodedata

from drafts.crawl.extract_parts import PageText, Segment, SiteText, Source
from drafts.limits import EVIDENCE_QUOTE
from drafts.writing.port import Evidence
from drafts.writing.text import plain, shorten

_SPACES = re.compile(r"\s+")
MIN_QUOTE = 2


def locate(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, whatever its quote marks, dashes, white space and look-alikes."""
    at = text.find(quote) if quote else -1
    if at >= 0:
        return at, at + len(quote)
    wanted = plain(quote)
    if not wanted:
        return None
    letters: list[str] = []
    origin: list[int] = []
    for i, character in enumerate(text):
        if character.isspace():
            if letters and letters[-1] != " ":
                letters.append(" ")
                origin.append(i)
            continue
        for letter in plain(unicodedata.normalize("NFC", character)):
            letters.append(letter)
            origin.append(i)
    at = "".join(letters).find(wanted)
    if at < 0:
        return None
    return origin[at], origin[at + len(wanted) - 1] + 1


def cut(site: SiteText, segment: Segment, quote: str | None = None) -> Evidence | None:
    """Quote a segment, or a part of it, literally; nothing when the part does not stand there."""
    if quote is None:
        quote = shorten(segment.text, EVIDENCE_QUOTE)
    found = locate(segment.text, quote)
    if found is None:
        return None
    start, end = found
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


def quotes(site: SiteText, *parts: tuple[Segment, str | None]) -> tuple[Evidence, ...]:
    """Evidence for several parts; those that do not stand where they should are left out."""
    found = (cut(site, segment, quote) for segment, quote in parts)
    return tuple(evidence for evidence in found if evidence is not None)
