"""Where a site places its company: in sentences, addresses and markup; never by a prefix or a domain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.writing.addresses import addresses_in, is_street
from drafts.writing.countries import cities_in, city_country, countries_in, countries_of_town, country_code
from drafts.writing.cues import places as cue
from drafts.writing.cues.people import COMPANY, US
from drafts.writing.port import FieldDraft
from drafts.writing.reading import OPTIONS, Reading, Sentence, ranked
from drafts.writing.roles import states_facts

_IMPRINT, _BASED, _FOUNDED, _PASSING, _MADE = 6, 5, 4, 3, 2
_WHERE = frozenset({"footer", "contact", "about", "legal"})
_MARKED = ("address", "location", "foundingLocation")
_LONG, _SHORT, _FEW = 400, 160, 3
_STEM, _ENDING = 5, 2


@dataclass(frozen=True)
class Place:
    """One statement of where the company is; a higher rank is the stronger statement."""

    rank: int
    city: str | None
    country: str | None
    segment: Segment
    quote: str


def places_in(reading: Reading) -> tuple[Place, ...]:
    return reading.once(_all_places)


def _all_places(reading: Reading) -> tuple[Place, ...]:
    return tuple(_places(reading))


def _places(reading: Reading) -> Iterator[Place]:
    for sentence in reading.facts:
        if len(sentence.text) <= 400 and not cue.OTHERS.search(sentence.text):
            yield from _stated(reading, sentence)
            yield from _in_asian(sentence)
            yield from _with_country(sentence)
            yield from _at_the_foot(sentence)
    for page in reading.pages:
        yield from addresses_on(reading, page)
        yield from registers_on(page)
    if reading.site.pages:
        yield from marked_places(reading)


def mentioned_in(reading: Reading) -> Iterator[Place]:
    """Towns and countries that a page only names where it tells who is behind it: possible, and never enough."""
    for page in reading.pages:
        for segment in page.texts:
            is_placed = segment.all_roles & _WHERE or page.kind in _WHERE
            if is_placed and len(segment.text) <= _LONG and states_facts(segment):
                yield from _named_places(segment)


def _named_places(segment: Segment) -> Iterator[Place]:
    codes = [code for code, _ in countries_in(segment.text)]
    towns = cities_in(segment.text)
    for at in range(max(len(codes), len(towns), 1)):
        town = towns[at] if at < len(towns) else None
        code = codes[at] if at < len(codes) else town and city_country(town)
        if town or code:
            yield Place(-1, town, code or None, segment, segment.text[:300])


def _place(sentence: Sentence, rank: int, city: str | None, country: str | None) -> Place:
    quote = sentence.segment.text if sentence.label is not None else sentence.text
    return Place(rank, city, country, sentence.segment, quote[:300])


def _stated(reading: Reading, sentence: Sentence) -> Iterator[Place]:
    """What a sentence says that begins so or is about the company: `the team in Town` is somebody's."""
    text = sentence.text
    for pattern, rank in ((cue.BASED, _BASED), (cue.FOUNDED_IN, _FOUNDED), (cue.MADE, _MADE)):
        for result in pattern.finditer(text):
            before, after = text[: result.start()], text[result.end() :]
            beside = cue.DASH.split(before)[-1] + cue.DASH.split(after)[0]
            is_placed = "legal" not in sentence.segment.all_roles and US.search(beside)
            is_ours = result.start() <= 3 or reading.own.named_in(text) or is_placed
            if rank > _MADE and not is_ours:
                continue
            by_someone = rank == _MADE and " by " in result.group() and reading.own.named_in(text)
            city, country = place_after(after, is_strong=rank == _BASED or by_someone)
            if city or country:
                yield _place(sentence, rank, city, country)


def _in_asian(sentence: Sentence) -> Iterator[Place]:
    for result in cue.CJK_BASED.finditer(sentence.text):
        words = result["after"] or result["before"]
        address = next(addresses_in(words), None)
        if city := address.town if address else next(iter(cities_in(words)), None):
            yield _place(sentence, _BASED, city, address.country if address else None)


def _with_country(sentence: Sentence) -> Iterator[Place]:
    """`We are a team from Town, Country` and `© Name - Town, Country`."""
    if cue.WE_ARE.search(sentence.text) or "©" in sentence.text:
        for result in cue.TOWN_COUNTRY.finditer(sentence.text):
            code = country_code(result["country"])
            if code and code in countries_of_town(result["town"]):
                yield _place(sentence, _PASSING, result["town"], code)


def _at_the_foot(sentence: Sentence) -> Iterator[Place]:
    """`Company Ltd, Town` and `Made by Name, Town` where a page says who is behind it."""
    text, segment = sentence.text, sentence.segment
    is_placed = segment.page == 1 or bool(segment.all_roles & {"footer", "legal", "contact", "about"})
    if len(text) > 160 or not is_placed or cue.NOT_OURS.search(text):
        return
    for pattern in (cue.FORM_TOWN, cue.MAKER_TOWN):
        for result in pattern.finditer(text):
            town = result["town"].strip(" .")
            if city_country(town):
                yield _place(sentence, _PASSING, town, None)


