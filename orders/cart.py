"""Checks the items of a cart against the catalogue: everything that is wrong with them at once, or what they sell."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import chain
from typing import Any

from django.conf import settings

from core.fetch import InvalidUrlError, UrlNotPublicError, check_link
from directory import weeks
from directory.launches.featuring import Span
from directory.listings.sellable import sellable_listings
from directory.models import Category, FeaturedPlace, Site
from directory.wording import words_of
from orders import limits
from orders.errors import Refusal
from orders.models import Order, OrderLine
from orders.pricing import Item
from orders.products import PRODUCTS, CartContext, CartItem, Option, Price, Product
from orders.selectors.catalogue import places_left, prices
from orders.wording import price as money

ItemIn = Mapping[str, Any]
Rule = Callable[[CartItem, CartContext], Iterator[Refusal]]


def load_context(*, user_id: int, site: Site, items: Sequence[ItemIn], at: datetime) -> CartContext:
    """Read what these items need, and no more."""
    ids = {item["listing_id"] for item in items if "listing_id" in item}
    listings = sellable_listings(ids=ids, user_id=user_id) if ids else {}
    takes_week = any("week" in item or "start" in item.get("options", {}) for item in items)
    sites = {listing.site_id for listing in listings.values()} | {site.pk} if takes_week else set()
    slugs = {slug for item in items for slug in item.get("categories", ())}
    sold = [(PRODUCTS[item["product"]], item) for item in items if item["product"] in PRODUCTS]
    return CartContext(
        site_id=site.pk,
        prices=prices(at=at),
        listings=listings,
        launching={
            item.get("listing_id", 0): item.get("week", "")
            for product, item in sold
            if product.is_first_launch
        },
        featured=_featured({item.get("listing_id", 0) for product, item in sold if product.is_featured}, at),
        places={site_id: places_left(site_id=site_id, at=at) for site_id in sites},
        categories=frozenset(Category.objects.filter(slug__in=slugs).values_list("slug", flat=True))
        if slugs
        else frozenset(),
        at=at,
    )


def _featured(listing_ids: set[int], at: datetime) -> dict[int, list[Span]]:
    spans: dict[int, list[Span]] = defaultdict(list)
    for row in FeaturedPlace.objects.filter(listing__in=listing_ids, ends_at__gt=at) if listing_ids else ():
        spans[row.listing_id].append((row.begins_at, row.ends_at))
    return spans


def check_items(*, items: Sequence[ItemIn], context: CartContext) -> tuple[list[Item], list[Refusal]]:
    """What the items sell, and everything that is wrong with them; with a refusal the first is not complete."""
    sold, refusals = [], []
    for index, data in enumerate(items):
        product, price = PRODUCTS.get(data["product"]), context.prices.get(data["product"])
        if product is None or price is None or not price.is_on_sale or product.unavailable_reason():
            refusals.append(_not_for_sale(index, product))
            continue
        listing = context.listings.get(data.get("listing_id", 0))
        item = CartItem(index=index, data=data, product=product, listing=listing)
        wrong = [refusal for rule in RULES for refusal in rule(item, context)]
        refusals += wrong
        if not wrong:
            sold.append(_sold(item, price, context))
    return sold, refusals + list(_conflicts(items)) + list(_too_many_for_a_week(items, context))


def outdated(order: Order, *, at: datetime, choosing: Collection[int] = ()) -> str:
    """Why what an open order is for means nothing to its listing by now, or nothing. Full weeks are found elsewhere.

    Lines whose buyer is `choosing` another week may have one that the listing does not take.
    """
    lines = [line for line in order.lines.all() if line.listing_id is not None]
    context = _context_of(order, lines, at=at)
    if context is None:
        return ""
    for index, line in enumerate(lines):
        item = _cart_item(line, context, index=index)
        if item.listing is None and line.listing:
            return f"{line.listing.name} is no longer a listing of the account that ordered."
        rules = [of_listing(item, context), of_categories(item, context)]
        if line.pk not in choosing:
            rules.append(_of_its_week(item))
        for refusal in chain(*rules):
            if "missing" not in refusal.extras:  # what a listing lacks can be filled in once it is paid
                return refusal.message
    return ""


def weeks_taken(line: OrderLine, *, weeks: Iterable[date], at: datetime) -> list[date]:
    """Those of some weeks that bring the listing of an open order's line something."""
    context = _context_of(line.order, [line], at=at)
    if context is None or line.listing_id is None:
        return list(weeks)
    item = _cart_item(line, context, index=0)
    return [week for week in weeks if not any(_of_its_week(replace(item, data=_in_week(item, week))))]


