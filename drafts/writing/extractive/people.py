"""Founders: people whom the site itself calls so, in markup, on cards or in sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.limits import FOUNDER_BIO, FOUNDER_NAME, FOUNDER_TITLE, FOUNDERS
from drafts.writing.countries import city_country, country_code
from drafts.writing.extractive.names import COMPANY_TYPES, PRODUCT_TYPES
from drafts.writing.extractive.reading import Reading, Sentence
from drafts.writing.port import Evidence, FounderDraft
from drafts.writing.roles import is_placeholder, states_facts
from drafts.writing.text import CJK, shorten, squashed, tidy

_UP = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĻŁŃŅŇŌŐŒŔŘŚŠŞȘŢŤŪŮŰŲŹŻŽ"
_LOW = "a-zß-öø-ÿāăąćčďđēėęěğģīįıķļłńņňōőœŕřśšşșţťūůűųźżž"
_PART = rf"(?:[{_UP}][{_LOW}]+(?:['’\-][{_UP}]?[{_LOW}]+)*|[{_UP}]['’][{_UP}][{_LOW}]+|[{_UP}][{_LOW}]+[{_UP}][{_LOW}]+|[{_UP}]\.(?:\s?[{_UP}]\.)*)"
_JOINT = r"(?:de la|de los|van der|van den|von der|van de|de|del|della|di|da|dos|do|van|von|der|den|ten|ter|el|al|bin|ben|le|la|y|zu)"
PERSON = rf"(?:(?:Dr|Prof|Ing|Mgr|Dipl\.-Ing)\.\s)*{_PART}(?:\s(?:{_JOINT}\s)?{_PART}){{1,3}}"
_CYRILLIC = r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?(?:\s[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?){1,2}"
_HAN = r"[\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff]{1,3}[ 　][\u4e00-\u9fff]{1,3}"
_HANGUL = r"[가-힣]{2,4}"
_ANY = rf"(?:{PERSON}|{_CYRILLIC})"
TITLE = re.compile(
    r"\bco-?founder\b|(?<!best )\bfounder\b(?!\s+(?:plan|edition|price|story|mode|deal|member|friendly|led))|\bowner\b(?=\s*$|\s*[,&/|]|\s+and\b)|"
    r"\b(?:mit)?(?:be)?gr[üu]nder(?:in)?\b|\b(?:geschäftsführender )?inhaber(?:in)?\b|\b(?:co-?)?fond(?:ateur|atrice)s?\b|\b(?:co-?)?fundador(?:a)?\b|\b(?:co-?)?fondat(?:ore|rice)\b|\btitolare\b|"
    r"\b(?:mede-?)?oprichter\b|\b(?:współ)?za[łl]o[żz]yciel(?:ka)?\b|\b(?:spolu)?zakladatel(?:ka)?\b|(?:со)?основатель(?:ница)?|共同創業者|創業者|創設者|ファウンダー|联合创始人|聯合創辦人|创始人|創辦人|創始人|(?:공동 ?)?창업자|(?:공동 ?)?설립자",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(r"\b(?:of|at|bei|von|chez|de|di|bij|w|ve?|в|@)\s+(?P<org>[A-ZÀ-Þ@][\w.&-]+(?: [A-Z][\w.&-]+)?)|@\s?(?P<handle>\w+)")
_BY = re.compile(
    rf"\b(?:co-?founded|founded|started|established)\b(?:\s+(?:in|im)\s+\d{{4}})?(?:\s+in\s+[A-Z][\w, ]{{2,40}}?)?(?:\s+in\s+\d{{4}})?\s+by\s+(?P<a>{_ANY})(?P<a2>(?:\s*,\s*{_ANY})*(?:,?\s+(?:and|&)\s+{_ANY})?)"
    rf"|\b(?:wurde\s+)?(?:\d{{4}}\s+)?(?:in\s+[A-Z]\w+\s+)?von\s+(?P<b>{_ANY})(?P<b2>(?:\s*,\s*{_ANY})*(?:\s+und\s+{_ANY})?)\s+(?:\d{{4}}\s+)?(?:in\s+[A-Z]\w+\s+)?gegründet"
    rf"|\bgegründet(?:\s+(?:im jahr\s+)?\d{{4}})?(?:\s+in\s+[A-Z]\w+)?\s+von\s+(?P<c>{_ANY})(?P<c2>(?:\s*,\s*{_ANY})*(?:\s+und\s+{_ANY})?)"
    rf"|\bfondée?s?(?:\s+en\s+\d{{4}})?(?:\s+à\s+[A-ZÀ-Þ][\w-]+)?(?:\s+en\s+\d{{4}})?\s+par\s+(?P<d>{_ANY})(?P<d2>(?:\s*,\s*{_ANY})*(?:\s+et\s+{_ANY})?)"
    rf"|\bfundad[ao](?:\s+(?:en|em)\s+[\w, ]{{2,30}}?)?(?:\s+(?:en|em)\s+\d{{4}})?\s+por\s+(?P<e>{_ANY})(?P<e2>(?:\s*,\s*{_ANY})*(?:\s+[ye]\s+{_ANY})?)"
    rf"|\bfondat[ao](?:\s+nel\s+\d{{4}})?(?:\s+a\s+[A-Z]\w+)?(?:\s+nel\s+\d{{4}})?\s+da\s+(?P<f>{_ANY})(?P<f2>(?:\s*,\s*{_ANY})*(?:\s+e\s+(?:da\s+)?{_ANY})?)"
    rf"|\bopgericht(?:\s+in\s+[\w ]{{2,30}}?)?\s+door\s+(?P<g>{_ANY})(?P<g2>(?:\s*,\s*{_ANY})*(?:\s+en\s+{_ANY})?)"
    rf"|\bza[łl]o[żz]on[aey](?:\s+w\s+[\w ]{{2,30}}?)?\s+przez\s+(?P<h>{_ANY})(?P<h2>(?:\s*,\s*{_ANY})*(?:\s+i\s+{_ANY})?)"
    rf"|\bza[łl]o[żz]yli\s+(?P<i>{_ANY})(?P<i2>(?:\s*,\s*{_ANY})*(?:\s+i\s+{_ANY})?)|\bzalo[žz]ili?[ay]?\s+(?:v roce \d{{4}}\s+)?(?P<j>{_ANY})(?P<j2>(?:\s*,\s*{_ANY})*(?:\s+a\s+{_ANY})?)"
    rf"|\bосновали?[а]?\s+(?P<k>{_ANY})(?P<k2>(?:\s*,\s*{_ANY})*(?:\s+и\s+{_ANY})?)"
)
_DID = re.compile(
    rf"(?P<a>{_ANY})(?P<a2>(?:\s*,\s*{_ANY})*(?:,?\s+(?:and|&|und|et|y|e|en|i|a|и)\s+{_ANY})?)\s+(?:co-?)?(?:founded|started|gründete[n]?|haben?\s+[^.]{{2,40}}\s+gegründet|a fondé|ont fondé|fond[èe]rent|fundó|fundaron|fundou|fundaram|ha fondato|hanno fondato|fondò|"
    rf"richtte[n]?|za[łl]o[żz]y[łl][ai]?|za[łl]o[żz]yli|zalo[žz]il[ai]?|основал[аи]?)\b"
)
_IS = re.compile(
    rf"(?P<a>{_ANY})\s*(?:,|\(|–|—|-|\bis\b|\bist\b|\best\b|\bes\b|\bé\b|\bè\b|—)\s*(?:the |our |a |der |die |unser(?:e)? |le |la |el |o |il |notre |nuestr[oa] |de |onze )?(?P<title>(?:[\w-]+\s(?:and|&|und|et|y|e)\s)?(?:co-?founder|founder|(?:mit)?gründer(?:in)?|(?:co-?)?fondat(?:eur|rice|ore)|(?:co)?fundador[a]?|oprichter|za[łl]o[żz]yciel(?:ka)?|zakladatel(?:ka)?|основатель(?:ница)?)\b)"
    rf"|\b(?:[Oo]ur |[Tt]he |[Uu]nser(?:e)? )?(?P<title2>(?:[Cc]o-?)?[Ff]ounders?|(?:Mit)?[Gg]ründer(?:in)?|(?:[Cc]o-?)?[Ff]ondat(?:eur|rice|ore)|(?:[Cc]o)?[Ff]undador[a]?|[Oo]prichter|[Zz]a[łl]o[żz]yciel(?:ka)?|[Zz]akladatel(?:ka)?|[Оо]сновател[ьи](?:ница)?)(?:\s+(?:and|&)\s+(?:CEO|CTO|maintainer|developer))?\s*[:,–—-]?\s+(?P<b>{_ANY})(?P<b2>(?:\s*,\s*{_ANY})*(?:\s+(?:and|&|und|et|y|e|en|i|a|и)\s+{_ANY})?)"
)
_MADE_BY = re.compile(
    rf"^(?:{{name}}\s+(?:is|was|ist|wurde|est|es|é|è|jest)\s+)?(?:proudly |lovingly )?(?:[Mm]ade|[Bb]uilt|[Cc]reated|[Dd]eveloped|[Cc]rafted|[Gg]emacht|[Ee]ntwickelt|[Cc]réé|[Dd]éveloppé|[Cc]onçu|[Cc]reado|[Dd]esarrollado|[Hh]echo|[Cc]riado|[Dd]esenvolvido|[Ff]eito|[Cc]reato|[Ss]viluppato|[Rr]ealizzato|[Gg]emaakt|[Ss]tworzon[aey]|[Vv]ytvořil|[Сс]оздано?)e?"
    rf"(?:\s+(?:with|mit|avec|con|com|met|z|s|с)\s+\S+)?(?:\s+(?:and maintained|and developed|and designed))?\s+(?:by|von|par|por|da|door|przez)?\s*(?P<a>{PERSON})(?P<a2>(?:\s*,\s*{PERSON})*(?:\s+(?:and|&|und|et|y|e|en|i|a)\s+{PERSON})?)(?P<rest>.*)$"
)
_I_AM = re.compile(
    rf"\b(?:I.m|I am|[Mm]y name is|[Ii]ch bin|[Jj]e suis|[Jj]e m.appelle|[Ss]oy|[Mm]e llamo|[Ss]ou|[Ss]ono|[Ii]k ben|[Jj]estem|[Jj]sem)\s+(?P<a>{_ANY})\b[^.!?]{{0,80}}?(?:founder|founded|gründer|fondat|fundad|oprichter|założyciel|zakladatel|creator of|maker of|I (?:built|made|created|started)|built|entwickle|créé|creador|criador)"
)
_CJK_FOUNDER = re.compile(
    rf"(?:共同創業者|創業者|創設者|联合创始人|聯合創辦人|创始人|創辦人|創始人)(?:兼\w{{2,6}})?\s*[:：・/]?\s*(?:の)?\s*(?P<a>{_HAN})(?=[\s、，,。（(・]|$|は|が|氏|先生|女士)|(?P<b>{_HAN})\s*[（(・／/,，、\s]\s*(?:[\w\s]{{0,12}}?)(?:共同創業者|創業者|创始人|創辦人|联合创始人)"
    rf"|由\s*(?P<c>[\u4e00-\u9fff]{{2,4}})(?:(?:和|与|、)(?P<c2>[\u4e00-\u9fff]{{2,4}}))?\s*(?:于|於|在)?[^。]{{0,16}}(?:创立|创办|創立|創辦)|(?P<d>{_HANGUL})\s*(?:공동 ?)?(?:창업자|설립자)|(?:공동 ?)?(?:창업자|설립자)\s*[:：]?\s*(?P<e>{_HANGUL})(?=[\s,.(]|$|가|는|은|이)"
)
_NOT_A_PERSON = re.compile(
    r"\b(?:Inc|LLC|Ltd|GmbH|Labs?|Studios?|Team|Company|Group|Ventures|Capital|University|Institute|Foundation|Technologies|Software|Systems|Solutions|Media|Digital|Agency|Google|Apple|Microsoft|Meta|Amazon|OpenAI|GitHub|"
    r"React|Next|Open|Source|The|Our|We|Read|Learn|More|Contact|About|Home|Privacy|Terms|New|Free|Pro|Plan|Product|Design|Marketing|Engineering|Sales|Support|Chief|Officer|Head|Director|Manager|Developer|Engineer|Designer|"
    r"Founder|Co|CEO|CTO|COO|CFO|Your|My|Their|With|For|And|In|At|On|By|From|Secure|Talk|Book|Request|Meet|Join|Get|Start|App|Store|Play|Web|Cloud|Data|Machine|Learning|Europe|World|Power|Point|Monday|January|February|March|April|June|July|August|September|October|November|December|Martians|Freepik|Flaticon|Unsplash|"
    r"Customer|Customers|Success|Business|Development|Operations|People|Story|Mission|Vision|Values|Award|Forbes|Press|Series|Partner|Partners|Years?|Jahre|Unternehmen|Firma|Société|Empresa|Azienda|School|Academy|Club|Community|Project|Gesellschaft|Verein)\b"
)
_GLUE = re.compile(r"\s*,\s*(?:and\s+)?|\s+(?:and|&|und|et|y|e da|e|en|i|a|и)\s+")
_MAX_CARD_TITLE = 90
_CREDIT = re.compile(r"theme|template|logo|icons?|website|web ?site|photo|illustration|font|design(?:ed)?\b|music|artwork|screenshot|translation|package|thème|vorlage|plantilla|webseite|internetseite|sito web|strona|stránky", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """One founder with the quotes that name him or her."""

    name: str
    title: str | None
    parts: tuple[tuple[Segment, str | None], ...]
    bio: Segment | None = None


def draft_founders(reading: Reading) -> tuple[FounderDraft, ...]:
    """At most six founders, cards before sentences before markup."""
    people: dict[str, FounderDraft] = {}
    for found in _candidates(reading):
        key = squashed(re.sub(r"^(?:(?:Dr|Prof|Ing|Mgr)\.\s)+", "", found.name))
        evidence = reading.quote(*found.parts)
        if not evidence or not _is_person(reading, found.name):
            continue
        known = people.get(key)
        if known is None:
            if len(people) < FOUNDERS:
                people[key] = _draft(reading, found, evidence)
        elif known.title is None and found.title:
            people[key] = _draft(reading, found, evidence)
    return tuple(people.values())


def _draft(reading: Reading, found: Found, evidence: tuple[Evidence, ...]) -> FounderDraft:
    bio = None
    if found.bio is not None:
        bio = shorten(tidy(found.bio.text), FOUNDER_BIO)
        evidence += reading.quote((found.bio, shorten(found.bio.text, 300)))
    title = tidy(found.title)[:FOUNDER_TITLE] if found.title else None
    return FounderDraft(name=tidy(found.name)[:FOUNDER_NAME], title=title, bio=bio, evidence=evidence)


def _is_person(reading: Reading, name: str) -> bool:
    if is_placeholder(name) or _NOT_A_PERSON.search(name) or country_code(name) or city_country(name):
        return False
    return not any(squashed(own) == squashed(name) for own in reading.own.names)


def _candidates(reading: Reading) -> Iterator[Found]:
    for page in reading.site.pages:
        if page.kind in {"comparison", "blog", "jobs"}:
            continue
        yield from _cards(reading, page)
    for sentence in reading.facts:
        if sentence.segment.page <= len(reading.site.pages) and "legal" not in sentence.segment.roles:
            yield from _sentences(reading, sentence)
    for page in reading.site.pages:
        yield from _marked(reading, page)


def _cards(reading: Reading, page: PageText) -> Iterator[Found]:
    texts = page.texts
    for at, segment in enumerate(texts):
        if not TITLE.search(segment.text) or len(segment.text) > _MAX_CARD_TITLE or not states_facts(segment):
            continue
        if "others" in segment.roles or "review" in segment.under and "person" not in segment.roles:
            continue
        same = _name_and_title(segment)
        if same is not None:
            name, title = same
            if _ours(reading, title, segment):
                yield Found(name, title, ((segment, None),), _bio(page, texts, at))
            continue
        if segment.level and len(segment.text) > 40 or not _ours(reading, segment.flat, segment):
            continue
        for near in (at - 1, at + 1):
            if 0 <= near < len(texts) and _is_name(texts[near].flat) and _same_card(page, texts[near], segment):
                other = texts[near]
                bio = _bio(page, texts, max(at, near))
                yield Found(other.flat.strip(), segment.flat, ((other, None), (segment, None)), bio)
                break


def _is_name(text: str) -> bool:
    text = text.strip()
    return bool(re.fullmatch(_ANY, text) or re.fullmatch(_HAN, text) or re.fullmatch(_HANGUL, text))


def _name_and_title(segment: Segment) -> tuple[str, str] | None:
    if len(segment.lines) == 2:
        for name, title in (segment.lines, segment.lines[::-1]):
            if _is_name(name) and TITLE.search(title):
                return name, title
    text = segment.flat
    found = re.match(rf"^[-–—•]?\s*(?P<name>{_ANY}|{_HAN})\s*(?:[,|–—:(/·・（-]|\s)\s*(?P<title>.{{2,80}})$", text)
    if found:
        title = found["title"].strip(" )）")
        told = TITLE.search(title)
        if told and told.start() <= 30 and not re.search(r"\b(?:is|was|has|who|and his|and her)\b", title):
            return found["name"], title
    found = re.match(rf"^(?P<title>[^:：]{{3,40}})\s*[:：–—]\s*(?P<name>{_ANY}|{_HAN})$", text)
    if found and TITLE.search(found["title"]):
        return found["name"], found["title"].strip()
    return None


def _ours(reading: Reading, title: str, segment: Segment) -> bool:
    """Whether a title is one at this company, not at a customer's or an earlier one."""
    if re.search(r"\b(?:ex|former|previously|ehemalig|ancien|ex-)\b", title, re.IGNORECASE) or reading.own.rival_in(title):
        return False
    found = _ELSEWHERE.search(title)
    if found:
        org = found["org"] or found["handle"] or ""
        return reading.own.named_in(title) or reading.own.resembles(org)
    if segment.all_roles & {"person", "about"}:
        return True
    tail = re.search(r",\s+(?P<org>[A-ZÀ-Þ][\w&.-]+(?: [A-Z][\w&.-]+)*)\s*$", title)
    return tail is None or reading.own.named_in(title) or bool(re.match(r"C[A-Z]O\b|Product|Engineering|Design|Technology|Research|Growth|Marketing|Operations", tail["org"]))


