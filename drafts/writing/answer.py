"""Read what a model answered, however badly wrapped: values, each with the lines that it names."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from drafts.crawl.extract_parts import Segment
from drafts.writing.prompt import LINES_PER_VALUE, Prompt
from drafts.writing.text import tidy

MAX_ANSWER = 60_000
ITEMS = 40
_DECODER = json.JSONDecoder()


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a text, fences and chatter around it or not."""
    text = text[:MAX_ANSWER]
    for start in (result.start() for result in re.finditer(r"\{", text)):
        try:
            value, _ = _DECODER.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
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
        except (json.JSONDecodeError, RecursionError):
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
