"""Feeds as Atom (RFC 4287), JSON Feed 1.1 and iCalendar (RFC 5545)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from xml.etree import ElementTree

from directory import weeks

ATOM = "http://www.w3.org/2005/Atom"
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One piece of news. `id` never changes; `url` is where to read it."""

    id: str
    title: str
    url: str
    text: str
    published: datetime
    updated: datetime
    author: str = ""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Feed:
    """News, newest first. `url` is the feed's own address in each form, `page_url` the page it belongs to."""

    title: str
    subtitle: str
    base_url: str
    page_url: str
    entries: Sequence[Entry]
    empty_since: datetime

    @property
    def updated(self) -> datetime:
        return max((entry.updated for entry in self.entries), default=self.empty_since)


@dataclass(frozen=True, kw_only=True)
class Week:
    week: date
    launches: int
    names: Sequence[str]
    url: str


def _time(at: datetime) -> str:
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def atom(feed: Feed) -> bytes:
    url = f"{feed.base_url}.atom"
    root = ElementTree.Element("feed", xmlns=ATOM)
    _add(root, "id", url)
    _add(root, "title", feed.title)
    _add(root, "subtitle", feed.subtitle)
    _add(root, "updated", _time(feed.updated))
    _add(root, "link", rel="self", type="application/atom+xml", href=url)
    _add(root, "link", rel="alternate", type="text/html", href=feed.page_url)
    for entry in feed.entries:
        _add_entry(root, entry, feed=feed)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add_entry(root: ElementTree.Element, entry: Entry, *, feed: Feed) -> None:
    node = _add(root, "entry")
    _add(node, "id", entry.id)
    _add(node, "title", entry.title)
    _add(node, "link", rel="alternate", type="text/html", href=entry.url)
    _add(node, "published", _time(entry.published))
    _add(node, "updated", _time(entry.updated))
    _add(_add(node, "author"), "name", entry.author or feed.title)
    for category in entry.categories:
        _add(node, "category", term=category)
    _add(node, "content", entry.text, type="text")


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, name, {key: _clean(value) for key, value in attributes.items()})
    node.text = _clean(text) or None
    return node


def _clean(text: str) -> str:
    return NOT_XML.sub("", text)


def json_feed(feed: Feed) -> dict[str, Any]:
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.subtitle,
        "home_page_url": feed.page_url,
        "feed_url": f"{feed.base_url}.json",
        "language": "en",
        "items": [
            {
                "id": entry.id,
                "url": entry.url,
                "title": _clean(entry.title),
                "content_text": _clean(entry.text),
                "date_published": _time(entry.published),
                "date_modified": _time(entry.updated),
                "authors": [{"name": entry.author or feed.title}],
                "tags": list(entry.categories),
            }
            for entry in feed.entries
        ],
    }


def calendar(*, name: str, host: str, launch_weeks: Sequence[Week]) -> bytes:
    from icalendar import Calendar, Event  # noqa: PLC0415  (2 MB in each process, for those who ask for a calendar)

    result = Calendar()
    result.add("prodid", f"-//{name}//Launch weeks//EN")
    result.add("version", "2.0")
    result.add("method", "PUBLISH")
    result.add("x-wr-calname", f"{name}: launch weeks")
    for entry in launch_weeks:
        event = Event()
        event.add("uid", f"week-{entry.week}@{host}")
        event.add("dtstamp", weeks.start(entry.week))
        event.add("dtstart", entry.week)
        event.add("dtend", entry.week + weeks.WEEK)
        event.add("summary", f"{entry.launches} {'launch' if entry.launches == 1 else 'launches'} on {name}")
        event.add("description", "\n".join(entry.names))
        event.add("url", entry.url)
        event.add("transp", "TRANSPARENT")
        result.add_component(event)
    return result.to_ical()