def _same_card(page: PageText, one: Segment, two: Segment) -> bool:
    blocks = set(page.climb(one.block))
    for block in page.climb(two.block):
        if block in blocks:
            inside = [s for s in page.inside(block) if s.kind == "text"]
            return len(inside) <= 12 or one.outline[:1] == two.outline[:1] and abs(one.index - two.index) <= 2
    return False


def _bio(page: PageText, texts: tuple[Segment, ...], at: int) -> Segment | None:
    following = texts[at + 1] if at + 1 < len(texts) else None
    if following is None or following.level or not 40 <= len(following.text) * (2 if CJK.search(following.text) else 1) <= FOUNDER_BIO:
        return None
    small = next((b for b in page.climb(texts[at].block) if len([s for s in page.inside(b) if s.kind == "text"]) >= 2), None)
    if small is None or following not in page.inside(small) or len(page.inside(small)) > 8:
        return None
    return following if states_facts(following) and "footer" not in following.roles else None


def _sentences(reading: Reading, sentence: Sentence) -> Iterator[Found]:
    text, segment = sentence.text, sentence.segment
    if len(text) > 500:
        return
    part = ((segment, text if len(text) <= 300 else text[:300]),)
    for pattern in (_BY, _DID, _IS):
        for found in pattern.finditer(text):
            groups = found.groupdict()
            if not _about_us(reading, text, found, pattern) or "others" in segment.roles:
                continue
            title = groups.get("title") or groups.get("title2")
            for name in _names(groups):
                yield Found(name, title, part)
    found = _I_AM.search(text)
    if found and segment.all_roles & {"about", "person", "hero", "footer"} | ({"x"} if segment.page == 1 else set()):
        yield Found(found["a"], None, part)
    yield from _made_by(reading, sentence)
    for found in _CJK_FOUNDER.finditer(text):
        for key in ("a", "b", "c", "c2", "d", "e"):
            if found[key]:
                yield Found(found[key], None, part)


