"""Where a site places its company: in sentences, addresses and markup; never by a prefix or a domain."""

import re
from collections.abc import Iterator

from drafts.writing.addresses import addresses_in, names_state
from drafts.writing.countries import cities_in, city_country, countries_in, country_code
from drafts.writing.cues.companies import US
from drafts.writing.cues.places import (
    BASED,
    CJK_BASED,
    CJK_FOUNDED_IN,
    COMPANY_IN,
    FORM_TOWN,
    FOUNDED_IN,
    MADE,
    MAKER_TOWN,
    NOT_OURS,
    OTHERS,
    TOWN_COUNTRY,
    WE_ARE,
)
from drafts.writing.gazetteer import countries_of_town
from drafts.writing.located import Place, addresses_on, marked_places, registers_on
from drafts.writing.placing import place_after
from drafts.writing.reading import Reading, Sentence

__all__ = ["Place", "places_in"]

_BASED, _FOUNDED, _PASSING, _MADE = 5, 4, 3, 2
_FOOT, _OPENING = 120, 25


def places_in(reading: Reading) -> list[Place]:
    """Every statement of the site about where the company is."""
    return reading.once(_all_places)


def _all_places(reading: Reading) -> list[Place]:
    return list(_places(reading))


def _places(reading: Reading) -> Iterator[Place]:
    for sentence in reading.facts:
        if len(sentence.text) <= 400 and not OTHERS.search(sentence.text):
            yield from _stated(reading, sentence)
            yield from _in_asian(sentence)
            yield from _as_team(sentence)
            yield from _at_the_foot(sentence)
    for page in reading.pages:
        yield from addresses_on(reading, page)
        yield from registers_on(page)
    if reading.site.pages:
        yield from marked_places(reading)


def _place(sentence: Sentence, rank: int, city: str | None, country: str | None) -> Place:
    quote = sentence.segment.text if sentence.label is not None else sentence.text
    return Place(rank, city, country, sentence.segment, quote[:300])


def _stated(reading: Reading, sentence: Sentence) -> Iterator[Place]:
    text = sentence.text
    for pattern, rank in ((BASED, _BASED), (FOUNDED_IN, _FOUNDED), (MADE, _MADE)):
        for found in pattern.finditer(text):
            if rank > _MADE and found.start() > 3 and not _speaks_of_us(reading, sentence, found):
                continue
            by_someone = rank == _MADE and " by " in found.group() and reading.own.named_in(text)
            city, country = place_after(text[found.end() :], is_strong=rank == _BASED or by_someone)
            if city or country:
                yield _place(sentence, rank, city, country)


def _speaks_of_us(reading: Reading, sentence: Sentence, found: re.Match[str]) -> bool:
    """Whether a sentence is about the company. `The team in Town` is somebody's, unless it begins the sentence."""
    text = sentence.text
    if reading.own.named_in(text) or (
        sentence.segment.all_roles & {"footer", "contact"} and len(text) < _FOOT
    ):
        return True
    if "legal" in sentence.segment.all_roles:
        return False  # a policy tells where those are who work for us
    beside = text[: found.start()] + text[found.end() :]
    return bool(US.search(beside) or (found.start() <= _OPENING and US.search(found.group())))


def _in_asian(sentence: Sentence) -> Iterator[Place]:
    for found in CJK_FOUNDED_IN.finditer(sentence.text):
        town = next((t for t in found.groups() if t and city_country(t)), None)
        if town:
            yield _place(sentence, _FOUNDED, town, None)
    for found in CJK_BASED.finditer(sentence.text):
        words = found["after"] or found["before"]
        address = next(addresses_in(words), None)
        codes = countries_in(words)
        city = address.town if address else next(iter(cities_in(words)), None)
        if city or codes:
            told = address.country if address else None
            yield _place(sentence, _BASED, city, codes[0][0] if codes else told)


def _as_team(sentence: Sentence) -> Iterator[Place]:
    """`We are a team from Town, Country`."""
    if not WE_ARE.search(sentence.text) or len(sentence.text) > 250:
        return
    for found in TOWN_COUNTRY.finditer(sentence.text):
        code = country_code(found["country"])
        if code and not country_code(found["town"]):
            yield _place(sentence, _PASSING, found["town"], code)


def _at_the_foot(sentence: Sentence) -> Iterator[Place]:
    """`Company Ltd, Town` and `Made by Name, Town` where a page says who is behind it."""
    text, segment = sentence.text, sentence.segment
    is_told = segment.page == 1 or bool(segment.all_roles & {"footer", "legal", "contact", "about"})
    if len(text) > 160 or not is_told or NOT_OURS.search(text):
        return
    for found in COMPANY_IN.finditer(text):
        city, country = place_after(text[found.end() :], is_strong=False)
        if city and country:
            yield _place(sentence, _PASSING, city, country)
    if "©" in text:
        yield from _beside_the_mark(sentence)
    for pattern in (FORM_TOWN, MAKER_TOWN):
        for found in pattern.finditer(text):
            town = found["town"].strip(" .")
            if city_country(town):
                is_american = names_state(text[found.end() :]) and "US" in countries_of_town(town)
                yield _place(sentence, _PASSING, town, "US" if is_american else None)


def _beside_the_mark(sentence: Sentence) -> Iterator[Place]:
    """`© Name - Town, Country`."""
    for found in TOWN_COUNTRY.finditer(sentence.text):
        code = country_code(found["country"])
        if code and code in countries_of_town(found["town"]):
            yield _place(sentence, _PASSING, found["town"], code)
