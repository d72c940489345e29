"""What the addresses, registers and markup of a page say about where the company is."""

from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.writing.addresses import addresses_in, is_street
from drafts.writing.countries import country_code
from drafts.writing.cues.companies import COMPANY
from drafts.writing.cues.places import ADDRESS_LABEL, HOST, IMPRINT, OTHERS, PRIVACY, VAT
from drafts.writing.reading import Reading
from drafts.writing.roles import states_facts

_WHERE = frozenset({"footer", "contact", "about", "legal"})
_MARKED = ("address", "location", "foundingLocation")
_LONG, _SHORT, _LINE = 400, 160, 40


@dataclass(frozen=True)
class Place:
    """One statement of where the company is; a higher rank is the stronger statement."""

    rank: int
    city: str | None
    country: str | None
    segment: Segment
    quote: str


def addresses_on(reading: Reading, page: PageText) -> Iterator[Place]:
    """The towns of the postal addresses on one page, without those of its host."""
    is_imprint = _is_imprint(page)
    texts = [s for s in page.texts if states_facts(s)]
    if page.kind == "legal" and not is_imprint:
        texts = [s for s in texts if reading.own.named_in(s.text) and _is_firms(s.text)]
    is_hosts = False
    for at, segment in enumerate(texts):
        is_hosts = _names_host(segment) or (is_hosts and not segment.level and "footer" not in segment.roles)
        if is_hosts or not _may_hold_address(reading, page, segment, is_imprint=is_imprint):
            continue
        line = next(
            (s for s in texts[at + 1 : at + 3] if len(s.text) <= _LINE and country_code(s.flat)), None
        )
        yield from _located(segment, line, rank=4 if is_imprint else 3)


def _located(segment: Segment, line: Segment | None, *, rank: int) -> Iterator[Place]:
    for address in addresses_in(segment.text):
        if address.is_sure or line is not None:
            yield Place(rank, address.town, address.country, segment, segment.text[:300])
            if address.country is None and line is not None:
                yield Place(rank, None, country_code(line.flat), line, line.text)


def _is_firms(text: str) -> bool:
    """Whether a text that names us names a company too, or its street."""
    return bool(COMPANY.search(text)) or is_street(text)


def _is_imprint(page: PageText) -> bool:
    return bool(IMPRINT.search(f"{page.url} {page.title}".lower())) and not PRIVACY.search(page.url.lower())


def _may_hold_address(reading: Reading, page: PageText, segment: Segment, *, is_imprint: bool) -> bool:
    text = segment.text
    if len(text) > _LONG or reading.own.rival_in(text) or (OTHERS.search(text) and page.kind != "legal"):
        return False
    if is_imprint or segment.all_roles & _WHERE or page.blocks[segment.block].tag == "address":
        return True
    return (len(text) <= _SHORT and is_street(text)) or bool(ADDRESS_LABEL.search(text))


def _names_host(segment: Segment) -> bool:
    return len(segment.text) < 200 and bool(HOST.search(segment.text))


def registers_on(page: PageText) -> Iterator[Place]:
    """The country of a VAT number that stands beside its label."""
    texts = page.texts
    for at, segment in enumerate(texts):
        label = texts[at - 1].flat[-60:] if at and len(texts[at - 1].text) < 80 else ""
        found = VAT.search(f"{label} {segment.flat}")
        if found and states_facts(segment) and segment.all_roles & _WHERE and found["code"] in segment.flat:
            code = "CH" if found["code"].startswith("CHE") else found["code"][:2]
            yield Place(1, None, code, segment, found["code"])


def marked_places(reading: Reading) -> Iterator[Place]:
    """The addresses that only markup states."""
    for page in reading.site.pages:
        for node in page.nodes:
            if "Event" in node.types or not reading.own.is_node(node):
                continue
            for address in (one for key in _MARKED for one in all_of(node.data.get(key))):
                if isinstance(address, dict):
                    inner = address.get("address")
                    yield from _marked_address(inner if isinstance(inner, dict) else address, page.stated)


def _marked_address(address: dict[str, object], by_text: dict[str, Segment]) -> Iterator[Place]:
    city = first_text(address.get("addressLocality"))
    named = first_text(address.get("addressCountry"))
    code = country_code(named.upper() if len(named) == 2 else named) if named else None
    if named in by_text and code:
        yield Place(0, None, code, by_text[named], named)
    if city in by_text and not country_code(city):
        yield Place(0, city, None, by_text[city], city)
