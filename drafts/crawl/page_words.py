"""The words by which sites in many languages name the pages a draft needs; `page_…` in the files of the languages."""

from functools import cache

from drafts import languages
from drafts.crawl.extract_parts import words
from drafts.crawl.report import PageKind

# A page below one of these belongs to it whatever its own name says: a post about prices is a post.
CONTAINERS: tuple[PageKind, ...] = ("blog", "docs", "jobs", "comparison")
# The order in which a name is tried against the kinds.
ORDER: tuple[PageKind, ...] = (
    "comparison",
    "pricing",
    "faq",
    "team",
    "contact",
    "legal",
    "security",
    "about",
    "jobs",
    "blog",
    "docs",
    "features",
)
# The codes of languages and of some countries that begin an address.
LANGUAGES = words(
    "ar bg bn bs ca cs da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ka kk ko lt lv mk ms nb nl nn no pl "
    "pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh jp kr cn tw br us gb ua cz dk se"
)


@cache
def named(name: str) -> frozenset[str]:
    """The words of a kind of page; one that ends in * stands for every word that begins so."""
    return frozenset(languages.phrases(f"page_{name}"))
