"""Questions that the site itself answers."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.crawl.segments import is_instruction
from drafts.languages import Shape
from drafts.limits import EVIDENCE_QUOTE, FAQ_ANSWER, FAQ_QUESTION, FAQS
from drafts.writing.measuring import length_of
from drafts.writing.port import Evidence, FaqDraft
from drafts.writing.quoting import cut
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder
from drafts.writing.text import plain, shorten, squashed, tidy

_MARK = re.compile(r"^[\"'“‘«「『].*[?？][\"'”’»」』]$|[?？؟]\s*[+−–\-⌄▾▼+×▸›»^]?$")
_TOGGLE = re.compile(
    r"\s*[+−⌄▾▼＋×▸›^]+$|"
    r"^(?:[+−▾▼＋▸›❓❔\U0001F000-\U0001FAFF]\ufe0f?|Q\d*\s?[.:：]|\d{1,2}[.)]|0\d(?=[^\W\d_]|\s))\s*"
)
_CALL = Shape(r"^¿?{invitation}")
_ANY_QUESTIONS = Shape(r"{questions}\s*[?？]$")
_ANSWER_STOP = frozenset({"footer", "nav", "cta"})
_MAX_PARTS = 6
_NO_QUESTION = 400  # characters; to take signs off longer ones costs their square
_FEW = 3
_ASKED = 15  # a question in full is longer than a doubt in a heading: "An agency?"
_SIGNS = re.compile(r"[+−–\-⌄▾▼＋×▸›]+")


def draft_faqs(reading: Reading) -> tuple[FaqDraft, ...]:
    """At most ten questions: shown ones first, then those of the markup."""
    found: dict[str, FaqDraft] = {}
    for faq in _candidates(reading):
        key = re.sub(r"\W", "", squashed(faq.question))
        if key and key not in found:
            found[key] = faq
        if len(found) >= FAQS:
            break
    return tuple(found.values())


def _candidates(reading: Reading) -> Iterator[FaqDraft]:
    pages = sorted(reading.pages, key=lambda p: (p.kind != "faq", p.index))
    for page in pages:
        yield from _shown(reading, page)
    for page in pages:
        yield from _marked(reading, page)


def _marked(reading: Reading, page: PageText) -> Iterator[FaqDraft]:
    by_text = page.stated
    for node in page.nodes:
        if "FAQPage" not in node.types:
            continue
        for entry in all_of(node.data.get("mainEntity")):
            if not isinstance(entry, dict):
                continue
            question = str(entry.get("name") or "").strip()
            accepted = all_of(entry.get("acceptedAnswer") or entry.get("suggestedAnswer"))
            answer = (
                first_text({"name": accepted[0].get("text")})
                if accepted and isinstance(accepted[0], dict)
                else ""
            )
            segment = by_text.get(question)
            if segment is not None and answer:
                yield from _faq(
                    reading,
                    segment,
                    question,
                    [by_text[answer]] if answer in by_text else [],
                    _without_tags(answer),
                )


def _without_tags(text: str) -> str:
    return re.sub(r"<[^<>]+>", " ", text)


def _shown(reading: Reading, page: PageText) -> Iterator[FaqDraft]:
    texts = page.texts
    starts = [at for at, segment in enumerate(texts) if _asks(page, segment)]
    chosen = _chosen(page, starts)
    shown = {at for at in chosen if not texts[at].hidden}
    answers = {at: list(_answer(page, at, frozenset(starts))) for at in sorted(shown or chosen)}
    if sum(map(bool, answers.values())) * 2 >= len(answers):  # else their answers come by script
        for at, answer in answers.items():
            yield from _faq(reading, texts[at], _question_text(texts[at]), answer, None)
    for segment in texts:
        if _is_under_questions(page, segment) and "instruction" not in segment.roles and not segment.level:
            yield from _in_two_lines(reading, segment)
            if not chosen:
                yield from _in_one_line(reading, segment)


def _chosen(page: PageText, starts: list[int]) -> set[int]:
    texts = page.texts
    in_context = [at for at in starts if _in_faq(page, texts[at])]
    if len(in_context) == 1 and page.kind != "faq" and "faq" not in texts[in_context[0]].under:
        in_context = []
    is_told = len(in_context) >= _FEW or page.kind == "legal"  # a notice asks what its chapters are about
    further = [] if is_told else [at for at in starts if at not in in_context]
    chosen = set(in_context) | set(_series(texts, further))
    above = {head for at in chosen for head in texts[at].outline}
    forms = Counter((texts[at].tag, texts[at].level) for at in chosen)
    most = max(forms.values(), default=0)
    return {
        at
        for at in chosen
        if texts[at].flat not in above
        and (
            most < _FEW or forms[texts[at].tag, texts[at].level] >= _FEW
        )  # few of another form call to write
    }


def _is_under_questions(page: PageText, segment: Segment) -> bool:
    return (page.kind == "faq" or "faq" in segment.all_roles) and not segment.roles & _ANSWER_STOP


def _in_one_line(reading: Reading, segment: Segment) -> Iterator[FaqDraft]:
    """A question and its answer in one line, under a heading for questions."""
    if segment.tag in {"p", "li", "div"} and "faq" in segment.under | segment.roles:
        if _MARK.search(segment.lead):
            yield from _within(reading, segment, segment.lead, segment.flat[len(segment.lead) :].strip())
            return
        found = re.match(r"^(?P<question>[^?？]{6,150}[?？])\s+(?P<answer>\S.{3,})$", segment.flat)
        if found:
            yield from _within(reading, segment, found["question"], found["answer"])


def _in_two_lines(reading: Reading, segment: Segment) -> Iterator[FaqDraft]:
    """A question and its answer in one paragraph, parted by a line break."""
    lines = segment.lines
    if len(lines) >= 2 and segment.tag != "summary" and _MARK.search(lines[0]):
        yield from _within(reading, segment, lines[0], "\n".join(lines[1:]))


def _within(reading: Reading, segment: Segment, question: str, answer: str) -> Iterator[FaqDraft]:
    question = _bare(question)
    if _CALL.match(question):
        return
    for faq in _faq(reading, segment, question, [], answer):
        quote = cut(reading.site, segment, shorten(answer, EVIDENCE_QUOTE))
        yield replace(faq, evidence=(*faq.evidence, quote)) if quote is not None else faq


def _asks(page: PageText, segment: Segment) -> bool:
    is_aside = segment.roles & {"nav", "footer", "form", "sample", "steps"} and (
        page.kind == "faq" or "faq" not in segment.roles
    )
    if "instruction" in segment.roles or is_aside:
        return False
    text = _question_text(segment)
    if not 6 <= len(text) <= FAQ_QUESTION or is_placeholder(text):
        return False
    if segment.tag == "summary" and (page.kind == "faq" or "faq" in segment.under):
        return bool(_MARK.search(segment.text))
    return bool(_MARK.search(text) and not _CALL.match(text) and not _ANY_QUESTIONS.search(text))


def _is_head(segment: Segment) -> bool:
    """Whether a question stands out from the text around it by its own element."""
    return bool(segment.level or segment.tag in {"summary", "dt", "button"} or segment.bold)


def _question_text(segment: Segment) -> str:
    return _bare(segment.flat)


def _bare(text: str) -> str:
    """A question without the numbers and signs around it."""
    while len(text) <= _NO_QUESTION and (shorter := _TOGGLE.sub("", text).strip()) != text:
        text = shorter
    return text


def _in_faq(page: PageText, segment: Segment) -> bool:
    return page.kind == "faq" or bool(segment.all_roles & {"faq", "fold"}) or segment.tag in {"summary", "dt"}


def _series(texts: tuple[Segment, ...], starts: list[int]) -> list[int]:
    """Questions outside of a list of questions count only when at least three of one form stand together."""
    found: list[int] = []
    by_form: dict[tuple[object, ...], list[int]] = {}
    for at in starts:
        segment = texts[at]
        if segment.tag == "td":
            continue  # what follows in a table is the next row
        by_form.setdefault((segment.tag, segment.level, segment.outline), []).append(at)
    for alike in by_form.values():
        first = texts[alike[0]]
        places = alike if _is_head(first) else [at for at in alike if _is_answered(texts, at)]
        if len(places) * 2 < len(alike) or sum(_leads_away(texts, at) for at in places) * 2 > len(places):
            continue  # examples: what follows the last of them answers none; or titles of pages that answer them
        asked = {texts[at].flat for at in places}
        is_long = sum(map(length_of, asked)) >= len(asked) * _ASKED
        if is_long and ((len(asked) >= _FEW and first.level != 2) or len(asked) > _FEW):
            found += places
    return found


def _leads_away(texts: tuple[Segment, ...], at: int) -> bool:
    """Whether a question is a link, or a link follows the first words below it: another page answers it."""
    return any(segment.link for segment in (texts[at], *texts[at + 2 : at + 3]))


def _is_answered(texts: tuple[Segment, ...], at: int) -> bool:
    """Whether a text that is no question follows in a box of its own."""
    following = texts[at + 1] if at + 1 < len(texts) else None
    return following is not None and following.block != texts[at].block and not _MARK.search(following.text)


def _answer(page: PageText, at: int, starts: frozenset[int]) -> Iterator[Segment]:
    texts = page.texts
    question = texts[at]
    last = _last_in_box(page, at)
    is_answered = False
    for place in range(at + 1, min(at + 1 + _MAX_PARTS, len(texts))):
        segment = texts[place]
        if segment.index >= last:
            return
        is_question = place in starts or segment.tag in {"summary", "dt"}
        if is_question and segment.hidden and not question.hidden:
            continue
        if is_question or _ends_answer(question, segment):
            return
        is_tool = segment.tag == "button" or "form" in segment.roles - question.roles
        if is_answered and (segment.link or _CALL.match(segment.text)) and not segment.level:
            return
        if not is_tool and not _SIGNS.fullmatch(segment.text):
            is_answered = True
            yield segment


def _last_in_box(page: PageText, at: int) -> int:
    """Where the smallest block ends that holds a question together with the text after it."""
    texts = page.texts
    worded = (
        s.index
        for s in texts[at + 1 : at + 1 + _MAX_PARTS]
        if len(s.text) > 2 and not (s.hidden and _MARK.search(s.text))
    )
    following = next(worded, texts[at].index)
    for block in page.climb(texts[at].block):
        if page.blocks[block].last > following:
            return page.blocks[block].last
    return len(page.segments)


def _ends_answer(question: Segment, segment: Segment) -> bool:
    if segment.roles & _ANSWER_STOP - question.roles:
        return True
    if segment.level:
        return not question.level or segment.level <= question.level
    return not question.level and segment.outline != question.outline


def _faq(
    reading: Reading, segment: Segment, question: str, parts: list[Segment], answer: str | None
) -> Iterator[FaqDraft]:
    text = answer if answer is not None else "\n".join(part.text for part in parts)
    text = text.strip()
    if len(text) < 2 or any("instruction" in part.roles for part in parts) or is_placeholder(text + question):
        return
    if is_instruction(question) or is_instruction(text) or plain(text) == plain(question):
        return
    asked = cut(reading.site, segment, question if question in segment.text else None)
    if asked is None:
        return
    evidence: list[Evidence] = [asked]
    for part in parts[:3]:
        quote = cut(reading.site, part, shorten(part.text, EVIDENCE_QUOTE))
        if quote is not None:
            evidence.append(quote)
    yield FaqDraft(
        question=tidy(question)[:FAQ_QUESTION], answer=_answer_text(text), evidence=tuple(evidence)
    )


def _answer_text(text: str) -> str:
    text = re.sub(r"^A\s?[:.：]\s*", "", text)
    return shorten("\n".join(tidy(line) for line in text.split("\n") if line.strip()), FAQ_ANSWER)