def _names(groups: dict[str, str | None]) -> Iterator[str]:
    for key, value in groups.items():
        if value and len(key) == 1:
            yield value
        elif value and len(key) == 2 and key[1] == "2":
            yield from (name.strip() for name in _GLUE.split(value) if name and re.fullmatch(_ANY, name.strip()))


def _about_us(reading: Reading, text: str, found: re.Match[str], pattern: re.Pattern[str]) -> bool:
    if reading.own.named_in(text):
        before = text[: found.start()]
        return not _CREDIT.search(before[-30:])
    if pattern is _DID:
        return bool(re.search(r"\b(?:us|our|the company|uns|unser|nous|notre|nuestr|noss|nostr|firm|company)\w*\b", text[found.end() :], re.IGNORECASE))
    if pattern is _IS:
        return not _ELSEWHERE.match(text[found.end() :].lstrip(" ,")) and len(text) <= 160 and not re.search(r"\bof\b", text[found.end() : found.end() + 4])
    return found.start() <= 4 or bool(re.search(r"\b(?:we|our|company|it|wir|unternehmen|nous|société|entreprise|empresa|azienda|bedrijf|firma|společnost|компани\w+)\b", text[: found.start()], re.IGNORECASE))


def _made_by(reading: Reading, sentence: Sentence) -> Iterator[Found]:
    text, segment = sentence.text, sentence.segment
    if len(text) > 140 or _CREDIT.search(text):
        return
    for name in ("", *reading.own.names):
        pattern = _MADE_BY.pattern.replace("{name}", re.escape(name)) if name else _MADE_BY.pattern.replace(r"(?:{name}\s+(?:is|was|ist|wurde|est|es|é|è|jest)\s+)?", "")
        found = re.match(pattern, text)
        if found and (name or segment.all_roles & {"footer", "about"}):
            for person in _names(found.groupdict()):
                yield Found(person, None, ((segment, text),))
            return


def _marked(reading: Reading, page: PageText) -> Iterator[Found]:
    by_text = {s.text: s for s in reversed(page.marked) if s.kind == "json_ld"}
    for node in page.nodes:
        if re.search(r"review|author|job|event", node.path, re.IGNORECASE):
            continue
        if node.types & (COMPANY_TYPES | PRODUCT_TYPES | {"WebSite"}):
            for person in all_of(node.data.get("founder")) + all_of(node.data.get("founders")):
                name = first_text(person)
                title = first_text(person.get("jobTitle")) if isinstance(person, dict) else ""
                if name in by_text and _is_name(name):
                    parts: list[tuple[Segment, str | None]] = [(by_text[name], None)]
                    if title in by_text:
                        parts.append((by_text[title], None))
                    yield Found(name, title or None, tuple(parts))
