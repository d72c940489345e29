"""Small parts of pages: icons, dates, monograms, form fields."""

import json
import re
import zlib
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

import nh3
from django import template
from django.forms import BoundField
from django.http import HttpRequest, QueryDict
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()
TINTS = 8
MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
TAGS = {
    *("a", "p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "h2", "h3", "h4"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
SIZES = ("bytes", "KB", "MB")
SCRIPT_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


@register.simple_tag
def icon(name: str, label: str = "", kind: str = "") -> SafeString:
    """An icon of the sprite; silent for screen readers unless it has a label."""
    role = format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')
    classes = f"icon {kind}".strip()
    return format_html(
        '<svg class="{}" {}><use href="{}#{}"></use></svg>', classes, role, static("icons.svg"), name
    )


@register.filter
def sheets(names: str) -> list[str]:
    """Paths of the style sheets with these names."""
    return [f"css/{name}.css" for name in names.split()]


@register.simple_tag(takes_context=True)
def current(context: dict[str, Any], prefix: str) -> SafeString:
    """The attribute that marks a link as the one the reader is under."""
    request = context.get("request")
    return mark_safe(' aria-current="true"' if request and request.path.startswith(prefix) else "")


@register.filter
def tint(slug: str) -> int:
    """Which of the tints a slug's monogram stands on."""
    return zlib.crc32(str(slug).encode()) % TINTS


@register.filter
def initials(name: str) -> str:
    """Up to two letters of a person's name."""
    words = [word for word in str(name).split() if word[0].isalnum()]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()


@register.filter
def monogram(name: str) -> str:
    """The first letter or digit of a product's name."""
    return next((letter for letter in str(name) if letter.isalnum()), "·")


@register.filter
def as_date(value: str | date | datetime | None) -> date | datetime | None:
    """A date or time from the text the interface gives."""
    if not isinstance(value, str):
        return value
    return datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)


@register.filter
def host(url: str) -> str:
    """The host of an address, without www."""
    return (urlsplit(str(url)).hostname or str(url)).removeprefix("www.")


@register.filter
def short_url(url: str) -> str:
    """An address as people write it: host and path."""
    parts = urlsplit(str(url))
    return (parts.netloc.removeprefix("www.") + parts.path.rstrip("/")) or str(url)


@register.filter
def path_of(url: str) -> str:
    """The path of an address."""
    parts = urlsplit(str(url))
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@register.filter
def human_size(size: int) -> str:
    """A size in bytes for people."""
    amount = float(size)
    for unit in SIZES[:-1]:
        if amount < 1000:
            return f"{amount:.0f} {unit}"
        amount /= 1000
    return f"{amount:.1f} {SIZES[-1]}"


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """A value of a mapping whose key the template has in a variable."""
    return mapping.get(key) if hasattr(mapping, "get") else None


@register.filter
def words_of(identifier: str) -> str:
    """A name of the interface in words: founded_year becomes Founded year."""
    return str(identifier).replace("_", " ").replace("-", " ").strip().capitalize()


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML: no raw HTML, no images, a closed list of tags, links that lend no weight."""
    html = MARKDOWN.render(str(text or ""))
    html = re.sub(r"<(/?)h([1-3])>", lambda found: f"<{found[1]}h{int(found[2]) + 1}>", html)
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href", "title"}, "code": set()},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener ugc",
    )
    return mark_safe(clean)


@register.simple_tag
def json_ld(data: Any) -> SafeString:
    """Structured data for search engines; a data block, which the content security policy does not run."""
    text = json.dumps(data, ensure_ascii=False).translate(SCRIPT_ESCAPES)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))


@register.simple_tag(takes_context=True)
def query_with(context: dict[str, Any], **changes: Any) -> str:
    """The query string of this page with some parameters changed; None leaves one out."""
    request: HttpRequest = context["request"]
    kept = QueryDict(request.META.get("QUERY_STRING", ""), mutable=True)
    for name, value in changes.items():
        kept.pop(name, None)
        if value not in {None, ""}:
            kept[name] = str(value)
    return "?" + urlencode(list(kept.lists()), doseq=True) if kept else context["request"].path


@register.inclusion_tag("parts/field.html")
def field(bound: BoundField, *, hint: str | None = None, kind: str = "", label: str = "") -> dict[str, Any]:
    """A form field: label, hint, error, input, tied together for screen readers. An empty hint means none."""
    hint = str(bound.help_text or "") if hint is None else hint
    described = " ".join(
        f"{bound.auto_id}-{part}" for part, is_there in (("hint", hint), ("error", bound.errors)) if is_there
    )
    attributes: dict[str, str | bool] = {"class": f"input {kind}".strip(), "placeholder": ""}
    if described:
        attributes["aria-describedby"] = described
    if bound.errors:
        attributes["aria-invalid"] = "true"
    return {
        "field": bound,
        "widget": bound.as_widget(attrs=attributes),
        "hint": hint,
        "label": label or bound.label,
    }
