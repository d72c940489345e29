"""Founders: people whom the site itself calls so, in markup, on cards or in sentences."""

import re
from collections.abc import Iterator, Sequence

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.languages import Shape
from drafts.limits import FOUNDER_BIO, FOUNDER_NAME, FOUNDER_TITLE, FOUNDERS
from drafts.writing.cues import people as cues
from drafts.writing.cues.people import COMPANY, LEGAL_FORM, US
from drafts.writing.measuring import length_of
from drafts.writing.port import FounderDraft
from drafts.writing.reading import Reading, Sentence
from drafts.writing.roles import is_placeholder, is_quoted, states_facts
from drafts.writing.support import site_language
from drafts.writing.text import folded, shorten, squashed, tidy

_MAX_CARD_TITLE = 90
_CARD_PARTS = 8
_CARD = 12
_NAMED = Shape(
    rf"^[-–—•]?\s*(?P<name>(?:{{any}})|{cues.HAN})\s*(?P<mark>[,|–—:(/·・（-]|\s)\s*(?P<title>.{{2,80}})$",
    flags=0,
    any=cues.ANY,
)
_LABELLED = Shape(
    rf"^(?P<title>[^:：]{{3,40}})\s*[:：–—]\s*(?P<name>(?:{{any}})|{cues.HAN})$", flags=0, any=cues.ANY
)
_LABEL = re.compile(r"^[^\W\d_]{2,12}\s?[:：]\s*")
_NOTICE = Shape(r"{title_notice}")
_BIO = 40
_SHORT_NAME = 3
_NOUNS_LARGE = "de"
"""Where every noun is written as a name is: there one of the names of the world has to be among the words."""
_OFTEN = 8
"""What stands on one page more often than this is a mark of its rows."""
_LARGE = frozenset({"body", "main", "section", "article", "[document]"})
_DASHED = re.compile(r"\w\s[–—|-]\s[A-ZÀ-Þ]")
_CAPITAL = re.compile(r"(?<!\w)[A-ZÀ-Þ]\w+\s$")
_MENUS = frozenset({"nav", "footer", "header"})
Part = tuple[Segment, str | None]


def draft_founders(reading: Reading) -> tuple[FounderDraft, ...]:
    """At most six founders, cards before sentences before markup."""
    people: list[FounderDraft] = []
    for result in _candidates(reading):
        is_new = not any(_is_same(result, entry) for entry in people)
        if is_new and _is_person(reading, result.name) and len(people) < FOUNDERS:
            people.append(result)
    return tuple(people)


def _is_same(this: FounderDraft, two: FounderDraft) -> bool:
    """Whether two are one person: of one first name, in full or short, and one last name, or named once more."""
    names, others = (folded(cues.HONORIFIC.compiled.sub("", p.name, count=1)).split() for p in (this, two))
    short, long = sorted(("".join(names[:1]), "".join(others[:1])), key=len)  # none of a title alone
    is_first = short == long or (len(short) >= _SHORT_NAME and long.startswith(short))
    # where a title begins with the other's name, it is the same one in another script
    is_named = any((a.title or "").startswith(b.name) for a, b in ((this, two), (two, this)))
    return is_named or squashed(this.name) == squashed(two.name) or (is_first and names[-1:] == others[-1:])


def _founder(
    reading: Reading, name: str, title: str | None, *parts: Part, bio: Segment | None = None
) -> FounderDraft:
    notes = [(bio, shorten(bio.text, 300))] if bio is not None else []
    sides = re.split(r"\s[–—|-]\s", title or "")
    others = [side for side in sides if not reading.own.named_in(side)]
    title = others[0] if len(sides) == 2 and len(others) == 1 else title
    return FounderDraft(
        name=tidy(name)[:FOUNDER_NAME],
        title=tidy(title)[:FOUNDER_TITLE] if title else None,
        bio=shorten(tidy(bio.text), FOUNDER_BIO) if bio is not None else None,
        evidence=reading.quote(*parts, *notes),
    )


def _is_person(reading: Reading, name: str) -> bool:
    if re.search(r"(?:^|\s)[A-Z]\.?$", name) or is_placeholder(name) or cues.NOT_A_PERSON.search(name):
        return False
    company = re.compile(rf"{re.escape(name)}[,.]? ?{LEGAL_FORM}(?![\w-])")
    texts = (s.text for page in reading.site.pages for s in page.texts)
    is_company = COMPANY.search(name) or any(map(company.search, texts))
    is_own = squashed(name) in map(squashed, reading.own.names)
    is_noun = not cues.has_first_name(name) and site_language(reading.site) == _NOUNS_LARGE
    is_label = is_noun or any(sum(s.flat == name for s in page.texts) > _OFTEN for page in reading.site.pages)
    return not (is_company or is_own or is_label) and cues.names_person(
        name, "\n".join(p.text for p in reading.site.pages)
    )


