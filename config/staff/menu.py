"""The menu of the back office: by job, not by table. An item without the right is absent."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from accounts.staff import rights
from config.staff import queues
from core.tables import rows_of


@dataclass(frozen=True)
class Item:
    """One line of the menu. `queue` names the rows of `queues` that its number comes from, a space between two."""

    name: str
    icon: str
    page: str  # the name of its address in the back office
    act: str
    query: str = ""
    queue: str = ""
    key: str = ""  # G and this letter go there
    words: str = ""  # what else it is called by who looks for it

    @cached_property
    def path(self) -> str:
        return reverse(f"admin:{self.page}")

    @cached_property
    def url(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


_ROWS = [(row.pop("group"), Item(**row)) for row in rows_of(__file__, "menu.csv")]
MENU = {
    group: [item for of, item in _ROWS if of == group] for group, _ in _ROWS
}  # by the title of each group


def menu(request: HttpRequest) -> list[tuple[str, list[dict[str, Any]]]]:
    """The groups and items that this member of staff has, with what waits."""
    waiting = queues.counts()
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    for title, items in MENU.items():
        entries = [_entry(request, item, waiting) for item in items if rights.may(request.user, item.act)]
        if entries:
            groups.append((title, entries))
    current = [item for _, entries in groups for item in entries if item["is_under"]]
    if current:  # the most particular one: two lists may share an address and differ in their query
        max(current, key=lambda item: (item["is_exact"], len(item["path"])))["is_current"] = True
    return groups


def _entry(request: HttpRequest, item: Item, waiting: dict[str, queues.Waiting]) -> dict[str, Any]:
    result = queues.together(waiting[key] for key in item.queue.split() if key in waiting)
    is_home = item.page == "index"
    return {
        "name": item.name,
        "icon": item.icon,
        "key": item.key,
        "path": item.path,
        "url": item.url,
        "waits": result.number_text if result.number else "",
        "is_hot": item.queue == "jobs",
        "is_under": request.path == item.path if is_home else request.path.startswith(item.path),
        "is_exact": bool(item.query) and item.query in request.META.get("QUERY_STRING", ""),
    }
