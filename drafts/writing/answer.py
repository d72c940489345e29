"""Read what a model answered, however badly wrapped: values, each with the lines that it names, and refusals."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from drafts.crawl.extract_parts import Segment
from drafts.writing.port import FieldDraft, Value, Written
from drafts.writing.prompt import LINES_PER_VALUE, Candidate, Prompt, key_of
from drafts.writing.text import squashed, tidy

MAX_ANSWER = 60_000
ITEMS = 40
_DECODER = json.JSONDecoder()


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, fences and chatter around it or not."""
    text = text[:MAX_ANSWER]
    for start in (result.start() for result in re.finditer(r"\{", text)):
        try:
            value, _ = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):  # no JSON, or a number of thousands of digits
            continue
        if isinstance(value, dict):
            return value
    return None


def salvaged(text: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The keys of an object that was cut off which are whole."""
    result: dict[str, Any] = {}
    for name in names:
        at = re.search(rf'"{name}"\s*:\s*', text[:MAX_ANSWER])
        if at is None:
            continue
        try:
            result[name], _ = _DECODER.raw_decode(text, at.end())
        except (ValueError, RecursionError):
            continue
    return result


def parsed(text: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The wanted keys of an answer; empty when there is nothing to use in it."""
    whole = first_object(text)
    if whole is not None and set(whole) & set(names):
        return {name: whole[name] for name in names if name in whole}
    return salvaged(text, names)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One value, or one item of a list, and the lines that shall carry it. `more` is a title or an answer."""

    field: str
    value: str
    lines: tuple[Segment, ...]
    more: str = ""


def claims(prompt: Prompt, values: Mapping[str, Any]) -> Iterator[Claim]:
    """What an answer claims, field by field. Only lines that the model was shown count."""
    lines_by_id = {segment.id: segment for segment in prompt.segments}
    for name, value in values.items():
        for entry in value[:ITEMS] if isinstance(value, list) else [value]:
            claim = _claim(name, entry, lines_by_id)
            if claim is not None:
                yield claim


def _claim(name: str, entry: Any, lines_by_id: Mapping[str, Segment]) -> Claim | None:
    if not isinstance(entry, dict):
        return None
    keys = {"founders": ("name", "title"), "faqs": ("question", "answer")}.get(name, ("value", ""))
    text, more = _text(entry.get(keys[0])), _text(entry.get(keys[1]))
    if not text or (name == "faqs" and not more):
        return None
    ids = entry.get("segments")
    named = dict.fromkeys(each for each in ids if isinstance(each, str)) if isinstance(ids, list) else {}
    lines = tuple(lines_by_id[each] for each in named if each in lines_by_id)[:LINES_PER_VALUE]
    return Claim(field=name, value=text, lines=lines, more=more)


def _text(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return ""
    return "\n\n".join(filter(None, (tidy(part) for part in value.split("\n"))))


MOST_REFUSED = 0.5
"""A model that refuses all of more of the fields is not believed: it did not understand, or obeys a page."""


def refused_in(answer: Any, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates whose ids an answer refuses; none when it refuses most fields whole. A list counts as one."""
    ids = {entry for entry in answer if isinstance(entry, str)} if isinstance(answer, list) else set()
    result = tuple(entry for entry in candidates if entry.id in ids)
    fields = {entry.field for entry in candidates}
    emptied = fields - {entry.field for entry in candidates if entry.id not in ids}
    return result if len(emptied) <= max(1, len(fields) * MOST_REFUSED) else ()


def without(written: Written, refused: tuple[Candidate, ...]) -> Written:
    """The draft without what was refused; a field that loses its value, or all of its items, is blank."""
    gone = {(entry.field, entry.value) for entry in refused}
    fields = {name: _left(name, draft, gone) for name, draft in written.fields.items()}
    return replace(
        written,
        fields=fields,
        founders=tuple(entry for entry in written.founders if ("founders", key_of(entry)) not in gone),
        faqs=tuple(entry for entry in written.faqs if ("faqs", key_of(entry)) not in gone),
        company_socials={
            platform: draft
            for platform, draft in written.company_socials.items()
            if ("company_socials", str(draft.value)) not in gone
        },
    )


def _left(name: str, draft: FieldDraft, gone: Collection[tuple[str, str]]) -> FieldDraft:
    if name == "description" and isinstance(draft.value, str):
        listed = {squashed(value) for field, value in gone if field == "features"}
        lines = [line for line in draft.value.split("\n") if squashed(line.lstrip("-*• ")) not in listed]
        return (
            replace(draft, value="\n".join(lines).strip()) if any(lines) else FieldDraft(reason="not_on_site")
        )
    others = tuple(s for s in draft.suggestions if not _is_gone(name, s.value, gone))
    draft = replace(draft, suggestions=others)
    if isinstance(draft.value, tuple):
        remaining = tuple(value for value in draft.value if (name, value) not in gone)
        if remaining:
            return replace(draft, value=remaining)
    elif draft.value is None or (name, draft.value) not in gone:
        return draft
    return FieldDraft(reason="not_on_site", suggestions=others)


def _is_gone(name: str, value: Value, gone: Collection[tuple[str, str]]) -> bool:
    """Whether a value, or all items of a list, were refused."""
    return all((name, item) in gone for item in ((value,) if isinstance(value, str) else value))
