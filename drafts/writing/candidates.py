"""What the rules found, as a model is shown it: by ids, with the quotes, to be left alone or refused."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from drafts.writing.port import Evidence, FaqDraft, FieldDraft, FounderDraft, Written

QUOTES = 3
MOST_REFUSED = 0.5
"""A model that refuses more of what is there is not believed: it did not understand, or obeys a page."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One value, or one item of a list."""

    id: str
    field: str
    value: str
    quotes: tuple[str, ...]

    def shown(self) -> dict[str, Any]:
        return {"id": self.id, "field": self.field, "value": self.value, "quotes": list(self.quotes)}


def candidates_in(written: Written, names: Collection[str]) -> tuple[Candidate, ...]:
    """Every value of some fields, numbered in the order of the draft."""
    rows = (each for name in names for each in _values(written, name))
    return tuple(
        Candidate(id=f"c{number}", field=name, value=value, quotes=tuple(e.quote for e in evidence[:QUOTES]))
        for number, (name, value, evidence) in enumerate(rows, start=1)
    )


def _values(written: Written, name: str) -> Iterator[tuple[str, str, tuple[Evidence, ...]]]:
    if name in {"founders", "faqs"}:
        people = written.founders if name == "founders" else written.faqs
        yield from ((name, _key(entry), entry.evidence) for entry in people)
        return
    draft = written.fields.get(name)
    if draft is None or draft.value is None:
        return
    for value in (draft.value,) if isinstance(draft.value, str) else draft.value:
        said = tuple(e for e in draft.evidence if value in e.quote) or draft.evidence
        yield name, value, said


def _key(one: FounderDraft | FaqDraft) -> str:
    return one.name if isinstance(one, FounderDraft) else one.question


def refused_in(answer: Any, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates whose ids an answer names as refused; none when it refuses most of them."""
    ids = {entry for entry in answer if isinstance(entry, str)} if isinstance(answer, list) else set()
    result = tuple(entry for entry in candidates if entry.id in ids)
    return result if len(result) <= max(1, len(candidates) * MOST_REFUSED) else ()


def without(written: Written, refused: tuple[Candidate, ...]) -> Written:
    """The draft without what was refused; a field that loses its value, or all of its items, is blank."""
    gone = {(entry.field, entry.value) for entry in refused}
    fields = {name: _left(name, draft, gone) for name, draft in written.fields.items()}
    return replace(
        written,
        fields=fields,
        founders=tuple(entry for entry in written.founders if ("founders", _key(entry)) not in gone),
        faqs=tuple(entry for entry in written.faqs if ("faqs", _key(entry)) not in gone),
    )


def _left(name: str, draft: FieldDraft, gone: Collection[tuple[str, str]]) -> FieldDraft:
    if isinstance(draft.value, tuple):
        kept = tuple(value for value in draft.value if (name, value) not in gone)
        if kept:
            return replace(draft, value=kept)
    elif draft.value is None or (name, draft.value) not in gone:
        return draft
    return FieldDraft(reason="not_on_site")
