"""The logo and the demo video."""

import re
from collections.abc import Iterator

from core.fetch import split_url
from drafts.crawl.extract_parts import Image, PageText
from drafts.crawl.extract_structured import first_text
from drafts.limits import TEXT_FIELDS
from drafts.writing.port import FieldDraft
from drafts.writing.quoting import cite
from drafts.writing.reading import Reading, Scored, ranked
from drafts.writing.roles import is_placeholder
from drafts.writing.text import squashed

_OTHERS = frozenset({"others", "review", "comparison", "sample", "job", "blog", "person", "instruction"})
_LOGO = re.compile(r"(?:^|[^a-z])(?:logo|logotype|brand|wordmark|brandmark|logomark)(?![a-z]*s\b)")
_WATCH = re.compile(
    r"(?:youtube\.com/watch\?|youtu\.be/[\w-]{6,}|vimeo\.com/(?:video/)?\d{5,}|loom\.com/share/|"
    r"wistia\.com/medias/|bilibili\.com/video/)",
    re.IGNORECASE,
)
_EMBED = re.compile(
    r"youtube(?:-nocookie)?\.com/embed/(?!videoseries|live_stream)[\w-]{6,}|"
    r"player\.vimeo\.com/video/\d+|loom\.com/embed/\w+|wistia\.(?:com|net)/|player\.bilibili\.com|"
    r"rutube\.ru/play/embed/\w+",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"\.(?:svg|png|webp|jpe?g|gif|avif|ico)$", re.IGNORECASE)
_AROUND = frozenset({"header", "nav", "footer"})
_BEHIND = re.compile(r"(?:^|[^a-z])(?:bg|background|hero|header|banner|loop)(?![a-z])", re.IGNORECASE)
"""How a film is called that only moves behind a text."""
_BADGE = re.compile(r"shields\.io|badge", re.IGNORECASE)
_LONGEST = TEXT_FIELDS["logo_url"]
_SIZE = re.compile(r"(\d{2,4})x\d{2,4}")


def draft_logo(reading: Reading) -> FieldDraft:
    """The company's logo by markup, then by the header, then by the icons of the head."""
    logos = ((score, url.strip().replace(" ", "%20"), quote) for score, url, quote in _logos(reading))
    return reading.best(
        entry
        for entry in logos
        if split_url(entry[1]).hostname and len(entry[1]) <= _LONGEST and not is_placeholder(entry[1])
    )


def _logos(reading: Reading) -> Iterator[Scored]:
    for page in reading.pages:
        for node in filter(reading.own.is_node, page.nodes):
            logo = node.data.get("logo")
            url = first_text((logo.get("url") or logo.get("contentUrl")) if isinstance(logo, dict) else logo)
            is_shared = url == page.meta.get("og:image") and not _LOGO.search(url.lower())
            for evidence in (
                reading.quote((page.stated[url], None)) if url in page.stated and not is_shared else ()
            ):
                yield 8, url, evidence
        for image in page.images:
            score = _icon_score(image) if image.rel else _picture_score(reading, image)
            if score > 0:
                yield score - 0.1 * page.index, image.url, cite(page, image.raw, "meta")
        for segment in page.marked:
            if segment.key == "og:image" and _LOGO.search(segment.text.lower()):
                yield 3 - 0.1 * page.index, page.meta["og:image"], cite(page, segment.text, "meta")


def _picture_score(reading: Reading, image: Image) -> float:
    if image.roles & _OTHERS or _BADGE.search(image.url):
        return 0
    file = split_url(image.url).path.lower().rsplit("/", 1)[-1]
    is_logo = bool(_LOGO.search(file) or _LOGO.search(image.words))
    left = re.sub(r"logo|icon|image|the|company|brand|our|\W", "", squashed(image.alt))
    is_ours = reading.own.named_in(image.alt) and len(left) <= 2 * max(map(len, reading.own.keys))
    named = is_ours or reading.own.resembles(file.rsplit(".", 1)[0])
    placed = bool(image.roles & {"header", "nav"}) or image.home_link
    if placed and (is_logo or image.home_link):
        return 6 + named
    if named and (is_logo or placed):
        return 5
    is_plain = "footer" in image.roles or file.split(".")[0] == "logo"
    return 4 if is_logo and is_plain and (not left or reading.own.resembles(left)) else 0


def _icon_score(image: Image) -> float:
    path = split_url(image.url).path.lower()
    size = _SIZE.search(image.words)
    larger = min(int(size[1]), 1000) / 10_000 if size else 0.0
    if path.endswith(".ico") or not _PICTURE.search(path):
        return float(path.endswith(".ico"))
    return larger + (2.5 if "apple-touch" in image.rel else 2.0)


def draft_demo_video(reading: Reading) -> FieldDraft:
    """A film, an embedded one or a link to one, on pages that present the product; elsewhere it may show anything."""
    best = reading.best(_films(reading, {"home", "features"}))
    beside = reading.best(_films(reading, {"other", "about", "pricing"}))
    return best if best.value else ranked((), otherwise=reading.blank, weaker=[beside])


def _films(reading: Reading, kinds: set[str]) -> Iterator[Scored]:
    for page in (page for page in reading.site.pages if page.kind in kinds):
        for score, url, raw in _videos(page):
            if len(url) <= TEXT_FIELDS["demo_video_url"]:
                yield score, url, cite(page, raw, "meta")


def _videos(page: PageText) -> Iterator[tuple[float, str, str]]:
    """The films of a page, those that wait to be played first; one behind the page's head is no demo."""
    for video in page.videos:
        is_played = not video.decorative or _EMBED.search(video.url)
        is_under = video.opens and any(s.level for s in page.inside(video.opens))  # first beside a heading
        is_behind = is_under or video.roles & _AROUND or _BEHIND.search(video.raw)
        if not video.roles & _OTHERS - {"sample"} and (is_played or not is_behind):
            yield 2.0 if is_played else 1.0, video.url.split("?")[0].replace(" ", "%20"), video.raw
    for link in page.links:
        if _WATCH.search(link.url) and not link.roles & (_OTHERS | {"event"}) - {"sample"}:
            yield 2.0, link.url, link.raw
