"""Founders: people whom the site itself calls so, in markup, on cards or in sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.languages import Shape
from drafts.limits import FOUNDER_BIO, FOUNDER_NAME, FOUNDER_TITLE, FOUNDERS
from drafts.writing.countries import city_country, country_code
from drafts.writing.cues.companies import COMPANY, LEGAL_FORM, US
from drafts.writing.cues.people import (
    ANY,
    AT_COMPANY,
    BY,
    CJK_FOUNDER,
    CLAUSE,
    CREDIT,
    DEPARTMENT,
    DID,
    ELSEWHERE,
    FORMER,
    FOUNDER_WORD,
    HAN,
    HONORIFIC,
    I_AM,
    I_AM_NAMED,
    I_FOUNDED,
    IS,
    IS_NAME,
    IT,
    MADE_BY,
    NOT_A_PERSON,
    TITLE,
    WAS,
)
from drafts.writing.port import Evidence, FounderDraft
from drafts.writing.reading import Reading, Sentence
from drafts.writing.roles import is_placeholder, states_facts
from drafts.writing.sense import is_known
from drafts.writing.text import CJK, folded, sentences, shorten, squashed, tidy

_MAX_CARD_TITLE = 90
_PARAGRAPH = 2000
_CARD_PARTS = 8
_CARD = 12
_NAMED = Shape(
    rf"^[-–—•]?\s*(?P<name>(?:{{any}})|{HAN})\s*(?:[,|–—:(/·・（-]|\s)\s*(?P<title>.{{2,80}})$",
    flags=0,
    any=ANY,
)
_LABELLED = Shape(rf"^(?P<title>[^:：]{{3,40}})\s*[:：–—]\s*(?P<name>(?:{{any}})|{HAN})$", flags=0, any=ANY)
_LABEL = re.compile(r"^[^\W\d_]{2,12}\s?[:：]\s*")
_FOUNDERS_HEAD = Shape(r"^\W*{founders}\W*$", r"^\W*(?:\w+\s+)?{own}\s+{founders}\W*$")
"""A heading that calls everybody below it a founder."""
_NOTICE = Shape(r"{title_notice}")
_HEAD = 40
_BIO = 40
_CAPITAL = re.compile(r"(?<!\w)[A-ZÀ-Þ]\w+\s$")
_FIRST_SENTENCE = re.compile(r"(?<=[a-zà-ÿ)])\.(?:\s|$)")


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
        key = squashed(HONORIFIC.compiled.sub("", found.name, count=1))
        evidence = reading.quote(*found.parts)
        if not evidence or not _is_person(reading, found.name):
            continue
        key = next((one for one in people if _is_same(found.name, people[one].name)), key)
        known = people.get(key)
        if known is None:
            if len(people) < FOUNDERS:
                people[key] = _draft(reading, found, evidence)
        elif known.title is None and found.title:
            people[key] = _draft(reading, found, evidence)
    return tuple(people.values())


def _is_same(one: str, two: str) -> bool:
    """Whether two names are of one person: the same first and last name, with or without names between."""
    names, others = folded(one).split(), folded(two).split()
    return min(len(names), len(others)) > 1 and (names[0], names[-1]) == (others[0], others[-1])


def _draft(reading: Reading, found: Found, evidence: tuple[Evidence, ...]) -> FounderDraft:
    bio = None
    if found.bio is not None:
        bio = shorten(tidy(found.bio.text), FOUNDER_BIO)
        evidence += reading.quote((found.bio, shorten(found.bio.text, 300)))
    title = tidy(found.title)[:FOUNDER_TITLE] if found.title else None
    return FounderDraft(name=tidy(found.name)[:FOUNDER_NAME], title=title, bio=bio, evidence=evidence)


def _is_person(reading: Reading, name: str) -> bool:
    if re.search(r"(?:^|\s)[A-Z]\.?$", name) or _is_company(reading, name):
        return False
    if is_placeholder(name) or NOT_A_PERSON.search(name) or country_code(name) or city_country(name):
        return False
    return not any(squashed(own) == squashed(name) for own in reading.own.names)


def _is_company(reading: Reading, name: str) -> bool:
    form = re.compile(rf"{re.escape(name)}[,.]? ?{LEGAL_FORM}(?![\w-])")
    return any(form.search(s.text) for page in reading.site.pages for s in page.texts if name in s.text)


def _candidates(reading: Reading) -> Iterator[Found]:
    for page in reading.pages:
        yield from _cards(reading, page)
    for sentence in reading.facts:
        if "legal" not in sentence.segment.roles:
            yield from _sentences(reading, sentence)
    for page in reading.site.pages:
        yield from _marked(reading, page)


def _cards(reading: Reading, page: PageText) -> Iterator[Found]:
    texts = page.texts
    if page.kind == "legal" and not any(
        map(_NOTICE.search, (page.title, *(s.text for s in texts if s.level)))
    ):
        return  # who holds data is named there
    for at, segment in enumerate(texts):
        reading.check()
        if len(segment.lines) > 2 and states_facts(segment):
            yield from _in_lines(segment)
        yield from _under_founders(reading, texts, at)
        if not _may_title(segment):
            continue
        same = _name_and_title(segment)
        if same is None:
            yield from _beside(reading, page, at)
        elif _ours(reading, same[1], segment):
            yield Found(same[0], same[1], ((segment, None),), _bio(page, texts, at))


def _under_founders(reading: Reading, texts: tuple[Segment, ...], at: int) -> Iterator[Found]:
    """A name as a heading, with what that person does, under a heading that speaks of the founders."""
    segment = texts[at]
    above = segment.outline[-1] if segment.level and segment.outline else ""
    if not (_is_name(segment.flat) and is_known(segment.flat) and states_facts(segment)):
        return
    if len(above) > _HEAD or "review" in segment.all_roles or not _FOUNDERS_HEAD.match(above):
        return
    head = next((s for s in texts[max(0, at - _HEAD) : at] if s.level and s.flat == above), None)
    below = next((s for s in texts[at + 1 : at + 2] if not s.level and len(s.text) <= _HEAD), None)
    told = below if below is not None and _ours(reading, below.flat, segment) else None
    if head is not None:
        parts = tuple((s, None) for s in (segment, told, head) if s is not None)
        yield Found(segment.flat, told.flat if told is not None else None, parts)


def _in_lines(segment: Segment) -> Iterator[Found]:
    """`Owner: Name` as one line of several."""
    for line in segment.lines:
        found = _LABELLED.match(line)
        if found and _labels(found):
            yield Found(found["name"], found["title"].strip(), ((segment, line),))


def _may_title(segment: Segment) -> bool:
    if not TITLE.search(segment.text) or len(segment.text) > _MAX_CARD_TITLE or not states_facts(segment):
        return False
    return "review" not in segment.under or "person" in segment.roles


def _beside(reading: Reading, page: PageText, at: int) -> Iterator[Found]:
    """The name that stands before or after a title in the same box."""
    texts, segment = page.texts, page.texts[at]
    if (segment.level and len(segment.text) > 40) or not _ours(reading, segment.flat, segment):
        return
    for near in (at - 1, at + 1):
        other = texts[near] if 0 <= near < len(texts) else None
        name = _LABEL.sub("", other.flat).strip() if other is not None else ""
        if other is not None and _is_name(name) and _same_card(page, other, segment):
            bio = _bio(page, texts, max(at, near))
            title = _FIRST_SENTENCE.split(_LABEL.sub("", segment.flat), maxsplit=1)[0]
            yield Found(name, title, ((other, None), (segment, None)), bio)
            return


def _is_name(text: str) -> bool:
    return IS_NAME.fullmatch(text.strip()) is not None


def _name_and_title(segment: Segment) -> tuple[str, str] | None:
    if len(segment.lines) > 2:
        return None
    if len(segment.lines) == 2:
        for name, title in (segment.lines, segment.lines[::-1]):
            if _is_name(name) and TITLE.search(title):
                return name, title
    return _in_one_line(segment)


def _in_one_line(segment: Segment) -> tuple[str, str] | None:
    text = segment.flat
    found = _NAMED.match(text)
    if found:
        title = found["title"].strip(" )）")
        told = TITLE.search(title)
        if told and title.endswith("."):
            title = title[: told.end()] + re.split(r"[,.;]", title[told.end() :], maxsplit=1)[0]
        if told and told.start() <= 30 and not CLAUSE.search(title):
            return found["name"], title.strip()
    found = _LABELLED.match(text)
    return (found["name"], found["title"].strip()) if found and _labels(found) else None


def _labels(found: re.Match[str]) -> bool:
    told = TITLE.search(found["title"])
    return told is not None and not _of_a_thing(found["title"][: told.start()], found["name"])


def _of_a_thing(before: str, name: str) -> bool:
    """Whether the word for a founder ends what a programme or a plan is called, and no known name follows."""
    return bool(_CAPITAL.search(before)) and not (CJK.search(name) or is_known(name))


def _ours(reading: Reading, title: str, segment: Segment) -> bool:
    """Whether a title is one at this company, not at a customer's or an earlier one."""
    if FORMER.search(title) or reading.own.rival_in(title):
        return False
    found = ELSEWHERE.search(title)
    if found:
        return reading.own.named_in(title) or _names_us(reading, found)
    if COMPANY.search(title) and not reading.own.named_in(title):
        return False
    if segment.all_roles & {"person", "about"}:
        return True
    tail = re.search(r",\s+(?P<org>[A-ZÀ-Þ][\w&.-]+(?: [A-Z][\w&.-]+)*)\s*$", title)
    return tail is None or reading.own.named_in(title) or bool(DEPARTMENT.match(tail["org"]))


