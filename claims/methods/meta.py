"""A tag in the head of the listing's own address."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from claims import limits
from claims.methods.base import CheckResult, Instructions, Target
from claims.methods.website import HTML, OnWebsite, get_page
from claims.reach import Host
from core.api.serializers import Shape, Str, Url
from directory.launches.badge_check import TEXT_ENDS, Tag, page_text, tags

IN_HEAD = frozenset(
    {"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "title"}
)
NOT_TEXT = re.compile(r"<!--.*?--!?>|<[!?/][^>]*>", re.DOTALL)


class ClaimMetaTagOut(Shape):
    """A tag to publish."""

    html = Str("What to paste.")
    name = Str("The tag's name.")
    content = Str("The tag's content, exactly.")
    url = Url("The page whose head it goes into.")


class MetaTag(OnWebsite):
    """Shows one page to be yours, which is enough where many share a host: that page is what is listed."""

    code, position = "meta", 20
    works_on = OnWebsite.works_on | {Host.SHARED}
    label, noun, icon = "meta tag", "a tag on its website", "code"
    hint = "You can edit the head of the page."
    summary = "a tag in the page's head"
    answer, shape = "meta", ClaimMetaTagOut

    def publish(self, target: Target) -> Instructions:
        html = f'<meta name="plverify" content="{target.token}">'
        url = target.reach.url
        return Instructions(
            summary=f"Paste this into the head of {url}, above any script: {html} "
            "Leave it there: we look again from time to time.",
            values={"html": html, "name": "plverify", "content": target.token, "url": url},
            lines={"Tag": html},
        )

    def find_proof(self, target: Target, *, seconds: float) -> CheckResult:
        page = get_page(target, target.reach.url, seconds=seconds, max_bytes=limits.MAX_BYTES)
        if isinstance(page, CheckResult):
            return page
        if page.content_type not in {"", *HTML}:
            detail = f"{page.url} is not a web page but {page.content_type[:80]}."
            return CheckResult(result="not_found", detail=detail)
        contents = [
            attributes.get("content", "").strip()
            for attributes in head_tags(page_text(page))
            if attributes.get("name", "").strip().lower() == "plverify"
        ]
        raw = f"{page.status} {page.url}\nplverify: {contents[:20]}"
        if target.token in contents:
            detail = f"The tag is in the head of {page.url}."
            return CheckResult(result="found", detail=detail, texts=(target.token,), raw=raw)
        if contents:
            detail = f"The head of {page.url} has a plverify tag with another value."
            return CheckResult(result="mismatch", detail=detail, texts=tuple(contents), raw=raw)
        detail = f"There is no plverify tag in the head of {page.url}."
        return CheckResult(result="not_found", detail=detail, raw=raw)


def head_tags(html: str) -> Iterator[Mapping[str, str]]:
    """The attributes of the meta tags that a browser would put right into the head.

    The head ends with the first text or the first tag that belongs into a body, whatever follows; what stands in
    comments, templates, scripts, titles or noscript is no tag.
    """
    depth, ends, before = 0, 0, None
    for tag in islice(tags(html), limits.MAX_TAGS):
        if depth == 0 and _is_text(html[ends : tag.begins], before):
            return
        if tag.name == "template":
            depth = max(0, depth + (-1 if tag.is_end else 1))
        elif depth == 0 and _ends_head(tag):
            return
        elif depth == 0 and tag.name == "meta":
            yield tag.attributes
        ends, before = tag.ends, tag


def _ends_head(tag: Tag) -> bool:
    if tag.is_end:
        return tag.name in {"head", "body", "html", "br"}
    return tag.name not in IN_HEAD and tag.name not in {"html", "head"}


def _is_text(between: str, before: Tag | None) -> bool:
    """Whether there is text between two tags that belongs to no element such as a title."""
    is_inside = before is not None and not before.is_end and before.name in TEXT_ENDS
    return not is_inside and bool(NOT_TEXT.sub("", between).strip("\ufeff \t\r\n\f"))
