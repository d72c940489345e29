"""Profiles on other platforms: the company's own, and those of its first founder."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from drafts import languages
from drafts.crawl.extract_parts import Link, PageText, Segment, words
from drafts.crawl.extract_structured import all_of
from drafts.languages import Shape
from drafts.limits import SOCIAL_LINK
from drafts.writing.identity import COMPANY_TYPES, PRODUCT_TYPES
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.profiles import platform_of, profile_url
from drafts.writing.quoting import cite, cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder
from drafts.writing.text import folded

_AUTHORS = re.compile(
    r"^@?(?:ajlkn|html5up|colorlib\w*|bootstrapmade|themefisher|startbootstrap|templatemo|"
    r"w3layouts|onepagelove|cruip\w*|tailwindcss|tailwindlabs|vercel|nextjs|"
    r"astrodotbuild|withastro|gohugoio|gohugo|jekyllrb|jekyll|wordpress\w*|wix|squarespace|framer|"
    r"webflow|shadcn|evilmartians|mkdocs|squidfunk|vuejs|vitejs|"
    r"reactjs|facebook|google|microsoft|apple|github|twitter|docusaurus|nuxt_js|gatsbyjs|netlify|"
    r"getbootstrap|twbs|creativetim\w*|themeforest|elementor\w*)(?:/|$)",
    re.IGNORECASE,
)
_TEMPLATE = Shape(
    r"{template_by}", r"html5 ?up|colorlib|bootstrapmade|start bootstrap|themefisher|templatemo"
)
_UNFILLED = re.compile(r"your|username|^example$|placeholder|^user$|changeme", re.IGNORECASE)
_SOCIAL_HEADING = Shape(r"{follow}")
_WEBSITE_SOURCE = re.compile(
    r"\.github\.io$|website|homepage|[-_.]site$|[-_]docs$|theme|template", re.IGNORECASE
)
_PERSONAL = re.compile(r"linkedin\.com/in/", re.IGNORECASE)
_PLATFORMS = words(
    "linkedin twitter facebook instagram insta tiktok youtube threads pinterest github git hub reddit subreddit "
    "product hunt medium"
)
_LETTERS = re.compile(r"[^\W\d]+")
_LATIN = re.compile(r"[A-Za-z\W\d_]+")
_PLATFORM_WORDS = Shape(r"{platform}")
_OTHERS = frozenset(
    {"review", "comparison", "job", "blog", "sample", "instruction", "others", "event", "donation"}
)
_CREDIT = Shape(r"{credit_link}")


@dataclass(frozen=True)
class Profile:
    """One link to a profile."""

    platform: str
    url: str
    score: float
    evidence: Evidence
    is_personal: bool = False


def draft_socials(
    reading: Reading, people: tuple[str, ...]
) -> tuple[dict[str, FieldDraft], dict[str, FieldDraft]]:
    """The company's profiles and those of its first founder."""
    company: dict[str, Profile] = {}
    founder: dict[str, Profile] = {}
    for profile in _profiles(reading, people):
        kept = founder if profile.is_personal else company
        if profile.platform not in kept or profile.score > kept[profile.platform].score:
            kept[profile.platform] = profile
    return _drafts(company), _drafts(founder)


def _drafts(profiles: dict[str, Profile]) -> dict[str, FieldDraft]:
    return {
        platform: FieldDraft(value=profile.url[:SOCIAL_LINK], evidence=(profile.evidence,))
        for platform, profile in sorted(profiles.items())
        if profile.score > 0
    }


def _profiles(reading: Reading, people: tuple[str, ...]) -> Iterator[Profile]:
    spread = _spread(reading)
    template = _has_template(reading)
    for page in reading.pages:
        for link in page.links:
            reading.check()
            found = platform_of(link.url)
            if found is None or link.roles & _OTHERS:
                continue
            if _own_handle(reading, *found) or not (template or _AUTHORS.search(found[1])):
                yield from _judged(reading, page, link, people, spread.get(link.url, 1))
        yield from _same_as(reading, page)


def _spread(reading: Reading) -> dict[str, int]:
    pages: dict[str, int] = {}
    for page in reading.site.pages:
        for url in {link.url for link in page.links}:
            pages[url] = pages.get(url, 0) + 1
    return pages


def _judged(
    reading: Reading, page: PageText, link: Link, people: tuple[str, ...], spread: int
) -> Iterator[Profile]:
    platform, handle = platform_of(link.url) or ("", "")
    if is_placeholder(handle) or _UNFILLED.search(handle):
        return
    evidence = cite(page, link.raw, "meta")
    url = profile_url(link.url, platform)
    is_own = _own_handle(reading, platform, handle)
    person = _person_of(page, link, handle, people)
    if person:
        yield Profile(platform, url, 1, evidence, is_personal=True)
    if not is_own and (person is not None or not _may_be_ours(reading, page, link, spread)):
        return
    score = 5.0 * is_own + 1.5 * _is_placed(link) + 1.0 * (spread > 1) + 0.3 * (page.index == 1)
    if platform == "github":
        score += _repository_score(reading, handle)
    yield Profile(platform, url, score, evidence)


