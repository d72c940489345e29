"""Turn the pages of a crawl into numbered segments that can be quoted."""

from collections.abc import Iterable

from core.fetch import split_url
from drafts.crawl.extract import extract
from drafts.crawl.extract_parts import (
    Block,
    Image,
    Link,
    Node,
    PageText,
    Segment,
    SiteText,
    Source,
    Video,
)
from drafts.crawl.extract_pieces import Extract, Piece
from drafts.crawl.extract_roles import kind_roles
from drafts.crawl.pages import kind_of
from drafts.crawl.report import CrawledPage, CrawlReport, PageKind
from drafts.languages import Shape

__all__ = [
    "Block",
    "Image",
    "Link",
    "Node",
    "PageText",
    "Segment",
    "SiteText",
    "Source",
    "Video",
    "is_instruction",
    "read_page",
    "read_site",
]

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
PIECE_WEIGHT = 20
"""What one piece weighs beside its characters. Of 96 real and made-up sites the heaviest page weighs 76,000."""
LINKS, IMAGES, NODES = 3000, 2000, 1000
_SMALL_BLOCK = 8
_LEGAL_TITLE = Shape(r"{title_notice}")


def is_instruction(text: str) -> bool:
    """Whether a text speaks to a machine that reads the page."""
    return bool(_INSTRUCTIONS.search(text))


def read_site(report: CrawlReport) -> SiteText:
    """Cut every page that was read. Pages that were not allowed, failed or are empty give no text."""
    left = SITE_WEIGHT
    read = []
    for index, page in enumerate(_quotable(report.pages), start=1):
        if left <= PIECE_WEIGHT:
            break
        text, weight = _read_within(page, index, most=min(left, PAGE_WEIGHT))
        left -= weight
        read.append(text)
    pages = tuple(read)
    is_addressed = any("instruction" in segment.roles for page in pages for segment in page.segments)
    return SiteText(
        home_url=report.home_url,
        robots=report.robots,
        pages=pages,
        closed=tuple(page.url for page in report.pages if page.skipped == "robots"),
        failed=tuple(page.url for page in report.pages if page.skipped in {"error", "limit", "size"}),
        warnings=report.warnings + (("instructions",) if is_addressed else ()),
    )


def _quotable(pages: Iterable[CrawledPage]) -> list[CrawledPage]:
    return [p for p in pages if p.skipped is None and p.html and (p.status is None or 200 <= p.status < 300)]


def read_page(page: CrawledPage, index: int) -> PageText:
    """Cut one page. Segment ids count from one: `p2s14` is the fourteenth segment of the second page."""
    return _read_within(page, index, most=PAGE_WEIGHT)[0]


def _read_within(page: CrawledPage, index: int, *, most: int) -> tuple[PageText, int]:
    """The page as far as its weight allows, and its weight."""
    kind: PageKind = page.kind if page.kind != "other" else kind_of(split_url(page.url).path, "")
    if index == 1:
        kind = "home"
    found = extract(page.html, page.url, kind)
    weight = _lightened(found, most=most)
    if kind == "other" and _LEGAL_TITLE.search(found.title):
        kind = "legal"
    tainted = _tainted(found)
    _forget_layout_tables(found)
    segments, stored = _number(found.pieces, index, tainted, kind_roles(kind))
    text = PageText(
        index=index,
        url=page.url,
        kind=kind,
        title=found.title or page.title,
        sha256=page.sha256,
        fetched_at=page.fetched_at,
        lang=found.lang,
        text=stored,
        segments=segments,
        blocks=tuple(found.blocks),
        links=tuple(found.links),
        images=tuple(found.images),
        videos=tuple(found.videos),
        nodes=tuple(found.nodes),
        meta=found.meta,
        hidden_count=found.hidden_count,
    )
    return text, weight


def _lightened(found: Extract, *, most: int) -> int:
    """Forget what goes beyond a weight, and give the weight of the text that is left; markup is weighed apart.

    Blocks count pieces, so that only the last ones may go; markup beyond the weight is emptied.
    """
    left = {True: most, False: most}
    for number, piece in enumerate(found.pieces):
        is_text = piece.kind == "text"
        room = max(left[is_text] - PIECE_WEIGHT, 0)
        if is_text and not room:
            del found.pieces[number:]
            break
        piece.text = piece.text[:room]
        left[is_text] = room - len(piece.text)
    del found.links[LINKS:], found.images[IMAGES:], found.nodes[NODES:]
    return most - left[True]


def _forget_layout_tables(found: Extract) -> None:
    """Take the role of a table from what stands in tables that only arrange a page."""
    layout = {
        b
        for b, block in enumerate(found.blocks)
        if block.tag == "table" and any(_is_running_text(p) for p in found.pieces[block.first : block.last])
    }
    if not layout:
        return
    for piece in found.pieces:
        if "table" in piece.roles and not _in_data_table(found.blocks, piece.block, layout):
            piece.roles = piece.roles - {"table"}


def _is_running_text(piece: Piece) -> bool:
    return (piece.tag in {"p", "li", "h1", "h2", "h3", "h4"} and len(piece.text) > 40) or len(
        piece.text
    ) > 200


def _in_data_table(blocks: list[Block], block: int, layout: set[int]) -> bool:
    while block >= 0:
        if blocks[block].tag == "table":
            return block not in layout
        block = blocks[block].parent
    return False


def _tainted(found: Extract) -> frozenset[int]:
    """The pieces that speak to a machine, and their neighbours in the same small block."""
    own = [i for i, piece in enumerate(found.pieces) if is_instruction(piece.text)]
    tainted = set(own)
    for i in own:
        piece = found.pieces[i]
        if piece.kind != "text":
            continue
        block = piece.block
        while block > 0:
            around = found.blocks[block]
            if around.last - around.first > _SMALL_BLOCK or around.tag in {"body", "main", "html", "section"}:
                break
            tainted.update(range(around.first, around.last))
            block = around.parent
    return frozenset(tainted)


def _number(
    pieces: list[Piece], page: int, tainted: frozenset[int], page_roles: frozenset[str]
) -> tuple[tuple[Segment, ...], str]:
    segments: list[Segment] = []
    stored: list[str] = []
    offset = 0
    for i, piece in enumerate(pieces):
        start = end = -1
        if piece.kind == "text":
            start, end = offset, offset + len(piece.text)
            offset = end + 1
            stored.append(piece.text)
        roles = piece.roles | page_roles if piece.kind in {"text", "alt"} else piece.roles
        segments.append(
            Segment(
                id=f"p{page}s{i + 1}",
                page=page,
                index=i,
                kind=_source(piece.kind),
                text=piece.text,
                tag=piece.tag,
                key=piece.key,
                level=piece.level,
                heading=piece.outline[-1] if piece.outline else "",
                outline=piece.outline,
                roles=roles | {"instruction"} if i in tainted else roles,
                under=piece.under,
                bold=piece.bold,
                lead=piece.lead,
                hidden=piece.hidden,
                link=piece.link,
                block=piece.block,
                start=start,
                end=end,
            )
        )
    return tuple(segments), "\n".join(stored)


def _source(kind: str) -> Source:
    if kind == "text":
        return "text"
    if kind == "json_ld":
        return "json_ld"
    return "alt" if kind == "alt" else "meta"
