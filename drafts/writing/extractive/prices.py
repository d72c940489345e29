"""The pricing model and the pricing summary: plans, price sentences and claims of being free."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from drafts.crawl.extract_parts import PageText, Segment, words
from drafts.crawl.extract_structured import all_of, first_text
from drafts.languages import Shape
from drafts.limits import TEXT_FIELDS
from drafts.writing.cues import money
from drafts.writing.extractive.offers import (
    PLAN_TITLE,
    PRICE_WORDS,
    Offer,
    in_price_place,
    in_row_of_prices,
    offer_in,
    others_ask,
    price_texts,
)
from drafts.writing.identity import PRODUCT_TYPES
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading
from drafts.writing.roles import is_review, speaks
from drafts.writing.text import CJK, asks, sentence_spans, tidy

_NEVER = words("blog event job comparison sample struck donation instruction host nav pain")
_MAX_OFFERS = 8
_CELL = 14
_SHORT = 80
_FREE_PRODUCT = Shape(
    r"(?<!feel )(?<!-){free}\W*(?:\w+\W+){0,2}?{product}", r"{product}\W*(?:\w+\W+){0,2}?(?<!-){free}"
)
"""The free thing is the product: a word for it stands beside the word."""
_FREE_PLAN = Shape(
    r"{free}\W*(?:\w+\W+)?{plan}",
    r"{plan}\W*(?:\w+\W+)?{free}",
    r"^\W*{free}\W+{forever}",
    r"{forever}\W+{free}\W*$",
)
_FREE_END = Shape(r"(?<!-){free}\s*$", r"(?<!-){free}\s*(?:{after_free}|{forever})")
_NOT_FREE = Shape(r"{no}\s+(?:\w+\s+)?{free}\s+{plan}")
"""`No free tier`: the words say the opposite of what each says."""
_FOREVER = Shape(r"{forever}")
_LONE = Shape(r"\W*(?:(?:{free}|{forever})\W*)+")
_TAKES = Shape(r"{takes}")
_CLAUSE = re.compile(r"[.;!|·—–(),:。！，、]+")
_UNCOUNTED = re.compile(r"(?<![\d.,])0[.,]00(?!\d)")
_PARTS = Shape(r"\s+[·•|]\s+|;\s+|,\s+(?={then})")
_CJK_PARTS = re.compile(r"\s+[·•|]\s+|[，、]")


@dataclass
class Prices:
    """All that a site says about its price."""

    paid: list[Offer] = field(default_factory=list)
    free: list[Offer] = field(default_factory=list)
    open_source: list[Offer] = field(default_factory=list)
    trial: list[Offer] = field(default_factory=list)
    once: list[Offer] = field(default_factory=list)
    on_request: list[Offer] = field(default_factory=list)
    commission: list[Offer] = field(default_factory=list)

    @property
    def free_plan(self) -> list[Offer]:
        """The free offers that are a plan of their own: named so, or a card of their own before the paid ones."""
        first = min((o.place for o in self.paid), default=(0, 0))
        return [
            o
            for o in self.free
            if o.is_free
            or _FREE_PLAN.search(o.words or o.quoted)
            or (o.is_placed and o.place < first and _LONE.fullmatch(o.quoted))
        ]


def draft_prices(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    """The pricing model and the pricing summary."""
    prices = _read(reading)
    return _model(reading, prices), _summary(reading, prices)


def _read(reading: Reading) -> Prices:
    prices = Prices()
    for page in reading.pages:
        others_bill = _others_bill(page)
        prices.open_source += _licences(page)
        for segment in page.texts:
            reading.check()
            if speaks(segment) and not segment.all_roles & _NEVER and not is_review(segment):
                _take(reading, page, segment, prices, others_bill=others_bill)
    if not prices.paid:
        marked = list(_marked_offers(reading))
        prices.paid = [offer for offer in marked if not offer.is_free]
        if (
            prices.paid or prices.free
        ):  # a zero that stands in the markup alone may be what a form was left at
            prices.free += [offer for offer in marked if offer.is_free]
    placed = [offer for offer in prices.paid if offer.is_placed]
    prices.paid = _of_one_currency(placed or prices.paid)
    if not prices.paid:
        prices.free = [offer for offer in prices.free if not _is_filled_later(offer)]
    return prices


def _marked_offers(reading: Reading) -> Iterator[Offer]:
    """The prices that only the markup states."""
    for page in reading.site.pages:
        for node in page.nodes:
            is_ours = node.types & (PRODUCT_TYPES | {"Service"}) and reading.own.is_node(node)
            for offer in all_of(node.data.get("offers")) if is_ours else ():
                if isinstance(offer, dict):
                    yield from _marked_offer(offer, page.stated)


def _marked_offer(offer: dict[str, object], by_text: dict[str, Segment]) -> Iterator[Offer]:
    for key in ("price", "lowPrice", "highPrice"):
        price, currency = first_text(offer.get(key)), first_text(offer.get("priceCurrency"))
        if price not in by_text or len(price) < 2 or not re.fullmatch(r"\d+(?:[.,]\d+)?", price):
            continue
        parts: list[tuple[Segment, str | None]] = [(by_text[price], None)]
        words = price
        if currency in by_text:
            parts.append((by_text[currency], None))
            words = f"{price} {currency}"
        title = first_text(offer.get("name"))
        if title and title in by_text and len(title) <= PLAN_TITLE:
            parts.insert(0, (by_text[title], None))
            words = f"{title}: {words}"
        yield Offer(words, tuple(parts), is_free=float(price.replace(",", ".")) == 0)


def _is_filled_later(offer: Offer) -> bool:
    """Whether a zero with cents stands alone, as a script finds it before it counts."""
    return bool(_UNCOUNTED.search(offer.quoted)) and not money.FREE.search(offer.quoted)


def _of_one_currency(offers: list[Offer]) -> list[Offer]:
    """The offers in the currency of the first: a second one belongs to a left-over tab or to somebody else."""
    wanted = next((mark for offer in offers if (mark := money.currency(offer.words))), "")
    return [o for o in offers if money.currency(o.words) in {"", wanted}]


def _licences(page: PageText) -> list[Offer]:
    """A free licence named under a heading that says licence."""
    return [
        Offer(tidy(f"{head.flat} {segment.flat}"), ((head, None), (segment, segment.text[:80])))
        for head, segment in pairwise(page.texts)
        if head.level and money.LICENCE_HEAD.match(head.text) and money.LICENCE_NAME.match(segment.text)
    ]


def _others_bill(page: PageText) -> bool:
    heads = " \n ".join([page.title, *(s.text for s in page.texts if s.level or s.tag == "p")][:40])
    return bool(money.OTHERS_BILL.search(heads))


def _take(reading: Reading, page: PageText, segment: Segment, prices: Prices, *, others_bill: bool) -> None:
    for text in price_texts(segment, list(sentence_spans(segment.text))):
        reading.check()
        if reading.own.rival_in(text):
            continue
        if money.MONEY.search(text):
            offer = offer_in(reading, page, segment, text, others_bill=others_bill)
            if offer is not None:
                (prices.free if offer.is_free else prices.paid).append(offer)
        for piece in (_CJK_PARTS if CJK.search(text) else _PARTS).split(text):
            if len(piece) <= 400 and not money.MONEY.search(piece):
                _claim(reading, page, segment, piece, prices, others_bill=others_bill)


def _claim(
    reading: Reading, page: PageText, segment: Segment, text: str, prices: Prices, *, others_bill: bool
) -> None:
    place = in_price_place(page, segment)
    words = tidy(text) if len(text) <= PRICE_WORDS * 2 else ""
    plain = Offer(words, ((segment, text[:300]),), is_placed=place)
    is_told = not asks(text)
    if is_told and money.TRIAL.search(text):
        if (reading.own.named_in(text) or len(text) <= _SHORT or place) and not money.NO_TRIAL.search(text):
            prices.trial.append(plain)
    elif is_told and _claims_free(reading, page, segment, text, others_bill=others_bill):
        names_us = reading.own.named_in(text) and _FREE_END.search(text)
        prices.free.append(replace(plain, is_free=bool(names_us)))
    if is_told and money.ONE_TIME.search(text) and len(text) <= PRICE_WORDS:
        prices.once.append(plain)
    if money.OPEN_SOURCE.search(text) and _claims_open(reading, segment, text):
        prices.open_source.append(plain)
    if money.CONTACT_SALES.search(text) and (place or money.PRICE_WORD.search(segment.text)):
        prices.on_request.append(plain)
    if (
        money.COMMISSION.search(text)
        and re.search(r"\d\s?%", text)
        and (place or reading.own.named_in(text) or _TAKES.search(text))
        and not others_ask(reading, text)
    ):
        prices.commission.append(plain)


def _claims_free(reading: Reading, page: PageText, segment: Segment, text: str, *, others_bill: bool) -> bool:
    """Whether a text says of the product itself that it costs nothing."""
    if not money.FREE.search(text) or _NOT_FREE.search(text):
        return False
    named = reading.own.named_in(text)
    if "table" in segment.roles and not named:
        return len(text) <= _CELL and in_row_of_prices(page, segment)
    if segment.all_roles & {"others", "person"}:
        return False
    aside = segment.all_roles & {"legal", "docs"} or ("faq" in segment.all_roles and page.kind != "pricing")
    if (aside or others_bill) and not named:
        return False
    if _LONE.fullmatch(text):
        return in_price_place(page, segment) or bool(_FOREVER.search(text))
    short = len(text) <= (45 if CJK.search(text) else 60)
    return any(_is_free_product(reading, clause, short=short) for clause in _CLAUSE.split(text))


def _is_free_product(reading: Reading, clause: str, *, short: bool) -> bool:
    ends = _FREE_END.search(clause)
    if ends and reading.own.named_in(clause[: ends.end()]):
        return True
    if _FREE_PRODUCT.search(clause):
        return short or reading.own.named_in(clause)
    return short and ends is not None and not clause[: ends.start()].strip()


def _claims_open(reading: Reading, segment: Segment, text: str) -> bool:
    if "table" in segment.roles or segment.all_roles & {"person", "others", "legal"}:
        return reading.own.named_in(text)
    return reading.own.named_in(text) or len(text) <= 90


def _evidence(reading: Reading, offers: list[Offer]) -> tuple[Evidence, ...]:
    found = [e for offer in offers for e in reading.quote(*offer.parts)]
    return tuple(dict.fromkeys(found))


def _model(reading: Reading, prices: Prices) -> FieldDraft:
    for word, offers in _paid_models(prices) if prices.paid else _unpaid_models(prices):
        evidence = _evidence(reading, offers[:3])
        if offers and evidence:
            return FieldDraft(value=word, evidence=evidence)
    return reading.blank


def _paid_models(prices: Prices) -> Iterator[tuple[str, list[Offer]]]:
    paid, free = prices.paid, prices.free_plan
    usage = [o for o in paid if o.is_usage and not o.has_period]
    if len(usage) * 2 > len(paid) or (usage and not any(o.has_period or o.is_one_time for o in paid)):
        yield "usage", usage
    one_time = [o for o in paid if o.is_one_time]
    periodic = [o for o in paid if o.has_period and not o.is_one_time]
    first = next((o for o in paid if o.is_one_time or o.has_period), None)
    if one_time and first is not None and first.is_one_time:
        yield "one_time", one_time
    elif periodic:
        yield ("freemium", free[:1] + periodic) if free else ("subscription", periodic)
    if free:
        yield "freemium", free[:1] + paid
    once = [o for o in prices.once if o.is_placed]
    if not any(o.has_period for o in paid):
        yield "one_time", once[:1] + paid[:1] if once else []
        yield "one_time", [o for o in paid if money.BUY.search(o.quoted)]
    yield "commission", [o for o in prices.commission if o.place[0] in {one.place[0] for one in paid}]
    yield "paid", [o for o in paid if o.parts[0][0].kind == "text"]


def _unpaid_models(prices: Prices) -> Iterator[tuple[str, list[Offer]]]:
    yield "commission", prices.commission
    yield "free", prices.free
    yield "open_source", prices.open_source
    yield "contact_sales", prices.on_request
    yield "free_trial", [o for o in prices.trial if o.is_placed]


def _summary(reading: Reading, prices: Prices) -> FieldDraft:
    free = prices.free_plan if prices.paid else prices.free
    named = sorted(free, key=lambda o: (not o.is_placed, len(o.words)))
    sold = " ".join(o.words for o in prices.paid)
    wanted = [o for o in named if o.words and o.words.rstrip(" .;") not in sold][:1] + _distinct(prices.paid)[
        :_MAX_OFFERS
    ]
    if prices.paid:
        wanted += [o for o in prices.trial if o.is_placed and 0 < len(o.words) <= _SHORT][:1]
    else:
        wanted += [o for o in prices.commission if o.words][:1]
        wanted = wanted or [o for o in prices.on_request if o.words][:1]
    words: list[str] = []
    used: list[Offer] = []
    for offer in wanted:
        if (
            len("; ".join([*words, offer.words])) <= TEXT_FIELDS["pricing_summary"]
            and offer.words not in words
        ):
            words.append(offer.words.rstrip(" .;"))
            used.append(offer)
    evidence = _evidence(reading, used)
    return FieldDraft(value="; ".join(words), evidence=evidence) if words and evidence else reading.blank


def _distinct(offers: list[Offer]) -> list[Offer]:
    found: dict[str, Offer] = {}
    for offer in offers:
        key = ",".join(sorted({money.amount(m.group()) for m in money.MONEY.finditer(offer.words)}))
        if key not in found:
            found[key] = offer
    return list(found.values())
