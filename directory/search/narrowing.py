"""What was found, narrowed by what people tick: facets with counts that say what each choice would show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.api.pagination import Page
from directory.models import Site
from directory.search.cards import page_summaries
from directory.search.query.finding import search_listings

Card = Mapping[str, Any]
NARROWED_UP_TO = (
    300  # so many hits are looked through; of more, the search itself takes the first choice of each facet
)
NONE = "none"
LISTED = 6


@dataclass(frozen=True, kw_only=True)
class Option:
    """A choice of a facet, and how many it would show; unknown when there are too many to look through."""

    value: str
    count: int | None
    is_chosen: bool


@dataclass(frozen=True, kw_only=True)
class Narrowed:
    """A page of cards, why each was found, and the facets. `without` counts hits without one choice."""

    page: Page
    matches: Mapping[str, Mapping[str, Any]]
    corrected: str | None
    facets: Mapping[str, Sequence[Option]]
    without: Mapping[str, int]


def narrowed(  # noqa: PLR0913  (what a search page asks)
    *,
    site: Site,
    q: str,
    chosen: Mapping[str, Sequence[str]],
    tree: Sequence[Mapping[str, Any]],
    status: str,
    sort: str,
    page: int,
    per_page: int,
    within: str | None = None,
    about: int = 0,
) -> Narrowed:
    """What fits the words and, of each facet, one of its choices; `within` keeps to a category of `about` so many."""
    params: dict[str, Any] = {"site": site, "q": q, "category": within, "status": status, "sort": sort}
    if about <= NARROWED_UP_TO:
        result = search_listings(**params, page=1, per_page=NARROWED_UP_TO)
        about = result.page.total
    if about > NARROWED_UP_TO:
        first: dict[str, Any] = {
            name: values[0] for name, values in chosen.items() if values and values[0] != NONE
        }
        result = search_listings(**params | first, page=page, per_page=per_page)
        cards = page_summaries(result.page, besides={})
        uncounted = {name: _options({}, chosen.get(name, ())) for name in NAMES}
        return _with_cards(result, cards, page=result.page, facets=uncounted, without={})
    cards = page_summaries(result.page, besides={})
    below = _below(tree)
    fitting = [card for card in cards if _passes(card, chosen, below=below)]
    facets, without = _counted(cards, chosen, below=below)
    visible = Page(
        items=fitting[(page - 1) * per_page : page * per_page],
        page=page,
        per_page=per_page,
        total=len(fitting),
    )
    return _with_cards(result, cards, page=visible, facets=facets, without=without)


NAMES = ("category", "pricing_model", "country", "stage")


def _counted(
    cards: Sequence[Card], chosen: Mapping[str, Sequence[str]], *, below: Mapping[str, frozenset[str]]
) -> tuple[dict[str, list[Option]], dict[str, int]]:
    """Each facet's choices with how many they would show, and how many there are without the facet."""
    facets: dict[str, list[Option]] = {}
    without: dict[str, int] = {}
    for name in NAMES:
        others = {key: values for key, values in chosen.items() if key != name}
        rest = [card for card in cards if _passes(card, others, below=below)]
        counts: Counter[str] = Counter(value for card in rest for value in _values(card, name))
        for value in chosen.get(name, ()):
            counts[value] = sum(_passes(card, {name: [value]}, below=below) for card in rest)
        facets[name] = _options(counts, chosen.get(name, ()))
        if chosen.get(name):
            without[name] = len(rest)
    return facets, without


def _with_cards(
    result: Any, cards: Sequence[Card], *, page: Page, facets: Any, without: Mapping[str, int]
) -> Narrowed:
    matches = {
        card["slug"]: result.match.get(pk, {}) for pk, card in zip(result.page.items, cards, strict=False)
    }
    if page is result.page:
        page = Page(
            items=cards,
            page=page.page,
            per_page=page.per_page,
            total=page.total,
            total_is_estimate=page.total_is_estimate,
        )
    return Narrowed(
        page=page, matches=matches, corrected=result.corrected_query, facets=facets, without=without
    )


def _values(card: Card, name: str) -> list[str]:
    if name == "category":
        return [category["slug"] for category in card["categories"]]
    return [str(card[name] or NONE)]


def _passes(card: Card, chosen: Mapping[str, Sequence[str]], *, below: Mapping[str, frozenset[str]]) -> bool:
    for name, values in chosen.items():
        accepted = set(values).union(*(below.get(value, ()) for value in values if name == "category"))
        if accepted and accepted.isdisjoint(_values(card, name)):
            return False
    return True


def _below(tree: Sequence[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """The slugs at and below each category."""
    result: dict[str, frozenset[str]] = {}
    for node in tree:
        inside = _below(node["children"])
        result |= inside
        result[node["slug"]] = frozenset({node["slug"], *inside})
    return result


def _options(counts: Mapping[str, int], chosen: Sequence[str]) -> list[Option]:
    """The chosen ones and the most frequent, what is not stated last."""
    existing = {**dict.fromkeys(chosen), **counts}
    ranked = sorted(
        existing, key=lambda value: (value == NONE, value not in chosen, -(existing[value] or 0), value)
    )
    return [Option(value=value, count=existing[value], is_chosen=value in chosen) for value in ranked]
