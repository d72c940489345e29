"""The company's profiles on other platforms."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

from drafts import languages
from drafts.crawl.extract_parts import Link, PageText, words
from drafts.crawl.extract_structured import all_of
from drafts.languages import Shape
from drafts.limits import SOCIAL_LINK
from drafts.writing.identity import COMPANY_TYPES, PRODUCT_TYPES
from drafts.writing.port import FieldDraft
from drafts.writing.profiles import platform_of, profile_url
from drafts.writing.quoting import cite
from drafts.writing.reading import Reading, Scored
from drafts.writing.roles import is_placeholder
from drafts.writing.text import folded, squashed

_AUTHORS = re.compile(
    r"^@?(?:ajlkn|html5up|colorlib\w*|bootstrapmade|themefisher|startbootstrap|templatemo|getbootstrap|tailwind\w+|"
    r"vercel|nextjs|wordpress\w*|wix|squarespace|framer|webflow|facebook|google|microsoft|apple|github|twitter)(?:/|$)",
    re.IGNORECASE,
)
_UNFILLED = re.compile(r"your|username|placeholder|^(?:example|user|name)$|changeme", re.IGNORECASE)
_SOCIAL_HEADING = Shape(r"{follow}")
_WEBSITE_SOURCE = re.compile(
    r"\.github\.io$|website|homepage|[-_.]site$|[-_]docs$|theme|template", re.IGNORECASE
)
_PLATFORMS = words(
    "linkedin twitter facebook instagram insta tiktok youtube threads pinterest github git hub reddit subreddit "
    "product hunt medium"
)
_LETTERS = re.compile(r"[^\W\d]+")
_OTHERS = words("review comparison job blog sample instruction others event donation")
_CREDIT = Shape(r"{credit_link}")
_PREFIX = re.compile(r"^(?:company|in|r|posts|products)/")
_HEADS = frozenset({"footer", "header", "nav"})
_OF_OTHERS = re.compile(r"review|author|job", re.IGNORECASE)
Profile = tuple[str, Scored]
"""Its platform, and its address with what speaks for it."""


def draft_socials(reading: Reading) -> dict[str, FieldDraft]:
    result: dict[str, list[Scored]] = defaultdict(list)
    for platform, scored in _profiles(reading):
        result[platform].append(scored)
    return {platform: reading.best(result[platform]) for platform in sorted(result)}


def _profiles(reading: Reading) -> Iterator[Profile]:
    spread = Counter(url for page in reading.site.pages for url in {link.url for link in page.links})
    for page in reading.pages:
        for link in page.links:
            platform, handle = platform_of(link.url) or ("", "")
            is_own = _is_own(reading, handle)
            is_unfilled = not handle or is_placeholder(handle) or _UNFILLED.search(handle)
            if is_unfilled or link.roles & _OTHERS or (not is_own and _AUTHORS.search(handle)):
                continue
            score = 5.0 * is_own + 1.5 * _is_placed(link) + 1.0 * (spread[link.url] > 1)
            score += 0.3 * (page.index == 1) + _repository_score(reading, platform, handle)
            scored = (score, profile_url(link.url, platform)[:SOCIAL_LINK], cite(page, link.raw, "meta"))
            if is_own or _may_be_ours(reading, page, link, platform, handle):
                yield platform, scored
        yield from _same_as(reading, page)


def _is_placed(link: Link) -> bool:
    return bool(link.roles & (_HEADS | {"contact"}) or _SOCIAL_HEADING.search(link.heading))


def _repository_score(reading: Reading, platform: str, handle: str) -> float:
    """The product's repository before its owner, its owner before other repositories, the website's source last."""
    repository = handle.partition("/")[2] if platform == "github" else ""
    source = -2.0 * (platform == "github" and bool(_WEBSITE_SOURCE.search(handle)))
    is_called = 2.0 * (squashed(repository) in reading.own.keys)
    return source + is_called + (0.5 if reading.own.resembles(repository) else -1.0 * bool(repository))


def _is_own(reading: Reading, handle: str) -> bool:
    parts = _PREFIX.sub("", handle).split("/")[:2]
    return any(reading.own.resembles(part.lstrip("@")) for part in parts)


def _may_be_ours(reading: Reading, page: PageText, link: Link, platform: str, handle: str) -> bool:
    """Whether a profile whose handle is not like the name stands where a site links its own."""
    label = f"{link.text} {link.label}"
    around = page.segments[link.segment].flat if 0 <= link.segment < len(page.segments) else ""
    before = around.rpartition(link.text)[0][-30:] if link.text else ""
    is_persons = "person" in link.roles and "footer" not in link.roles
    if is_persons or _CREDIT.search(f"{before} {label}") or reading.own.rival_in(label):
        return False
    is_placed = bool(link.roles & _HEADS) if platform == "github" else _is_placed(link)
    return is_placed and not _names_others(label, handle)


def _names_others(label: str, handle: str) -> bool:
    left = {word for word in _LETTERS.findall(folded(label)) if len(word) > 2} - _link_words()
    account = folded(_PREFIX.sub("", handle)).split("/")[0]
    return any(word not in account for word in left)


@cache
def _link_words() -> frozenset[str]:
    """What links to profiles say whoever they belong to."""
    return _PLATFORMS | {folded(word) for word in languages.phrases("link_word")}


def _same_as(reading: Reading, page: PageText) -> Iterator[Profile]:
    for node in page.nodes:
        if not node.types & (COMPANY_TYPES | PRODUCT_TYPES | {"WebSite"}) or _OF_OTHERS.search(node.path):
            continue
        for url in all_of(node.data.get("sameAs")) + all_of(node.data.get("codeRepository")):
            is_theirs = isinstance(url, str) and url in page.stated and not is_placeholder(url)
            result = platform_of(url) if is_theirs else None
            for evidence in reading.quote((page.stated[url], None)) if result else ():
                platform, handle = result or ("", "")
                score = 3.0 + _is_own(reading, handle)
                yield platform, (score, profile_url(url, platform)[:SOCIAL_LINK], evidence)
