"""Quotes beside the statements they carry."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from config.templatetags.addresses import short_url
from config.templatetags.texts import markdown
from directory.listings import sources

register = template.Library()
# a private sign that stands where a mark goes until the text is HTML
PLACE = "\ue000"
LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # letters of Hebrew, Arabic and their kin
SOURCES = {
    "text": "",
    "meta": "page title or description",
    "json_ld": "structured data",
    "alt": "image text",
    "robots": "robots.txt",
}
# what a page says in an attribute is kept as `meta` too, as its title and description are
ADDRESS = re.compile(r"[^\s]*[/.@:][^\s]*")
TEXT_OF: dict[str, Callable[[Any], str]] = {
    "founders": lambda person: person["name"],
    "faqs": lambda faq: faq["question"],
    "socials": lambda link: link[1],
}


@register.filter
def direction(text: object) -> str:
    """Which way a text runs, by most of its letters: a Latin name at its start makes no sentence a Latin one."""
    leftwards = len(LEFTWARDS.findall(words := str(text or "")))
    return "rtl" if leftwards and 2 * leftwards > sum(map(str.isalpha, words)) else "auto"


@register.filter
def page_of(url: str, host: str) -> str:
    """Which page of a website an address is; of another one its whole short address."""
    short = short_url(url)
    path = short.removeprefix(host)
    return short if path[:1] not in {"", "/"} else path or "its home page"


@register.filter
def opening(text: str, most: int) -> str:
    """The whole sentences that a text begins with, as far as there is room; where none ends, its first words."""
    ends = [text.rfind(stop, 0, most) for stop in (". ", "? ", "! ", ".\n", "?\n", "!\n")]
    return text if len(text) <= most else text[: max(ends) + 1] or Truncator(text).chars(most)


@register.filter
def with_quotes(listing: Mapping[str, Any], name: str) -> list[tuple[Any, list[Any]]]:
    """The parts of a fact, each with the quotes that carry it; links are pairs of platform and address."""
    parts = list(listing[name].items() if name == "socials" else listing[name])
    texts = [TEXT_OF.get(name, str)(part) for part in parts]
    return list(zip(parts, sources.quoted(texts, listing["evidence"].get(name, [])), strict=True))


@register.simple_tag
def quoted_prose(text: str, quotes: Sequence[Any], *, name: str, after: str) -> SafeString:
    """Markdown as HTML with a quote mark behind the last sentence of each paragraph that its quotes carry.

    Where it begins with the text that it stands below, that is not said a second time.
    """
    text = str(text or "").replace(PLACE, "").strip()
    rest = text.removeprefix(str(after or "").strip())
    text = rest if rest[:1].isspace() or not rest else text
    parts = sources.paragraphs(text) if quotes and "```" not in text else []
    marks: list[SafeString] = []
    start = 0
    for part, own in zip(parts, sources.quoted(parts, quotes or []), strict=True):
        start = text.index(part, start)
        end = start + sources.proved_part(part, own)
        start += len(part)
        if sources.is_prose(part):
            text = f"{text[:end]}{PLACE}{text[end:]}"
            start += 1
            marks.append(_mark(own, name=f"{name}-{len(marks) + 1}"))
    html = markdown(text)
    for mark in marks:
        html = mark_safe(html.replace(PLACE, f'<span class="nowrap">{mark}</span>', 1))
    return html


def _mark(quotes: Sequence[Any], *, name: str) -> SafeString:
    context = {"name": name, "words": "paragraph", "quotes": quotes}
    return mark_safe(render_to_string("directory/parts/evidence.html", context).strip())


@register.filter
def place_of(quote: Mapping[str, Any]) -> str:
    """Where on a page a quote stands, in words; of what people read there, nothing."""
    source = str(quote.get("source") or "text")
    if source == "meta" and ADDRESS.fullmatch(str(quote["quote"])):
        return "address of a link or picture"
    return SOURCES.get(source, source)


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
