"""Walk the tree of one page without recursion and collect what stands in it."""

import re
from collections import deque

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import RubyParenthesisString, RubyTextString

from core.fetch import join_url, split_url
from drafts.crawl.extract_hidden import StyleRules
from drafts.crawl.extract_parts import (
    NO_ROLES,
    RAW_SPACE,
    Block,
    Frame,
    Image,
    Link,
    PageText,
    Segment,
    Sight,
    Video,
    fold,
    joined,
    words,
)
from drafts.crawl.extract_roles import class_roles, heading_roles, kind_roles, roles_of, settled
from drafts.crawl.extract_weights import Weights, attribute, icons_in, translations_in

INLINE = words(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd label mark q ruby rb rt rp "
    "small span strong sub sup time tt u var wbr picture nobr output"
)
ATOMIC = words("h1 h2 h3 h4 h5 h6 summary button dt")
SKIPPED = words(
    "script style template noscript select textarea math object embed audio canvas map title meta link base param"
)
UNSEEN = words("script style template")
LEAVES = SKIPPED | {"hr", "svg", "iframe", "video", "img"}
SECTIONS = words("section article aside footer nav main dialog form")
APART = frozenset({"footer", "nav", "aside"})
HEADINGS = {f"h{n}": n for n in range(1, 7)}
SEGMENT_LIMIT = 2_500
TAIL_PIECES = 300
_ANCHOR_SIGNS = frozenset({"¶", "#", "§", "🔗"})
"""What a heading's link to itself shows."""
_STRINGS = (NavigableString, RubyTextString, RubyParenthesisString)
_LINE_ABOVE = 40
_NO_DEEDS = frozenset({"audience", "pain", "steps"})
_ATOMIC_LIMIT = 500
_STRUCK = frozenset({"s", "del", "strike"})
_BADGE = re.compile(r"(?:^|[\s_-])(?:badge|pill|chip|label|tag)s?(?:$|[\s_-])", re.IGNORECASE)
"""How the class is called of a few words that stick to a text and belong to none of its sentences."""
_VIDEO_FRAME = re.compile(
    r"youtube(?:-nocookie)?\.com/embed/|player\.vimeo\.com/video/|loom\.com/embed/|wistia\.|"
    r"player\.bilibili\.com|rutube\.ru/play/embed"
)

_BACKDROP = re.compile(r"(?:bg|background)[_-]?video|video[_-]?(?:bg|background)(?![a-z])", re.IGNORECASE)


