"""The writer with a model: rules draft first, the model refuses, fills gaps and words texts, the verifier decides."""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from drafts.crawl.extract_parts import SiteText
from drafts.limits import FIELDS
from drafts.writing import answer, prompt
from drafts.writing.budget import choose, tokens
from drafts.writing.candidates import candidates_in, refused_in, without
from drafts.writing.caution import careful
from drafts.writing.chat import ChatModel, ModelFailedError
from drafts.writing.evidence import verify
from drafts.writing.extractive import ExtractiveWriter
from drafts.writing.port import COLLECTIONS, FieldDraft, Usage, Written
from drafts.writing.prompt import FACTS, REFUSED, TEXTS, Prompt
from drafts.writing.text import squashed

CALLS = 2
FACTS_SHARE = 0.6
REWRITTEN = frozenset({"description", "usps"})
THIN = 10
KEPT = "what the rules found stands"
NOTES = {
    "timeout": f"The model did not answer in time; {KEPT}.",
    "busy": f"The model's server was busy or failed; {KEPT}.",
    "unreachable": f"The model's server could not be reached; {KEPT}.",
    "rejected": f"The model's server refused the request; {KEPT}.",
    "garbage": f"The model's answer could not be read; {KEPT}.",
    "refused": f"The model refused to answer; {KEPT}.",
    "truncated": "The model's answer was cut off; only its whole parts were used.",
}
REPAIR = (
    "That was not one JSON object with the keys of `wanted`. Answer again with that object and nothing else."
)


@dataclass
class Talk:
    """What one draft may still ask of its model, and what happened so far."""

    model: ChatModel
    ends_at: float
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    notes: list[str] = field(default_factory=list)

    def ask(self, question: Prompt) -> dict[str, object]:
        """The values of an answer, empty when it has none. One that cannot be read is asked for again."""
        if self.calls >= CALLS:
            return {}
        while self.calls < CALLS:
            self.calls += 1
            try:
                reply = self.model.ask(question, ends_at=self.ends_at)
            except ModelFailedError as error:
                self._stop(str(error))
                return {}
            self.tokens_in += reply.tokens_in
            self.tokens_out += reply.tokens_out
            if reply.refusal:
                self._stop("refused")
                return {}
            if reply.finish == "length":
                self.notes.append("truncated")
            if values := answer.parsed(reply.text, question.names):
                return values
            question = replace(question, repair=(reply.text[:2000], REPAIR))
        self._stop("garbage")
        return {}

    def _stop(self, note: str) -> None:
        self.calls = CALLS
        self.notes.append(note)


@dataclass(kw_only=True)
class OpenAIWriter:
    """Drafts by rules; a model completes what they leave blank and words what they can only quote.

    `avoid` holds wordings that the owner wants to be rid of: those texts are written anew. `seconds` bounds
    all calls of one draft together.
    """

    model: ChatModel
    rules: ExtractiveWriter
    seconds: float
    input_tokens: int
    avoid: Mapping[str, str] = field(default_factory=dict)
    name: ClassVar = "openai"

    def write(self, site: SiteText, *, fields: Collection[str] | None = None) -> Written:
        """Draft the named fields, or all of them, and keep only what the verifier lets pass."""
        wanted = frozenset(fields) if fields is not None else frozenset(FIELDS + COLLECTIONS)
        written = self.rules.write(site, fields=fields)
        if not site.pages:
            return written
        talk = Talk(model=self.model, ends_at=time.monotonic() + self.seconds)
        share = int(self.input_tokens * FACTS_SHARE)
        for kind, limit in ((FACTS, share), (TEXTS, self.input_tokens - share)):
            names = tuple(name for name in kind if name in wanted and self._is_asked(written, name))
            if names:
                written = self._complete(site, written, names, limit=limit, talk=talk)
        usage = Usage(model=self.model.name, tokens_in=talk.tokens_in, tokens_out=talk.tokens_out)
        note = " ".join(dict.fromkeys(NOTES[code] for code in talk.notes))
        return replace(written, writer=self.name, usage=usage, note=note)

    def _is_asked(self, written: Written, name: str) -> bool:
        draft = written.fields.get(name)
        is_contradicted = draft is not None and draft.reason == "conflicting"
        return self._may_write(written, name) if name in TEXTS else not is_contradicted

    def _may_write(self, written: Written, name: str) -> bool:
        """What the rules found stands unless it was refused; texts are worded anew."""
        is_worded = name in TEXTS and (name in self.avoid or name in REWRITTEN)
        return is_worded or _is_open(written, name)

    def _complete(
        self, site: SiteText, written: Written, names: tuple[str, ...], *, limit: int, talk: Talk
    ) -> Written:
        categories = tuple(hint.name for hint in self.rules.categories)
        result = candidates_in(written, [name for name in names if name in FACTS])
        question = partial(
            prompt.ask, site, names=names, categories=categories, avoid=self.avoid, candidates=result
        )
        frame = question(segments=())
        segments, left_out = choose(site, limit=limit - tokens(frame.user + frame.system))
        if left_out:
            written = replace(written, warnings=tuple(dict.fromkeys([*written.warnings, "instructions"])))
        asked = question(segments=segments)
        values = talk.ask(asked)
        if not values:
            return written
        written = without(written, refused_in(values.get(REFUSED), result))
        told = answer.suggestions(site, asked, values)
        kept = _verified(site, written, told)
        fields = {
            name: draft
            for name, draft in careful(site, kept).items()
            if name in names and self._may_write(written, name)
            if squashed(self.avoid.get(name, "")) != squashed("\n".join(_values(draft)))
        }
        if not set(_values(fields.get("categories"))) <= set(categories):
            del fields["categories"]
        if _is_thin(written.fields.get("description"), fields.get("description")):
            fields.pop("description", None)
        return replace(
            written,
            fields={**written.fields, **fields},
            founders=written.founders or (kept.founders if "founders" in names else ()),
            faqs=written.faqs or (kept.faqs if "faqs" in names else ()),
        )


def _values(draft: FieldDraft | None) -> tuple[str, ...]:
    value = draft.value if draft is not None else None
    return (value,) if isinstance(value, str) else value or ()


def _is_open(written: Written, name: str) -> bool:
    """Whether the rules found nothing. Where the site contradicts itself, nobody is asked to decide."""
    if name in {"founders", "faqs"}:
        return not getattr(written, name)
    draft = written.fields.get(name)
    return draft is None or (draft.value is None and draft.reason != "conflicting")


def _is_thin(before: FieldDraft | None, after: FieldDraft | None) -> bool:
    """Whether a new text says far less than the one it would replace."""
    said = "".join(_values(after))
    return bool(said) and len(said) * THIN < len("".join(_values(before)))


def _verified(site: SiteText, written: Written, told: Written) -> Written:
    """The suggestions that their quotes carry, seen under the name that the product has in the draft."""
    named = dict(told.fields)
    if "name" not in named and "name" in written.fields:
        named["name"] = written.fields["name"]
    return verify(site, replace(told, fields=named))