def _candidates(reading: Reading) -> Iterator[FounderDraft]:
    for page in reading.pages:
        heads = (page.title, *(s.text for s in page.texts if s.level))
        if page.kind != "legal" or any(map(_NOTICE.search, heads)):  # else who holds data is named there
            yield from _cards(reading, page)
    for sentence in reading.facts:
        yield from _sentences(reading, sentence)
    for page in reading.site.pages:
        yield from _marked(reading, page)


def _cards(reading: Reading, page: PageText) -> Iterator[FounderDraft]:
    for at, segment in enumerate(page.texts):
        if not states_facts(segment):
            continue
        for line in segment.lines if len(segment.lines) > 2 else ():
            if labelled := _labelled(line):
                yield _founder(reading, *labelled, (segment, line))
        is_entry = segment.link and segment.roles & _MENUS
        is_card = ("review" not in segment.under or "person" in segment.roles) and not is_entry
        if is_card and len(segment.text) <= _MAX_CARD_TITLE and cues.TITLE.search(segment.text):
            named = _named(segment)
            if named is None:
                yield from _beside(reading, page, at)
            elif _ours(reading, named[1], segment):
                yield _founder(reading, *named, (segment, None), bio=_bio(page, at))


def _beside(reading: Reading, page: PageText, at: int) -> Iterator[FounderDraft]:
    """The name that stands before or after a title in the same box."""
    texts, segment = page.texts, page.texts[at]
    if (segment.level and len(segment.text) > 40) or not _ours(reading, segment.flat, segment):
        return
    above = texts[at - 2].text if at > 1 else ""
    if is_quoted(above) and _DASHED.search(segment.flat) and not reading.own.named_in(segment.flat):
        return  # a customer, with the company that is theirs
    for others in (
        texts[max(0, at - 1) : at],
        texts[at + 1 : at + 2],
        _two_heads(texts[max(0, at - 2) : at]),
    ):
        name = " ".join(_LABEL.sub("", other.flat).strip() for other in others)
        other = others[0] if others else segment
        if cues.IS_NAME.fullmatch(name) and _same_card(page, other, segment):
            title = _LABEL.sub("", segment.flat)
            bio = _bio(page, max(at, texts.index(other)))
            yield _founder(reading, name, title, *((s, None) for s in others), (segment, None), bio=bio)
            return


def _two_heads(before: Sequence[Segment]) -> Sequence[Segment]:
    """The two headings right above, a word each: a first and a last name."""
    is_name = all(s.level and len(s.flat.split()) == 1 for s in before)
    return before if is_name and len(before) > 1 else ()


def _named(segment: Segment) -> tuple[str, str] | None:
    if len(lines := segment.lines) == 2 and cues.IS_NAME.fullmatch(lines[0]) and cues.TITLE.search(lines[1]):
        return lines[0], lines[1]
    if match := _NAMED.match(segment.flat):
        title = match["title"].strip(" )）")
        notes = cues.TITLE.search(title)
        if notes and match["mark"].isspace() and notes.start() and title[0].islower():
            return None  # a sentence goes on
        if notes and title.endswith("."):
            title = title[: notes.end()] + re.split(r"[,.;—–(]", title[notes.end() :], maxsplit=1)[0]
        if notes:
            return match["name"], title.strip()
    return _labelled(segment.flat)


def _labelled(text: str) -> tuple[str, str] | None:
    match = _LABELLED.match(text)
    notes = cues.TITLE.search(match["title"]) if match else None
    is_person = match and notes and not _is_called(match["title"][: notes.start()], match["name"])
    return (match["name"], match["title"].strip()) if match and is_person else None


def _is_called(before: str, name: str) -> bool:
    """Whether the word for a founder ends what a programme or a plan is called, and no known name follows."""
    return bool(_CAPITAL.search(before)) and not cues.has_first_name(name)


