"""Small parts of the back office: icons of its own sprite, ages in words, notes on a thing."""

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django import template
from django.db.models import Model
from django.template import Context
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import limits
from accounts.staff import audit, rights
from directory.wording import words_of

register = template.Library()
LINK = re.compile(r'<a href="(?P<path>[^"]+)">(?P<words>.*)</a>', re.DOTALL)
CHANGE = re.compile(r"/admin/(?P<app>\w+)/(?P<model>\w+)/[^/]+/change/")
NAMED = 3  # facts that the label of an edit names
UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


@register.simple_tag
def staff_icon(name: str) -> SafeString:
    """An icon of the back office; a word always stands beside it or names what it is in."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"></use></svg>', static("staff/icons.svg"), name
    )


@register.simple_block_tag
def card(content: SafeString, title: str, key: str, beside: str = "") -> SafeString:
    """A part of a page under its heading, with what is said beside that."""
    sub = format_html('<span class="sub">{}</span>', beside) if beside else ""
    return format_html(
        '<section class="card" aria-labelledby="{0}"><header><h2 id="{0}">{1}</h2>{2}</header>{3}</section>',
        *(key, title, sub, content),
    )


@register.filter
def span(length: timedelta) -> str:
    """A length of time in at most two units: 2 d 4 h, 40 min."""
    seconds = max(0, int(length.total_seconds()))
    for size, unit in UNITS:
        if seconds >= size:
            whole, rest = divmod(seconds, size)
            hours = rest // 3600
            return f"{whole} d {hours} h" if unit == "d" and hours else f"{whole} {unit}"
    return "0 s"


@register.simple_tag
def age(moment: datetime | None) -> SafeString | str:
    """How long ago something was or how soon it is, with the moment itself under the pointer."""
    if moment is None:
        return ""
    gone = timezone.now() - moment
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        f"{moment:%a %d %b %Y %H:%M} UTC",
        span(gone) if gone >= timedelta(0) else f"in {span(-gone)}",
    )


@register.inclusion_tag("staff/notes.html", takes_context=True)
def staff_notes(context: Context, thing: Model, listed: int = audit.LISTED) -> dict[str, Any]:
    """The newest notes on a person, a listing or an order, with a form for one more, for those who may write one.

    With `listed=0` the form alone, where they stand on the page already.
    """
    kind = thing._meta.label_lower  # noqa: SLF001  (documented by Django)
    may = rights.may(context["request"].user, "people.notes")
    result = audit.notes_on(kind, thing.pk)[:listed] if may and listed else []
    return {"may": may, "kind": kind, "key": thing.pk, "notes": result, "longest": limits.NOTE}


@register.filter
def open_links(contents: str, user: Any) -> str:
    """A value that is shown to be read: the link to its row stays where this person may open it."""
    match = LINK.fullmatch(str(contents))
    if match is None or _may_open(match["path"], user):
        return contents
    return SafeString(match["words"])  # escaped by Django when it made the link


def _may_open(path: str, user: Any) -> bool:
    match = CHANGE.fullmatch(path)
    return match is None or rights.holds(user, f"{match['app']}.view_{match['model']}")


@register.filter
def edit_labels(names: Collection[str]) -> str:
    """What an edit changed: Website, tagline, pricing and 2 more."""
    labels = [words_of(name) for name in names]
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return (", ".join(labels[:NAMED]).capitalize() if labels else "Nothing") + more


@register.filter
def flag_words(flag: str) -> str:
    return flag.replace("_", " ")
