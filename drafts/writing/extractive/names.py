"""The product's name: what its markup, titles, brand link and address agree on."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.languages import Shape
from drafts.limits import TEXT_FIELDS
from drafts.writing.identity import COMPANY_TYPES, PRODUCT_TYPES, site_hosts, without_legal_form
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cite, cut
from drafts.writing.roles import is_placeholder
from drafts.writing.text import has_words, plain, squashed, tidy

TITLE_PARTS = Shape(
    r"\s+[|–—‒―·•»›:-]\s+|\s*[|｜–—·•»›：]\s*|:\s+|\s-\s",
    r",\s+(?={article}\s)",
    r"(?<=[\u3040-\u9fff])[_\-](?=[\u3040-\u9fff])",
)
_GENERIC = Shape(r"^(?:{generic_title}|vite.*|react app|next\.?js.*)$")
_TRIM = Shape(r"^{welcome}\s+", r"\s+(?:{title_suffix}|v?\d+\.\d+(?:\.\d+)*)$")
_MARKS = re.compile(r"[™®©]|[\U0001F000-\U0001FAFF\u2600-\u27bf\ufe0f]")
_IS_A = Shape(
    r"^(?:{article}\s)?(?P<name>[^\W\d_a-z][\w.&'’+-]*(?: [A-Z][\w.&'’+-]*){0,2}),? (?:{is}|[—–-]) {is_a}",
    r"^(?P<cjk>\w{2,12}?)(?:{topic}、?|{topic_end}\s)",
    r"^(?P<ru>[А-ЯЁ][\w-]+) — ",
    flags=0,
)
_PIECES = 12  # of a title; each is looked up in it, and thousands of them cost seconds
_TOLD = frozenset({"introduced", "h1", "header"})
_UNTOLD = 6
"""What it costs a name that neither title nor address nor markup nor logo knows."""
_META_WEIGHTS = {"og:site_name": 4, "application-name": 3, "apple-mobile-web-app-title": 3}
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)\s*(?:\d{4}(?:\s*[-–—]\s*(?:\d{4}|present|now))?)?,?\s*(?:by\s+)?([^.|"
    r"·•\n,]{2,40})",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Candidate:
    """One possible name with what speaks for it."""

    text: str
    score: float = 0
    sources: set[str] = field(default_factory=set)
    evidence: list[Evidence] = field(default_factory=list)


def clean(text: str) -> str:
    """A possible name without marks, versions and words like "official site"."""
    text = tidy(_MARKS.sub("", text)).strip(" \"'“”«»|-–—:,")
    while (shorter := _TRIM.compiled.sub("", text).strip()) != text:
        text = shorter
    return text.removesuffix(".") if len(text.split()) == 1 else text


def draft_name(site: SiteText) -> FieldDraft:
    """The name that most sources of the site agree on."""
    found: dict[str, Candidate] = defaultdict(lambda: Candidate(""))
    for source, weight, text, evidence in _sources(site):
        name = clean(text)
        if not _may_be_name(name):
            continue
        candidate = found[squashed(name)]
        candidate.text = candidate.text or name
        if source not in candidate.sources:
            candidate.sources.add(source)
            candidate.score += weight
        if evidence is not None and name in evidence.quote:
            candidate.evidence.append(evidence)
    for candidate in found.values():
        candidate.score += _support(site, candidate)
    ranked = sorted(
        (c for c in found.values() if c.evidence and c.score > 0), key=lambda c: (-c.score, len(c.text))
    )
    if not ranked:
        return FieldDraft(reason="not_on_site")
    best = ranked[0]
    return FieldDraft(value=best.text[: TEXT_FIELDS["name"]], evidence=tuple(best.evidence[:2]))


def _may_be_name(name: str) -> bool:
    if not 2 <= len(name) <= 50 or _GENERIC.match(name) or is_placeholder(name):
        return False
    return (
        len(name.split()) <= 5
        and not name.startswith(("http", "@"))
        and not name.endswith((".", "!", "?", "。"))
    )


_Source = tuple[str, float, str, Evidence | None]


def _sources(site: SiteText) -> Iterator[_Source]:
    home = site.pages[0]
    yield from _markup(site, home)
    yield from _titles(site)
    yield from _brand(site, home)
    yield from _introduced(site, home)


def _markup(site: SiteText, home: PageText) -> Iterator[_Source]:
    for segment in home.marked:
        weight = _markup_weight(home, segment)
        if weight:
            source = f"json_ld{weight}" if segment.kind == "json_ld" else segment.key.lower()
            yield source, weight, segment.text, cut(site, segment)
    for page in site.pages[1:]:
        for segment in page.marked:
            if segment.key == "og:site_name":
                yield "og:site_name elsewhere", 2, segment.text, cut(site, segment)


def _markup_weight(home: PageText, segment: Segment) -> float:
    if segment.kind == "json_ld":
        is_name = segment.key.rsplit(".", 1)[-1].lower() in {"name", "alternatename"}
        return _node_weight(home, segment.text) if is_name else 0
    return _META_WEIGHTS.get(segment.key.lower(), 0)


def _node_weight(page: PageText, name: str) -> float:
    for node in page.nodes:
        if node.data.get("name") == name and "." not in node.path.replace("@graph", ""):
            if node.types & PRODUCT_TYPES:
                return 5
            if node.types & (COMPANY_TYPES | {"WebSite"}):
                return 3
    return 0


def _titles(site: SiteText) -> Iterator[_Source]:
    parts: dict[str, int] = defaultdict(int)
    for page in site.pages:
        for part in {squashed(clean(p)) for p in TITLE_PARTS.split(page.title)[:_PIECES]}:
            parts[part] += 1
    for page in site.pages:
        title = next((s for s in page.marked if s.key == "title"), None)
        if title is None:
            continue
        pieces = TITLE_PARTS.split(title.text)[:_PIECES]
        for at, part in enumerate(pieces):
            often = parts[squashed(clean(part))] > 1
            if page.index > 1 and not often:
                continue  # what a single page is called
            weight = (2.0 if page.index == 1 else 0.5) + (2 if often else 0) + (0.5 if at == 0 else 0)
            if len(pieces) == 1 and len(part.split()) > 4:
                weight = 0.2
            yield f"title {page.index == 1}", weight, part, cut(site, title, part.strip() or None)


def _brand(site: SiteText, home: PageText) -> Iterator[_Source]:
    for link in home.links:
        if link.roles & {"header", "nav", "footer"} and _is_home(home, link.url) and link.text:
            yield "brand link", 3, link.text, _text_evidence(site, home, link.text)
    for image in home.images:
        if image.alt and (image.home_link or "logo" in image.words):
            yield "logo", 2, image.alt, cite(home, image.alt, "alt")
    for segment in home.texts:
        for source, weight in _text_weights(segment):
            yield source, weight, segment.flat, cut(site, segment)
        for found in _COPYRIGHT.findall(segment.text):
            yield "copyright", 1.5, without_legal_form(found), cut(site, segment, found)


def _text_weights(segment: Segment) -> Iterator[tuple[str, float]]:
    if "brand" in segment.roles and len(segment.text) <= 40:
        yield "brand", 3
    if segment.level == 1:
        yield "h1", 1
    if segment.roles & {"header", "nav"} and len(segment.text) <= 30 and not segment.link:
        yield "header", 1


def _introduced(site: SiteText, home: PageText) -> Iterator[_Source]:
    """The subject of a sentence that says what the product is."""
    described = [s for s in home.marked if s.key in {"description", "og:description"}]
    running = [s for s in home.texts if s.tag in {"p", "div", "td"} and len(s.text) > 25]
    for segment in [*described, *running[:25]]:
        found = _IS_A.match(segment.flat)
        if found and "instruction" not in segment.roles:
            name = found["name"] or found["cjk"] or found["ru"]
            yield "introduced", 3, name, cut(site, segment, name)


def _is_home(home: PageText, url: str) -> bool:
    if "#" in url and url.split("#")[1] not in {"", "top", "home"}:
        return False
    path = url.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0].removesuffix("index.html").rstrip("/")
    return path == home.url.split("#")[0].removesuffix("index.html").rstrip("/")


def _text_evidence(site: SiteText, page: PageText, text: str) -> Evidence | None:
    for segment in page.texts:
        evidence = cut(site, segment, text)
        if evidence is not None:
            return evidence
    return None


def _support(site: SiteText, candidate: Candidate) -> float:
    key = re.sub(r"[^\w]", "", squashed(candidate.text))
    labels = {host.split(".")[0].replace("-", "") for host in site_hosts(site)}
    score = 0.0
    if key in labels:
        score += 4
    elif len(key) >= 4 and any(key in label or (len(label) >= 4 and label in key) for label in labels):
        score += 2
    if not score and candidate.sources <= _TOLD and not has_words(site.pages[0].title, candidate.text):
        return -_UNTOLD
    seen = sum(has_words(s.text, candidate.text) for s in _visible(site.pages[0]))
    if not seen and not has_words(site.pages[0].title, candidate.text):
        return score - _UNTOLD
    return score + min(seen, 6) * 0.3 - 0.02 * len(plain(candidate.text))


def _visible(page: PageText) -> Iterator[Segment]:
    return (s for s in page.texts if "instruction" not in s.roles)