def _ours(reading: Reading, title: str, segment: Segment) -> bool:
    """Whether a title is one at this company, not at a customer's or an earlier one."""
    if cues.FORMER.search(title) or reading.own.rival_in(title):
        return False
    if elsewhere := cues.ELSEWHERE.search(title):
        return _names_us(reading, elsewhere)
    if COMPANY.search(title) and not reading.own.named_in(title):
        return False
    tail = re.search(r",\s+(?P<org>[A-ZÀ-Þ][\w&.-]+(?: [A-Z][\w&.-]+)*)\s*$", title)
    is_at_home = segment.all_roles & {"person", "about"} or tail is None
    return bool(is_at_home) or reading.own.named_in(title)


def _names_us(reading: Reading, hit: re.Match[str]) -> bool:
    """Whether the organisation beside a title is this one."""
    return reading.own.resembles(hit["org"])


def _same_card(page: PageText, this: Segment, two: Segment) -> bool:
    blocks = set(page.climb(this.block))
    shared = next((block for block in page.climb(two.block) if block in blocks), 0)
    return len(page.texts_in(shared, most=_CARD + 1)) <= _CARD


def _bio(page: PageText, at: int) -> Segment | None:
    """The text about a person that stands with the name in one small box."""
    for following in page.texts[at + 1 : at + 2]:
        around = map(page.blocks.__getitem__, page.climb(page.texts[at].block))
        box = next((block for block in around if block.last > following.index), page.blocks[0])
        is_small = box.tag not in _LARGE and box.last - box.first <= _CARD_PARTS
        is_prose = length_of(following.text) >= _BIO and len(following.text) <= FOUNDER_BIO
        if is_small and is_prose and not following.level and states_facts(following):
            return following
    return None


def _sentences(reading: Reading, sentence: Sentence) -> Iterator[FounderDraft]:
    text = sentence.text
    if len(text) > 500 or not cues.FOUNDER_WORD.search(text):
        return
    for pattern in (cues.BY, cues.DID, cues.IS):
        for result in pattern.finditer(text):
            groups = result.groupdict()
            names = list(_names(groups)) if _about_us(reading, text, result, pattern) else []
            title = groups.get("title") or (groups.get("title2") if len(names) == 1 else None)
            people = (name for name in names if not _is_called(text[: result.start()], name))
            yield from (_founder(reading, name, title, *sentence.parts) for name in people)
    yield from _made_by(reading, sentence)


def _names(groups: dict[str, str | None]) -> Iterator[str]:
    for key, value in groups.items():
        if value and len(key) == 1:
            yield value
        elif value and key[1:] == "2":
            yield from cues.ANY.compiled.findall(re.sub(r"\([^)]{0,200}\)", " , ", value))


def _about_us(reading: Reading, text: str, hit: re.Match[str], pattern: Shape) -> bool:
    before, after = text[: hit.start()], text[hit.end() :].lstrip(" ,")
    elsewhere = cues.ELSEWHERE.match(after) if pattern is cues.IS else None
    if elsewhere and not _names_us(reading, elsewhere):
        return False
    if reading.own.named_in(text):
        return not cues.CREDIT.search(before[-30:])
    if pattern is cues.DID:
        return bool(US.search(after))
    if pattern is cues.IS and len(text) <= 160:
        return True
    return len(before) <= 4 or bool(US.search(before) or COMPANY.search(before))


def _made_by(reading: Reading, sentence: Sentence) -> Iterator[FounderDraft]:
    text, rests = sentence.text, []
    if len(text) > 140 or cues.CREDIT.search(text):
        return
    if sentence.segment.all_roles & {"footer", "about"}:
        rests.append(text)
    for name in reading.own.names:
        rest = text[len(name) :].lstrip()
        if text.casefold().startswith(name.casefold()) and (was := cues.WAS.match(rest)):
            rests.append(rest[was.end() :])
    for result in [made for rest in rests if (made := cues.MADE_BY.match(rest))][:1]:
        yield from (_founder(reading, person, None, *sentence.parts) for person in _names(result.groupdict()))


def _marked(reading: Reading, page: PageText) -> Iterator[FounderDraft]:
    for node in page.nodes:
        notes = all_of(node.data.get("founder")) + all_of(node.data.get("founders"))
        for person in notes if reading.own.is_node(node) else ():
            name = first_text(person)
            title = first_text(person.get("jobTitle")) if isinstance(person, dict) else ""
            if name in page.stated and cues.IS_NAME.fullmatch(name):
                parts = ((page.stated[entry], None) for entry in (name, title) if entry in page.stated)
                yield _founder(reading, name, title, *parts)
