"""Two products side by side, chosen by name."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from core.methods import require_safe
from directory import limits
from directory.listings.compare import comparison, get_alternatives
from directory.models import Listing, Site
from directory.reading import marks_of
from directory.search.cards import page_summaries, pairs
from directory.search.query.finding import search_listings
from directory.sites.lookup import current_site

OFFERED, GUESSED = 6, 3
SIDES = ("a", "b")
SUGGESTED = 4


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


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """`/compare?a=&b=`: slugs or names; once both are clear, the address has their slugs and lasts."""
    site = current_site(request)
    typed = {side: request.GET.get(side, "").replace("\0", "").strip()[: limits.QUERY] for side in SIDES}
    choices = {side: choice_of(text, site=site) for side, text in typed.items() if text}
    slugs = {side: choice.slug for side, choice in choices.items() if choice.slug}
    first = choices.get("a")
    context: dict[str, Any] = {"typed": typed, "choices": choices, "first": first, "others": []}
    context["is_same"] = len(slugs) == len(SIDES) and slugs["a"] == slugs["b"]
    if len(slugs) < len(SIDES) or context["is_same"]:
        if first and first.slug:
            context["others"] = get_alternatives(site=site, slug=first.slug)[:SUGGESTED]
        elif not choices:
            context["pairs"] = pairs(site=site, limit=SUGGESTED)
        is_wrong = context["is_same"] or any(not choice.slug for choice in choices.values())
        return render(request, "directory/compare.html", context, status=400 if is_wrong else 200)
    if slugs != typed:
        return HttpResponseRedirect(f"/compare?{urlencode(slugs)}")
    return render(request, "directory/compare.html", context | _compared(request, choices, site=site))


def _compared(request: HttpRequest, choices: dict[str, Choice], *, site: Site) -> dict[str, Any]:
    """The rows in their groups, differences first; what neither states is only named."""
    a, b = choices["a"].slug, choices["b"].slug
    result = comparison(site=site, a=a, b=b)
    rows = [row for group in result["groups"] for row in group["rows"]]
    stated = [row for row in rows if row["a"] or row["b"]]
    groups = [
        ("Where they differ", [row for row in stated if not row["same"]]),
        ("What is the same", [row for row in stated if row["same"]]),
    ]
    others = [card for card in get_alternatives(site=site, slug=a) if card["slug"] != b]
    cards = [result["a"], result["b"]]
    return {
        "found": result,
        "cards": cards,
        "groups": [group for group in groups if group[1]],
        "hidden": [row["attribute"] for row in rows if not (row["a"] or row["b"])],
        "others": others[:SUGGESTED],
        "marks": marks_of(request, cards),
        "canonical": f"/compare?{urlencode({'a': a, 'b': b})}",
    }
