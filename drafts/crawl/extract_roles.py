"""What a block of a page is for, told by its tag, its class names, its page and the heading above it."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

from bs4 import Tag

from drafts.caching import cached
from drafts.crawl.extract_parts import words
from drafts.crawl.extract_weights import Weights, attribute
from drafts.crawl.report import PageKind
from drafts.languages import Shape

_OF_TAGS = {
    "review": "blockquote",
    "sample": "pre samp",
    "faq": "details",
    "struck": "s del strike",
    "caption": "figcaption",
    **{name: name for name in ("header", "nav", "footer", "main", "aside", "form", "table", "button")},
}
TAG_ROLES = {tag: frozenset({role}) for role, tags in _OF_TAGS.items() for tag in tags.split()}

_CLASSES = Path(__file__).with_name("class_words.toml")
_CLASS_ROLES = {
    " ".join(name.split()): role
    for role, names in tomllib.loads(_CLASSES.read_text(encoding="utf-8")).items()
    for name in names.split(",")
}
_STATE_WORDS = ("has-", "with-", "no-", "without-", "hide-", "show-", "js-", "is-", "not-", "has_", "no_")
_FOOTER = re.compile(r"^(?:(?:site|page|main|global|app|l)[-_]+)?footer(?:[-_]\w+)?$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[^a-z0-9]+")
_SECTIONS = frozenset({"section", "main", "body", "article", "html"})


@cached(8192)
def class_roles(classes: str, tag: str) -> frozenset[str]:
    """The roles that the class names and the id of one element give to all that stands in it."""
    values: set[str] = set()
    if tag in {"body", "html"}:
        return frozenset()
    for token in classes.split():
        if ":" in token or "[" in token or token.lower().startswith(_STATE_WORDS):
            continue
        low = _CAMEL.sub("-", token).lower()
        if _FOOTER.match(low):
            values.add("footer")
        parts = [part for part in _SPLIT.split(low) if part]
        names = (*parts, *map(" ".join, pairwise(parts)))
        values.update(_CLASS_ROLES[name] for name in names if name in _CLASS_ROLES)
    if tag in _SECTIONS:
        values.discard("maybe_sample")
    return frozenset(values)


_SAFE = words("hero header brand price faq fold feature person contact about")
_OTHERS_VOICES = frozenset({"review", "comparison", "job"})
_MOST, _ALL = 0.5, 0.95


def roles_of(
    tag: Tag, roles: frozenset[str], weights: Weights, page_roles: frozenset[str], *, is_home: bool
) -> frozenset[str]:
    """The roles of what stands in one element: those from around it, and those that it gives itself.

    An element that holds most of a page, or its main heading, arranges the page: its name says little of its text.
    """
    own = TAG_ROLES.get(tag.name, frozenset())
    if tag.attrs:
        names = f"{attribute(tag, 'class')} {attribute(tag, 'id')}"
        if names != " ":
            own = own | class_roles(names, tag.name)
    share = weights.share(tag) if own else 1.0
    if share > _ALL:
        return roles
    if share > _MOST or weights.holds_top(tag):
        cached = frozenset() if share > _MOST and is_home else _SAFE
        own = own & (cached | (frozenset() if is_home else _OTHERS_VOICES))
    return roles | (own - {"blog"} if page_roles else own)


def settled(roles: frozenset[str], under: frozenset[str]) -> frozenset[str]:
    """The roles without a doubt: what a name calls a preview is none of a sample under a heading for prices."""
    if "maybe_sample" not in roles:
        return roles
    return roles - {"maybe_sample"} | (frozenset() if "price" in under else frozenset({"sample"}))


_KIND_ROLES = {"pricing": "price", "jobs": "job", "team": "person"} | {
    kind: kind for kind in ("comparison", "blog", "legal", "docs", "faq", "about", "contact")
}


def kind_roles(kind: PageKind) -> frozenset[str]:
    """The roles that a page gives to all that stands on it."""
    return frozenset({_KIND_ROLES[kind]}) if kind in _KIND_ROLES else frozenset()


_NO_PLANS = Shape(r"(?!\s+{heading_plans})")
HEADING_ROLES = {
    role: Shape(f"{{heading_{role}}}" + ("{no_plans}" if role == "comparison" else ""), no_plans=_NO_PLANS)
    for role in (
        *("review", "person", "job", "comparison", "blog", "donation", "faq", "price", "steps", "feature"),
        *("why", "others", "audience", "event", "contact", "sample", "host"),
    )
}
_LONG_HEADING = 90
_LONG_TITLE = 6
_SHORT_ONLY = frozenset({"person", "job", "steps", "others", "contact", "event", "blog", "sample", "why"})


@cached(4096)
def heading_roles(text: str) -> frozenset[str]:
    """The roles that a heading gives to the text under it."""
    if not text or len(text) > _LONG_HEADING:
        return frozenset()
    is_long = len(text.split()) > _LONG_TITLE
    return frozenset(
        role
        for role, shape in HEADING_ROLES.items()
        if shape.search(text) and not (is_long and role in _SHORT_ONLY)
    )
