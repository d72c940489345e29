"""Two products side by side, chosen by name."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from directory import limits
from directory.listings.alternatives import get_alternatives
from directory.listings.choosing import Choice, choice_of
from directory.listings.compare import comparison
from directory.models import Site
from directory.reading import marks_of
from directory.search.popular import pairs
from directory.sites.lookup import current_site

SIDES = ("a", "b")
SUGGESTED = 4


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
