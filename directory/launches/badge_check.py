"""Opens a homepage and says whether our badge is on it: a link to the listing that visitors can see, with our image.

The page is a stranger's and may be made to be costly, so its tags are read one by one as browsers do (WHATWG HTML,
section 13.2.5) and no tree is built: the time grows with the length of the page and with nothing else.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from core.fetch import OTHER_SITES, Fetched, Fetcher, FetchError, join_url, split_url
from core.outages import ServiceAwayError
from directory import weeks
from directory.launches import badges
from directory.models import BadgeCheck, Listing
from directory.sites.lookup import rules_of

SNIPPET = 500
TAG = re.compile(
    r"""<(/?)([a-z][^\s/>]*+)
    ((?:[\s/]++
      | [^\s/>][^\s/>=]*+ (?: \s*+=\s*+ (?:"[^"]*+" | '[^']*+' | [^\s"'>][^\s>]*+ | (?=>)) | (?!\s*+=) )
    )*+)>""",
    re.VERBOSE | re.ASCII | re.IGNORECASE,
)
ATTRIBUTE = re.compile(
    r"""([^\s/>][^\s/>=]*+) (?: \s*+=\s*+ (?:"([^"]*+)" | '([^']*+)' | ([^\s>]*+)) )?+""",
    re.VERBOSE | re.ASCII,
)
TAG_BEGINS = re.compile("</?[a-z]", re.IGNORECASE | re.ASCII)
MARKUP = re.compile("<[a-z/!?]", re.IGNORECASE | re.ASCII)
COMMENT_ENDS = re.compile("--!?>")
# what stands between these tags is text to a browser that runs scripts, whatever it looks like
TEXT_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE | re.ASCII)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript")
}
MAY_HIDE = re.compile("hidden|display|visibility", re.IGNORECASE)
HIDING_STYLE = re.compile("display:none|visibility:hidden")
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
# a second one ends the first
NEVER_NESTED = frozenset({"a", "p"})
# where an image's address stands, also when a script loads it as soon as it comes into view
SOURCES = ("src", "srcset", "data-src", "data-srcset", "data-lazy-src", "data-original")
PORTS = {"http": 80, "https": 443}
ACCEPTED = ("text/html", "application/xhtml+xml")
DETAILS = {
    "found": "The badge is on the homepage.",
    "link_only": "The homepage links to the listing, but the badge's image is not in the link.",
    "image_only": "The badge's image is on the homepage, but not in a link to the listing.",
    "not_found": "No link to the listing with the badge in it was found.",
    "too_large": "The badge is not in the part of the homepage that we read; the page is very large.",
}
# what a homepage in order may look like when our own network or name servers are out of order
UNREACHED = ("dns_failed", "connect_failed", "timeout", "tls_failed", "address_not_public")
LATELY = timedelta(days=1)
SEVERAL = 3
OURS_AT_MOST = timedelta(days=7)
AGAIN = timedelta(hours=1)
AGAIN_SOON = timedelta(minutes=15)
SOON_FOR = timedelta(hours=1)
BYTE_ORDER_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class Tag(NamedTuple):
    """One tag: where it begins and ends in the page, and its attributes as they are written."""

    begins: int
    ends: int
    name: str
    is_end: bool
    written: str

    @property
    def attributes(self) -> dict[str, str]:
        """Names in lower case with their values; the first of two counts."""
        result: dict[str, str] = {}
        for name, *values in ATTRIBUTE.findall(self.written):
            result.setdefault(name.lower(), unescape("".join(values)))
        return result


class Place(NamedTuple):
    host: str
    port: int | None
    path: str


@dataclass(frozen=True, kw_only=True)
class Finding:
    """`result`: found, link_only, image_only, not_found, or too_large when the page has more tags than may be read.

    `snippet` is the part of the page that says so.
    """

    result: str
    snippet: str = ""


def find_badge(*, html: str, base_url: str, slug: str, max_tags: int = 200_000) -> Finding:
    needed = _Target(slug=slug, base_url=base_url)
    link: int | None = None
    partly: dict[str, Finding] = {}
    every_tag = tags(html)
    for tag in visible(islice(every_tag, max_tags)):
        if tag.name == "a":
            link = tag.begins if not tag.is_end and needed.is_link(tag) else None
            if link is not None:
                partly.setdefault("link_only", Finding(result="link_only", snippet=_snippet(html, link)))
        elif tag.name == "base":
            needed.move(tag)
        elif tag.name in {"img", "source"} and needed.is_image(tag):
            if link is not None:
                return Finding(result="found", snippet=_snippet(html, link))
            image = html[tag.begins : tag.ends][:SNIPPET]
            partly.setdefault("image_only", Finding(result="image_only", snippet=image))
    if next(every_tag, None):
        return Finding(result="too_large")
    return partly.get("link_only") or partly.get("image_only") or Finding(result="not_found")


