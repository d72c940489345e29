"""Holds the items of a cart against the catalogue: everything that is wrong with them at once, or what they sell."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.conf import settings

from core.fetch import InvalidUrlError, UrlNotPublicError, check_link
from directory import weeks
from directory.models import Category, Launch, Site
from directory.selectors.sellable import Sellable, sellable_listings
from directory.services.featuring import Span
from directory.services.queueing import claim_instead, live_already
from orders import limits
from orders.catalogue import NOW, PRODUCTS, WEBSITE, Option, ProductSpec, parts_of, why_not_offered
from orders.errors import Refusal
from orders.models import Product
from orders.pricing import Item
from orders.selectors.catalogue import Price, places_left, prices
from orders.services.featured_dates import chosen_start, is_featured, planned, spans_taken, stated, why_not
from orders.wording import price as money

Asked = Mapping[str, Any]
ONE_WEEK_EACH = {code for code, spec in PRODUCTS.items() if spec.week != "none"}
ONCE_A_LISTING = {Product.AI_REVIEW, Product.EXTRA_CATEGORIES}


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """What items are held against: prices, the buyer's listings, free places, and what listings have already."""

    site_id: int
    prices: Mapping[str, Price]
    listings: Mapping[int, Sellable]
    starting: Mapping[int, str]  # the week of a launch in this cart, empty for one at once
    featured: Mapping[int, list[Span]]
    places: Mapping[int, Mapping[date, int]]
    categories: frozenset[str]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Asking:
    """One item on its way through the rules."""

    index: int
    asked: Asked
    spec: ProductSpec
    listing: Sellable | None

    def refuse(self, code: str, where: str, message: str, **more: Any) -> Refusal:
        """A refusal at a property of this item."""
        return Refusal(code=code, pointer=f"/items/{self.index}/{where}", message=message, **more)


Rule = Callable[[Asking, Shelf], Iterator[Refusal]]


def load_shelf(*, user_id: int, site: Site, items: Sequence[Asked], at: datetime) -> Shelf:
    """Read what these items need, and no more."""
    ids = {item["listing_id"] for item in items if "listing_id" in item}
    listings = sellable_listings(ids=ids, user_id=user_id) if ids else {}
    takes_week = any("week" in item or "start" in item.get("options", {}) for item in items)
    sites = {listing.site_id for listing in listings.values()} | {site.pk} if takes_week else set()
    wanted = {slug for item in items for slug in item.get("categories", ())}
    return Shelf(
        site_id=site.pk,
        prices=prices(at=at),
        listings=listings,
        starting={
            item.get("listing_id", 0): item.get("week", "")
            for item in items
            if (spec := PRODUCTS.get(item["product"])) and spec.starts
        },
        featured=spans_taken(items, at=at),
        places={site_id: places_left(site_id=site_id, at=at) for site_id in sites},
        categories=frozenset(Category.objects.filter(slug__in=wanted).values_list("slug", flat=True))
        if wanted
        else frozenset(),
        at=at,
    )


def check_items(*, items: Sequence[Asked], shelf: Shelf) -> tuple[list[Item], list[Refusal]]:
    """What the items sell, and everything that is wrong with them; with a refusal the first is not complete."""
    sold, refusals = [], []
    for index, asked in enumerate(items):
        spec, price = PRODUCTS.get(asked["product"]), shelf.prices.get(asked["product"])
        if spec is None or price is None or not price.is_on_sale or why_not_offered(spec):
            refusals.append(_not_for_sale(index, spec))
            continue
        listing = shelf.listings.get(asked.get("listing_id", 0))
        asking = Asking(index=index, asked=asked, spec=spec, listing=listing)
        wrong = [refusal for rule in RULES for refusal in rule(asking, shelf)]
        refusals += wrong
        if not wrong:
            sold.append(_sold(asking, price, shelf))
    return sold, refusals + list(_conflicts(items)) + list(_too_many_for_a_week(items, shelf))


