"""Texts, dates and values in the words of a page."""

import re
from datetime import date, datetime
from importlib import import_module
from typing import Any

import nh3
from django import template
from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.html import Urlizer, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt

from core.mail_text import quoted, unlinked
from directory import weeks, wording

register = template.Library()


class WholeAddresses(Urlizer):
    """Django's `urlize` for addresses with their scheme alone: a product may be called x.com."""

    simple_url_2_re = re.compile(r"(?!)")


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
register.filter("linked", lambda text: mark_safe(WholeAddresses()(text, nofollow=True, autoescape=True)))
register.filter("ordinal", ordinal)
register.filter("placed", wording.placed)
register.filter("at_a_word", wording.at_a_word)
register.filter("country_name", wording.country_name)
register.filter("words_of", wording.words_of)
register.filter("quoted", quoted)
register.filter("unlinked", unlinked)
register.filter("dates_in_words", wording.dates_in_words)


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
def platform(key: str) -> str:
    return wording.PLATFORMS.get(key, str(key).capitalize())


@register.filter
def as_cell(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value)
    return str(value)


@register.filter
def words(text: str) -> list[str]:
    return text.split()


@register.filter
def pieces(text: str) -> list[str]:
    return text.split(",")


@register.filter
def human_size(size: int) -> str:
    if size < 1_000_000:
        return f"{size} bytes" if size < 1000 else f"{size / 1000:.0f} KB"
    return f"{size / 1_000_000:.1f} MB"


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