def tags(html: str) -> Iterator[Tag]:
    """The tags of a page, without those in comments and in elements that hold text."""
    ends: int = 0
    while ends >= 0 and (markup := MARKUP.search(html, ends)):
        at = markup.start()
        if html.startswith("<!--", at):
            comment = COMMENT_ENDS.search(html, at + 2)
            ends = comment.end() if comment else -1
        elif not TAG_BEGINS.match(html, at):
            ends = html.find(">", at)
        elif match := TAG.match(html, at):
            tag = Tag(at, match.end(), match[2].lower(), bool(match[1]), match[3])
            yield tag
            ends = _text_ends(html, tag)
        else:
            ends = -1  # a tag without an end takes the rest of the page with it


def _text_ends(html: str, tag: Tag) -> int:
    """Where tags begin to count again after this one; -1: nowhere."""
    if tag.name not in TEXT_ENDS or tag.is_end:
        return tag.ends
    end = TEXT_ENDS[tag.name].search(html, tag.ends)
    return end.start() if end else -1


def visible(tags: Iterable[Tag]) -> Iterator[Tag]:
    """The tags that are not in a template or in an element that is hidden where it stands."""
    hidden, depth = "", 0
    for tag in tags:
        if hidden in NEVER_NESTED and tag.name == hidden and not tag.is_end:
            hidden = ""
        if hidden:
            if tag.name == hidden:
                depth += -1 if tag.is_end else 1
                hidden = hidden if depth else ""
        elif not tag.is_end and (tag.name == "template" or _is_hidden(tag)):
            if tag.name not in VOID:
                hidden, depth = tag.name, 1
        else:
            yield tag


def _is_hidden(tag: Tag) -> bool:
    if not MAY_HIDE.search(tag.written):
        return False
    attributes = tag.attributes
    style = "".join(attributes.get("style", "").lower().split())
    return "hidden" in attributes or bool(HIDING_STYLE.search(style))


def _snippet(html: str, link: int) -> str:
    part = html[link : link + SNIPPET]
    end = part.lower().find("</a>")
    return part if end < 0 else part[: end + len("</a>")]


class _Target:
    """The link and the image that make the badge of a listing, and what addresses in the page are relative to."""

    def __init__(self, *, slug: str, base_url: str) -> None:
        self._slug = slug
        self._base = base_url
        self._has_base = False
        self._link = self._place(badges.link_url(slug))
        self._images = {self._place(badges.image_url(slug, code)) for code in badges.CODES}

    def move(self, tag: Tag) -> None:
        """Take over what a `<base>` says; the first that has an address counts."""
        href = tag.attributes.get("href")
        if href is None or self._has_base:
            return
        self._has_base = True
        self._base = join_url(self._base, href) or self._base

    def is_link(self, tag: Tag) -> bool:
        place = self._place(tag.attributes.get("href", ""))
        return place is not None and place._replace(path=place.path.rstrip("/")) == self._link

    def is_image(self, tag: Tag) -> bool:
        attributes = tag.attributes
        addresses = (
            part
            for name in SOURCES
            for part in (attributes.get(name, "").split() if "srcset" in name else [attributes.get(name, "")])
        )
        return any(self._place(address.strip(",")) in self._images for address in addresses if address)

    def _place(self, address: str) -> Place | None:
        if self._slug not in unquote(address):
            return None
        parts = split_url(join_url(self._base, address))
        if parts.scheme not in PORTS:
            return None
        host = (parts.hostname or "").rstrip(".").removeprefix("www.")
        port = None if parts.port == PORTS[parts.scheme] else parts.port
        return Place(host=host, port=port, path=unquote(parts.path))


@dataclass(frozen=True, kw_only=True)
class Bounds:
    seconds: float
    max_bytes: int
    max_tags: int


AT_ONCE = Bounds(seconds=1.0, max_bytes=512 * 1024, max_tags=20_000)
IN_A_JOB = Bounds(seconds=15.0, max_bytes=2 * 1024 * 1024, max_tags=200_000)