class Walker:
    """Walk the tree of one page without recursion and collect what stands in it."""

    def __init__(self, page: PageText, soup: BeautifulSoup) -> None:
        self.page = page
        self.base = page.url
        self.home = split_url(page.url)
        self.page_roles = kind_roles(page.kind)
        self.is_home = page.kind == "home"
        self.unread = icons_in(soup) | translations_in(soup)
        self.rules = StyleRules()
        self.weights = Weights(soup)
        self.external_styles = False
        self.buffer: list[str] = []
        self.plain = 0
        self.tail: deque[Segment] = deque(maxlen=TAIL_PIECES)
        self.unlinked = 0
        self.last_link = ""
        self.frames: list[Frame] = []
        self.open_links: list[Link] = []
        self.linked: list[str] = []
        self.headings: list[tuple[int, str, frozenset[str]]] = []
        self.outline_from = 0
        self.last_was_close = False

    # -- the tree -------------------------------------------------------------------------------------------

    def walk(self, root: Tag) -> None:
        """Visit every element and every string in reading order."""
        around = Frame(iter(()), "", -1, self.page_roles)
        self._push(root, "[document]", self.page_roles, around, opens_block=True)
        while self.frames:
            frame = self.frames[-1]
            child = next(frame.children, None)
            if child is None:
                self._leave(self.frames.pop())
            elif type(child) in _STRINGS:
                self._text(str(child), frame)
            elif isinstance(child, Tag):
                self._enter(child, frame)
        self.page.segments.extend(self.tail)

    def _push(self, tag: Tag, name: str, roles: frozenset[str], above: Frame, *, opens_block: bool) -> Frame:
        frame = Frame(iter(tag.contents), name, above.block, roles, opens_block=opens_block)
        frame.first_segment = first = len(self.page.segments)
        if opens_block:
            frame.block = len(self.page.blocks)
            self.page.blocks.append(Block(parent=above.block, tag=name, first=first, last=first))
        frame.sight, frame.on_ground, frame.bold = above.sight, above.on_ground, above.bold
        frame.atomic = above.atomic
        self.frames.append(frame)
        return frame

    def _enter(self, tag: Tag, above: Frame) -> None:
        name = tag.name
        if name == "br":
            self.buffer.append("\n")
            return
        if name in LEAVES or id(tag) in self.unread:
            (self._image if name == "img" else self._leaf)(tag, above)
            return
        sight = self._sight(tag, above)
        roles = roles_of(tag, above.roles, self.weights, self.page_roles, is_home=self.is_home)
        if sight == "hidden" or (sight == "folded" and not self._opens_on_click(tag, roles)):
            self.flush()
            return
        is_struck = "struck" in roles - above.roles or self.rules.strikes(tag)
        roles = roles | {"struck"} if is_struck else roles
        inside_atomic = above.atomic and sum(map(len, self.buffer)) < _ATOMIC_LIMIT
        opens_block = name not in INLINE and name not in _STRUCK and not inside_atomic
        if opens_block or is_struck or sight != above.sight:
            self.flush()
        elif self._is_apart(tag, above) if name in INLINE else inside_atomic:
            self.buffer.append("\n")
        elif name in INLINE and (self.last_was_close or _is_phrase(tag)):
            self._gap()  # a style sets it apart, or several words in it would stick to the one before
        frame = self._push(tag, name, roles, above, opens_block=opens_block)
        frame.ends_sight = sight != above.sight or is_struck
        frame.sight = sight
        frame.lined = _is_lined(tag)
        self._dress(tag, name, frame)

    @staticmethod
    def _is_apart(tag: Tag, above: Frame) -> bool:
        return above.lined or bool(_BADGE.search(attribute(tag, "class")))

    def _dress(self, tag: Tag, name: str, frame: Frame) -> None:
        if tag.attrs and not frame.on_ground:
            frame.on_ground = self.rules.has_ground(tag)
        if name in ATOMIC or (tag.attrs and attribute(tag, "role") == "heading"):
            frame.atomic = True
        if name in HEADINGS:
            self._end_headings(HEADINGS[name])
        if name in {"b", "strong"}:
            frame.bold = True
        if name in SECTIONS:
            frame.headings = len(self.headings)
            frame.outline_from = self.outline_from
            if name in APART:
                self.outline_from = len(self.headings)
        if name == "a" and tag.attrs.get("href"):
            raw = attribute(tag, "href")
            frame.link = Link(
                raw=raw,
                url=self.absolute(raw),
                label=attribute(tag, "aria-label") or attribute(tag, "title"),
                rel=attribute(tag, "rel"),
                roles=frame.roles,
                block=frame.block,
                heading=self.headings[-1][1] if len(self.headings) > self.outline_from else "",
            )
            frame.words_from = len(self.linked)
            self.open_links.append(frame.link)

    def _leave(self, frame: Frame) -> None:
        if frame.opens_block or frame.ends_sight:
            self.flush(frame)
            if frame.opens_block:
                self.page.blocks[frame.block].last = len(self.page.segments)
            self._note_heading(frame)
        elif frame.atomic and frame.tag not in INLINE:
            self.buffer.append("\n")
        if frame.headings >= 0:
            del self.headings[frame.headings :]
            self.outline_from = frame.outline_from
        if frame.link is not None:
            self.open_links.remove(frame.link)
            frame.link.text = fold("".join(self.linked[frame.words_from :]))
            frame.link.segment = len(self.page.segments)
            self.page.links.append(frame.link)
        self.last_was_close = frame.tag in INLINE

    def _note_heading(self, frame: Frame) -> None:
        level = HEADINGS.get(frame.tag, 0)
        segments = [p for p in self.page.segments[frame.first_segment :] if p.kind == "text"]
        if not level or not segments:
            return
        visible = [p for p in segments if not p.hidden] or segments
        text = " ".join(segment.text.replace("\n", " ") for segment in visible)
        self._end_headings(level)
        self.headings.append((level, text, self._roles_above(frame)))

    def _roles_above(self, frame: Frame) -> frozenset[str]:
        """What the short line that opens a section above its heading says it is: nothing that the product can do."""
        above = self.page.segments[frame.first_segment - 1] if frame.first_segment else None
        if above is None or above.level or above.link or len(above.text) > _LINE_ABOVE:
            return NO_ROLES
        parent = self.page.blocks[frame.block].parent
        opens = parent > 0 and self.page.blocks[parent].first == frame.first_segment - 1
        if not opens or parent not in {above.block, self.page.blocks[above.block].parent}:
            return NO_ROLES
        return (heading_roles(above.text) | class_roles(above.text, "p")) & _NO_DEEDS

    def _end_headings(self, level: int) -> None:
        """A new heading ends the ones that are not above it."""
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()

    # -- sight and role -------------------------------------------------------------------------------------

    def _sight(self, tag: Tag, above: Frame) -> Sight:
        if not tag.attrs:
            return above.sight
        result = self.rules.sight_of(tag, on_ground=above.on_ground or self.external_styles)
        return above.sight if result == "seen" else result

    def _opens_on_click(self, tag: Tag, roles: frozenset[str]) -> bool:
        return (
            "faq" in roles
            or "fold" in roles
            or attribute(tag, "role") == "tabpanel"
            or self.rules.folds(tag)
            or self.frames[-1].sight == "folded"
        )

    # -- text -----------------------------------------------------------------------------------------------

    def _text(self, text: str, frame: Frame) -> None:
        if not text:
            return
        folded = RAW_SPACE.sub(" ", text)
        if (folded == " " and not self.buffer) or (frame.tag == "a" and folded.strip() in _ANCHOR_SIGNS):
            return
        self.buffer.append(folded)
        if not frame.bold and any(map(str.isalnum, folded)):
            self.plain += 1
        self._count_linked(folded)
        self.last_was_close = False

    def _count_linked(self, folded: str) -> None:
        """Note whether a text belongs to a link. What stands between links to part them belongs to none."""
        if self.open_links:
            self.linked.append(folded)
        if self.open_links and folded != " ":
            self.last_link = self.open_links[-1].raw
        elif any(map(str.isalnum, folded)):
            self.unlinked += 1

    def _gap(self) -> None:
        """Keep neighbouring elements apart that only a style sheet sets apart."""
        if self.buffer and self.buffer[-1] and self.buffer[-1][-1:].isalnum():
            self.buffer.append("\u2063")

    def flush(self, frame: Frame | None = None) -> None:
        self.last_was_close = False
        if not self.buffer:
            return
        text = fold(joined("".join(self.buffer)))
        bold = self.plain == 0
        link = self.last_link if self.unlinked == 0 else ""
        self.buffer, self.plain, self.unlinked, self.last_link = [], 0, 0, ""
        if not text:
            return
        frame = frame or self.frames[-1]
        open_headings = self.headings[self.outline_from :]
        outline = tuple(heading for _, heading, _ in open_headings)
        telling = [heading for level, heading, _ in open_headings if level > 1 or not self.is_home]
        under = NO_ROLES.union(*map(heading_roles, telling), *(roles for _, _, roles in open_headings))
        tag = frame.tag if frame.tag not in INLINE else self.page.blocks[frame.block].tag
        keep = self.page.segments if len(self.page.segments) < SEGMENT_LIMIT else self.tail
        keep.append(
            Segment(
                kind="text",
                text=text,
                tag=tag,
                level=HEADINGS.get(tag, 0),
                outline=outline,
                roles=settled(frame.roles, under),
                under=under,
                bold=bold,
                hidden=frame.sight != "seen",
                link=link,
                block=frame.block if keep is self.page.segments else 0,
            )
        )

    # -- things that are not text ---------------------------------------------------------------------------

    def _image(self, tag: Tag, above: Frame) -> None:
        raw = attribute(tag, "data-src") or attribute(tag, "src")
        alt = fold(attribute(tag, "alt"))
        link = self.open_links[-1] if self.open_links else None
        if link is not None and alt and not link.label:
            link.label = alt
        if raw and not raw.startswith("data:"):
            words = " ".join(
                (attribute(tag, "class"), attribute(tag, "id"), raw, alt, " ".join(sorted(above.roles)))
            )
            self.page.images.append(
                Image(
                    raw=raw,
                    url=self.absolute(raw),
                    alt=alt,
                    words=words.lower(),
                    roles=above.roles,
                    home_link=link is not None and self._leads_home(link),
                )
            )
        if alt and above.sight == "seen":
            self.flush()
            self.page.segments.append(
                Segment(kind="alt", text=alt, tag="img", key="alt", roles=above.roles, block=above.block)
            )

    def _leaf(self, tag: Tag, above: Frame) -> None:
        name = tag.name
        if name in UNSEEN or id(tag) in self.unread:
            return
        if name == "svg":
            label = fold(tag.get_text(" ")) if tag.contents else ""
            if label:
                self.flush()
                if self.open_links and not self.open_links[-1].label:
                    self.open_links[-1].label = label[:80]
            return
        self.flush()
        if name == "iframe":
            raw = attribute(tag, "src") or attribute(tag, "data-src")
            if raw and _VIDEO_FRAME.search(raw):
                self.page.videos.append(Video(raw=raw, url=self.absolute(raw), roles=above.roles))
        elif name == "video":
            self._video(tag, above)

    def _video(self, tag: Tag, above: Frame) -> None:
        sources = [attribute(tag, "src")] + [attribute(s, "src") for s in tag.find_all("source", limit=3)]
        raw = next((s for s in sources if s and not s.startswith(("data:", "blob:"))), "")
        if raw and not _BACKDROP.search(f"{attribute(tag, 'class')} {attribute(tag, 'id')}"):
            still = "autoplay" in tag.attrs or "controls" not in tag.attrs
            opens = above.block * (self.page.blocks[above.block].first == len(self.page.segments))
            self.page.videos.append(
                Video(raw=raw, url=self.absolute(raw), roles=above.roles, decorative=still, opens=opens)
            )

    def absolute(self, raw: str) -> str:
        """An address as the page means it, empty when it is broken; browsers read a backslash as a slash."""
        return join_url(self.base, raw.replace("\\", "/"))

    def _leads_home(self, link: Link) -> bool:
        if link.raw.startswith("#") and not link.roles & {"header", "nav"}:
            return False  # it is yet to lead anywhere
        target = split_url(link.url)
        return target.path.strip("/") in {"", "index.html"} and target.hostname == self.home.hostname


def _is_phrase(tag: Tag) -> bool:
    """Whether an element begins with several words, so that none of them ends the word before it."""
    first = tag.contents[0] if tag.contents else None
    return type(first) is NavigableString and len(first.split(maxsplit=2)) > 1 and not first[:1].isspace()


def _is_lined(tag: Tag) -> bool:
    """Whether an element holds nothing but a row of inline elements, which a style sheet may set one by one."""
    inline = 0
    for child in tag.contents:
        if isinstance(child, Tag):
            if child.name == "br" or child.name not in INLINE:
                return False
            inline += bool(child.contents)
        elif type(child) is NavigableString and not child.isspace():
            return False
    return inline >= 2