def _in_week(item: CartItem, week: date) -> ItemIn:
    return {**item.data, "week": week.isoformat()}


def _context_of(order: Order, lines: Sequence[OrderLine], *, at: datetime) -> CartContext | None:
    if not lines or order.owner_id is None:
        return None
    items = [_item_of(line) for line in lines]
    return load_context(user_id=order.owner_id, site=order.site, items=items, at=at)


def _cart_item(line: OrderLine, context: CartContext, *, index: int) -> CartItem:
    listing = context.listings.get(line.listing_id or 0)
    return CartItem(index=index, data=_item_of(line), product=PRODUCTS[line.product], listing=listing)


def _item_of(line: OrderLine) -> ItemIn:
    """The item that a line was made of, as far as its listing can speak against it."""
    categories, week = line.options.get("categories"), line.week
    return {
        "product": line.product,
        "listing_id": line.listing_id,
        **({"categories": categories} if categories else {}),
        **({"week": week.isoformat()} if week else {}),
    }


def _of_its_week(item: CartItem) -> Iterator[Refusal]:
    """A week that brings the listing nothing by now. A first launch gives the paid plan all the same."""
    week, listing = weeks.day_of(item.data.get("week", "")), item.listing
    if week and listing and not item.product.is_first_launch:
        yield from item.product.refuse_week(item, listing, week)


def _not_for_sale(index: int, product: Product | None) -> Refusal:
    message = f"There is no such product. There are: {', '.join(PRODUCTS)}."
    if product is not None:
        message = product.unavailable_reason() or "This product is not on sale now."
    return Refusal(code="invalid_choice", pointer=f"/items/{index}/product", message=message)


def _sold(item: CartItem, price: Price, context: CartContext) -> Item:
    data, product = item.data, item.product
    categories = data.get("categories", [])
    chosen = dict(item.options) | ({"categories": list(categories)} if categories else {})
    return Item(
        parts=product.offered_parts(),
        product=product.code,
        name=product.name,
        unit_cents=data.get("amount_cents", price.amount_cents),
        quantity=len(categories) or 1,
        listing_id=data.get("listing_id"),
        week=date.fromisoformat(data["week"]) if "week" in data else None,
        options=chosen | dict(product.stated(item, context)),
    )


def of_listing(item: CartItem, context: CartContext) -> Iterator[Refusal]:
    """The listing is named, the buyer's own, and in a state in which the product means something."""
    listing, product = item.listing, item.product
    if "listing_id" not in item.data:
        if product.needs_listing:
            yield item.refuse("listing_required", "listing_id", f"{product.name} needs a listing_id.")
        else:
            yield from product.refuse_listing(item, None, context)
        return
    if listing is None:
        yield item.refuse("listing_unknown", "listing_id", "You have no such listing.")
        return
    launches_here = listing.pk in context.launching and not product.is_first_launch
    if listing.status not in product.statuses and not launches_here:
        words = f"is not for a listing that is {words_of(listing.status).lower()}"
        if product.needed_status:
            words += f". It is {product.needed_status}"
        yield item.refuse_state(words, listing.status, sorted(product.statuses))
    elif listing.plan not in product.plans:
        words = f"is not for a listing on the {words_of(listing.plan).lower()} plan"
        yield item.refuse_state(words, listing.plan, product.plans)
    else:
        yield from product.refuse_listing(item, listing, context)


def of_week(item: CartItem, context: CartContext) -> Iterator[Refusal]:
    """A week is given where one is needed; it is on sale and makes sense for the listing."""
    text, product = item.data.get("week"), item.product
    if text is None:
        if product.week == "required":
            yield item.refuse("required", "week", f"Choose a week for {product.name}.")
        return
    if product.week == "none":
        yield item.refuse("option_invalid", "week", f"{product.name} takes no week.")
        return
    places, week = item.places(context), weeks.day_of(text)
    if week is None or week not in places:
        yield item.refuse_week("Choose the Monday of a week on sale.")
    elif not places[week]:
        free = ", ".join(f"{other:%-d %B %Y}" for other, left in places.items() if left)
        yield item.refuse_week(f"The week of {week:%-d %B %Y} is full. Still free: {free or 'none'}.")
    elif item.listing and item.listing.status in product.statuses:
        yield from product.refuse_week(item, item.listing, week)


