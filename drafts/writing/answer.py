"""Read what a model answered, however badly wrapped, and tie each value to quotes that we cut ourselves."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from drafts import limits
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.writing.checks import follows
from drafts.writing.port import Evidence, FaqDraft, FieldDraft, FounderDraft, Written
from drafts.writing.prompt import LISTS, Prompt
from drafts.writing.quoting import cut
from drafts.writing.text import sentence_spans, shorten, squashed, tidy, tokens

MAX_ANSWER = 60_000
SEGMENTS_PER_VALUE = 6
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


def suggestions(site: SiteText, prompt: Prompt, values: Mapping[str, Any]) -> Written:
    """The answer as a draft. Only segments that the model was shown can be quoted; others are dropped."""
    reader = _Reader(site, {segment.id: segment for segment in prompt.segments})
    fields: dict[str, FieldDraft] = {}
    for name, value in values.items():
        if name in {"founders", "faqs"}:
            continue
        result = reader.items(name, value) if name in LISTS else reader.one(value)
        if result is not None:
            fields[name] = result
    return Written(
        fields=fields,
        founders=tuple(reader.founders(values.get("founders"))),
        faqs=tuple(reader.faqs(values.get("faqs"))),
    )


@dataclass(frozen=True)
class _Reader:
    site: SiteText
    shown: Mapping[str, Segment]

    def evidence(self, ids: Any, *texts: str) -> tuple[Evidence, ...]:
        """The quotes for a value: whole segments, or of long ones the sentence that says it best."""
        names = [name for name in ids if isinstance(name, str)] if isinstance(ids, list) else []
        segments = [self.shown[name] for name in dict.fromkeys(names) if name in self.shown]
        rows = (cut(self.site, s, best_quote(s.text, " ".join(texts))) for s in segments[:SEGMENTS_PER_VALUE])
        return tuple(evidence for evidence in rows if evidence is not None)

    def one(self, value: Any) -> FieldDraft | None:
        if not isinstance(value, dict):
            return None
        text = value.get("value")
        if isinstance(text, int) and not isinstance(text, bool):
            text = str(text)
        if not isinstance(text, str) or not text.strip():
            return None
        text = "\n\n".join(filter(None, (tidy(part) for part in text.split("\n"))))
        evidence = self.evidence(value.get("segments"), text)
        return FieldDraft(value=text, evidence=evidence) if evidence else None

    def items(self, name: str, values: Any) -> FieldDraft | None:
        """A list: each item has to follow from its own quotes."""
        kept: list[str] = []
        quotes: list[Evidence] = []
        for item in values if isinstance(values, list) else []:
            result = self.one(item)
            if result is None or not isinstance(result.value, str) or result.value in kept:
                continue
            if follows(name, (result.value,), [quote.quote for quote in result.evidence]):
                kept.append(result.value)
                quotes += [quote for quote in result.evidence if quote not in quotes]
        if not kept:
            return None
        return FieldDraft(value=tuple(kept), evidence=tuple(quotes[: limits.EVIDENCE_PER_VALUE]))

    def founders(self, values: Any) -> Iterator[FounderDraft]:
        for entry in _entries(values, "name"):
            name, title = tidy(entry["name"]), entry.get("title")
            title = tidy(title) if isinstance(title, str) and title.strip() else None
            if evidence := self.evidence(entry.get("segments"), name, title or ""):
                yield FounderDraft(name=name, title=title, evidence=evidence)

    def faqs(self, values: Any) -> Iterator[FaqDraft]:
        for entry in _entries(values, "question", "answer"):
            question, reply = tidy(entry["question"]), tidy(entry["answer"])
            if evidence := self.evidence(entry.get("segments"), question):
                yield FaqDraft(question=question, answer=reply, evidence=evidence)


def _entries(values: Any, *keys: str) -> Iterator[dict[str, Any]]:
    for entry in values if isinstance(values, list) else []:
        if isinstance(entry, dict) and all(
            isinstance(entry.get(key), str) and entry[key].strip() for key in keys
        ):
            yield entry


def best_quote(text: str, value: str) -> str | None:
    """The part of a long text that a value most likely comes from; nothing when all of it can be quoted."""
    if len(text) <= limits.EVIDENCE_QUOTE:
        return None
    parts = [text[start:end] for start, end in sentence_spans(text)]
    wanted, words = squashed(value), tokens(value)
    best = max(parts, key=lambda part: (wanted in squashed(part), len(words & tokens(part))), default=text)
    return shorten(best, limits.EVIDENCE_QUOTE)
