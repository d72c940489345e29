"""Fields of forms."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.forms import BoundField

register = template.Library()


@register.inclusion_tag("parts/field.html")
def field(
    bound: BoundField,
    *,
    hint: str | None = None,
    kind: str = "",
    label: str = "",
    is_first: bool = False,
    is_counted: bool = False,
) -> dict[str, Any]:
    """A form field: label, hint, error, input, tied together for screen readers. An empty hint means none.

    The first of a page with little else has the focus.
    """
    hint = str(bound.help_text or "") if hint is None else hint
    described = " ".join(
        f"{bound.auto_id}-{part}"
        for part, is_there in (("hint", hint), ("error", bound.errors), ("count", is_counted))
        if is_there
    )
    attributes: dict[str, str | bool] = {"class": f"input {kind}".strip(), "placeholder": ""}
    if described:
        attributes["aria-describedby"] = described
    if bound.errors:
        attributes["aria-invalid"] = "true"
    if is_first:
        attributes["autofocus"] = True
    return {
        "field": bound,
        "widget": bound.as_widget(attrs=attributes),
        "hint": hint,
        "label": label or bound.label,
    }


@register.inclusion_tag("directory/editor/field.html", takes_context=True)
def editor_field(context: dict[str, Any], bound: BoundField, *, is_small: bool = False) -> dict[str, Any]:
    """A field of the editor, with whose its value is, what else it may be, and what can be done with it."""
    form: Any = bound.form
    entry = form.fields[bound.name]
    parts = (name for name in form.parts if bound.name == name or bound.name.startswith(f"{name}-"))
    inherited = ("draft", "host", "ideas", "categories", "bought", "form", "loud")
    return {
        **field(bound, is_counted=bool(entry.most)),
        **{name: context.get(name) for name in inherited},
        "name": bound.name,
        "part": next(parts, ""),
        "value": bound.value(),
        "chosen": str(bound.value()).partition("\n")[0],
        "also_text": (also := str(bound.value()).partition("\n")[2]),
        "also": also.split("\n") if also else [],
        "mark": entry.mark,
        "most": entry.most,
        "most_words": f"{entry.most:,}",
        "clash": entry.clash,
        "theirs": entry.theirs,
        "is_small": is_small,
    }


@register.filter
def preparing(uploads: Iterable[Any]) -> bool:
    return any(upload.status == "preparing" for upload in uploads)
