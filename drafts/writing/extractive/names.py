"""The product's name: what its markup, titles, brand link and address agree on."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from drafts.crawl.extract_parts import PageText, SiteText
from drafts.languages import Shape
from drafts.limits import TEXT_FIELDS
from drafts.writing.identity import COMPANY_TYPES, PRODUCT_TYPES, site_hosts, without_legal_form
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cite, cut
from drafts.writing.reading import ranked
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
_STATED = frozenset({"introduced", "h1"})
_UNTOLD = 6
"""What it costs a name that neither title nor address nor markup nor logo knows."""
_META_WEIGHTS = {"og:site_name": 4, "application-name": 3, "apple-mobile-web-app-title": 3}
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)\s*(?:\d{4}(?:\s*[-–—]\s*(?:\d{4}|present|now))?)?,?\s*(?:by\s+)?((?:[^.|"
    r"·•\n,]|\.(?=\w\b)){2,40})",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Candidate:
    text: str
    sources: dict[str, float] = field(default_factory=dict)
    evidence: list[Evidence] = field(default_factory=list)


_Source = tuple[str, float, str, Evidence | None]


def clean(text: str) -> str:
    """A possible name without marks, versions and words like "official site"."""
    text = tidy(_MARKS.sub("", text)).strip(" \"'“”«»|-–—:,")
    while (shorter := _TRIM.compiled.sub("", text).strip()) != text:
        text = shorter
    return text.removesuffix(".") if len(text.split()) == 1 else text


def draft_name(site: SiteText) -> FieldDraft:
    """The name that most sources of the site agree on."""
    result: dict[str, Candidate] = {}
    sources = (find(site, site.pages[0]) for find in (_markup, _titles, _brand, _written, _introduced))
    for source, weight, text, evidence in chain.from_iterable(sources):
        name = clean(text)
        if evidence is not None and _may_be_name(name):
            candidate = result.setdefault(squashed(name), Candidate(name))
            candidate.sources.setdefault(source, weight)
            candidate.evidence.append(evidence)
    scores = {key: sum(entry.sources.values()) + _support(site, entry) for key, entry in result.items()}
    order = sorted(result, key=lambda key: (-scores[key], len(result[key].text)))
    rows: list[tuple[float, FieldDraft]] = [
        (
            scores[key],
            FieldDraft(
                value=result[key].text[: TEXT_FIELDS["name"]], evidence=tuple(result[key].evidence[:2])
            ),
        )
        for key in order
        if scores[key] > 0
    ]
    return ranked(rows, otherwise=FieldDraft(reason="not_on_site"))


def _may_be_name(name: str) -> bool:
    if not 2 <= len(name) <= 50 or _GENERIC.match(name) or is_placeholder(name):
        return False
    return len(name.split()) <= 5 and not name.endswith((".", "!", "?", "。"))


def _markup(site: SiteText, home: PageText) -> Iterator[_Source]:
    for segment in home.marked:
        key = segment.key.lower()
        is_node = segment.kind == "json_ld" and key.rsplit(".", 1)[-1] == "name"
        weight = _node_weight(home, segment.text) if is_node else _META_WEIGHTS.get(key, 0)
        if weight:
            yield key, weight, segment.text, cut(site, segment)


def _node_weight(page: PageText, name: str) -> float:
    named = (node for node in page.nodes if node.data.get("name") == name)
    tops = [node.types for node in named if "." not in node.path.replace("@graph", "")]
    if any(types & PRODUCT_TYPES for types in tops):
        return 5
    return 3 * any(types & (COMPANY_TYPES | {"WebSite"}) for types in tops)


def _titles(site: SiteText, _home: PageText) -> Iterator[_Source]:
    titles = [segment for page in site.pages for segment in page.marked if segment.key == "title"]
    titles_split = [(s, [(p, *p.split(", ")) for p in TITLE_PARTS.split(s.text)[:_PIECES]]) for s in titles]
    spread = Counter(
        p for _, pieces in titles_split for p in {squashed(clean(p)) for each in pieces for p in each}
    )
    for segment, pieces in titles_split:
        most = max(spread[squashed(clean(part))] for piece in pieces for part in piece)
        for at, piece in enumerate(pieces):
            part = max(piece, key=lambda each: spread[squashed(clean(each))])
            often = spread[squashed(clean(part))]
            is_home, is_often = segment.page == 1, often > 1 and often == most
            if is_home or is_often:  # else what a single page is called
                weight = (2.0 if is_home else 0.5) + 2 * is_often + 0.5 * (at == 0)
                is_line = len(pieces) == 1 and len(part.split()) > 4
                weight = 0.2 if is_line else weight
                yield f"title {is_home}", weight, part, cut(site, segment, part.strip())


def _brand(site: SiteText, home: PageText) -> Iterator[_Source]:
    for link in home.links:
        leads = link.raw != "#" and _is_home(home, link.url)
        if link.roles & {"header", "nav", "footer"} and leads and link.text:
            quotes = (cut(site, segment, link.text) for segment in home.texts)
            yield "brand link", 3, link.text, next(filter(None, quotes), None)
    for image in home.images:
        if image.alt and (image.home_link or "logo" in image.words):
            yield "logo", 2, image.alt, cite(home, image.alt, "alt")


def _written(site: SiteText, home: PageText) -> Iterator[_Source]:
    for segment in home.texts:
        is_brand = "brand" in segment.roles and len(segment.text) <= 40
        for source, weight in (("brand", 3 * is_brand), ("h1", segment.level == 1)):
            if weight:
                yield source, weight, segment.flat, cut(site, segment)
        for result in _COPYRIGHT.findall(segment.text):
            yield "copyright", 1.5, without_legal_form(result), cut(site, segment, result)


def _introduced(site: SiteText, home: PageText) -> Iterator[_Source]:
    """The subject of a sentence that says what the product is."""
    described = [s for s in home.marked if s.key in {"description", "og:description"}]
    running = [s for s in home.texts if s.tag in {"p", "div", "td"} and len(s.text) > 25]
    for segment in [*described, *running[:25]]:
        match = _IS_A.match(segment.flat)
        if match and "instruction" not in segment.roles:
            name = match["name"] or match["cjk"] or match["ru"]
            yield "introduced", 3, name, cut(site, segment, name)


def _is_home(home: PageText, url: str) -> bool:
    path, _, place = url.partition("#")
    path = path.split("?", maxsplit=1)[0].removesuffix("index.html").rstrip("/")
    is_top = place in {"", "top", "home"}
    return is_top and path == home.url.split("#")[0].removesuffix("index.html").rstrip("/")


def _support(site: SiteText, candidate: Candidate) -> float:
    key = re.sub(r"[^\w]", "", squashed(candidate.text))
    parts = (part for host in site_hosts(site) for part in (host, host.split(".")[0]))
    labels = {re.sub(r"\W", "", part) for part in parts}
    is_like = any(len(key) >= 4 and (key in entry or (len(entry) >= 4 and entry in key)) for entry in labels)
    score = 4.0 if key in labels else 2.0 * is_like
    home = site.pages[0]
    is_titled = has_words(home.title or home.meta.get("og:title", ""), candidate.text)
    spoken = (s for s in site.pages[0].texts if "instruction" not in s.roles)
    seen = sum(has_words(s.text, candidate.text) for s in spoken)
    if not is_titled and (not seen or (not score and candidate.sources.keys() <= _STATED)):
        return score - _UNTOLD
    return score + min(seen, 6) * 0.3 - 0.02 * len(plain(candidate.text))