def of_amount(item: CartItem, context: CartContext) -> Iterator[Refusal]:
    """An amount where the buyer chooses one, and enough of it."""
    amount, product = item.data.get("amount_cents"), item.product
    least = context.prices[product.code].amount_cents
    if product.price_kind != "amount":
        if amount is not None:
            yield item.refuse("option_invalid", "amount_cents", f"{product.name} has a price of its own.")
    elif amount is None:
        yield item.refuse("required", "amount_cents", f"{product.name} needs amount_cents.")
    elif amount < least:
        yield item.refuse(
            "amount_below_minimum",
            "amount_cents",
            f"At least {money(least, settings.CURRENCY)} ({least} cents) before VAT have to be given.",
            limit=least,
        )


def of_categories(item: CartItem, context: CartContext) -> Iterator[Refusal]:
    """Categories that there are, none of them twice, and not more than a listing may have."""
    slugs, product = item.data.get("categories"), item.product
    if product.price_kind != "per_unit":
        if slugs is not None:
            yield item.refuse("option_invalid", "categories", f"{product.name} takes no categories.")
        return
    if not slugs:
        yield item.refuse("required", "categories", f"{product.name} needs categories.")
        return
    filed = item.listing.categories if item.listing else ()
    most, bought = limits.EXTRA_CATEGORIES, item.listing.categories_bought if item.listing else 0
    if len(slugs) > most - bought:
        yield item.refuse(
            "category_limit",
            "categories",
            f"Up to {most} categories can be bought for a listing; this one has {bought} of them.",
            limit=most,
        )
    for place, slug in enumerate(slugs):
        where = f"categories/{place}"
        if slug not in context.categories:
            yield item.refuse("category_unknown", where, "There is no such category.")
        elif slug in (*filed, *slugs[:place]):
            words = "The listing has this category." if slug in filed else "This category is named twice."
            yield item.refuse("option_invalid", where, words)


def of_options(item: CartItem, _: CartContext) -> Iterator[Refusal]:
    """Options that the product knows, each of its type."""
    options, allowed = item.options, {option.key: option for option in item.product.options}
    for key, value in options.items():
        where = f"options/{key.replace('~', '~0').replace('/', '~1')}"
        if key not in allowed:
            words = f"takes these options: {', '.join(allowed)}" if allowed else "takes no options"
            yield item.refuse("option_invalid", where, f"{item.product.name} {words}.")
        elif wrong := _wrong_value(allowed[key], value):
            is_needed = key == item.product.instead_of_listing and "listing_id" not in item.data
            yield item.refuse("listing_required" if is_needed else "option_invalid", where, wrong)
    for option in item.product.options:
        if option.required and option.key not in options:
            yield item.refuse("option_invalid", f"options/{option.key}", "This option is needed.")


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


def of_product(item: CartItem, context: CartContext) -> Iterator[Refusal]:
    """What the product itself has against it."""
    return item.product.refuse(item, context)


RULES: tuple[Rule, ...] = (of_listing, of_week, of_amount, of_categories, of_options, of_product)


def _conflicts(items: Sequence[ItemIn]) -> Iterator[Refusal]:
    """Two weeks or two launches for one listing, a bundle beside its parts, what can be bought once only."""
    codes: dict[int, list[str]] = defaultdict(list)
    for index, data in enumerate(items):
        code, listing_id = data["product"], data.get("listing_id", 0)
        clash = next((other for other in codes[listing_id] if _clash(code, other)), None)
        if listing_id and clash:
            yield Refusal(
                code="conflicting_items",
                pointer=f"/items/{index}/product",
                message=f"{code} and {clash} cannot be bought together for one listing.",
            )
        codes[listing_id].append(code)


def _clash(code: str, other: str) -> bool:
    products = [PRODUCTS[each] for each in (code, other) if each in PRODUCTS]
    if len(products) < len((code, other)):
        return False
    is_twice = code == other and products[0].is_once_a_listing
    is_bundled = code in products[1].parts or other in products[0].parts
    return is_twice or is_bundled or all(product.week != "none" for product in products)


def _too_many_for_a_week(items: Sequence[ItemIn], context: CartContext) -> Iterator[Refusal]:
    """The cart itself asks for more places of a week than are left; a week that is full has been refused already."""
    booked: Counter[tuple[int, date]] = Counter()
    for index, data in enumerate(items):
        week = weeks.day_of(data.get("week", ""))
        listing = context.listings.get(data.get("listing_id", 0))
        if week is None or listing is None:
            continue
        booked[listing.site_id, week] += 1
        left = context.places.get(listing.site_id, {}).get(week, 0)
        if 0 < left < booked[listing.site_id, week]:
            yield Refusal(
                code="week_unavailable",
                pointer=f"/items/{index}/week",
                message=f"The week of {week:%-d %B %Y} has only {left} places left.",
            )
