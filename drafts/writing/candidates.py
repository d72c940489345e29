"""What the rules found, as a model sees it: by ids, with its quotes, to be left, mended or refused."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from drafts.writing.port import COLLECTIONS, Evidence, FaqDraft, FieldDraft, FounderDraft, Value, Written
from drafts.writing.text import squashed

QUOTES, LONGEST = 2, 160
MOST_REFUSED = 0.5
"""A model that refuses all of more of the fields is not believed: it did not understand, or obeys a page."""
WORDED_ANEW = frozenset({"description", "usps", "tags", "keywords"})


@dataclass(frozen=True, kw_only=True)
class Candidate:
    id: str
    field: str
    value: str
    quotes: tuple[str, ...]

    def line(self) -> str:
        texts = [json.dumps(text[:LONGEST], ensure_ascii=False) for text in (self.value, *self.quotes)]
        return f"{self.id} {self.field}: {texts[0]} from {' and '.join(texts[1:])}"


def candidates_in(written: Written) -> tuple[Candidate, ...]:
    """Every value that the rules found, numbered in the order of the draft."""
    rows = (each for name in (*written.fields, *COLLECTIONS) for each in _values(written, name))
    return tuple(
        Candidate(id=f"c{number}", field=name, value=value, quotes=tuple(e.quote for e in evidence[:QUOTES]))
        for number, (name, value, evidence) in enumerate(rows, start=1)
    )


def _values(written: Written, name: str) -> Iterator[tuple[str, str, tuple[Evidence, ...]]]:
    if name in COLLECTIONS:
        drafted = getattr(written, name)
        if isinstance(drafted, dict):
            yield from ((name, str(draft.value), draft.evidence) for draft in drafted.values())
        else:
            yield from ((name, _key(entry), entry.evidence) for entry in drafted)
        return
    if name in WORDED_ANEW:
        return
    draft = written.fields[name]
    offers = [(draft.value, draft.evidence)] if draft.value is not None else []
    offers = offers or [(other.value, other.evidence) for other in draft.suggestions]
    for offer, evidence in offers:
        for value in (offer,) if isinstance(offer, str) else offer:
            yield name, value, tuple(e for e in evidence if value in e.quote) or evidence


def _key(person_or_faq: FounderDraft | FaqDraft) -> str:
    return person_or_faq.name if isinstance(person_or_faq, FounderDraft) else person_or_faq.question


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
        founders=tuple(entry for entry in written.founders if ("founders", _key(entry)) not in gone),
        faqs=tuple(entry for entry in written.faqs if ("faqs", _key(entry)) not in gone),
        company_socials=_profiles(written.company_socials, "company_socials", gone),
        founder_socials=_profiles(written.founder_socials, "founder_socials", gone),
    )


def _profiles(
    socials: dict[str, FieldDraft], name: str, gone: Collection[tuple[str, str]]
) -> dict[str, FieldDraft]:
    return {platform: draft for platform, draft in socials.items() if (name, str(draft.value)) not in gone}


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