def _not_for_sale(index: int, spec: ProductSpec | None) -> Refusal:
    known = ", ".join(PRODUCTS)
    why = (why_not_offered(spec) if spec else None) or "This product is not on sale now."
    message = why if spec else f"There is no such product. There are: {known}."
    return Refusal(code="invalid_choice", pointer=f"/items/{index}/product", message=message)


def _sold(asking: Asking, price: Price, shelf: Shelf) -> Item:
    asked, spec = asking.asked, asking.spec
    categories = asked.get("categories", [])
    options = dict(asked.get("options", {})) | ({"categories": list(categories)} if categories else {})
    if is_featured(spec.code) and asking.listing:
        span = _span(asking, asking.listing, shelf)
        shelf.featured[asking.listing.pk].append(span)  # the next of the cart comes after it
        start = {"start": options.get("start", NOW)} if spec.code == Product.FEATURED else {}
        options |= start | stated(span)
    return Item(
        parts=parts_of(spec),
        product=spec.code,
        name=spec.name,
        unit_cents=asked.get("amount_cents", price.amount_cents),
        quantity=len(categories) or 1,
        listing_id=asked.get("listing_id"),
        week=date.fromisoformat(asked["week"]) if "week" in asked else None,
        options=options,
    )


def of_listing(asking: Asking, shelf: Shelf) -> Iterator[Refusal]:
    """The listing is named, the buyer's own, and in a state in which the product means something."""
    listing, spec = asking.listing, asking.spec
    if "listing_id" not in asking.asked:
        yield from _without_listing(asking)
        return
    if listing is None:
        yield asking.refuse("listing_unknown", "listing_id", "You have no such listing.")
        return
    starts_here = listing.pk in shelf.starting and not spec.starts
    if listing.status not in spec.statuses and not starts_here:
        yield _not_so(asking, f"is not for a listing that is {listing.status}", listing.status, spec.statuses)
    elif listing.plan not in spec.plans:
        yield _not_so(asking, f"is not for a listing on the {listing.plan} plan", listing.plan, spec.plans)
    elif spec.starts:
        yield from _cannot_start(asking, listing)
    elif spec.code == Product.RELAUNCH:
        yield from _too_soon(asking, listing, shelf)


def _without_listing(asking: Asking) -> Iterator[Refusal]:
    spec, options = asking.spec, asking.asked.get("options", {})
    if spec.needs_listing:
        yield asking.refuse("listing_required", "listing_id", f"{spec.name} needs a listing_id.")
    elif spec.code == Product.DONE_FOR_YOU and WEBSITE not in options:
        words = f"{spec.name} needs a listing_id, or the address of a website in options.website."
        yield asking.refuse("listing_required", "listing_id", words)


def _not_so(asking: Asking, words: str, current: str, allowed: Any, **more: Any) -> Refusal:
    return asking.refuse(
        "invalid_state",
        "listing_id",
        f"{asking.spec.name} {words}.",
        extras={"current": current, "allowed": sorted(allowed), **more},
    )


def _cannot_start(asking: Asking, listing: Sellable) -> Iterator[Refusal]:
    if listing.is_live:
        return
    if listing.missing:
        words = f"is not for a listing without: {', '.join(listing.missing)}"
        yield _not_so(asking, words, listing.status, (), missing=list(listing.missing))
    if listing.twin:
        slug, name = listing.twin
        yield asking.refuse("duplicate_listing", "listing_id", live_already(name), extras=claim_instead(slug))


def _too_soon(asking: Asking, listing: Sellable, shelf: Shelf) -> Iterator[Refusal]:
    since = weeks.week_of(shelf.at - limits.RELAUNCH_AFTER)
    kind = Launch.Kind.RELAUNCH.value
    if any(launched == kind and week > since for week, launched in listing.launches):
        days = limits.RELAUNCH_AFTER.days
        yield _not_so(asking, f"is for once in {days} days", listing.status, ())


