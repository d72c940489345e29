"""Small parts of pages: icons, tiles, figures, queries, structured data."""

import json
import zlib
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.http import HttpRequest, QueryDict
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
TINTS = 8
SPARK_WIDTH, SPARK_HEIGHT, SPARK_POINTS, SPARK_SPREAD = 120, 40, 2, 10
SCRIPT_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


@register.simple_tag
@lru_cache(maxsize=512)  # dozens of a page are the same few
def icon(name: str, label: str = "", kind: str = "") -> SafeString:
    """An icon of the sprite; silent for screen readers unless it has a label."""
    role = format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')
    sprite = '<svg class="{}" {}><use href="{}#{}"></use></svg>'
    return format_html(sprite, f"icon {kind}".strip(), role, static("icons.svg"), name)


@register.simple_tag(takes_context=True)
def again(context: Context, name: str) -> str:
    """A block of this page once more: what names the page in its title names it in its heading too."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block(name)
    return block.nodelist.render(context) if block else ""


@register.simple_tag
def page_head(title: str, lede: str = "") -> SafeString:
    """What a page begins with: its heading, and a sentence below."""
    below = format_html('<p class="lede">{}</p>', lede) if lede else ""
    return format_html('<div class="page-head"><h1>{}</h1>{}</div>', title, below)


@register.filter
def sheets(names: str) -> SafeString:
    """The links to these style sheets."""
    paths = ((static(f"css/{name}.css"),) for name in names.split())
    return format_html_join("", '<link rel="stylesheet" href="{}">', paths)


@register.simple_tag(takes_context=True)
def current(context: dict[str, Any], prefix: str) -> SafeString:
    """The attribute that marks a link as the one the reader is under."""
    request = context.get("request")
    return mark_safe(' aria-current="true"' if request and request.path.startswith(prefix) else "")


@register.filter
def tint(name: str) -> int:
    """The colour of a tile with a letter: of a product by its name, which draft and listing share."""
    return zlib.crc32(str(name).encode()) % TINTS


@register.filter
def initials(name: str) -> str:
    words = [word for word in str(name).split() if word[0].isalnum()]
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)).upper()


@register.filter
def monogram(name: str) -> str:
    return next((letter for letter in str(name) if letter.isalnum()), "·")


@register.simple_tag
def rank_change(before: int, now: int) -> SafeString:
    moved = before - now
    if not moved:
        return mark_safe('<span class="hidden-words">, unchanged</span>')
    sign, word, kind = ("↑", "up", "change up") if moved > 0 else ("↓", "down", "change")
    silent = format_html('<span aria-hidden="true">{}{}</span>', sign, abs(moved))
    spoken = format_html('<span class="hidden-words">, {} {}</span>', word, abs(moved))
    return format_html('<span class="{}">{}{}</span>', kind, silent, spoken)


@register.inclusion_tag("parts/spark.html")
def spark(trend: list[dict[str, Any]] | None) -> dict[str, Any]:
    """A year of a figure as a small line that one point leaves level, with its first and last value in words."""
    points = [point for point in trend or [] if point.get("value") is not None]
    if len(points) < SPARK_POINTS:
        return {"line": ""}
    low, high = min(p["value"] for p in points), max(p["value"] for p in points)
    spread = max(high - low, SPARK_SPREAD)
    low -= (spread - (high - low)) / 2
    step, height = SPARK_WIDTH / (len(points) - 1), SPARK_HEIGHT - 10
    places = [
        f"{number * step:.0f} {SPARK_HEIGHT - 5 - height * (point['value'] - low) / spread:.0f}"
        for number, point in enumerate(points)
    ]
    line = "M" + " ".join(places)
    return {"line": line, "area": f"{line}V{SPARK_HEIGHT}H0Z", "first": points[0], "last": points[-1]}


@register.filter
def get(mapping: Any, key: Any) -> Any:
    return mapping.get(key) if hasattr(mapping, "get") else None


@register.simple_tag
def json_ld(data: Any) -> SafeString:
    """Structured data for search engines; a data block, which the content security policy does not run."""
    text = json.dumps(data, ensure_ascii=False).translate(SCRIPT_ESCAPES)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))


@register.simple_tag(takes_context=True)
def query_with(context: dict[str, Any], **changes: Any) -> str:
    """The query string of this page with some parameters changed; None leaves one out."""
    request: HttpRequest = context["request"]
    params = QueryDict(request.META.get("QUERY_STRING", ""), mutable=True)
    for name, value in changes.items():
        params.pop(name, None)
        if value not in {None, ""}:
            params[name] = str(value)
    return "?" + urlencode(list(params.lists()), doseq=True) if params else context["request"].path


@register.simple_tag(takes_context=True)
def query_minus(context: dict[str, Any], name: str, value: str = "") -> str:
    """The query string of this page without one value of a parameter, or without all of them, from the first page."""
    params = context["request"].GET.copy()
    params.setlist(name, [entry for entry in params.getlist(name) if value and entry != value])
    params.pop("page", None)
    return "?" + params.urlencode()
