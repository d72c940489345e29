"""Headings that only name a part of a page: no features, no plans, no taglines."""

from drafts.crawl.extract_roles import heading_roles
from drafts.languages import Shape

_OWN = Shape(r"^\W*(?:{own}\s+)?")
_PRICE_HEAD = Shape(r"{start}{title_price}\W*$", start=_OWN)
_PART_HEAD = Shape(r"{start}{title_part}\W*$", start=_OWN)
_CHAPTER_HEAD = Shape(r"{start}{title_chapter}\W*$", start=_OWN)
_CHAPTERS = frozenset(
    {
        *("review", "comparison", "job", "blog", "donation", "faq", "steps", "feature", "why", "others"),
        "contact",
    }
)


def names_prices(text: str) -> bool:
    """Whether a heading says no more than that prices follow."""
    return bool(_PRICE_HEAD.match(text))


def names_part(text: str) -> bool:
    """Whether a heading says no more than what part of a page follows, wherever it stands."""
    return names_prices(text) or bool(_PART_HEAD.match(text))


def opens_chapter(text: str) -> bool:
    """Whether a heading of the second level announces what is listed or told below it."""
    return names_part(text) or bool(_CHAPTER_HEAD.match(text)) or bool(heading_roles(text) & _CHAPTERS)