def of_week(asking: Asking, shelf: Shelf) -> Iterator[Refusal]:
    """A week is given where one is needed; it is on sale and makes sense for the listing."""
    text, spec = asking.asked.get("week"), asking.spec
    if text is None:
        if spec.week == "required":
            yield asking.refuse("required", "week", f"Choose a week for {spec.name}.")
        return
    if spec.week == "none":
        yield asking.refuse("option_invalid", "week", f"{spec.name} takes no week.")
        return
    places = shelf.places[asking.listing.site_id if asking.listing else shelf.site_id]
    week = _day(text)
    if week is None or week not in places:
        yield _no_week(asking, "Choose the Monday of a week on sale.")
    elif not places[week]:
        left = ", ".join(f"{other:%-d %B %Y}" for other, number in places.items() if number)
        yield _no_week(asking, f"The week of {week:%-d %B %Y} is full. Still free: {left or 'none'}.")
    elif asking.listing and asking.listing.status in spec.statuses:
        yield from _of_week_and_listing(asking, asking.listing, week)


def _of_week_and_listing(asking: Asking, listing: Sellable, week: date) -> Iterator[Refusal]:
    taken = {launched for launched, _ in listing.launches}
    if asking.spec.starts and listing.is_live:
        yield _no_week(asking, "The listing is live already. For another week buy a relaunch.")
    elif asking.spec.code == Product.SKIP_QUEUE and listing.launch_week and week >= listing.launch_week:
        yield _no_week(asking, f"The listing launches in the week of {listing.launch_week:%-d %B %Y} anyway.")
    elif asking.spec.code == Product.RELAUNCH and week in taken:
        yield _no_week(asking, f"The listing is in the week of {week:%-d %B %Y} already.")


def _no_week(asking: Asking, message: str) -> Refusal:
    return asking.refuse("week_unavailable", "week", message)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if weeks.DATE.match(text) else None
    except ValueError:
        return None


def of_amount(asking: Asking, shelf: Shelf) -> Iterator[Refusal]:
    """An amount where the buyer chooses one, and enough of it."""
    amount, spec = asking.asked.get("amount_cents"), asking.spec
    least = shelf.prices[spec.code].amount_cents
    if spec.price_kind != "amount":
        if amount is not None:
            yield asking.refuse("option_invalid", "amount_cents", f"{spec.name} has a price of its own.")
    elif amount is None:
        yield asking.refuse("required", "amount_cents", f"{spec.name} needs amount_cents.")
    elif amount < least:
        yield asking.refuse(
            "amount_below_minimum",
            "amount_cents",
            f"At least {money(least, settings.CURRENCY)} ({least} cents) before VAT have to be given.",
            limit=least,
        )


def of_categories(asking: Asking, shelf: Shelf) -> Iterator[Refusal]:
    """Categories that there are, none of them twice, and not more than a listing may have."""
    given, spec = asking.asked.get("categories"), asking.spec
    if spec.price_kind != "per_unit":
        if given is not None:
            yield asking.refuse("option_invalid", "categories", f"{spec.name} takes no categories.")
        return
    if not given:
        yield asking.refuse("required", "categories", f"{spec.name} needs categories.")
        return
    filed = asking.listing.categories if asking.listing else ()
    most, bought = limits.EXTRA_CATEGORIES, asking.listing.categories_bought if asking.listing else 0
    if len(given) > most - bought:
        yield asking.refuse(
            "category_limit",
            "categories",
            f"Up to {most} categories can be bought for a listing; this one has {bought} of them.",
            limit=most,
        )
    for place, slug in enumerate(given):
        where = f"categories/{place}"
        if slug not in shelf.categories:
            yield asking.refuse("category_unknown", where, "There is no such category.")
        elif slug in (*filed, *given[:place]):
            words = "The listing has this category." if slug in filed else "This category is named twice."
            yield asking.refuse("option_invalid", where, words)


