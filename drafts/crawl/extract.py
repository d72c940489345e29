"""Cut one page into segments, links, pictures and structured data."""

from collections import Counter
from collections.abc import Callable

from bs4 import BeautifulSoup, Tag

from drafts.crawl.extract_parts import RAW_SPACE, Image, PageText, Segment, fold
from drafts.crawl.extract_structured import load_json_ld, nodes_in, strings_in
from drafts.crawl.extract_walk import Walker
from drafts.crawl.extract_weights import attribute

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
    stored = len(html) - len(html.split("<", TAG_LIMIT * 2 + 1)[-1]) - 1
    return html[:stored] + "\n" + html[-_TAIL:] if stored + _TAIL < len(html) else html


def extract(html: str, page: PageText) -> None:
    """Read one page. Its text is taken from the whole document: some pages hold text outside of their body."""
    soup = BeautifulSoup(trim(html), "lxml")
    root = soup.find("html")
    page.lang = attribute(root, "lang").strip() if isinstance(root, Tag) else ""
    walker = Walker(page, soup)
    _read_head(soup, walker)
    walker.rules.match(soup, walker.weights)
    walker.walk(soup)
    soup.decompose()


def _read_head(soup: BeautifulSoup, walker: Walker) -> None:
    """Read what stands in no block: base, title, meta elements, icons, styles and JSON-LD."""
    read: dict[str, Callable[[Tag, Walker], None]] = {
        "base": _read_base,
        "style": lambda tag, walker: walker.rules.read(tag.get_text()),
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


def _read_base(tag: Tag, walker: Walker) -> None:
    walker.base = walker.absolute(attribute(tag, "href")) or walker.base


def _read_title(tag: Tag, walker: Walker) -> None:
    if walker.page.title or tag.find_parent("svg") is not None:
        return
    walker.page.title = fold(RAW_SPACE.sub(" ", tag.get_text()))
    if walker.page.title:
        walker.page.segments.append(Segment(kind="meta", text=walker.page.title, tag="title", key="title"))


def _read_meta(tag: Tag, walker: Walker) -> None:
    key = (attribute(tag, "property") or attribute(tag, "name") or attribute(tag, "itemprop")).lower().strip()
    text = fold(attribute(tag, "content"))
    if key and text:
        walker.page.meta.setdefault(key, text)
        walker.page.segments.append(Segment(kind="meta", text=text, tag="meta", key=key))


def _read_link(tag: Tag, walker: Walker) -> None:
    rel, raw = attribute(tag, "rel").lower(), attribute(tag, "href")
    if "stylesheet" in rel and "fonts.g" not in raw:
        walker.external_styles = True
    elif "canonical" in rel:
        walker.page.meta.setdefault("canonical", walker.absolute(raw))
    elif "icon" in rel and raw and not raw.startswith("data:"):
        words = f"{raw} {attribute(tag, 'sizes')}".lower()
        walker.page.images.append(Image(raw=raw, url=walker.absolute(raw), words=words, rel=rel))


def _read_script(tag: Tag, walker: Walker) -> None:
    if "ld+json" not in attribute(tag, "type").lower():
        return
    value = load_json_ld(tag.get_text())
    if value is not None:
        walker.page.nodes.extend(nodes_in(value))
        walker.page.segments.extend(Segment(kind="json_ld", text=t, key=k) for k, t in strings_in(value))
