"""Inputs of owners' forms, checked by the shapes of the API."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rest_framework.exceptions import ValidationError

from core.api.errors import FieldError, InvalidRequestError
from core.api.serializers import StrictSerializer, body_errors
from directory import limits
from directory.facts import FACTS
from directory.listings.diffs import Piece, as_text, word_diff
from directory.wording import Choice, choices_of, not_saved, worded

TEXTS = {
    "headline": ("Headline", limits.HEADLINE, 0, "Stands above the description."),
    "summary": ("Summary", limits.SUMMARY, 5, "Stands under the headline. Markdown."),
    "seo_title": ("Title for search engines", limits.SEO_TITLE, 0, ""),
    "seo_description": ("Description for search engines", limits.SEO_DESCRIPTION, 3, ""),
}
STORY = {
    "title": "Headline",
    "story": "The story in one piece",
    "why_started": "Why you began",
    "problem": "The problem you solve",
    "journey": "How it went",
    "challenges": "What was hard",
    "achievements": "What you are proud of",
    "lessons": "What you learned",
    "whats_next": "What comes next",
}
SHORTER = {"country": limits.COUNTRY, "contact_email": limits.CONTACT_EMAIL}
BLANK_QUESTIONS = 2


@dataclass(frozen=True, kw_only=True)
class Input:
    name: str
    label: str
    text: str
    bound: int
    rows: int = 0
    hint: str = ""
    choices: Sequence[Choice] = ()
    errors: Sequence[str] = field(default=())

    @property
    def is_shown(self) -> bool:
        """Whether it stands open; an empty one of many is folded."""
        return bool(self.text or self.errors)


def fact_inputs(
    facts: Mapping[str, Any], *, typed: Mapping[str, str], errors: Mapping[str, list[str]]
) -> list[Input]:
    """What an owner may state on a listing; what was typed and refused stands there again."""
    found = [
        Input(
            name=name,
            label=fact.label,
            text=typed.get(name, as_text(facts[name])),
            bound=limits.DESCRIPTION if fact.kind == "list" else SHORTER.get(name, fact.listed or fact.bound),
            rows=(8 if name == "description" else 3) if fact.is_long else 0,
            hint="" if (choices := choices_of(name, typed.get(name, as_text(facts[name])))) else fact.note,
            choices=choices,
            errors=errors.get(name, ()),
        )
        for name, fact in FACTS.items()
        if fact.is_edited_on_listing
    ]
    return found + [
        Input(
            name=name,
            label=label,
            text=typed.get(name, as_text(facts[name])),
            bound=bound,
            rows=rows,
            hint=hint,
            errors=errors.get(name, ()),
        )
        for name, (label, bound, rows, hint) in TEXTS.items()
    ]


def social_inputs(
    facts: Mapping[str, Any], *, typed: Mapping[str, str], errors: Mapping[str, list[str]]
) -> list[Input]:
    return [
        Input(
            name=f"social-{platform}",
            label=platform,
            text=typed.get(f"social-{platform}", facts["socials"].get(platform, "")),
            bound=limits.SOCIAL_LINK,
            errors=errors.get(f"social-{platform}", ()),
        )
        for platform in limits.PLATFORMS
    ]


def question_inputs(
    facts: Mapping[str, Any], *, typed: Mapping[str, str], errors: Mapping[str, list[str]]
) -> list[tuple[Input, Input]]:
    """Each question with its answer, and room for two more."""
    faqs = facts["faqs"]
    room = min(limits.FAQS, max(len(faqs) + BLANK_QUESTIONS, sum(name[:9] == "question-" for name in typed)))
    padded = [*faqs, *({} for _ in range(room - len(faqs)))]
    return [
        (
            _of_question("question", number, faq, limits.FAQ_QUESTION, typed, errors),
            _of_question("answer", number, faq, limits.FAQ_ANSWER, typed, errors),
        )
        for number, faq in enumerate(padded)
    ]


def _of_question(
    part: str,
    number: int,
    faq: Mapping[str, str],
    bound: int,
    typed: Mapping[str, str],
    errors: Mapping[str, list[str]],
) -> Input:
    name = f"{part}-{number}"
    return Input(
        name=name,
        label=f"{part.capitalize()} {number + 1}",
        text=typed.get(name, faq.get(part, "")),
        bound=bound,
        rows=0 if part == "question" else 3,
        errors=errors.get(name, ()),
    )


def changes_in(posted: Mapping[str, str], *, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What a form changes, as update_my_listing takes it: only what differs from what is there."""
    body: dict[str, Any] = {}
    if fields := dict(_changed(posted, facts=facts)):
        body["fields"] = fields
    socials = {name: posted.get(f"social-{name}", "").strip() for name in limits.PLATFORMS}
    socials = {name: link for name, link in socials.items() if link}
    if "social-x" in posted and socials != facts["socials"]:
        body["socials"] = socials
    faqs = [
        {part: _lines(posted.get(f"{part}-{number}", "")) for part in ("question", "answer")}
        for number in range(limits.FAQS)
    ]
    faqs = [faq for faq in faqs if any(faq.values())]
    if "question-0" in posted and faqs != facts["faqs"]:
        body["faqs"] = faqs
    return body


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _changed(posted: Mapping[str, str], *, facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for entry in fact_inputs(facts, typed={}, errors={}):
        text = _lines(posted.get(entry.name, entry.text))
        if text == entry.text:
            continue
        fact = FACTS.get(entry.name)
        if fact and fact.kind == "list":
            yield entry.name, [line.strip() for line in text.split("\n") if line.strip()]
        elif fact and fact.kind == "year" and text.isascii() and text.isdigit():
            yield entry.name, int(text)
        else:
            yield entry.name, text or None


def validated(kind: type[StrictSerializer], body: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a body. Raises InvalidRequestError naming every failing one."""
    serializer = kind(data=body)
    try:
        serializer.is_valid(raise_exception=True)
    except ValidationError as error:
        errors = body_errors(error, serializer=serializer)
        raise InvalidRequestError(not_saved(errors), errors=errors) from error
    return dict(serializer.validated_data)


def errors_by_input(errors: Sequence[FieldError]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in errors:
        pieces = (entry.pointer or "").strip("/").split("/")
        if pieces[0] == "fields" and len(pieces) > 1:
            name = pieces[1]
        elif pieces[0] == "socials" and len(pieces) > 1:
            name = f"social-{pieces[1]}"
        elif pieces[0] == "faqs" and len(pieces) > 2:
            name = f"{pieces[2]}-{pieces[1]}"
        else:
            name = pieces[0]
        found.setdefault(name, []).append(entry.message)
    return found


def sides(name: str, before: Any, after: Any) -> tuple[list[Piece], list[Piece]]:
    """A fact before and after in pieces, for the diff."""
    return word_diff(as_text(worded(name, before)), as_text(worded(name, after)))