def of_options(asking: Asking, _: Shelf) -> Iterator[Refusal]:
    """Options that the product knows, each of its type."""
    given, known = asking.asked.get("options", {}), {option.key: option for option in asking.spec.options}
    for key, value in given.items():
        where = f"options/{key.replace('~', '~0').replace('/', '~1')}"
        if key not in known:
            words = f"takes these options: {', '.join(known)}" if known else "takes no options"
            yield asking.refuse("option_invalid", where, f"{asking.spec.name} {words}.")
        elif wrong := _wrong_value(known[key], value):
            yield asking.refuse("option_invalid", where, wrong)
    for option in asking.spec.options:
        if option.required and option.key not in given:
            yield asking.refuse("option_invalid", f"options/{option.key}", "This option is needed.")


def of_start(asking: Asking, shelf: Shelf) -> Iterator[Refusal]:
    """A featured place begins now or on a Monday on sale, not before its listing is live, and not twice at once."""
    start = asking.asked.get("options", {}).get("start", NOW)
    if asking.spec.code != Product.FEATURED or start == NOW or not isinstance(start, str):
        return
    where = "options/start"
    week = _day(start)
    if week is None or week not in shelf.places[asking.listing.site_id if asking.listing else shelf.site_id]:
        message = f"This must be {NOW} or a Monday (YYYY-MM-DD) of the weeks that list_products gives."
        yield asking.refuse("option_invalid", where, message)
    elif asking.listing and (wrong := why_not(week, span=_span(asking, asking.listing, shelf))):
        yield asking.refuse("option_invalid", where, wrong)


def _span(asking: Asking, listing: Sellable, shelf: Shelf) -> Span:
    """From and until when the featured place of an item would be."""
    return planned(
        listing,
        launch=shelf.starting.get(listing.pk),
        start=chosen_start(asking.asked.get("options", {})),
        taken=shelf.featured[listing.pk],
        at=shelf.at,
    )


def _wrong_value(option: Option, value: Any) -> str:
    """Why a value is not one of the option's, or nothing."""
    if not isinstance(value, str) or not 0 < len(value.strip()) <= limits.OPTION_TEXT:
        return f"This must be a text of at most {limits.OPTION_TEXT} characters."
    if option.choices and value not in option.choices:
        return f"This must be one of: {', '.join(option.choices)}."
    if option.type == "url":
        try:
            check_link(value)
        except (InvalidUrlError, UrlNotPublicError) as error:
            return error.detail
    return ""


RULES: tuple[Rule, ...] = (of_listing, of_week, of_amount, of_categories, of_options, of_start)


def _conflicts(items: Sequence[Asked]) -> Iterator[Refusal]:
    """Two weeks or two launches for one listing, a bundle beside its parts, what can be bought once only."""
    had: dict[int, list[str]] = defaultdict(list)
    for index, asked in enumerate(items):
        code, listing_id = asked["product"], asked.get("listing_id", 0)
        clash = next((other for other in had[listing_id] if _clash(code, other)), None)
        if listing_id and clash:
            yield Refusal(
                code="conflicting_items",
                pointer=f"/items/{index}/product",
                message=f"{code} and {clash} cannot be bought together for one listing.",
            )
        had[listing_id].append(code)


def _clash(one: str, other: str) -> bool:
    if {one, other} <= ONE_WEEK_EACH or (one == other and one in ONCE_A_LISTING):
        return True
    return any(
        bundle in PRODUCTS and part in PRODUCTS[bundle].parts for bundle, part in ((one, other), (other, one))
    )


def _too_many_for_a_week(items: Sequence[Asked], shelf: Shelf) -> Iterator[Refusal]:
    """The cart itself asks for more places of a week than are left; a week that is full has been refused already."""
    wanted: Counter[tuple[int, date]] = Counter()
    for index, asked in enumerate(items):
        week = _day(asked.get("week", ""))
        listing = shelf.listings.get(asked.get("listing_id", 0))
        if week is None or listing is None:
            continue
        key = (listing.site_id, week)
        wanted[key] += 1
        left = shelf.places.get(listing.site_id, {}).get(week, 0)
        if 0 < left < wanted[key]:
            yield Refusal(
                code="week_unavailable",
                pointer=f"/items/{index}/week",
                message=f"The week of {week:%-d %B %Y} has only {left} places left.",
            )