def addresses_on(reading: Reading, page: PageText) -> Iterator[Place]:
    """The towns of the postal addresses on one page, without those of its host."""
    is_imprint = _is_imprint(page)
    texts = [s for s in page.texts if states_facts(s)]
    if page.kind == "legal" and not is_imprint:
        own = [s for s in texts if reading.own.named_in(s.text)]
        texts = [s for s in own if COMPANY.search(s.text) or is_street(s.text)]
    is_hosts = False
    for segment in texts:
        names_host = len(segment.text) < 200 and cue.HOST.search(segment.text)
        is_hosts = bool(names_host) or (is_hosts and not segment.level and "footer" not in segment.roles)
        if not is_hosts and _may_hold_address(reading, page, segment, is_imprint=is_imprint):
            rank = _IMPRINT if is_imprint else 3
            for address in (each for each in addresses_in(segment.text) if each.is_sure):
                yield Place(rank, address.town, address.country, segment, segment.text[:300])


def _is_imprint(page: PageText) -> bool:
    return bool(cue.IMPRINT.search(f"{page.url} {page.title}".lower()))


def _may_hold_address(reading: Reading, page: PageText, segment: Segment, *, is_imprint: bool) -> bool:
    text = segment.text
    if len(text) > _LONG or reading.own.rival_in(text) or (cue.OTHERS.search(text) and page.kind != "legal"):
        return False
    if is_imprint or segment.all_roles & _WHERE or page.blocks[segment.block].tag == "address":
        return True
    is_function = page.kind == "features"  # as what the product makes
    return not is_function and len(text) <= _SHORT and is_street(text)


def registers_on(page: PageText) -> Iterator[Place]:
    """The country of a VAT number that stands beside its label."""
    for before, segment in pairwise(page.texts):
        label = before.flat[-60:] if len(before.text) < 80 else ""
        match = cue.VAT.search(f"{label} {segment.flat}")
        if match and states_facts(segment) and segment.all_roles & _WHERE and match["code"] in segment.flat:
            yield Place(1, None, match["code"][:2], segment, match["code"])


def marked_places(reading: Reading) -> Iterator[Place]:
    for page in reading.site.pages:
        for node in page.nodes:
            if "Event" in node.types or not reading.own.is_node(node):
                continue
            for address in (entry for key in _MARKED for entry in all_of(node.data.get(key))):
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


def place_after(text: str, *, is_strong: bool) -> tuple[str | None, str | None]:
    """The city and the country that a text begins with. A weak cue counts only before known places."""
    text = cue.ARTICLE.compiled.sub("", text.lstrip(" :"))
    match = cue.PLACE.match(text)
    if not match:
        return None, None
    rest = [part for part in cue.PLACE_PARTS.split(match["rest"]) if part]
    parts = [part for each in (match["first"], *rest) if (part := each.strip(" .-"))]
    codes = [code for part in parts if (code := _country_of(part))]
    country = codes[0] if codes else None
    towns = [p for p in parts if not _country_of(p) and not cue.REGION.fullmatch(p)]
    if not towns or _country_of(parts[0]):
        return None, country
    return _city_of(towns[0], text, country, is_strong=is_strong), country


def _country_of(part: str) -> str | None:
    return country_code(part) if len(part) > 2 or part in {"US", "UK"} else None


def _city_of(town: str, text: str, country: str | None, *, is_strong: bool) -> str | None:
    if city_country(town):
        return town
    existing = countries_of_town(town) if is_strong and len(town.split()) <= _FEW else frozenset()
    if country:
        return town if country in existing else None
    ends = len(text) - len(town) < _FEW or re.match(rf"{re.escape(town)}\s*(?:[.,;!|·)]|$|\s[a-zà-ÿ])", text)
    return town if existing and ends else None


def same_place(this: str, other: str) -> bool:
    """Whether two names are of one place: one holds the other, or they differ in the ending that a case gives."""
    first, second = (text.casefold().replace("-", " ") for text in (this, other))
    stem = max(_STEM, len(first) - _ENDING, len(second) - _ENDING)
    return first in second or second in first or first[:stem] == second[:stem]


_MOST = 60  # each is compared with each


def draft_places(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    places = places_in(reading)
    mentioned = list(islice(mentioned_in(reading), _MOST))
    city = _settle(reading, [p for p in places if p.city], mentioned, "city")
    coded = [p for p in places if p.country]
    fitting = [
        p for p in coded if city.value is None or p.city is None or same_place(p.city, str(city.value))
    ]
    return _settle(reading, fitting or coded, mentioned, "country"), city


def _settle(reading: Reading, places: list[Place], mentioned: list[Place], key: str) -> FieldDraft:
    """What most of the strongest statements say, in the shortest way.

    Other places are alternatives, the strongest statements first.
    """
    rows: list[tuple[float, FieldDraft]] = []
    left = places
    while left and len(rows) < OPTIONS:
        best = max(place.rank for place in left)
        stated = [getattr(place, key) for place in left if place.rank == best][:_MOST]
        most = max(stated, key=lambda each: sum(same_place(each, other) for other in stated))
        same = [place for place in left if same_place(getattr(place, key), most)]
        chosen = min(same, key=lambda p: (len(getattr(p, key)), -p.rank))
        quote = reading.quote((chosen.segment, chosen.quote))
        rows.append((1.0 + best, FieldDraft(value=getattr(chosen, key), evidence=quote)))
        left = [place for place in left if place not in same]
    weaker = (
        FieldDraft(value=getattr(place, key), evidence=reading.quote((place.segment, place.quote)))
        for place in mentioned
        if getattr(place, key)
    )
    return ranked(rows, otherwise=reading.blank, weaker=weaker)
