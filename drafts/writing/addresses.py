"""Postal addresses: the town beside a postcode, in the forms of many countries."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import words
from drafts.languages import Shape
from drafts.writing.countries import cities_in, countries_in, countries_of_town, country_code
from drafts.writing.cues.places import REGION, TOWN
from drafts.writing.text import sentence_spans

_END = r"(?=\s*(?:$|[,.;|·•\n()/]|\s[-–—]\s|CEDEX|Cedex))"
_NOT_DIGIT = r"(?<![\d.,/©-])(?<!\d{3} )(?<![+(]\d )(?<![+(]\d\d )(?<!© )(?<!opyright )"
POSTCODE_TOWN = re.compile(
    rf"{_NOT_DIGIT}(?:[A-Z]{{1,3}}[- ])?(?P<code>\d{{4}} ?[A-Z]{{2}}|\d{{5}}-\d{{3}}|"
    rf"\d{{4}}-\d{{3}}|\d{{2}}-\d{{3}}|\d{{3}} \d{{2}}|\d{{4,6}})"
    rf"(?:,\s*г\.)?,?\s+(?P<town>{TOWN}){_END}"
)
US_TOWN = re.compile(rf"(?P<town>{TOWN}),?\s+(?P<state>[A-Z]{{2}})\s+(?P<code>\d{{5}}(?:-\d{{4}})?)\b")
GB_POSTCODE = re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b")
RU_TOWN = re.compile(r"\bг\.\s?(?P<town>[А-ЯЁ][а-яё]+(?:-[А-ЯЁа-яё]+)*(?: [А-ЯЁ][а-яё]+)?)")
_JP_CITY = r"[\u4e00-\u9fff\u3040-\u30ff]{1,6}?[市区]"
JP_TOWN = re.compile(
    rf"(?P<town>(?:東京都|京都府|大阪府)(?:{_JP_CITY})?|(?:北海道|[\u4e00-\u9fff]{{2,3}}県){_JP_CITY})"
    r"(?=[\u3040-\u30ff\u4e00-\u9fff\d０-９\s]|$)"
)
"""A prefecture alone is no town, but for those that a city gave its name to."""
CN_TOWN = re.compile(
    r"(?:[\u4e00-\u9fff]{2,3}省)?(?P<town>(?:北京|上海|天津|重庆|[\u4e00-\u9fff]{2,3})市)(?![場场])(?=[\u4e00-\u9fff])"
)
_TRADITIONAL = re.compile("[區號縣臺]")
"""Signs of addresses that mainland China writes otherwise."""
KR_TOWN = re.compile(
    r"(?P<town>서울(?:특별시|시)?|(?:부산|대구|인천|광주|대전|울산)(?:광역시|시)?|"
    r"세종(?:특별자치시|시)?|제주(?:특별자치도|시)?|"
    r"[가-힣]{2,3}시)\s+[가-힣]+[구동로군읍면]"
)
_PROVINCE = re.compile(rf"(?P<town>{TOWN})\s\([A-Z]{{2}}\)")
_STREET_TOWN = re.compile(rf",\s(?P<town>{TOWN})\s*$")
_TWO_NAMES = re.compile(rf"{TOWN}, (?:the )?{TOWN}")
_LONG_LINE = 120
_STREET = Shape(r"{street}")
_COURT = Shape(
    r"{court}",
    r"ovh|hetzner|ionos|amazon|aws|google|netlify|vercel|cloudflare|github|strato|gandi|infomaniak|o2switch|"
    r"aruba|webflow|wix",
)
_LINK_NAME = re.compile(r"[|·•]\s*(?:github|gitlab|google(?: play)?)\s*(?=$|[|·•])", re.IGNORECASE)
_NOT_TOWN = Shape(r"^{not_town}")
_STATES = words(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY "
    "NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC"
)


def is_street(text: str) -> bool:
    """Whether a text holds a street, in one of many languages."""
    return bool(_STREET.search(text))


@dataclass(frozen=True)
class Address:
    """A town, and the country where the address itself names it."""

    town: str
    country: str | None
    is_sure: bool


def addresses_in(text: str) -> Iterator[Address]:
    named = {code for code, _ in countries_in(text)}
    country = named.pop() if len(named) == 1 else None
    has_street = bool(_STREET.search(text))
    for start, end in sentence_spans(text):
        if not _COURT.search(_LINK_NAME.sub("", text[start:end])):
            yield from _postal(text[start:end], country, has_street=has_street)


def _postal(line: str, country: str | None, *, has_street: bool) -> Iterator[Address]:
    coded = _coded(line) or (_town_alone(line, country) if has_street else None)
    if coded is not None:
        yield coded
        return
    yield from _beside_postcode(line, country, is_beside_street=has_street)
    for pattern, code in ((JP_TOWN, "JP"), (CN_TOWN, "CN"), (KR_TOWN, "KR"), (RU_TOWN, None)):
        match = pattern.search(line)
        if match:
            is_taiwan = pattern is CN_TOWN and _TRADITIONAL.search(line)
            yield Address(match["town"], country or ("TW" if is_taiwan else code), is_sure=True)
            return
    if not POSTCODE_TOWN.search(line):
        yield from _before_country(line, country)


def _town_alone(line: str, country: str | None) -> Address | None:
    """The town of an address without a number of the post: `Town (PR)` below a street, or `Street, Town`."""
    result = _PROVINCE.search(line) or (
        _STREET_TOWN.search(line) if len(line) <= _LONG_LINE and _STREET.search(line) else None
    )
    codes = countries_of_town(result["town"]) if result and not country_code(result["town"]) else frozenset()
    if result is None or not codes or (country is not None and country not in codes):
        return None
    return Address(result["town"], country, is_sure=True)


def _coded(line: str) -> Address | None:
    """The town of an address whose form tells its country: American or British."""
    american = US_TOWN.search(line)
    if american and american["state"] in _STATES:
        return Address(american["town"], "US", is_sure=True)
    postcode = GB_POSTCODE.search(line)
    town = _british_town(line[: postcode.start()]) if postcode else None
    return Address(town, "GB", is_sure=True) if town else None


def _beside_postcode(line: str, country: str | None, *, is_beside_street: bool) -> Iterator[Address]:
    for result in POSTCODE_TOWN.finditer(line):
        town = result["town"].strip(" .")
        town = before if (before := town.rpartition(" ")[0]) and country_code(town.split()[-1]) else town
        is_town = bool(countries_of_town(town))
        is_year = not (is_beside_street or is_town) and re.fullmatch(r"(?:19|20)\d\d", result["code"])
        if is_year or _NOT_TOWN.match(town) or country_code(town):
            continue
        yield Address(town, country, is_sure=is_beside_street or is_town or country is not None)


def _british_town(before: str) -> str | None:
    parts = [part.strip() for part in re.split(r"[,\n]", before) if part.strip()]
    towns = [p for p in parts if re.fullmatch(TOWN, p) and not p.endswith("shire") and not _STREET.search(p)]
    return towns[-1] if towns else next(iter(cities_in(parts[-1])), None) if parts else None


def _before_country(line: str, country: str | None) -> Iterator[Address]:
    """`Town, Country` at the end of a short line."""
    pieces = re.split(r"\s*[|·•]\s*", line)
    if sum(bool(_TWO_NAMES.fullmatch(piece.strip())) for piece in pieces) > 1:
        return
    for piece in pieces:
        if country is not None and len(piece) <= _LONG_LINE:
            yield from _ending_in_country(piece, country)


def _ending_in_country(line: str, country: str) -> Iterator[Address]:
    match = re.search(
        rf"(?:^|[,:|·•–—-]\s*|\d{{3,6}}\s+)(?P<town>{TOWN})\s*[,(–—-]\s*(?P<country>[^,|"
        rf"·•()\d]{{2,40}})\)?\.?$",
        line.strip(),
    )
    if match and country_code(match["country"]) == country and not country_code(match["town"]):
        town = match["town"].strip()
        if not REGION.fullmatch(town):
            yield Address(town, country, is_sure=country in countries_of_town(town))
