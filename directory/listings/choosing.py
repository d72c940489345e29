"""Which product somebody means by what they typed."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from directory.models import Listing, Site
from directory.search.cards import page_summaries
from directory.search.query.finding import search_listings

OFFERED, GUESSED = 6, 3


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What was typed, and the live listing it stands for, if that is clear.

    `options` are those it may stand for; `is_guess` when none has such a name. `starts_on` is for one still to launch.
    """

    typed: str
    slug: str = ""
    name: str = ""
    options: list[dict[str, Any]] = field(default_factory=list)
    is_guess: bool = False
    starts_on: date | None = None


def choice_of(typed: str, *, site: Site) -> Choice:
    """The listing with this slug, or of this name; else those whose names come near."""
    row = Listing.objects.public().filter(site=site, slug=typed).first()
    if row is not None and row.is_live:
        return Choice(typed=typed, slug=row.slug, name=row.name)
    live, coming = (_matches(typed, site=site, status=status) for status in ("live", "upcoming"))
    exact = [card for card in live if card["name"].casefold() == typed.casefold()]
    named = exact or [card for card in live if typed.casefold() in card["name"].casefold()]
    if len(named) == 1:
        return Choice(typed=typed, slug=named[0]["slug"], name=named[0]["name"])
    soon = [card for card in coming if typed.casefold() in {card["name"].casefold(), card["slug"]}]
    if soon and not named:
        return Choice(typed=typed, name=soon[0]["name"], starts_on=date.fromisoformat(soon[0]["launch_week"]))
    return Choice(typed=typed, options=named or live[:GUESSED], is_guess=not named)


def _matches(typed: str, *, site: Site, status: str) -> list[dict[str, Any]]:
    result = search_listings(site=site, q=typed, status=status, page=1, per_page=OFFERED)
    return page_summaries(result.page, besides={})
