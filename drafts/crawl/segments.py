"""Turn the pages of a crawl into numbered segments that can be quoted."""

from core.fetch import split_url
from drafts.crawl.extract import extract
from drafts.crawl.extract_parts import PageText, Segment, SiteText
from drafts.crawl.extract_roles import kind_roles
from drafts.crawl.pages import kind_of
from drafts.crawl.report import CrawledPage, CrawlReport, PageKind
from drafts.languages import Shape

_INSTRUCTIONS = Shape(
    r"{ignore}[^.!?。]{0,60}{orders}",
    r"{earlier}[^.。]{0,10}{orders}[^.。]{0,12}{ignore_last}",
    r"{note_to}\s+{machine}",
    r"{machine_title}\s*[:,]\s+{bidden}",
    r"{system_note}(?=\s*[:—–-])",
    r"{to_machines}",
    r"{as_machine}(?!\s+(?:{organisation}|{product}|{first}))",
    r"{answer_with}\s*:\s",
    r"\[(?:system|inst|assistant)\]|<\|\w+\|>|^\s*(?:assistant|system|user)\s*[:,]\s",
    r"\b(?:founded_year|founders|contact_email|pricing_model)\s*=",
)
PAGE_WEIGHT = 100_000
SITE_WEIGHT = 250_000
SEGMENT_WEIGHT = 20
"""What one segment weighs beside its characters. Of 96 real and made-up sites the heaviest page weighs 76,000."""
LINKS, IMAGES, NODES = 3000, 2000, 1000
_SMALL_BLOCK = 8
_LARGE = frozenset({"[document]", "body", "main", "html", "section"})


def is_instruction(text: str) -> bool:
    """Whether a text speaks to a machine that reads the page."""
    return bool(_INSTRUCTIONS.search(text))


def read_site(report: CrawlReport) -> SiteText:
    """Cut every page that was read. Pages that were not allowed, failed or are empty give no text."""
    left = SITE_WEIGHT
    pages: list[PageText] = []
    for index, page in enumerate(filter(_is_quotable, report.pages), start=1):
        if left <= SEGMENT_WEIGHT:
            break
        pages.append(read_page(page, index, most=min(left, PAGE_WEIGHT)))
        left -= sum(SEGMENT_WEIGHT + len(segment.text) for segment in pages[-1].texts)
    is_addressed = any("instruction" in segment.roles for page in pages for segment in page.segments)
    return SiteText(
        home_url=report.home_url,
        robots=report.robots,
        pages=tuple(pages),
        warnings=report.warnings + (("instructions",) if is_addressed else ()),
    )


def _is_quotable(page: CrawledPage) -> bool:
    return page.skipped is None and bool(page.html) and (page.status is None or 200 <= page.status < 300)


def read_page(crawled: CrawledPage, index: int, *, most: int = PAGE_WEIGHT) -> PageText:
    kind: PageKind = crawled.kind if crawled.kind != "other" else kind_of(split_url(crawled.url).path, "")
    page = PageText(
        index=index,
        url=crawled.url,
        kind="home" if index == 1 else kind,
        sha256=crawled.sha256,
        fetched_at=crawled.fetched_at,
    )
    extract(crawled.html, page)
    _lighten(page, most=most)
    page.title = page.title or crawled.title
    tainted = _tainted(page)
    _forget_layout_tables(page)
    _number(page, tainted)
    return page


def _lighten(page: PageText, *, most: int) -> None:
    """Forget what goes beyond a weight; markup is weighed apart.

    Blocks count segments: only the last ones may go, out of the blocks too; markup beyond the weight is emptied.
    """
    left = {True: most, False: most}
    for number, segment in enumerate(page.segments):
        is_text = segment.kind == "text"
        room = max(left[is_text] - SEGMENT_WEIGHT, 0)
        if is_text and not room:
            del page.segments[number:]
            break
        segment.text = segment.text[:room]
        left[is_text] = room - len(segment.text)
    for block in page.blocks:
        block.last = min(block.last, len(page.segments))
    del page.links[LINKS:], page.images[IMAGES:], page.nodes[NODES:]


def _forget_layout_tables(page: PageText) -> None:
    """Take the role of a table from what stands in tables that only arrange a page."""
    tables = {number for number, block in enumerate(page.blocks) if block.tag == "table"}
    layout = {table for table in tables if any(map(_is_running_text, page.inside(table)))}
    for segment in page.segments if layout else ():
        if next((block for block in page.climb(segment.block) if block in tables), None) in {*layout, None}:
            segment.roles -= {"table"}


def _is_running_text(segment: Segment) -> bool:
    least = 40 if segment.tag in {"p", "li", "h1", "h2", "h3", "h4"} else 200
    return len(segment.text) > least


def _tainted(page: PageText) -> set[int]:
    """The segments that speak to a machine, and their neighbours in the same small block."""
    own = [number for number, segment in enumerate(page.segments) if is_instruction(segment.text)]
    tainted = set(own)
    for number in own:
        if page.segments[number].kind != "text":
            continue
        for block in page.climb(page.segments[number].block):
            around = page.blocks[block]
            if around.last - around.first > _SMALL_BLOCK or around.tag in _LARGE:
                break
            tainted.update(range(around.first, around.last))
    return tainted


def _number(page: PageText, tainted: set[int]) -> None:
    """Give each segment its place on the site and its roles, and each text its place in the page's stored text."""
    offset = 0
    page_roles = kind_roles(page.kind)
    for index, segment in enumerate(page.segments):
        segment.page, segment.index = page.index, index
        if segment.kind in {"text", "alt"}:
            segment.roles |= page_roles
        if index in tainted:
            segment.roles |= {"instruction"}
        if segment.kind == "text":
            segment.start = offset
            offset += len(segment.text) + 1
    page.text = "\n".join(segment.text for segment in page.texts)
