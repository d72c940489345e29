"""Search as the interface describes it: words that may be misspelt, filters, an order, a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from core.api import caching
from core.api.pagination import Page
from core.domains import domain_meant
from directory.models import Category, Site
from directory.search import lexemes
from directory.search.lexemes import SURELY_CAPPED
from directory.search.query.browsing import Window, browse_ids, with_filters, with_words
from directory.search.query.planning import (
    FEW,
    NO_NAMES,
    Plan,
    Reach,
    Slot,
    at_most,
    expected,
    is_surely_capped,
    loosened,
    plan,
    widenable,
)
from directory.search.query.ranking import (
    FIELDS,
    GUESSED_UP_TO,
    RANKED_UP_TO,
    Ranked,
    Stage,
    matched,
    ranked_page,
)
from directory.search.query.vocabulary import Vocabulary, add_near, read_vocabulary, typed_words
from directory.search.words import words_of


@dataclass(kw_only=True)
class SearchResult:
    """A page of listing ids, best first; with words, `match` says of each id why it is there.

    `match` holds `{"fields": [...], "corrected_query": text or None}`; `corrected_query` is the first hit's.
    """

    page: Page
    match: dict[int, dict[str, Any]] = field(default_factory=dict)
    corrected_query: str | None = None


def search_listings(  # noqa: PLR0913  (the parameters of the interface)
    *,
    site: Site,
    q: str = "",
    category: str | None = None,
    stage: str | None = None,
    country: str | None = None,
    pricing_model: str | None = None,
    domain: str | None = None,
    status: str = "live",
    sort: str = "relevance",
    page: int,
    per_page: int,
) -> SearchResult:
    """Listings of a site that fit the words and every filter; an empty page when none does."""
    typed = words_of(q)
    order = "votes" if sort == "relevance" and not typed else sort
    window = Window(site_id=site.pk, status=status, sort=order, page=page, per_page=per_page)
    requested = (
        (lexemes.at_stage, stage),
        (lexemes.of_country, country),
        (lexemes.with_pricing, pricing_model),
        (lexemes.of_domain, domain and (domain_meant(domain) or "-")),  # nobody has this one
    )
    filters = [lexeme(value) for lexeme, value in requested if value]
    if typed:
        return _by_words(typed, filters=filters, category=category, window=window)
    category_id = None
    if category:
        category_id = _category_id(category)
        if category_id is None:
            return SearchResult(page=window.holding({}, total=0))
        filters.append(lexemes.in_category(category_id))
    if filters:
        return SearchResult(page=with_filters(filters, category_id=category_id, window=window))
    return SearchResult(page=browse_ids(site=site, sort=order, status=status, page=page, per_page=per_page))


def _category_id(slug: str) -> int | None:
    """The category of this slug; all of them are read at once, for answers that are made of the same data."""
    ids: dict[str, int] | None = caching.shared("categories")
    if ids is None:
        ids = dict(Category.objects.values_list("slug", "pk"))
        caching.share("categories", ids)
    return ids.get(slug)


def _by_words(
    typed: Sequence[str], *, filters: Sequence[str], category: str | None, window: Window
) -> SearchResult:
    existing = read_vocabulary(typed_words(typed), site_id=window.site_id, filters=filters, category=category)
    if category:
        if existing.category_id is None:
            return SearchResult(page=window.holding({}, total=0))
        filters = [*filters, lexemes.in_category(existing.category_id)]
    is_widened = _is_surely_too_little(existing)
    if is_widened:
        add_near(widenable(existing), site_id=window.site_id)
    reading = Reading(vocabulary=existing, typed=typed, filters=filters, window=window)
    base = reading.plans[Reach.TYPED]
    if not base.needed:
        return SearchResult(page=window.holding({}, total=0))
    about = expected(base, vocabulary=existing)
    if about > RANKED_UP_TO and window.sort != "relevance":
        return _in_order(base, about=about, window=window, typed=typed)
    ranked = reading.ranked()
    if ranked.total is None:
        return _in_order(base, about=about, window=window, typed=typed)
    if about <= RANKED_UP_TO and not is_widened and _is_too_little(ranked, base=base):
        add_near(widenable(existing), site_id=window.site_id)
        reading = replace(reading)  # which reads the words anew
        ranked = reading.ranked()
    page = window.holding(ranked.cards, total=ranked.total or 0, exact_up_to=RANKED_UP_TO)
    return _explained(page, ranked.hits, whole=reading.plans[Reach.NEAR], typed=typed)


@dataclass(kw_only=True)
class Reading:
    """The query as it is read with what is known of its words so far."""

    vocabulary: Vocabulary
    typed: Sequence[str]
    filters: Sequence[str]
    window: Window

    @cached_property
    def plans(self) -> dict[Reach, Plan]:
        """The query as far as each reach goes."""
        read = partial(
            plan,
            self.vocabulary,
            typed=self.typed,
            site_id=self.window.site_id,
            status=self.window.status,
            filters=self.filters,
        )
        words = self.vocabulary.words
        typed = read(reach=Reach.TYPED)
        longer = read(reach=Reach.LONGER) if any(word.longer for word in words) else typed
        near = read(reach=Reach.NEAR) if any(word.near or word.halves for word in words) else longer
        return {Reach.TYPED: typed, Reach.LONGER: longer, Reach.NEAR: near}

    def ranked(self) -> Ranked:
        """A page of the hits: as typed, then by what the words begin or may have meant, then with less."""
        base = self.plans[Reach.TYPED]
        return ranked_page(
            self._stages(),
            window=self.window,
            about=expected(base, vocabulary=self.vocabulary),
            at_most=at_most(base, vocabulary=self.vocabulary),
            total=SURELY_CAPPED if is_surely_capped(base) else None,
        )

    def _stages(self) -> list[Stage]:
        plans = list({entry.anywhere: entry for entry in self.plans.values()}.values())
        stages = [
            Stage(queries=entry.queries, plan=entry, names=entry.beginnings, below=FEW, most=GUESSED_UP_TO)
            for entry in plans
        ]
        stages[0].most = RANKED_UP_TO
        less = [
            Stage(queries=queries, plan=plans[-1], names=NO_NAMES, below=FEW, most=GUESSED_UP_TO)
            for queries in loosened(plans[-1], vocabulary=self.vocabulary)
        ]
        if less:
            less[0].only_if_none = True
            less[-1].below = 1
        return [*stages, *less]


def _is_surely_too_little(vocabulary: Vocabulary) -> bool:
    """Whether it finds too little: no listing has a word of it, or few have the only one, and none as its name."""
    needed = [word for word in vocabulary.words if word.is_needed]
    if len(needed) == 1 and not (needed[0].in_names or vocabulary.joined):
        return needed[0].at_most < FEW
    return any(not word.at_most for word in needed)


def _is_too_little(ranked: Ranked, *, base: Plan) -> bool:
    enough = FEW if len(base.needed) == 1 else 1
    return (ranked.total or 0) < enough and not ranked.has_named


def _in_order(base: Plan, *, about: float, window: Window, typed: Sequence[str]) -> SearchResult:
    """Very many hits in an order other than relevance."""
    page = with_words(base.queries, sampled=base.sampled, about=about, window=window)
    return _explained(page, matched(page.items, whole=base), whole=base, typed=typed)


def _explained(
    page: Page, hits: Mapping[int, Mapping[str, str]], *, whole: Plan, typed: Sequence[str]
) -> SearchResult:
    match: dict[int, dict[str, Any]] = {
        listing_id: {
            "fields": _fields(result, whole=whole),
            "corrected_query": _corrected(result, whole=whole, typed=typed),
        }
        for listing_id, result in hits.items()
    }
    first = next(iter(match.values()), {"corrected_query": None})
    return SearchResult(page=page, match=match, corrected_query=first["corrected_query"])


def _fields(hit: Mapping[str, str], *, whole: Plan) -> list[str]:
    """Where a hit has the words; their halves only count where the word itself is not there."""
    in_two = [slot for slot in whole.slots if slot.forms and not hit.keys().isdisjoint(slot.lexemes)]
    idle = {entry for slot in in_two for half in slot.forms for entry in half}
    if idle:
        idle.difference_update(*(slot.fillers for slot in whole.slots))
    weights = "".join([fields for entry, fields in hit.items() if entry not in idle])
    return [field for weight, field in FIELDS.items() if weight in weights] or ["name"]


def _corrected(hit: Mapping[str, str], *, whole: Plan, typed: Sequence[str]) -> str | None:
    missing = {slot.word.text: slot for slot in whole.slots if hit.keys().isdisjoint(slot.lexemes)}
    for first, second, forms in whole.joined_forms:
        if not hit.keys().isdisjoint(forms):
            missing = {word: slot for word, slot in missing.items() if word not in {first, second}}
    if not missing:
        return None
    words = [_meant(missing[word], hit) if word in missing else word for word in typed]
    return " ".join(words) if words != list(typed) else None


def _meant(slot: Slot, hit: Mapping[str, str]) -> str:
    """What a hit has in a word's place: a correction, the word in two, or else the word."""
    in_two = slot.halves and all(any(entry in hit for entry in half) for half in slot.forms)
    halves = " ".join(half.term for half in slot.halves) if in_two else slot.word.text
    return next((term for entry, term in slot.corrections.items() if entry in hit), halves)
