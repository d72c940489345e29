"""Cut one page into segments, links, pictures and structured data."""

import re
from collections import Counter

from bs4 import BeautifulSoup, Tag

from drafts.crawl.extract_hidden import StyleRules
from drafts.crawl.extract_parts import Image
from drafts.crawl.extract_pieces import RAW_SPACE, Extract, Piece, fold
from drafts.crawl.extract_roles import kind_roles
from drafts.crawl.extract_structured import load_json_ld, microdata_in, nodes_in, strings_in
from drafts.crawl.extract_walk import Walker
from drafts.crawl.extract_weights import Weights, attribute, icons_in
from drafts.crawl.report import PageKind

HTML_LIMIT = 1_500_000
TAG_LIMIT = 60_000
HEAD_LIMIT = 200
_TAIL = 150_000


def trim(html: str) -> str:
    """Keep the head and the tail of a page that is too large to read whole."""
    if len(html) > HTML_LIMIT:
        html = html[: HTML_LIMIT - _TAIL] + "\n" + html[-_TAIL:]
    if html.count("<") <= TAG_LIMIT * 2:
        return html
    kept = 0
    for count, found in enumerate(re.finditer("<", html)):
        if count == TAG_LIMIT * 2:
            kept = found.start()
            break
    return html[:kept] + "\n" + html[-_TAIL:] if kept + _TAIL < len(html) else html


def extract(html: str, url: str, page_kind: PageKind) -> Extract:
    """Read one page. Its text is taken from the whole document: some pages hold text outside of their body."""
    soup = BeautifulSoup(trim(html), "lxml")
    out = Extract()
    rules = StyleRules()
    root = soup.find("html")
    out.lang = attribute(root, "lang").strip() if isinstance(root, Tag) else ""
    weights = Weights(soup)
    walker = Walker(url, kind_roles(page_kind), out, rules, weights)
    walker.is_home = page_kind == "home"
    walker.icons = icons_in(soup)
    _read_head(soup, walker)
    rules.match(soup, weights)
    walker.walk(soup)
    soup.decompose()
    return out


def _read_head(soup: BeautifulSoup, walker: Walker) -> None:
    """Read what stands in no block: base, title, meta elements, icons, styles and JSON-LD."""
    read = {
        "base": _read_base,
        "style": _read_style,
        "title": _read_title,
        "meta": _read_meta,
        "link": _read_link,
        "script": _read_script,
    }
    counts: Counter[str] = Counter()
    for tag in soup.find_all(list(read)):
        counts[tag.name] += 1
        if counts[tag.name] <= HEAD_LIMIT:
            read[tag.name](tag, walker)
    if any("itemscope" in tag.attrs for tag in soup.find_all(itemscope=True, limit=1)):
        walker.out.nodes.extend(microdata_in(soup))


def _read_base(tag: Tag, walker: Walker) -> None:
    walker.base = walker.absolute(attribute(tag, "href")) or walker.base


def _read_style(tag: Tag, walker: Walker) -> None:
    walker.rules.read(tag.get_text())


def _read_title(tag: Tag, walker: Walker) -> None:
    if walker.out.title or tag.find_parent("svg") is not None:
        return
    walker.out.title = fold(RAW_SPACE.sub(" ", tag.get_text()))
    if walker.out.title:
        walker.out.pieces.append(Piece(kind="meta", text=walker.out.title, tag="title", key="title"))


def _read_meta(tag: Tag, walker: Walker) -> None:
    key = (attribute(tag, "property") or attribute(tag, "name") or attribute(tag, "itemprop")).lower().strip()
    text = fold(attribute(tag, "content"))
    if key and text:
        walker.out.meta.setdefault(key, text)
        walker.out.pieces.append(Piece(kind="meta", text=text, tag="meta", key=key))


def _read_link(tag: Tag, walker: Walker) -> None:
    rel, raw = attribute(tag, "rel").lower(), attribute(tag, "href")
    if "stylesheet" in rel and "fonts.g" not in raw:
        walker.external_styles = True
    elif "canonical" in rel:
        walker.out.meta.setdefault("canonical", walker.absolute(raw))
    elif "icon" in rel and raw and not raw.startswith("data:"):
        words = f"{raw} {attribute(tag, 'sizes')}".lower()
        walker.out.images.append(Image(raw=raw, url=walker.absolute(raw), words=words, rel=rel))


def _read_script(tag: Tag, walker: Walker) -> None:
    if "ld+json" not in attribute(tag, "type").lower():
        return
    value = load_json_ld(tag.get_text())
    if value is not None:
        walker.out.nodes.extend(nodes_in(value))
        walker.out.pieces.extend(Piece(kind="json_ld", text=t, key=k) for k, t in strings_in(value))
