"""What may happen to one value of a draft. Pure: the rules alone, no database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

State = Literal["ai", "not_found", "edited", "manual", "override", "deleted"]
OWN = {"edited", "manual"}
DECIDED = OWN | {"override", "deleted"}
UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, kw_only=True)
class FieldValue:
    """A value, whose it is, and what the website says for it.

    `confidence` is how sure the writer is of `ai_value`; `suggestions` are the other values that it thinks possible.
    """

    value: Any = None
    state: State = "not_found"
    evidence: Sequence[Any] = ()
    is_locked: bool = False
    ai_value: Any = None
    ai_evidence: Sequence[Any] = ()
    reason: str = ""
    updated_by: str = "ai"
    confidence: float | None = None
    suggestions: Sequence[Mapping[str, Any]] = ()


def has_value(value: Any) -> bool:
    """Whether there is a value at all: null, an empty text and an empty list are none."""
    return value is not None and value not in ("", [])


def typed(field: FieldValue, value: Any) -> FieldValue:
    """The owner types a value, takes a suggestion with its quotes, or removes it. A locked field keeps its lock."""
    if not has_value(value):
        return replace(
            field, value=None, state="deleted", evidence=(), reason="removed_by_owner", updated_by="user"
        )
    state: State = "edited" if has_value(field.ai_value) else "manual"
    if field.is_locked:
        state = "override"
    return replace(
        field, value=value, state=state, evidence=_quoted(field, value), reason="", updated_by="user"
    )


def _quoted(field: FieldValue, value: Any) -> Sequence[Any]:
    """The quotes of a suggestion, or of one that is set before what was drafted: two plans of a price."""
    for item in field.suggestions:
        if value == item["value"]:
            return item["evidence"]
        if value == f"{item['value']}. {field.ai_value}":
            return [*item["evidence"], *field.ai_evidence]
    return ()


def put_back(field: FieldValue, value: Any, blank: str) -> FieldValue:
    """Staff put the former value back; what the AI wrote is the AI's again. A lock stays."""
    if value == field.ai_value or not (has_value(value) or has_value(field.ai_value)):
        result = restored(field, blank)
        result = locked(result) if field.is_locked else result
    else:
        result = typed(field, value)
    return replace(result, updated_by="staff")


def locked(field: FieldValue) -> FieldValue:
    """The owner locks the value against redrafts."""
    return replace(field, state="override", is_locked=True, updated_by="user")


def unlocked(field: FieldValue) -> FieldValue:
    if not field.is_locked:
        return field
    opened = replace(field, is_locked=False)
    if not has_value(field.value):
        return replace(opened, state="deleted" if field.reason == "removed_by_owner" else "not_found")
    if field.value == field.ai_value:
        return replace(opened, state="ai", evidence=field.ai_evidence)
    return replace(opened, state="edited" if has_value(field.ai_value) else "manual")


def restored(field: FieldValue, blank: str) -> FieldValue:
    """What the AI wrote, or nothing: `blank` says why where the field does not know."""
    has_ai_value = has_value(field.ai_value)
    return replace(
        field,
        value=field.ai_value if has_ai_value else None,
        state="ai" if has_ai_value else "not_found",
        evidence=field.ai_evidence,
        is_locked=False,
        reason="" if has_ai_value else _why_blank(field, blank),
        updated_by="user",
    )


def _why_blank(field: FieldValue, blank: str) -> str:
    """Why a field is blank whose owner took back what was typed or removed."""
    if field.suggestions:
        return UNCONFIRMED
    return blank if field.reason in {"", "removed_by_owner"} else field.reason


@dataclass(frozen=True, kw_only=True)
class Drafted:
    """What a writer found for one field: a value or the reason why there is none, and what it thinks possible."""

    value: Any = None
    evidence: Sequence[Any] = ()
    reason: str = ""
    confidence: float | None = None
    suggestions: Sequence[Mapping[str, Any]] = ()

    def into(self, field: FieldValue) -> FieldValue:
        """A field with this as the writer's words on it; what stands in it stays."""
        value, confidence = (self.value, self.confidence) if has_value(self.value) else (None, None)
        fresh = replace(field, ai_value=value, confidence=confidence)
        return replace(fresh, ai_evidence=tuple(self.evidence), suggestions=tuple(self.suggestions))


def drafted(field: FieldValue, fresh: Drafted) -> FieldValue:
    """The first draft of a field. What its owner has typed or locked meanwhile stays."""
    result = fresh.into(field)
    return result if field.state in DECIDED else _by_ai(result, reason=fresh.reason)


def redrafted(field: FieldValue, result: Drafted) -> FieldValue:
    """A redraft the owner asked for. When the site gives nothing, a value its owner wrote stays, and says why."""
    if field.is_locked:
        return field
    if not has_value(result.value) and field.state in OWN:
        return replace(field, reason=result.reason, suggestions=tuple(result.suggestions))
    return _by_ai(result.into(field), reason=result.reason)


def _by_ai(field: FieldValue, *, reason: str) -> FieldValue:
    has_ai_value = has_value(field.ai_value)
    return replace(
        field,
        value=field.ai_value,
        state="ai" if has_ai_value else "not_found",
        evidence=field.ai_evidence,
        reason="" if has_ai_value else UNCONFIRMED if field.suggestions else reason,
        updated_by="ai",
    )
