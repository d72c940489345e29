"""The three ways that a machine can check: a DNS record, a tag in a page's head, a file. No database here.

Everything that comes back was written by strangers: it is fetched by `core.fetch`, bounded, and read in linear time.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import dns.exception
import dns.nameserver
import dns.resolver
from django.conf import settings

from claims import limits
from claims.reach import DNS, FILE, META, Reach
from core.fetch import Fetched, Fetcher, FetchError, is_public, look_up, make_resolver, split_url
from directory.services.badge_check import page_text
from directory.services.badge_finding import TEXT_ENDS, Tag, tags

FILE_PATH = "/.well-known/plverify.txt"
ROOT_PATH = "/plverify.txt"
HTML = ("text/html", "application/xhtml+xml")
IN_HEAD = frozenset(
    {"base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "title"}
)
NOT_TEXT = re.compile(r"<!--.*?--!?>|<[!?/][^>]*>", re.DOTALL)
NAME_SERVERS = 4
LEFT_FOR_ZONE = 1.0


@dataclass(frozen=True, kw_only=True)
class Target:
    """What is looked for, and where."""

    method: str
    reach: Reach
    token: str

    @property
    def line(self) -> str:
        """What a record and a file say."""
        return f"plverify={self.token}"


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What one check showed: a word of the interface, a sentence for a person, what was there, raw for staff."""

    result: str
    detail: str
    seen: tuple[str, ...] = field(default=())
    raw: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the proof is there."""
        return self.result == "found"


class OffSiteError(Exception):
    """A redirect away from the host that is claimed."""


def check(target: Target, *, seconds: float) -> Seen:
    """Look for the proof for at most so long."""
    found = PROBES[target.method](target, seconds)
    texts = tuple(_shown(text) for text in islice(found.seen, limits.SEEN))
    return replace(
        found, detail=found.detail[:500], seen=texts, raw=found.raw.replace("\0", "\ufffd")[: limits.RAW]
    )


def _shown(text: str) -> str:
    """A stranger's text, short and without what cannot be stored or seen."""
    return "".join(letter if letter.isprintable() else " " for letter in text[: limits.SEEN_TEXT]).strip()


# -- DNS --------------------------------------------------------------------------------------------------


def check_record(target: Target, seconds: float) -> Seen:
    """A TXT record at the host or above it: what resolvers know first, then what the zone's own servers say."""
    ends = time.monotonic() + seconds
    answers = [_ask(name, make_resolver(), ends=ends) for name in target.reach.dns_names]
    found = _best(target, answers)
    if found.is_found or settings.DNS_SERVERS:
        return found
    if (zone := _zone_servers(target.reach.domain, ends=ends)) is None:
        return found
    again = _best(target, [_ask(name, zone, ends=ends) for name in target.reach.dns_names])
    return again if again.result in {"found", "mismatch"} else found


def _ask(name: str, resolver: dns.resolver.Resolver, *, ends: float) -> Seen:
    """What a name has: its records are in `seen`, each with its strings joined."""
    try:
        left = max(ends - time.monotonic(), 0.05)
        answer = resolver.resolve(f"{name}.", "TXT", search=False, raise_on_no_answer=False, lifetime=left)
    except dns.resolver.NXDOMAIN:
        return Seen(result="not_found", detail=f"There is no record at {name}.", raw=f"{name} TXT: NXDOMAIN")
    except dns.exception.Timeout as error:
        return Seen(result="timeout", detail=f"No name server answered for {name} in time.", raw=str(error))
    except dns.exception.DNSException as error:
        return Seen(
            result="unreachable", detail=f"The name servers gave no usable answer for {name}.", raw=str(error)
        )
    texts = tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)
    raw = f"{name} TXT: {answer.rrset or 'no such record'}"
    return Seen(result="mismatch" if texts else "not_found", detail=name, seen=texts, raw=raw)


def _best(target: Target, answers: Iterable[Seen]) -> Seen:
    """One answer out of those for each name: the record, then another value, then nothing, then no answer."""
    answers = list(answers)
    raw = "\n".join(answer.raw for answer in answers)
    for answer in answers:
        if target.line in (text.strip() for text in answer.seen):
            return Seen(
                result="found", detail=f"The record is at {answer.detail}.", seen=(target.line,), raw=raw
            )
    others = [text for answer in answers for text in answer.seen]
    ours = [text for text in others if "plverify" in text.lower()]
    if others:
        where = next(answer.detail for answer in answers if answer.seen)
        detail = (
            f"{where} has {len(others)} TXT records, none of them ours."
            if not ours
            else _other_value(where, ours, target)
        )
        return Seen(result="mismatch", detail=detail, seen=tuple(ours or others), raw=raw)
    for result in ("timeout", "unreachable"):
        if found := next((answer for answer in answers if answer.result == result), None):
            return replace(found, raw=raw)
    asked = answers[0].raw.partition(" ")[0]
    detail = f"We asked for {asked} and got no TXT record. A new one can take an hour to spread."
    return Seen(result="not_found", detail=detail, raw=raw)


def _other_value(where: str, texts: Iterable[str], target: Target) -> str:
    is_cut = any(target.line.startswith(text.strip()) for text in texts)
    return f"{where} has another value.{' It looks cut off.' if is_cut else ''}"


