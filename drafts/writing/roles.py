"""Which parts of a page may speak for which field."""

import re

from drafts.caching import cached
from drafts.crawl.extract_parts import PageText, Segment, words
from drafts.languages import Shape

NOT_OURS = words("comparison job sample struck instruction donation cookie comment")
"""Blocks that speak of others, show made-up data or talk to machines."""
NO_FACTS = NOT_OURS | {"blog", "event", "host", "docs", "others"}
"""Blocks that are no evidence for a fact about the company."""
_QUOTED = re.compile(r"^[\s]*[\"“„«»‘'「『]|[\"”“»」』]\s*(?:[-–—,]|$)|^\s*[-–—]\s*[A-ZÀ-Ý]")
_PLACEHOLDER = Shape(
    r"{placeholder}",
    r"{your_own}(?:[.@]|$)",
    r"\{\{|\}\}|\{%|%\w+_\w+%|(?-i:__[A-Z][A-Z_]+__)|\bx{3,}\b|\b(?:foo@bar|test@test|(?:example|placeholder|dummyimage)\.(?:com|org|net)|placehold\.(?:co|it))\b",
    r"{filler}",
)
_FILLER = Shape(r"{filler}")


@cached(16384)
def is_placeholder(text: str) -> bool:
    return bool(_PLACEHOLDER.search(text))


def is_quoted(text: str) -> bool:
    return bool(_QUOTED.search(text))


def is_review(segment: Segment) -> bool:
    """Whether a segment quotes somebody else. A heading alone makes only quoted words a review."""
    if "review" in segment.roles:
        return True
    return "review" in segment.under and (segment.tag in {"cite", "figcaption"} or is_quoted(segment.text))


def speaks(segment: Segment) -> bool:
    """Whether a segment may be used for texts about the product."""
    if segment.hidden or segment.all_roles & (NOT_OURS | {"host"}):
        return False
    return not is_review(segment) and not is_placeholder(segment.text)


def states_facts(segment: Segment) -> bool:
    """Whether a segment may be used for facts about the company."""
    return speaks(segment) and not segment.all_roles & NO_FACTS


def page_is_ours(page: PageText) -> bool:
    return page.kind not in {"comparison", "blog", "jobs"} and not is_left_over(page)


def is_left_over(page: PageText) -> bool:
    """Whether a page is as its template left it: filler stands among its text. Somebody has written the home page."""
    return page.index > 1 and any(
        _FILLER.search(s.text) for s in page.texts if not (s.hidden or "footer" in s.roles)
    )
