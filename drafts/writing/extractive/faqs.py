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
from drafts.writing.port import FaqDraft
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder
from drafts.writing.support import language_of
from drafts.writing.text import CJK, asks, plain, shorten, squashed, tidy

_MARK = re.compile(r"^[\"'“‘«「『].*[?？][\"'”’»」』]$|[?？؟]\s*[+−–\-⌄▾▼+×▸›»^]?$")
_TOGGLE = re.compile(
    r"\s*[+−⌄▾▼＋×▸›^]+$|"
    r"^(?:[+−▾▼＋▸›❓❔\U0001F000-\U0001FAFF]\ufe0f?|Q\d*\s?[.:：]|\d{1,2}[.)]|0\d(?=[^\W\d_]|\s))\s*"
)
_CALL = Shape(r"^¿?{invitation}")
_ANY_QUESTIONS = Shape(r"{questions}\s*[?？]$")
_PARTED = re.compile(
    r"^(?P<question>(?:[^?？]{2,40}?[.!]\s)?(?:[^?？.]|\.\S){6,150}[?？])\s+(?P<answer>\S.{3,})$", re.DOTALL
)
_ASIDE = frozenset({"instruction", "nav", "footer", "form", "sample", "steps"})
_ANSWER_STOP = frozenset({"footer", "nav", "cta"})
_OPENING = frozenset({"summary", "button"})
_MAX_PARTS = 6
_NO_QUESTION = 400  # characters; to take signs off longer ones costs their square
_FEW, _FEW_WORDS = 3, 4
_TELLING = 12
"""From so many letters on an answer tells that a question is one of before, which markup or another page words anew."""
_ALIKE = 60
_LABELLED = re.compile(r"[^\W\d_]{1,12}\s?[:：]\s+(?=\S)")
_QUOTED = re.compile(r"[«“„\"](?P<question>[^«»“”„\"]+)[»”“\"]")
_SIGNS = re.compile(r"[+−–\-⌄▾▼＋×▸›]+")


def draft_faqs(reading: Reading) -> tuple[FaqDraft, ...]:
    """At most ten questions: shown ones first, then those of the markup; none a second time in other words."""
    pages = sorted(reading.pages, key=lambda p: (p.index in reading.translated, p.kind != "faq", p.index))
    result: dict[str, FaqDraft] = {}
    answers: dict[str, object] = {}
    languages: set[str] = set()
    rows = (
        ((find, page.index), faq)
        for find in (_visible, _marked)
        for page in pages
        for faq in find(reading, page)
    )
    for source, faq in rows:
        key, answer = (re.sub(r"\W", "", squashed(text)) for text in (faq.question, faq.answer))
        answer = answer[:_ALIKE]
        language = language_of(faq.question + faq.answer)
        is_translated = source[1] in reading.translated and languages and language not in languages
        is_again = len(answer) >= _TELLING and answers.get(answer, source) != source
        if not (key in result or is_again or is_translated):
            result[key] = faq
            answers.setdefault(answer, source)
            languages.add(language)
        if len(result) >= FAQS:
            break
    return _unlabelled(tuple(result.values()))


def _unlabelled(faqs: tuple[FaqDraft, ...]) -> tuple[FaqDraft, ...]:
    """The answers without the word before a colon that all of them begin with."""
    labels = {label[0] if (label := _LABELLED.match(faq.answer)) else "" for faq in faqs}
    cut = len(labels.pop()) if len(labels) == 1 and len(faqs) > 1 else 0
    return tuple(replace(faq, answer=faq.answer[cut:]) for faq in faqs)


def _marked(reading: Reading, page: PageText) -> Iterator[FaqDraft]:
    for node in page.nodes:
        question = first_text(node.data.get("name"))
        for answer in all_of(node.data.get("acceptedAnswer"))[:1] if "Question" in node.types else ():
            text = first_text(answer.get("text") if isinstance(answer, dict) else answer)
            parts = [page.stated[entry] for entry in (question, text) if entry in page.stated]
            if question in page.stated and text:
                yield from _faq(
                    reading, question, re.sub(r"<[^<>]+>", " ", text), *((s, None) for s in parts)
                )


def _visible(reading: Reading, page: PageText) -> Iterator[FaqDraft]:
    texts = page.texts
    starts = frozenset(at for at, segment in enumerate(texts) if _asks(page, segment))
    chosen = _chosen(page, sorted(starts))
    visible = {at for at in chosen if not texts[at].hidden}
    answers = {at: list(_answer(page, at, starts)) for at in sorted(visible or chosen)}
    is_answered = sum(map(bool, answers.values())) * 2 >= len(answers)  # else the answers come by script
    for at, answer in answers.items() if is_answered else ():
        question = _bare(texts[at].flat)
        asking = (texts[at], question if question in texts[at].text else None)
        reply = "\n".join(part.text for part in answer)
        yield from _faq(reading, question, reply, asking, *((part, None) for part in answer))
    for segment in texts:
        result = _PARTED.match(segment.text) if segment.tag in {"p", "li", "div"} else None
        is_answer = "faq" in segment.all_roles and not segment.roles & _ASIDE
        if result and is_answer and ("\n" in segment.text or not chosen):
            question, reply = _bare(result["question"]), result["answer"]
            if not _CALL.match(question):
                quoted = (segment, shorten(reply, EVIDENCE_QUOTE))
                yield from _faq(reading, question, reply, (segment, question), quoted)