@dataclass(frozen=True, kw_only=True)
class Check:
    """What one check of a homepage showed.

    `result` is a key of DETAILS, or the reason why the homepage could not be read (`was_read` is false): bad_status
    or a code of FetchError. The latter says nothing about the badge.
    """

    result: str
    detail: str
    was_read: bool = True
    snippet: str = ""

    @property
    def is_seen(self) -> bool:
        return self.result == "found"

    @property
    def is_final(self) -> bool:
        """Whether a check with wider bounds would say the same."""
        return self.was_read and self.result != "too_large"


def check_homepage(*, homepage: str, slug: str, bounds: Bounds = IN_A_JOB) -> Check:
    is_whole = True
    try:
        with Fetcher() as fetcher:
            page = fetcher.get(homepage, accept=ACCEPTED, max_bytes=bounds.max_bytes, timeout=bounds.seconds)
    except FetchError as error:
        if error.partial is None:
            return Check(result=error.code[:20], detail=error.detail, was_read=False)
        page, is_whole = error.partial, False
    if not 200 <= page.status < 300:
        return Check(result="bad_status", detail=f"The homepage answered {page.status}.", was_read=False)
    finding = find_badge(html=page_text(page), base_url=page.url, slug=slug, max_tags=bounds.max_tags)
    result = finding.result if is_whole or finding.result == "found" else "too_large"
    return Check(result=result, detail=DETAILS[result], snippet=finding.snippet)


def check_at_once(*, homepage: str, slug: str) -> Check | None:
    """A check that a request can wait for; None when as many as may are waiting already."""
    try:
        with OTHER_SITES.place():
            return check_homepage(homepage=homepage, slug=slug, bounds=AT_ONCE)
    except ServiceAwayError:
        return None


def page_text(page: Fetched) -> str:
    """What matters in the page is ASCII, so only encodings that spell that in another way make a difference."""
    encoding = BYTE_ORDER_MARKS.get(page.body[:2], page.charset if "utf-16" in page.charset else "utf-8")
    try:
        return page.body.decode(encoding, errors="replace")
    except LookupError:
        return page.body.decode(errors="replace")


def record(*, listing: Listing, check: Check, at: datetime) -> BadgeCheck:
    """Keep what was seen, so that the owner and staff can see it too, and when to check again."""
    return BadgeCheck.objects.create(
        listing=listing,
        at=at,
        found=check.is_seen,
        was_read=check.was_read,
        result=check.result,
        detail=check.detail[:500],
        snippet=check.snippet.replace("\0", "\ufffd")[:500],
        next_at=_next_at(listing, check=check, at=at),
    )


def _next_at(listing: Listing, *, check: Check, at: datetime) -> datetime | None:
    """When a launch that waits for this is tried again; nothing waits when it is found, ahead of its week or live."""
    week = listing.launch_week
    is_ahead = listing.status == Listing.Status.SCHEDULED and week is not None and weeks.start(week) > at
    if check.is_seen or listing.is_live or is_ahead:
        return None
    is_soon = not check.was_read and at - unread_since(listing=listing, at=at) < SOON_FOR
    return at + (AGAIN_SOON if is_soon else AGAIN)


def unread_since(*, listing: Listing, at: datetime) -> datetime:
    """When a homepage was first found closed after it could last be read; `at` when it has been open since."""
    checks = BadgeCheck.objects.filter(listing=listing, at__lte=at)
    read = checks.filter(was_read=True).order_by("-at", "-pk").first()
    unread = checks.filter(was_read=False, **({"at__gt": read.at} if read else {}))
    first = unread.order_by("at", "pk").first()
    return first.at if first else at


def is_grace_over(*, listing: Listing, since: datetime, at: datetime) -> bool:
    """Whether a homepage that is closed has been given its time: so many hours of tries, counted from `since` at most.

    While most homepages cannot be reached, the fault is more likely ours, and for some days nobody pays for it.
    """
    grace = timedelta(hours=rules_of(listing.site_id).launch_grace_hours)
    closed_for = at - max(since, unread_since(listing=listing, at=at))
    return closed_for >= grace and (closed_for > OURS_AT_MOST or not _is_our_fault(at=at))


def _is_our_fault(*, at: datetime) -> bool:
    """Whether most of the homepages of the last day, of several, could not even be reached when last tried."""
    recent = BadgeCheck.objects.filter(at__gte=at - LATELY, at__lte=at)
    newest = recent.order_by("listing", "-at", "-pk").distinct("listing")
    results = list(newest.values_list("result", flat=True))
    unreached = sum(result in UNREACHED for result in results)
    return unreached >= SEVERAL and 2 * unreached > len(results)


def trying_again(check: Check) -> str:
    """What the owner reads while a homepage is closed."""
    return f"We couldn’t open the homepage. We’ll keep trying. {check.detail}"[:300]
