"""The logo and the demo video."""

import re
from collections.abc import Iterator

from core.fetch import split_url
from drafts.crawl.extract_parts import Image, PageText
from drafts.crawl.extract_structured import first_text
from drafts.limits import TEXT_FIELDS
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cite, cut
from drafts.writing.reading import Reading
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
_BADGE = re.compile(r"shields\.io|badge", re.IGNORECASE)
_SIZE = re.compile(r"(\d{2,4})x\d{2,4}")


def draft_logo(reading: Reading) -> FieldDraft:
    """The company's logo by markup, then by the header, then by the icons of the head."""
    best: tuple[float, str, Evidence] | None = None
    for score, url, evidence in _logos(reading):
        if (
            url.startswith("http")
            and len(url) <= TEXT_FIELDS["logo_url"]
            and (best is None or score > best[0])
        ):
            best = (score, url, evidence)
    return FieldDraft(value=best[1], evidence=(best[2],)) if best else reading.blank


def _logos(reading: Reading) -> Iterator[tuple[float, str, Evidence]]:
    for page in reading.pages:
        yield from _marked(reading, page)
        for image in page.images:
            score = _icon_score(image) if image.rel else _picture_score(reading, image)
            if score > 0:
                yield score - 0.1 * page.index, image.url, cite(page, image.raw, "meta")
        if _LOGO.search(page.meta.get("og:image", "").lower()):
            segment = next((s for s in page.marked if s.key == "og:image"), None)
            evidence = cut(reading.site, segment) if segment else None
            if evidence is not None:
                yield 3 - 0.1 * page.index, page.meta["og:image"], evidence


def _marked(reading: Reading, page: PageText) -> Iterator[tuple[float, str, Evidence]]:
    for node in page.nodes:
        if not reading.own.is_node(node):
            continue
        logo = node.data.get("logo")
        url = (
            first_text(logo.get("url") or logo.get("contentUrl"))
            if isinstance(logo, dict)
            else first_text(logo)
        )
        if url in page.stated:
            evidence = cut(reading.site, page.stated[url])
            if evidence is not None:
                yield 8, url, evidence


def _picture_score(reading: Reading, image: Image) -> float:
    if image.roles & _OTHERS or _BADGE.search(image.url):
        return 0
    path = split_url(image.url).path.lower()
    file = path.rsplit("/", 1)[-1]
    is_logo = bool(_LOGO.search(file) or _LOGO.search(image.words))
    named = reading.own.resembles(file.rsplit(".", 1)[0]) or (
        bool(image.alt) and (reading.own.named_in(image.alt) or reading.own.resembles(image.alt))
    )
    placed = bool(image.roles & {"header", "nav"}) or image.home_link
    if placed and (is_logo or image.home_link):
        return 6 + named
    if named and (is_logo or placed):
        return 5
    if is_logo and "footer" in image.roles and _of_nobody_else(reading, image):
        return 4
    if (
        is_logo
        and _of_nobody_else(reading, image)
        and file.split(".")[0] in {"logo", "logo-dark", "logo-light", "logo_dark", "logo_light"}
    ):
        return 4
    return 0


def _of_nobody_else(reading: Reading, image: Image) -> bool:
    left = re.sub(r"logo|icon|image|the|company|brand|our|\W", "", squashed(image.alt))
    return not left or reading.own.resembles(left)


def _icon_score(image: Image) -> float:
    path = split_url(image.url).path.lower()
    if not _PICTURE.search(path):
        return 0
    size = _SIZE.search(image.words)
    larger = min(int(size[1]), 1000) / 10_000 if size else 0.0
    if "apple-touch" in image.rel:
        return 2.5 + larger
    if path.endswith(".ico"):
        return 1.0
    return 2.2 if path.endswith(".svg") else 2.0 + larger


def draft_demo_video(reading: Reading) -> FieldDraft:
    """An embedded film or a link to one, on the pages that present the product."""
    for page in reading.site.pages:
        if page.kind not in {"home", "features", "other", "about", "pricing"}:
            continue
        for url, raw in _videos(page):
            if len(url) <= TEXT_FIELDS["demo_video_url"]:
                return FieldDraft(value=url, evidence=(cite(page, raw, "meta"),))
    return reading.blank


def _videos(page: PageText) -> Iterator[tuple[str, str]]:
    for video in page.videos:
        if not video.roles & _OTHERS - {"sample"} and (_EMBED.search(video.url) or not video.decorative):
            yield video.url.split("?")[0], video.raw
    for link in page.links:
        if _WATCH.search(link.url) and not link.roles & (_OTHERS | {"event"}) - {"sample"}:
            yield link.url, link.raw
