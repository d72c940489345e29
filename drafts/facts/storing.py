"""From what a writer gave to the rows of a draft."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime
from typing import Any
from urllib.parse import quote as percent_encode

from drafts import limits
from drafts.facts import fitting, states
from drafts.models import Draft, DraftField
from drafts.writing.port import Evidence, FieldDraft, Written
from drafts.writing.text import shorten

VALUES = tuple(field.name for field in fields(states.FieldValue))


def clean(text: str) -> str:
    """Text that PostgreSQL can hold: no NUL and no halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def keep_written(draft: Draft, *, written: Written, at: datetime) -> dict[str, Any]:
    """Store what was written beside what the owner has typed meanwhile. Returns the fields' values."""
    rows = {(row.group, row.name): row for row in draft.field_rows.select_for_update()}
    groups = {
        DraftField.Group.FIELDS: written.fields,
        DraftField.Group.COMPANY_SOCIALS: written.company_socials,
    }
    written_rows = []
    for group, values in groups.items():
        for name, value in values.items():
            row = rows.setdefault(
                (group, name), DraftField(draft=draft, group=group, name=name, updated_at=at)
            )
            put(row, field_drafted(row, value), at=at)
            written_rows.append(row)
    save_rows(written_rows)
    draft.ai_faqs, draft.ai_founders = _faqs(written), _founders(written)
    if not any(entry.get("state") == "manual" for entry in draft.faqs):
        draft.faqs = draft.ai_faqs
    if not any(entry.get("state") == "manual" for entry in draft.founders):
        draft.founders = draft.ai_founders
    return {name: row.value for (group, name), row in rows.items() if group == DraftField.Group.FIELDS}


def _faqs(written: Written) -> list[dict[str, Any]]:
    return [
        {
            "question": clean(faq.question)[: limits.FAQ_QUESTION],
            "answer": clean(faq.answer)[: limits.FAQ_ANSWER],
            "state": "ai",
            "evidence": evidence(faq.evidence),
        }
        for faq in written.faqs[: limits.FAQS]
    ]


def _founders(written: Written) -> list[dict[str, Any]]:
    return [
        {
            "name": clean(person.name)[: limits.FOUNDER_NAME],
            "title": clean(person.title or "")[: limits.FOUNDER_TITLE] or None,
            "bio": clean(person.bio or "")[: limits.FOUNDER_BIO] or None,
            "state": "ai",
            "evidence": evidence(person.evidence),
        }
        for person in written.founders[: limits.FOUNDERS]
    ]


def field_drafted(row: DraftField, value: FieldDraft) -> states.FieldValue:
    return states.drafted(field_value(row), _as_drafted(row.name, value))


def field_redrafted(row: DraftField, value: FieldDraft) -> states.FieldValue:
    return states.redrafted(field_value(row), _as_drafted(row.name, value))


def _as_drafted(name: str, draft: FieldDraft) -> states.Drafted:
    """What a writer found, as JSON and within the listing's bounds."""
    suggestions = [
        {
            "value": stored_value(name, item.value),
            "evidence": evidence(item.evidence),
            "confidence": round(item.confidence, 2),
        }
        for item in draft.suggestions[: limits.SUGGESTIONS]
    ]
    return states.Drafted(
        value=stored_value(name, draft.value),
        evidence=evidence(draft.evidence),
        reason=draft.reason or "not_on_site",
        confidence=None if draft.confidence is None else round(draft.confidence, 2),
        suggestions=suggestions,
    )


def field_value(row: DraftField) -> states.FieldValue:
    return states.FieldValue(**{name: getattr(row, name) for name in VALUES})


def put(row: DraftField, value: states.FieldValue, *, at: datetime) -> None:
    """Set a field as the rules left it, without saving it."""
    for name in VALUES:
        part = getattr(value, name)
        setattr(row, name, list(part) if isinstance(part, tuple) else part)
    row.reason, row.updated_at = value.reason[:300], at


def save_rows(rows: Iterable[DraftField]) -> None:
    """Save fields that were put, in two statements whatever their number."""
    changed = list(rows)
    existing = [row for row in changed if row.pk]  # bulk_update would take as long as all else of an edit
    DraftField.objects.bulk_create(
        existing, update_conflicts=True, unique_fields=["id"], update_fields=(*VALUES, "updated_at")
    )
    DraftField.objects.bulk_create([row for row in changed if not row.pk])


def stored_value(name: str, value: Any) -> Any:
    """A drafted value as JSON, no longer than a listing holds it."""
    longest = fitting.LONGEST.get(name)
    return shorten(clean(value), longest) if longest and isinstance(value, str) else plain(value)


def plain(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    return [clean(str(item)) for item in value] if value is not None else None


def evidence(quotes: tuple[Evidence, ...]) -> list[dict[str, Any]]:
    """Quotes in the interface's shape, with a link that opens the page at the quote (text fragments)."""
    rows = []
    for quote in quotes:
        entry: dict[str, Any] = {
            "quote": clean(quote.quote),
            "url": quote.url,
            "link": f"{quote.url}#:~:text={percent_encode(quote.quote[:120], safe='')}",
            "page_title": clean(quote.page_title)[:500] or None,
            "source": quote.source,
        }
        if quote.start is not None and quote.end is not None:
            entry |= {"start": quote.start, "end": quote.end}
        entry["page_sha256"] = quote.page_sha256
        entry["fetched_at"] = quote.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ") if quote.fetched_at else None
        rows.append(entry)
    return rows