def _names_us(reading: Reading, found: re.Match[str]) -> bool:
    """Whether the organisation beside a title is this one."""
    org = found["org"] or found["handle"] or ""
    return reading.own.named_in(org) or reading.own.resembles(org)


def _same_card(page: PageText, one: Segment, two: Segment) -> bool:
    blocks = set(page.climb(one.block))
    for block in page.climb(two.block):
        if block in blocks:
            return len(page.texts_in(block, most=_CARD + 1)) <= _CARD or (
                one.outline[:1] == two.outline[:1] and abs(one.index - two.index) <= 2
            )
    return False


def _bio(page: PageText, texts: tuple[Segment, ...], at: int) -> Segment | None:
    """The text about a person that stands with the name in one small box."""
    following = texts[at + 1] if at + 1 < len(texts) else None
    if following is None or following.level or not states_facts(following) or "footer" in following.roles:
        return None
    weight = 2 if CJK.search(following.text) else 1
    small = next((b for b in page.climb(texts[at].block) if page.blocks[b].last > following.index), 0)
    box = page.blocks[small]
    if box.tag in {"body", "main", "section", "article", "[document]"} or box.last - box.first > _CARD_PARTS:
        return None
    return following if _BIO <= len(following.text) * weight <= FOUNDER_BIO else None


