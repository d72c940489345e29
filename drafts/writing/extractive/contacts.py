"""The contact address: from mail links first, then from plain and disguised text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from core.domains import registrable
from drafts.crawl.extract_parts import Link, PageText, words
from drafts.languages import Shape
from drafts.limits import TEXT_FIELDS
from drafts.writing.cues.emails import EMAIL, FREE_MAIL, emails_in
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.quoting import cite, cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder, is_review, speaks

_GENERAL = Shape(r"{mailbox}(?:\+|$)")
_LESS = Shape(r"{mailbox_less}(?:\.|$)")
_NEVER = Shape(r"{mailbox_never}", r"[0-9a-f]{16,}$")
_EXAMPLE = Shape(r"^{heading_sample}\.")
"""Where nobody lives: the word for an example is the whole name."""
_OTHERS = words("job sample comparison review blog instruction")
_FOREIGN = re.compile(
    r"(?:^|\.)(?:github|gitlab|google|apple|microsoft|sentry|wixpress|example|domain|test|company|"
    r"email|yourdomain|mysite|website|site|acme|mail|ovh|hetzner|ionos|netlify|vercel|cloudflare|"
    r"stripe|paypal|debian|ubuntu|fedoraproject|archlinux|launchpad)\.",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Found:
    """One address with the weight of its place."""

    address: str
    score: float
    evidence: Evidence


def draft_contact_email(reading: Reading) -> FieldDraft:
    """The address that the site most clearly gives for contact."""
    best: dict[str, Found] = {}
    for found in _candidates(reading):
        if found.address not in best or found.score > best[found.address].score:
            best[found.address] = found
    ranked = sorted(best.values(), key=lambda f: -f.score)
    if not ranked or ranked[0].score <= 0:
        return reading.blank
    return FieldDraft(value=ranked[0].address[: TEXT_FIELDS["contact_email"]], evidence=(ranked[0].evidence,))


def _candidates(reading: Reading) -> Iterator[Found]:
    for page in reading.pages:
        yield from _linked(reading, page)
        yield from _written(reading, page)
        yield from _marked(reading, page)


def _linked(reading: Reading, page: PageText) -> Iterator[Found]:
    for link in page.links:
        if not link.raw.lower().startswith("mailto:") or link.roles & _OTHERS:
            continue
        address = unquote(link.raw[7:].split("?")[0]).strip().lower()
        if EMAIL.fullmatch(address) and not _share(link):
            score = _score(reading, page, address, link.roles)
            if score:
                yield Found(address, score + 1, cite(page, link.raw, "meta"))


def _share(link: Link) -> bool:
    return "body=" in link.raw.lower() and "subject=" in link.raw.lower() and len(link.raw) > 200


def _written(reading: Reading, page: PageText) -> Iterator[Found]:
    for segment in page.texts:
        if (
            "@" not in segment.text
            and "(" not in segment.text
            and "[" not in segment.text
            and " at " not in segment.text.lower()
        ):
            continue
        if not speaks(segment) or is_review(segment) or segment.roles & {"blog", "job"}:
            continue
        pieces = [p for p in re.split(r"[|·•\n]", segment.text) if not reading.own.rival_in(p)]
        for raw, address in (found for piece in pieces for found in emails_in(piece)):
            score = _score(reading, page, address, segment.all_roles)
            evidence = cut(reading.site, segment, raw)
            if score and evidence is not None:
                yield Found(address, score, evidence)


def _marked(reading: Reading, page: PageText) -> Iterator[Found]:
    for segment in page.marked:
        if (
            segment.kind == "json_ld"
            and segment.key.rsplit(".", 1)[-1] == "email"
            and "instruction" not in segment.roles
        ):
            address = segment.text.lower().removeprefix("mailto:")
            score = _score(reading, page, address, frozenset()) if EMAIL.fullmatch(address) else 0
            evidence = cut(reading.site, segment)
            if (
                score
                and evidence is not None
                and not re.search(r"review|author|job", segment.key, re.IGNORECASE)
            ):
                yield Found(address, score - 1, evidence)


def _score(reading: Reading, page: PageText, address: str, roles: frozenset[str]) -> float:
    local, _, domain = address.partition("@")
    is_nobodys = _NEVER.match(local) or _EXAMPLE.match(domain) or _FOREIGN.search("." + domain)
    if is_nobodys or is_placeholder(address):
        return 0
    if any(domain.startswith(rival.casefold().replace(" ", "")) for rival in reading.own.rivals):
        return 0
    placed = roles & {"footer", "contact", "header"} or page.kind in {"contact", "legal", "about"}
    is_own = registrable(domain) in {
        registrable(host) for host in reading.own.hosts
    } or reading.own.resembles(registrable(domain).split(".")[0])
    if not is_own and not placed and domain not in FREE_MAIL and page.index != 1:
        return 0
    score = 4.0 if is_own else 1.0
    score += 1.5 * bool(placed) + 1.0 * (page.index == 1) + 0.5 * (page.kind == "contact")
    score += 1.5 * bool(_GENERAL.match(local)) - 3.0 * bool(_LESS.match(local))
    if "docs" in roles or page.kind == "docs":
        score -= 2
    if page.kind == "legal" and not is_own and _LESS.match(local):
        return 0
    return max(score, 0.1)