def _zone_servers(domain: str, *, ends: float) -> dns.resolver.Resolver | None:
    """The servers that speak for a domain; only those at public addresses are ever sent anything."""
    if ends - time.monotonic() < LEFT_FOR_ZONE:
        return None
    try:
        left = ends - time.monotonic()
        names = make_resolver().resolve(f"{domain}.", "NS", search=False, lifetime=left)
        addresses = [
            address
            for record in list(names)[:NAME_SERVERS]
            for address in look_up(
                record.target.to_text(omit_final_dot=True), seconds=ends - time.monotonic()
            )[:1]
        ]
    except (dns.exception.DNSException, FetchError):
        return None
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = [
        dns.nameserver.Do53Nameserver(str(address)) for address in addresses if is_public(address)
    ]
    return resolver if resolver.nameservers else None


# -- HTTP -------------------------------------------------------------------------------------------------


def check_tag(target: Target, seconds: float) -> Seen:
    """A meta tag in the head of the listing's own address."""
    page = _get(target, target.reach.url, seconds=seconds, max_bytes=limits.MAX_BYTES)
    if isinstance(page, Seen):
        return page
    if page.content_type not in {"", *HTML}:
        return Seen(result="not_found", detail=f"{page.url} is not a web page but {page.content_type[:80]}.")
    contents = [
        attributes.get("content", "").strip()
        for attributes in head_tags(page_text(page))
        if attributes.get("name", "").strip().lower() == "plverify"
    ]
    raw = f"{page.status} {page.url}\nplverify: {contents[:20]}"
    if target.token in contents:
        return Seen(
            result="found", detail=f"The tag is in the head of {page.url}.", seen=(target.token,), raw=raw
        )
    if contents:
        detail = f"The head of {page.url} has a plverify tag with another value."
        return Seen(result="mismatch", detail=detail, seen=tuple(contents), raw=raw)
    return Seen(result="not_found", detail=f"There is no plverify tag in the head of {page.url}.", raw=raw)


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
    """Whether there is text between two tags that no element such as a title holds."""
    is_held = before is not None and not before.is_end and before.name in TEXT_ENDS
    return not is_held and bool(NOT_TEXT.sub("", between).strip("\ufeff \t\r\n\f"))


def check_file(target: Target, seconds: float) -> Seen:
    """A text file with one line at a fixed address, or else at the root."""
    ends = time.monotonic() + seconds
    first = _check_file_at(target, FILE_PATH, seconds=seconds)
    left = ends - time.monotonic()
    if first.is_found or first.result not in {"not_found", "mismatch"} or left < 0.1:
        return first
    second = _check_file_at(target, ROOT_PATH, seconds=left)
    raw = f"{first.raw}\n{second.raw}"
    return replace(second if second.is_found else first, raw=raw)


def _check_file_at(target: Target, path: str, *, seconds: float) -> Seen:
    page = _get(target, target.reach.origin + path, seconds=seconds, max_bytes=limits.FILE_BYTES)
    if isinstance(page, Seen):
        return page
    text = page.body.decode("utf-8", "replace").removeprefix("\ufeff").strip()
    raw = f"{page.status} {page.content_type[:80]} {page.url}\n{text[:500]}"
    if text in {target.line, target.token}:
        return Seen(result="found", detail=f"The file is at {page.url}.", seen=(text,), raw=raw)
    is_page = page.content_type in HTML or text[:200].lstrip().startswith("<")
    detail = (
        f"{page.url} is a web page, not the file."
        if is_page
        else f"The file at {page.url} says something else."
    )
    return Seen(result="mismatch", detail=detail, seen=(text,), raw=raw)


def _get(target: Target, url: str, *, seconds: float, max_bytes: int) -> Fetched | Seen:
    """The page, or why there is none. A page that is too large is what was read of it."""

    def may_follow(next_url: str) -> None:
        if not target.reach.covers(next_url):
            raise OffSiteError(split_url(next_url).hostname or "")

    try:
        with Fetcher() as fetcher:
            page = fetcher.get(url, max_bytes=max_bytes, timeout=seconds, may_follow=may_follow)
    except OffSiteError as error:
        detail = (
            f"{url} redirects to {error}, which is another host; what is there does not count for this one."
        )
        return Seen(result="redirect_off_site", detail=detail, raw=f"{url} -> {error}")
    except FetchError as error:
        if error.partial is None:
            return _failed(url, error)
        page = error.partial
    if 200 <= page.status < 300:
        return page
    result = "not_found" if 400 <= page.status < 500 else "unreachable"
    return Seen(result=result, detail=f"{page.url} answered {page.status}.", raw=f"{page.status} {page.url}")


def _failed(url: str, error: FetchError) -> Seen:
    results = {
        "timeout": "timeout",
        "address_not_public": "blocked_address",
        "redirect_refused": "redirect_off_site",
    }
    result = results.get(error.code, "unreachable")
    return Seen(result=result, detail=error.detail, raw=f"{url}: {error.code}: {error.detail}")


PROBES: Mapping[str, Callable[[Target, float], Seen]] = {
    DNS: check_record,
    META: check_tag,
    FILE: check_file,
}
__all__ = ["FILE_PATH", "Seen", "Target", "check", "head_tags"]