def _is_placed(link: Link) -> bool:
    return bool(link.roles & {"footer", "header", "nav", "contact"} or _SOCIAL_HEADING.search(link.heading))


def _repository_score(reading: Reading, handle: str) -> float:
    """The product's repository before its owner, its owner before other repositories, the website's source last."""
    repository = handle.partition("/")[2]
    score = -2.0 * bool(_WEBSITE_SOURCE.search(handle))
    if repository:
        score += 0.5 if reading.own.resembles(repository) else -1.0
    return score


def _has_template(reading: Reading) -> bool:
    """Whether a page credits the author of its design, whose links may have been left in it."""
    return any(_TEMPLATE.search(s.text) for page in reading.site.pages for s in page.texts[-12:])


def _own_handle(reading: Reading, platform: str, handle: str) -> bool:
    parts = (
        handle.removeprefix("company/")
        .removeprefix("in/")
        .removeprefix("r/")
        .removeprefix("posts/")
        .removeprefix("products/")
        .split("/")
    )
    if platform in {"linkedin", "reddit", "producthunt", "youtube"}:
        parts = parts[-1:]
    return any(reading.own.resembles(part.lstrip("@")) for part in parts[:2])


def _before(page: PageText, link: Link) -> str:
    """The words that stand before a link in its own segment."""
    if not 0 <= link.segment < len(page.segments):
        return ""
    text = page.segments[link.segment].flat
    at = text.find(link.text) if link.text else -1
    return text[max(0, at - 30) : at] if at > 0 else ""


def _may_be_ours(reading: Reading, page: PageText, link: Link, spread: int) -> bool:
    """Whether a profile whose handle is not like the name stands where a site links its own."""
    said = f"{link.text} {link.label}"
    if _CREDIT.search(f"{_before(page, link)} {said}") or reading.own.rival_in(said):
        return False
    if any(rival.casefold() in link.url.casefold() for rival in reading.own.rivals) or _names_others(
        reading, link, said
    ):
        return False
    if "github.com" in link.url:
        return bool(link.roles & {"footer", "header", "nav"}) and (spread > 1 or "contact" not in link.roles)
    return _is_placed(link)


def _names_others(reading: Reading, link: Link, said: str) -> bool:
    foreign_script = _LATIN.sub("", said).strip()
    if foreign_script and (_PLATFORM_WORDS.search(said) or not re.search(r"[A-Za-z]{2}", said)):
        return len(foreign_script) > 12 and not _PLATFORM_WORDS.search(said)
    platform, handle = platform_of(link.url) or ("", "")
    handle = folded(handle.partition("/")[0] if platform == "github" else handle)
    left = {word for word in _LETTERS.findall(folded(said)) if len(word) > 2} - _link_words()
    return any(not reading.own.resembles(word) and word not in handle for word in left)


@cache
def _link_words() -> frozenset[str]:
    """What links to profiles say whoever they belong to."""
    return _PLATFORMS | {folded(word) for word in languages.phrases("link_word")}


def _person_of(page: PageText, link: Link, handle: str, people: tuple[str, ...]) -> bool | None:
    """True for the first founder, False for another person, nothing when the link is nobody's in particular."""
    if "person" not in link.roles and not _PERSONAL.search(link.url):
        return None
    around = " ".join(s.text for s in _card(page, link))
    for at, name in enumerate(people):
        if name in around or all(
            part in folded(handle) for part in folded(name).split()[:1] + folded(name).split()[-1:]
        ):
            return at == 0
    return False if "person" in link.roles and "footer" not in link.roles else None


def _card(page: PageText, link: Link) -> tuple[Segment, ...]:
    for block in page.climb(link.block):
        if len(page.texts_in(block, most=2)) == 2 or page.blocks[block].tag in {"section", "main", "body"}:
            inside = page.inside(block)
            return inside if len(inside) <= 10 else ()
    return ()


def _same_as(reading: Reading, page: PageText) -> Iterator[Profile]:
    by_text = page.stated
    for node in page.nodes:
        if not node.types & (COMPANY_TYPES | PRODUCT_TYPES | {"WebSite"}) or re.search(
            r"review|author|job", node.path, re.IGNORECASE
        ):
            continue
        for url in all_of(node.data.get("sameAs")) + all_of(node.data.get("codeRepository")):
            found = platform_of(url) if isinstance(url, str) else None
            if found is None or url not in by_text or is_placeholder(url):
                continue
            evidence = cut(reading.site, by_text[url])
            if evidence is not None:
                yield Profile(
                    found[0], profile_url(url, found[0]), 3.0 + _own_handle(reading, *found), evidence
                )
