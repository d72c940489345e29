"""Where a site places its company: in addresses, sentences and markup; never by a prefix or a domain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.writing.addresses import TOWN, addresses_in, is_street
from drafts.writing.countries import cities_in, city_country, countries_in, country_code
from drafts.writing.cues.people import PERSON
from drafts.writing.identity import COMPANY_TYPES, PRODUCT_TYPES
from drafts.writing.reading import Reading, Sentence
from drafts.writing.roles import states_facts

_BASED = re.compile(
    r"\b(?:based|headquartered|located|situated)\s+(?:in|at|out of|near)\s+|"
    r"\bheadquarters?(?:\s+(?:is|are))?\s*(?:in|at|:)\s+|\bHQ\s*(?:in|:)\s+|\b(?:studio|company|"
    r"team|startup|agency|office|workshop)\s+(?:in|from|out of)\s+"
    r"|\b(?:main |head |registered )?office\s*(?:is in|in|:)\s+|\bmit (?:haupt)?sitz in\s+|"
    r"\b(?:firmen|haupt)?sitz(?: der gesellschaft)?(?: ist)?\s*(?:in|:)\s+|\bans[äa]ssig in\s+|"
    r"\bstandort\s*:?\s+|"
    r"\b(?:firma|unternehmen|team|studio|start-?up|agentur|entwickelt|programmiert|sitzen|"
    r"arbeiten) (?:aus|in)\s+"
    r"|\bbas[ée]e?s?\s+(?:à|au|en|aux)\s+|\bsi[èe]ge(?: social)?(?: est)?(?: situé)?\s*(?:à|au|en|"
    r":)\s+|\b(?:situ|implant|install)[ée]e?s?\s+(?:à|au|en)\s+"
    r"|\bcon (?:sede|base) en\s+|\bubicad[oa]s? en\s+|\b(?:sede|domicilio)(?: social| central| "
    r"legale| operativa)?\s*:\s*|\bbasad[oa]s? en\s+"
    r"|\bcom sede em\s+|\b(?:sediad|localizad|basead)[oa]s? (?:em|no|na)\s+|\bcon sede (?:a|in)\s+|"
    r"\b(?:situat|basat)[oaie] (?:a|in)\s+|\bsiamo (?:a|di)\s+"
    r"|\bgevestigd (?:in|te)\s+|\bkantoor (?:in|te)\s+|\b(?:bedrijf|team|studio) uit\s+|\bz "
    r"siedzib[ąa] we?\s+|\bsiedziba(?: firmy)?\s*:?\s*(?:we?\s+)?|\bbiuro we?\s+|\bse s[íi]dlem "
    r"v[e]?\s+|\bs[íi]dlo(?: firmy| společnosti)?\s*:?\s*(?:v\s+)?|\bs[íi]dl[íi](?:me)? v[e]?\s+"
    r"|\b(?:офис|компания|команда|студия) (?:находится )?(?:в|из)\s+|\b(?:находи|расположен)\w* "
    r"в\s+|\bштаб-квартира\s*[:—-]?\s*(?:в\s+)?",
    re.IGNORECASE,
)
_CJK_BASED = re.compile(
    r"(?:本社(?:所在地)?|所在地|住所|総部|总部(?:位于|设在|在)?|公司地址|地址|位于|본사(?:는)?|소재지|주소)\s*[:：]?\s*(?P<after>[^。\n]{2,60})"
    r"|(?P<before>[\u4e00-\u9fff가-힣\u30a0-\u30ff]{2,12})(?:に本社|を拠点|に拠点|에 위치|에 본사|에 있는|를 기반|을 기반)"
)
_MADE = re.compile(
    r"\b(?:hand)?(?:made|built|crafted|designed|developed|brewed|coded)(?:\s+(?:and|"
    r"&)\s+\w+)?(?:\s+with\s+\S+(?:\s+\S+)?)?(?:\s+by\s+[A-Z]\w+(?:\s[A-Z]\w+){0,2})?\s+(?:in|"
    r"from)\s+"
    r"|\b(?:mit\s+\S+\s+)?(?:gemacht|entwickelt|hergestellt|programmiert|handgemacht)\s+in\s+|"
    r"\bmit (?:liebe|♥|❤\ufe0f?)\s+(?:aus|in)\s+"
    r"|\b(?:fait|conçu|développé|créé|fabriqué|réalisé)e?s?(?:\s+avec\s+\S+)?\s+(?:à|en|au)\s+|"
    r"\b(?:hecho|creado|desarrollado|diseñado)(?:\s+con\s+\S+)?\s+en\s+|\b(?:feito|desenvolvido|"
    r"criado)(?:\s+com\s+\S+)?\s+(?:em|no|na)\s+"
    r"|\b(?:fatto|sviluppato|realizzato|creato)(?:\s+con\s+\S+)?\s+(?:a|in)\s+|"
    r"\bgemaakt(?:\s+met\s+\S+)?\s+in\s+|\bstworzone?(?:\s+z\s+\S+)?\s+w\s+|\b(?:vytvo[řr]eno|"
    r"vyrobeno)(?:\s+s\s+\S+)?\s+v\s+|\bсделано(?:\s+с\s+\S+)?\s+в\s+",
    re.IGNORECASE,
)
_UPPER = r"(?=[A-ZÀ-ÞŁŚŻČŘŠŽА-Я])"
_FOUNDED_IN = re.compile(
    rf"\b(?:(?i:founded|established|started|began)\b[^.!?\n]{{0,90}}?\bin|"
    rf"[Gg]egründet\b[^.!?\n]{{0,90}}?\bin|"
    rf"[Ff]ondée?s?\b[^.!?\n]{{0,90}}?\b(?:à|en)|[Cc]réée?\b[^.!?\n]{{0,60}}?\bà|"
    rf"[Ff]undad[ao]s?\b[^.!?\n]{{0,90}}?\b(?:en|em|no|na)|"
    rf"[Ff]ondat[ao]\b[^.!?\n]{{0,90}}?\ba|[Oo]pgericht\b[^.!?\n]{{0,90}}?\b(?:in|te)|"
    rf"[Zz]a[łl]o[żz]on[ay]\b[^.!?\n]{{0,90}}?\bwe?|"
    rf"[Zz]alo[žz]en[ao]?\b[^.!?\n]{{0,90}}?\bve?|[Оо]снован[аоы]?\b[^.!?\n]{{0,90}}?\bв)\s+{_UPPER}"
    rf"|\bin\s+{_UPPER}(?=[^.!?\n]{{2,60}}\b(?:gegründet|opgericht)\b)"
)
_CJK_FOUNDED_IN = re.compile(
    r"(?:在|於|于)(?P<town>[\u4e00-\u9fff]{2,6}?)(?:市)?(?:创立|成立|创办|創立|創辦)|"
    r"(?P<town2>[\u4e00-\u9fff]{2,6})で(?:創業|設立)|(?P<town3>[가-힣]{2,8})에서 (?:창업|설립|시작)"
)
_TOWN_COUNTRY = re.compile(rf"\b(?P<town>{TOWN}),\s+(?P<country>{TOWN})")
_NOT_OURS = re.compile(
    r"affiliat|trademark|marke\b|marque|partner|client|customer|invest|powered|host|sponsor|endorse", re.IGNORECASE
)
_MAKER_TOWN = re.compile(
    rf"^(?:Made|Built|Created|Developed|Designed) by {PERSON},?\s+(?:in\s+)?(?P<town>{TOWN})(?=\s*(?:$|[.,;|·•]))"
)
_WE_ARE = re.compile(
    r"\b(?:we are|we.re|we live|we work|i am|i.m|i live|wir sind|wir leben|wir sitzen|nous sommes|"
    r"somos|siamo|wij zijn|we zijn|jeste[śs]my|jsme|мы|team of|team from|company from|family "
    r"business)\b",
    re.IGNORECASE,
)
_FORM_TOWN = re.compile(
    r"(?:GmbH(?: & Co\.? KG)?|UG(?: \(haftungsbeschränkt\))?|AG|KG|e\.? ?K\.?|Ltd\.?|LLC|Inc\.?|"
    r"S\.?r\.?l\.?|S\.?p\.?A\.?|SAS|SARL|S\.?L\.?|B\.?V\.?|N\.?V\.?|Lda\.?|Ltda\.?|s\.r\.o\.|"
    r"a\.s\.|sp\. z o\.o\.|Oy|AB|ApS|A/S|AS)"
    rf"\s*[,|·•–—-]\s*(?P<town>{TOWN})(?=\s*(?:$|[.,;|·•(]))"
)
_OTHERS = re.compile(
    r"\bservers?\b|\bdata\b|\bhost|data ?cent|infrastructure|\bstored?\b|\bregions?\b|customers?\b|"
    r"\bclients?\b|\busers?\b|teams? (?:based|located|in)\b|rechenzent|serverstandort|daten\b|"
    r"donn[ée]es|serveurs?|"
    r"servidor|datos|dados|dati\b|gegevens|danych|dat[ay]?\b|сервер|данн|サーバ|データ|服务器|数据|서버|데이터|"
    r"\bwon\b|award|\bprize|prijs|gewann|gewonnen|remport|ganamos|premi[oa]d|\bvinto\b|nagrod|受賞|"
    r"获奖|수상|\bavailable\b|\bship|delivery|deliver\w*\b|\bevents?\b|conference|meet ?up|"
    r"remote job|salary|jurisdiction|governing law|gerichtsstand|tribunal|\bcourts?\b|\bborn\b|"
    r"\bstudied\b|university|universität|université|\bmoved\b|\bliving\b|\bgrew up\b",
    re.IGNORECASE,
)
_IMPRINT = re.compile(
    r"impressum|imprint|mentions|legal-notice|legal notice|aviso-legal|aviso legal|note-legali|note "
    r"legali|tokush|tokutei|特定商取引|会社概要|company|about|contact|kontakt",
    re.IGNORECASE,
)
_VAT = re.compile(
    r"(?:USt|Umsatzsteuer|VAT|TVA|IVA|BTW|NIP|DI[ČC]|UID|MwSt|tax id|"
    r"intracommunautaire)[^\n]{0,60}?\b(?P<code>(?:DE ?\d{3} ?\d{3} ?\d{3}|ATU ?\d{8}|FR "
    r"?[A-Z0-9]{2} ?\d{3} ?\d{3} ?\d{3}|IT ?\d{11}|ES ?[A-Z]\d{7}[A-Z0-9]|"
    r"NL ?\d{9}B\d{2}|BE ?[01]?\d{3}[. ]?\d{3}[. ]?\d{3}|PL ?\d{10}|CZ ?\d{8,10}|PT ?\d{9}|SK "
    r"?\d{10}|LU ?\d{8}|DK ?\d{8}|SE ?\d{12}|FI ?\d{8}|CHE-?\d{3}\.?\d{3}\.?\d{3}))\b"
)
_MARKUP_TYPES = (
    COMPANY_TYPES
    | PRODUCT_TYPES
    | {"WebSite", "Person", "MedicalBusiness", "FinancialService", "EducationalOrganization", "Restaurant"}
)
_REGIONS = frozenset(
    [
        "europe",
        "the eu",
        "eu",
        "european union",
        "europa",
        "l'europe",
        "asia",
        "africa",
        "america",
        "north america",
        "south america",
        "latin america",
        "scandinavia",
        "dach",
        "benelux",
        "worldwide",
        "remote",
        "earth",
        "internet",
        "the cloud",
        "california",
        "texas",
        "bavaria",
        "bayern",
        "silicon valley",
    ]
)


@dataclass(frozen=True)
class Place:
    """One statement of where the company is; a higher rank is the stronger statement."""

    rank: int
    city: str | None
    country: str | None
    segment: Segment
    quote: str


def places_in(reading: Reading) -> list[Place]:
    """Every statement of the site about where the company is."""
    return list(_places(reading))


def _places(reading: Reading) -> Iterator[Place]:
    for sentence in reading.facts:
        yield from _stated(reading, sentence)
    for page in reading.site.pages:
        yield from _addresses(reading, page)
        yield from _vat(page)
    if reading.site.pages:
        yield from _marked(reading)


def _stated(reading: Reading, sentence: Sentence) -> Iterator[Place]:
    text = sentence.text
    if _OTHERS.search(text) or len(text) > 400:
        return
    us = _speaks_of_us(reading, sentence)
    for pattern, rank in ((_BASED, 5), (_FOUNDED_IN, 4), (_MADE, 2)):
        for found in pattern.finditer(text):
            if rank > 2 and not us and found.start() > 3:
                continue
            by_someone = rank == 2 and reading.own.named_in(text) and " by " in found.group()
            city, country = place_after(text[found.end() :], is_strong=rank > 4 or by_someone)
            if city or country:
                yield Place(rank, city, country, sentence.segment, _quotable(sentence))
    yield from _in_passing(sentence)
    for found in _CJK_FOUNDED_IN.finditer(text):
        town = next((t for t in found.groups() if t and city_country(t)), None)
        if town:
            yield Place(4, town, None, sentence.segment, _quotable(sentence))
    for found in _CJK_BASED.finditer(text):
        words = found["after"] or found["before"]
        address = next(addresses_in(words), None)
        codes = countries_in(words)
        city = address.town if address else next(iter(cities_in(words)), None)
        if city or codes:
            yield Place(5, city, codes[0][0] if codes else None, sentence.segment, _quotable(sentence))


def _in_passing(sentence: Sentence) -> Iterator[Place]:
    """`We are a team from Town, Country`, and `Company Ltd, Town` at the foot of a page."""
    text = sentence.text
    if _WE_ARE.search(text) and len(text) <= 250:
        for found in _TOWN_COUNTRY.finditer(text):
            code = country_code(found["country"])
            if code and not country_code(found["town"]):
                yield Place(3, found["town"], code, sentence.segment, _quotable(sentence))
    if len(text) > 160 or not (
        sentence.segment.all_roles & {"footer", "legal", "contact", "about"} or sentence.segment.page == 1
    ):
        return
    if _NOT_OURS.search(text):
        return
    for pattern in (_FORM_TOWN, _MAKER_TOWN):
        for found in pattern.finditer(text):
            town = found["town"].strip(" .")
            if city_country(town):
                yield Place(3, town, None, sentence.segment, _quotable(sentence))


def _quotable(sentence: Sentence) -> str:
    return sentence.segment.text[:300] if sentence.label is not None else sentence.text[:300]


def _speaks_of_us(reading: Reading, sentence: Sentence) -> bool:
    text = sentence.text
    return (
        reading.own.named_in(text)
        or bool(_US.search(text))
        or (bool(sentence.segment.all_roles & {"footer", "contact"}) and len(text) < 120)
    )


_US = re.compile(
    r"\b(?:we|our|us|wir|unser\w*|nous|notre|nuestr\w+|somos|noss[ao]\w*|noi|nostr\w+|siamo|wij|we "
    r"zijn|onze|ons|jeste\w+|nasz\w*|jsme|naše\w*|sídlíme|мы|наш\w*|company|unternehmen|empresa|"
    r"entreprise|société|azienda|bedrijf|firma|společnost|"
    r"studio|startup|start-up|agency|agence|agencia|headquarters|siedziba|sídlo|siège|sitz|sede)\b",
    re.IGNORECASE,
)


def place_after(text: str, *, is_strong: bool) -> tuple[str | None, str | None]:
    """The city and the country that a text begins with. A weak cue counts only before known places."""
    text = re.sub(
        r"^(?:the|der|die|das|le|la|el|o|a|dem|sunny|beautiful|lovely)\s+(?=[A-ZÀ-Þ])", "", text.lstrip(" :")
    )
    found = re.match(
        rf"(?P<first>{TOWN})(?P<rest>(?:\s*[,(/–—-]\s*(?:(?:in|no|na|en|nel|im|au|aux|the|den|v|w|we|"
        rf"в)\s)?(?:{TOWN})\)?|\s+(?:and|und|et|y|e|in)\s+{TOWN}){{0,3}})",
        text,
    )
    if not found:
        code, words = next(iter(countries_in(text[:40])), (None, ""))
        return None, code if code and text[:40].casefold().startswith(words) else None
    parts = [
        found["first"],
        *[
            p
            for p in re.split(
                r"\s*[,(/)–—]\s*(?:(?:in|no|na|en|nel|im|au|aux|the|den|v|w|we|в)\s)?|\s-\s|\s+(?:and|und|et|y|"
                r"e|in)\s+",
                found["rest"],
            )
            if p
        ],
    ]
    parts = [p.strip(" .-") for p in parts if p.strip(" .-")]
    country = next((code for part in parts if (code := _country_of(part))), None)
    towns = [p for p in parts if not _country_of(p) and p.casefold() not in _REGIONS]
    city = (
        _city_of(towns[0], text, country, is_strong=is_strong)
        if towns and not _country_of(parts[0])
        else None
    )
    if len({c for p in parts if (c := _country_of(p))}) > 1:
        return None, None
    if (
        city
        and len(towns) > 1
        and re.search(r"\s(?:and|und|et|y|e)\s", found["rest"])
        and city_country(towns[1])
    ):
        return None, country
    return city, country


def _country_of(part: str) -> str | None:
    return country_code(part) if len(part) > 2 or part in {"US", "UK"} else None


def _city_of(town: str, text: str, country: str | None, *, is_strong: bool) -> str | None:
    known = city_country(town)
    if known:
        return town
    words = cities_in(town)
    if words and town.startswith(words[0]):
        return words[0]
    if not is_strong or len(town.split()) > 3:
        return None
    return (
        town
        if country
        or len(text) - len(town) < 3
        or re.match(rf"{re.escape(town)}\s*(?:[.,;!|·)]|$|\s[a-zà-ÿ])", text)
        else None
    )


def _addresses(reading: Reading, page: PageText) -> Iterator[Place]:
    is_imprint = bool(_IMPRINT.search(page.url.lower() + " " + page.title.lower())) and not re.search(
        r"priva|datenschutz|cookie|terms", page.url.lower()
    )
    if page.kind in {"comparison", "blog", "jobs"} or (page.kind == "legal" and not is_imprint):
        return
    texts = [s for s in page.texts if states_facts(s)]
    hosted = False
    for at, segment in enumerate(texts):
        if _names_host(segment):
            hosted = True
        elif segment.level or "footer" in segment.roles:
            hosted = False
        if (
            hosted
            or reading.own.rival_in(segment.text)
            or len(segment.text) > 400
            or (_OTHERS.search(segment.text) and page.kind != "legal")
        ):
            continue
        in_place = (
            is_imprint
            or segment.all_roles & {"footer", "contact", "about", "legal"}
            or page.blocks[segment.block].tag == "address"
        )
        if (
            not in_place
            and not (len(segment.text) <= 160 and is_street(segment.text))
            and not re.search(
                r"〒|\b(?:address|adresse|anschrift|dirección|endereço|indirizzo|adres|adresa|адрес)\s*:",
                segment.text,
                re.IGNORECASE,
            )
        ):
            continue
        rank = 4 if is_imprint else 3
        line = next((s for s in texts[at + 1 : at + 3] if len(s.text) <= 40 and country_code(s.flat)), None)
        for address in addresses_in(segment.text):
            if address.is_sure or line is not None:
                yield Place(rank, address.town, address.country, segment, segment.text[:300])
                if address.country is None and line is not None:
                    yield Place(rank, None, country_code(line.flat), line, line.text)


def _names_host(segment: Segment) -> bool:
    return (
        bool(
            re.search(
                r"h[ée]berg|hosting|hosted by|webdesign|alojamiento|hospedagem", segment.text, re.IGNORECASE
            )
        )
        and len(segment.text) < 200
    )


def _vat(page: PageText) -> Iterator[Place]:
    if page.kind in {"comparison", "blog", "jobs"}:
        return
    texts = page.texts
    for at, segment in enumerate(texts):
        label = texts[at - 1].flat[-60:] if at and len(texts[at - 1].text) < 80 else ""
        found = _VAT.search(f"{label} {segment.flat}")
        if (
            found
            and states_facts(segment)
            and segment.all_roles & {"footer", "contact", "legal", "about"}
            and found["code"] in segment.flat
        ):
            code = "CH" if found["code"].startswith("CHE") else found["code"][:2]
            yield Place(1, None, code, segment, found["code"])


def _marked(reading: Reading) -> Iterator[Place]:
    for page in reading.site.pages:
        by_text = {s.text: s for s in reversed(page.marked) if s.kind == "json_ld"}
        for node in page.nodes:
            if not node.types & _MARKUP_TYPES or re.search(
                r"review|author|job|event|member|alumni|subject|offer", node.path, re.IGNORECASE
            ):
                continue
            name = first_text(node.data.get("name"))
            if name and not reading.own.named_in(name) and not reading.own.resembles(name):
                continue
            for address in all_of(node.data.get("address")) + all_of(node.data.get("location")):
                if isinstance(address, dict):
                    inner = address.get("address") if isinstance(address.get("address"), dict) else address
                    yield from _marked_address(inner, by_text)


def _marked_address(address: dict[str, object], by_text: dict[str, Segment]) -> Iterator[Place]:
    city = first_text(address.get("addressLocality"))
    named = first_text(address.get("addressCountry"))
    code = country_code(named.upper() if len(named) == 2 else named) if named else None
    if named in by_text and code:
        yield Place(0, None, code, by_text[named], named)
    if city in by_text and not country_code(city):
        yield Place(0, city, None, by_text[city], city)