def _chosen(page: PageText, starts: list[int]) -> set[int]:
    texts = page.texts
    in_context = [
        at
        for at in starts
        if page.kind == "faq" or texts[at].all_roles & {"faq", "fold"} or texts[at].tag in {"summary", "dt"}
    ]
    if len(in_context) == 1 and "faq" not in texts[in_context[0]].under:
        in_context = []
    is_answer = len(in_context) >= _FEW or page.kind == "legal"  # a notice asks what its chapters are about
    chosen = {*in_context, *(() if is_answer else _series(texts, starts))}
    forms = Counter((texts[at].tag, texts[at].level) for at in chosen)
    if max(forms.values(), default=0) < _FEW:
        return chosen
    often = {form for form, count in forms.items() if count >= _FEW}  # others call to write
    often -= {("li", 0)} if len(often) > 1 else set()  # what an answer asks back
    return {at for at in chosen if (texts[at].tag, texts[at].level) in often}


def _asks(page: PageText, segment: Segment) -> bool:
    """Whether a text is a question, or what opens among the questions and is a whole sentence: what goes wrong."""
    text = _bare(segment.flat)
    if segment.roles & _ASIDE or not 6 <= len(text) <= FAQ_QUESTION:
        return False
    is_listed = segment.tag in _OPENING and (page.kind == "faq" or "faq" in segment.under)
    if not (_MARK.search(text) or asks(text)):
        return is_listed and text.endswith((".", "。"))
    return is_listed or not (_CALL.match(text) or _ANY_QUESTIONS.search(text))


def _bare(text: str) -> str:
    """A question without the numbers and signs around it."""
    while len(text) <= _NO_QUESTION and (shorter := _TOGGLE.sub("", text).strip()) != text:
        text = shorter
    return text


def _series(texts: tuple[Segment, ...], starts: list[int]) -> list[int]:
    """Questions outside of a list of questions count only when at least three of one form stand together."""
    rows: list[int] = []
    by_form: dict[tuple[object, ...], list[int]] = {}
    for at in (at for at in starts if texts[at].tag != "td"):  # below that is the next row
        by_form.setdefault((texts[at].tag, texts[at].level, texts[at].outline), []).append(at)
    for alike in by_form.values():
        asking = {texts[at].flat for at in alike}
        if sum(CJK.search(text) is None and len(text.split()) < _FEW_WORDS for text in asking) * 2 > len(
            asking
        ):
            continue  # what else one might take, each in a word or two
        # not answered: the next one follows, or it is a link, or one follows the first words below it
        linked = {at for at in alike if any(s.link for s in (texts[at], *texts[at + 2 : at + 3]))}
        open_ones = [at for at in alike if at + 1 in starts or at in linked]
        if len(asking) >= _FEW + (texts[alike[0]].level == 2) and len(open_ones) * 2 <= len(alike):
            rows += alike
    return rows


def _answer(page: PageText, at: int, starts: frozenset[int]) -> Iterator[Segment]:
    question, last = page.texts[at], _last_in_box(page, at)
    is_answered = False
    for place, segment in enumerate(page.texts[at + 1 : at + 1 + _MAX_PARTS], at + 1):
        if place in starts and segment.hidden and not question.hidden:
            continue
        if place in starts or segment.index >= last or _ends_answer(question, segment):
            return
        if is_answered and segment.tag in {"td", "th"}:
            return  # cells, which say nothing in a row
        if is_answered and (segment.link or _CALL.match(segment.text)):
            return
        is_tool = segment.tag == "button" or "form" in segment.roles - question.roles
        if not is_tool and not _SIGNS.fullmatch(segment.text):
            is_answered = True
            yield segment


def _last_in_box(page: PageText, at: int) -> int:
    """Where the smallest block ends that holds a question together with the text after it."""
    worded = (
        s.index
        for s in page.texts[at + 1 : at + 1 + _MAX_PARTS]
        if len(s.text) > 2 and not (s.hidden and _MARK.search(s.text))
    )
    following = next(worded, page.texts[at].index)
    ends = (page.blocks[block].last for block in page.climb(page.texts[at].block))
    return next((end for end in ends if end > following), len(page.segments))


def _ends_answer(question: Segment, segment: Segment) -> bool:
    if segment.roles & _ANSWER_STOP - question.roles:
        return True
    if segment.level:
        return not question.level or segment.level <= question.level
    return not question.level and segment.outline != question.outline


def _faq(
    reading: Reading, question: str, answer: str, *parts: tuple[Segment, str | None]
) -> Iterator[FaqDraft]:
    if len(answer) < 2 or plain(answer) == plain(question) or is_placeholder(answer + question):
        return
    if is_instruction(question) or is_instruction(answer) or any("instruction" in s.roles for s, _ in parts):
        return
    lines = re.sub(r"^A\s?[:.：]\s*", "", answer.strip()).split("\n")
    while len(lines) > 1 and lines[-1].rstrip().endswith((":", "：")):
        lines.pop()  # what follows it stands no more in the answer
    reply = shorten("\n".join(tidy(line) for line in lines if line.strip()), FAQ_ANSWER)
    if quoted := _QUOTED.fullmatch(question):
        question = quoted["question"].strip()
    yield FaqDraft(question=tidy(question)[:FAQ_QUESTION], answer=reply, evidence=reading.quote(*parts[:4]))
