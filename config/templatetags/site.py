"""Small parts of pages: icons, dates, monograms, form fields."""

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import lru_cache
from importlib import import_module
from typing import Any
from urllib.parse import urlencode

import nh3
from django import template
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import ordinal
from django.forms import BoundField
from django.http import HttpRequest, QueryDict
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt

from core.api.links import on_site
from core.fetch import split_url
from directory import weeks, wording

register = template.Library()
TINTS = 8
HEADING = re.compile(r"(?<=[</])h([1-6])>")
SECTION, LOWEST = 2, 4
SECTION_HEADING = re.compile(r"<h2>([^<]+)</h2>")
# Rows of "|" below a head of many columns would be filled up to half a megabyte of empty cells for each reader.
import_module("markdown_it.rules_block.table").MAX_AUTOCOMPLETED_CELLS = 1000  # type: ignore[attr-defined]
MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
TAGS = {
    *("a", "p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "h2", "h3", "h4"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
SOURCES = {
    "text": "",
    "meta": "page title or description",
    "json_ld": "structured data",
    "alt": "image text",
    "robots": "robots.txt",
}
# what a page says in an attribute is kept as `meta` too, as its title and description are
ADDRESS = re.compile(r"[^\s]*[/.@:][^\s]*")
SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
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


@register.filter
def as_date(value: str | date | datetime | None) -> date | datetime | None:
    if not isinstance(value, str):
        return value
    return datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)


@register.filter
def days(monday: date | None) -> str:
    """A week's days, such as 16–22 November 2026; nothing where none is chosen."""
    return weeks.span(monday) if monday else ""


@register.filter
def sunday(week: date | None) -> date | str:
    return weeks.sunday(week) if week else ""


@register.filter
def breakable(address: str) -> SafeString:
    """A mail address that breaks before its @ first."""
    return format_html("{}<wbr>{}{}", *address.partition("@"))


@register.filter
def host(url: str) -> str:
    return (split_url(str(url)).hostname or str(url)).removeprefix("www.")


@register.filter
def short_url(url: str) -> str:
    parts = split_url(str(url))
    return (parts.netloc.removeprefix("www.") + parts.path.rstrip("/")) or str(url)


@register.filter
def handle(url: str) -> str:
    """Whose account an address of a network is, such as `@ada`; nothing where it names none."""
    name = split_url(str(url)).path.strip("/").partition("/")[0].removeprefix("@")
    return f"@{name}" if name else ""


@register.filter
def path_of(url: str) -> str:
    parts = split_url(str(url))
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


@register.filter
def own_path(url: str | None) -> str:
    """The path of an image that we serve ourselves, from its address or its path; pages show no other."""
    path = (url or "").removeprefix(on_site(""))
    return path if path.startswith(settings.MEDIA_URL) else ""


@register.filter
def own_srcset(srcset: str) -> str:
    """The same of the addresses of a picture's sizes, which we have made ourselves."""
    return srcset.replace(on_site(settings.MEDIA_URL), settings.MEDIA_URL)


@register.filter
def preparing(uploads: Iterable[Any]) -> bool:
    return any(upload.status == "preparing" for upload in uploads)


@register.filter
def web_only(url: str | None) -> str:
    """An address of the web; anything else, such as javascript:, leads nowhere."""
    return str(url) if split_url(str(url)).scheme in {"http", "https"} else "#"


register.filter("ordinal", ordinal)
register.filter("placed", wording.placed)
register.filter("country_name", wording.country_name)
register.filter("words_of", wording.words_of)
register.filter("dates_in_words", wording.dates_in_words)


@register.filter
def platform(key: str) -> str:
    return wording.PLATFORMS.get(key, str(key).capitalize())


@register.filter
def place_of(quote: Mapping[str, Any]) -> str:
    """Where on a page a quote stands, in words; of what people read there, nothing."""
    source = str(quote.get("source") or "text")
    if source == "meta" and ADDRESS.fullmatch(str(quote["quote"])):
        return "address of a link or picture"
    return SOURCES.get(source, source)


@register.filter
def money(cents: int, currency: str | None) -> str:
    return f"{SIGNS.get(currency or '', f'{currency} ')}{cents / 100:,.2f}".replace(".00", "")


@register.filter
def as_cell(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value)
    return str(value)


@register.filter
def quotes_for(evidence: dict[str, Any], names: str) -> list[dict[str, Any]]:
    """The quotes of the first of these fields that has any."""
    return next((evidence[name] for name in names.split() if evidence.get(name)), [])


@register.filter
def once(quotes: Iterable[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """Each quote of an address once: a page may say the same in several places."""
    rows = {(quote["quote"], quote["url"]): quote for quote in reversed(list(quotes or ()))}
    return list(rows.values())[::-1]


@register.filter
def says(quote: str, value: object) -> bool:
    """Whether a quote says just what a value says, signs and capitals aside; of an address its end will do."""
    texts = (str(side).casefold().removeprefix("mailto:") for side in (quote, value))
    bare, text = ("".join(filter(str.isalnum, side)) for side in texts)
    return text.endswith(bare) if str(value).startswith("http") else bare == text


@register.filter
def words(text: str) -> list[str]:
    return text.split()


@register.filter
def with_code(text: str | None) -> SafeString:
    parts = str(text or "").split("`")
    if len(parts) % 2 == 0:
        return format_html("{}", text)
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in enumerate(parts)),
    )


@register.filter
def pieces(text: str) -> list[str]:
    return text.split(",")


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
def human_size(size: int) -> str:
    if size < 1_000_000:
        return f"{size} bytes" if size < 1000 else f"{size / 1000:.0f} KB"
    return f"{size / 1_000_000:.1f} MB"


@register.filter
def get(mapping: Any, key: Any) -> Any:
    return mapping.get(key) if hasattr(mapping, "get") else None


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML: no raw HTML, no images, a closed list of tags, links that lend no weight."""
    html = MARKDOWN.render(str(text or ""))
    top = min((int(level) for level in HEADING.findall(html)), default=SECTION)
    html = HEADING.sub(lambda match: f"h{min(int(match[1]) - top + SECTION, LOWEST)}>", html)
    clean = nh3.clean(
        html,
        tags=TAGS,
        attributes={"a": {"href", "title"}, "code": set()},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener ugc",
    )
    return mark_safe(clean)


@register.filter
def anchored(html: SafeString) -> SafeString:
    """The same HTML with an address for each of its sections."""
    return mark_safe(SECTION_HEADING.sub(lambda match: f'<h2 id="{slugify(match[1])}">{match[1]}</h2>', html))


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
