"""The contact address: from mail links first, then from plain and disguised text."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from core.domains import is_free_mail, registrable
from core.fetch import split_url
from drafts.crawl.extract_parts import PageText, Segment, words
from drafts.languages import Shape
from drafts.limits import TEXT_FIELDS
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cite
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, speaks

EMAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![\w-])"
)
_AT = Shape(
    r"\s*[(\[{]\s*(?:{email_at}|@)\s*[)\]}]\s*",
    r"\s+{email_at}\s+(?=[\w-]+\s*[(\[{\s]\s*{email_dot})\s*",
)
_DOT = Shape(r"\s*[(\[{]\s*{email_dot}\s*[)\]}]\s*|\s+{email_dot}\s+|\s*\.\s*")
DISGUISED = Shape(
    r"(?<![\w.+-])([A-Za-z0-9][\w.+-]{0,40}){at}([A-Za-z0-9-]{1,40}(?:{dot}[A-Za-z0-9-]{2,24}){1,3})(?![\w-])",
    at=_AT,
    dot=_DOT,
)


def emails_in(text: str) -> Iterator[tuple[str, str]]:
    """The addresses of a text: as written, and as meant."""
    for result in EMAIL.finditer(text):
        yield result.group(), result.group().lower().rstrip(".")
    for result in DISGUISED.finditer(text):
        address = f"{result.group(1)}@{'.'.join(_DOT.split(result.group(2)))}".lower()
        if EMAIL.fullmatch(address):
            yield result.group().strip(), address


_GENERAL = Shape(r"{mailbox}(?:\+|$)")
_LESS = Shape(r"{mailbox_less}(?:\.|$)")
_NEVER = Shape(r"{mailbox_never}", r"[0-9a-f]{16,}$")
_EXAMPLE = Shape(r"^{heading_sample}\.")
"""Where nobody lives: the word for an example is the whole name."""
_NOWHERE = (".example", ".invalid")
_OTHERS = words("job sample comparison review blog instruction")
_WHERE = words("contact legal about")
"""Kinds of pages on which an address is the site's own."""
_OF_OTHERS = re.compile(r"review|author|job", re.IGNORECASE)
_MAYBE = re.compile(r"[@(\[]|\sat\s", re.IGNORECASE)
Mention = tuple[str, int, frozenset[str], Evidence]
"""An address, what its form adds to its score, the roles of its place, and its quote."""


def draft_contact_email(reading: Reading) -> FieldDraft:
    """The address that the site most clearly gives for contact."""
    handles = {handle for page in reading.site.pages for link in page.links for handle in _handles(link.url)}
    rows = (
        (score, address[: TEXT_FIELDS["contact_email"]], evidence)
        for page in reading.pages
        for find in (_linked, _written, _marked)
        for address, raised, roles, evidence in find(reading, page)
        if address not in handles and (score := _score(reading, page, address, roles) + raised) > raised
    )
    return reading.best(rows)


def _handles(url: str) -> Iterator[str]:
    """The handle that a link to a fediverse profile stands for, which reads like an address of mail."""
    parts = split_url(url)
    if parts.path.startswith("/@") and parts.hostname:
        yield f"{parts.path[2:].strip('/').lower()}@{parts.hostname.lower()}"


def _linked(_reading: Reading, page: PageText) -> Iterator[Mention]:
    for link in page.links:
        if link.raw.lower().startswith("mailto:") and not link.roles & _OTHERS:
            address = unquote(link.raw[7:].split("?")[0]).strip().lower()
            if EMAIL.fullmatch(address):
                yield address, 1, link.roles, cite(page, link.raw, "meta")


def _written(reading: Reading, page: PageText) -> Iterator[Mention]:
    for segment in page.texts:
        if not _MAYBE.search(segment.text) or not speaks(segment) or segment.roles & {"blog", "job"}:
            continue
        pieces = [p for p in re.split(r"[|·•\n]", segment.text) if not reading.own.rival_in(p)]
        spoken = (result for piece in pieces for result in emails_in(piece))
        for raw, address in (row for row in spoken if _arrives(reading, page, segment, row[1])):
            for evidence in reading.quote((segment, raw)):
                yield address, 0, segment.all_roles, evidence


def _arrives(reading: Reading, page: PageText, segment: Segment, address: str) -> bool:
    """Whether mail may reach an address: one where none arrives is a sample, called otherwise and in running text."""
    domain = address.rpartition("@")[2]
    is_placed = segment.all_roles & {"footer", "contact", "legal"} or page.kind in _WHERE
    return bool(not domain.endswith(_NOWHERE) or is_placed or reading.own.resembles(domain.split(".")[0]))


def _marked(reading: Reading, page: PageText) -> Iterator[Mention]:
    for segment in page.stated.values():
        address = segment.text.lower().removeprefix("mailto:")
        is_ours = segment.key.rsplit(".", 1)[-1] == "email" and not _OF_OTHERS.search(segment.key)
        if is_ours and "instruction" not in segment.roles and EMAIL.fullmatch(address):
            for evidence in reading.quote((segment, None)):
                yield address, -1, frozenset(), evidence


def _score(reading: Reading, page: PageText, address: str, roles: frozenset[str]) -> float:
    local, _, domain = address.partition("@")
    if _NEVER.match(local) or _EXAMPLE.match(domain) or is_placeholder(address):
        return 0
    placed = bool(roles & {"footer", "contact", "header"}) or page.kind in _WHERE
    is_own = reading.own.resembles(registrable(domain).split(".")[0])
    if not is_own and not placed and not is_free_mail(domain) and page.index != 1:
        return 0
    score = 4.0 * is_own or 1.0
    score += 1.5 * placed + 1.0 * (page.index == 1) + 0.5 * (page.kind == "contact")
    score += 1.5 * bool(_GENERAL.match(local)) - 3.0 * bool(_LESS.match(local))
    return max(score, 0.1)