def _sentences(reading: Reading, sentence: Sentence) -> Iterator[Found]:
    text = sentence.text
    if len(text) > 500 or not FOUNDER_WORD.search(text):
        return
    for pattern in (BY, DID, IS):
        for found in pattern.finditer(text):
            if _about_us(reading, text, found, pattern):
                groups = found.groupdict()
                names = list(_names(groups))
                title = groups.get("title") or (groups.get("title2") if len(names) == 1 else None)
                yield from (
                    Found(name, title, sentence.parts)
                    for name in names
                    if not _of_a_thing(text[: found.start()], name)
                )
    yield from _in_first_person(reading, sentence)
    yield from _made_by(reading, sentence)
    for found in CJK_FOUNDER.finditer(text):
        yield from (Found(name, None, sentence.parts) for name in found.groups() if name)


def _in_first_person(reading: Reading, sentence: Sentence) -> Iterator[Found]:
    segment = sentence.segment
    found = I_AM.search(sentence.text)
    if not found:
        yield from _told_before(reading, sentence)
    elif segment.page == 1 or segment.all_roles & {"about", "person", "hero", "footer"}:
        yield Found(found["a"], None, sentence.parts)


def _told_before(reading: Reading, sentence: Sentence) -> Iterator[Found]:
    """`I'm Name.` in one sentence and `I started Product` in a later one of the same paragraph."""
    began = I_FOUNDED.search(sentence.text)
    if not began or not reading.own.named_in(sentence.text[began.end() :]):
        return
    segment = sentence.segment
    if len(segment.text) > _PARAGRAPH:
        return
    before = [
        text for text in sentences(segment.text) if segment.text.find(text) < segment.text.find(sentence.text)
    ]
    for text in before:
        found = I_AM_NAMED.match(text)
        if found:
            yield Found(found["a"], None, ((segment, text), (segment, shorten(sentence.text, 300))))


def _names(groups: dict[str, str | None]) -> Iterator[str]:
    for key, value in groups.items():
        if value and len(key) == 1:
            yield value
        elif value and len(key) == 2 and key[1] == "2":
            yield from ANY.compiled.findall(re.sub(r"\([^)]{0,200}\)", " , ", value))


def _about_us(reading: Reading, text: str, found: re.Match[str], pattern: Shape) -> bool:
    elsewhere = ELSEWHERE.match(text[found.end() :].lstrip(" ,")) if pattern is IS else None
    if elsewhere and not _names_us(reading, elsewhere):
        return False
    if reading.own.named_in(text):
        return not CREDIT.search(text[: found.start()][-30:])
    if pattern is DID:
        return bool(US.search(text[found.end() :]))
    if pattern is IS:
        after = text[found.end() :]
        return len(text) <= 160 and not ELSEWHERE.match(after.lstrip(" ,")) and not AT_COMPANY.match(after)
    before = text[: found.start()]
    return found.start() <= 4 or bool(US.search(before) or COMPANY.search(before) or IT.match(text))


def _made_by(reading: Reading, sentence: Sentence) -> Iterator[Found]:
    text, segment = sentence.text, sentence.segment
    if len(text) > 140 or CREDIT.search(text):
        return
    for name in ("", *reading.own.names):
        rest = text
        if name:
            was = (
                WAS.match(text[len(name) :].lstrip()) if text.casefold().startswith(name.casefold()) else None
            )
            rest = text[len(name) :].lstrip()[was.end() :] if was else ""
        found = MADE_BY.match(rest)
        if found and (name or segment.all_roles & {"footer", "about"}):
            for person in _names(found.groupdict()):
                yield Found(person, None, sentence.parts)
            return


def _marked(reading: Reading, page: PageText) -> Iterator[Found]:
    by_text = page.stated
    for node in page.nodes:
        told = all_of(node.data.get("founder")) + all_of(node.data.get("founders"))
        for person in told if reading.own.is_node(node) else ():
            name = first_text(person)
            title = first_text(person.get("jobTitle")) if isinstance(person, dict) else ""
            if name in by_text and _is_name(name):
                titled = [by_text[title]] if title in by_text else []
                yield Found(name, title or None, tuple((s, None) for s in (by_text[name], *titled)))
