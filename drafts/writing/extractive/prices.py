"""What the product costs: its plans and price sentences, never somebody else's sums."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from drafts.crawl.extract_parts import PageText, Segment
from drafts.crawl.extract_structured import all_of, first_text
from drafts.limits import PRICING_SUMMARY
from drafts.writing.cues import money
from drafts.writing.identity import PRODUCT_TYPES
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading
from drafts.writing.roles import is_review, speaks
from drafts.writing.text import CJK, sentence_spans, squashed, tidy

_NEVER = frozenset({"blog", "event", "job", "comparison", "sample", "struck", "review", "donation", "instruction", "host"})
_PRICE_PLACE = 90
_MAX_OFFERS = 8
_PLAN_TITLE = 40
_CURRENCY_GAP = re.compile(r"([$€£¥₩₽₹])\s+(?=\d)()")
_FREE_CLAIM = re.compile(
    r"\b(?:is|are|it.s|and|completely|totally|100 ?%|always|entirely|forever|fully|use|download|app|software|tool) (?:\w+ )?free\b|\bfree (?:and|&|,)? ?open|\bfree (?:forever|for|to|of charge|plan|tier|version|edition|app|software|tool|download|account|extension|plugin|library)|\bfor free\b|"
    r"^(?:\W*)free\b|\bfree[.!]?$|\b(?:start|get started|begin|join|sign up|use|download|try)\b.{0,20}\bfree\b|no cost|no charge",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Offer:
    """One price of the product with the words around it."""

    words: str
    parts: tuple[tuple[Segment, str | None], ...]
    is_free: bool = False
    has_period: bool = False
    is_one_time: bool = False
    is_usage: bool = False
    strength: int = 1


@dataclass
class Prices:
    """All that a site says about its price."""

    offers: list[Offer] = field(default_factory=list)
    free: list[Offer] = field(default_factory=list)
    open_source: list[Offer] = field(default_factory=list)
    trial: list[Offer] = field(default_factory=list)
    on_request: list[Offer] = field(default_factory=list)
    commission: list[Offer] = field(default_factory=list)


def draft_prices(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    """The pricing model and the pricing summary."""
    prices = _read(reading)
    return _model(reading, prices), _summary(reading, prices)


def _read(reading: Reading) -> Prices:
    prices = Prices()
    for page in reading.site.pages:
        if page.kind in {"comparison", "blog", "jobs"}:
            continue
        others_bill = _others_bill(page)
        for segment in page.texts:
            if _may_price(reading, segment):
                _take(reading, page, segment, prices, others_bill=others_bill)
    if not prices.offers:
        prices.offers += _marked(reading)
    return prices


def _others_bill(page: PageText) -> bool:
    heads = " \n ".join([page.title, *(s.text for s in page.texts if s.level or s.tag == "p")][:40])
    return bool(money.OTHERS_BILL.search(heads))


def _may_price(reading: Reading, segment: Segment) -> bool:
    return speaks(segment) and not segment.all_roles & (_NEVER - {"review"}) and not is_review(segment) and "nav" not in segment.roles


def _take(reading: Reading, page: PageText, segment: Segment, prices: Prices, *, others_bill: bool) -> None:
    for start, end in sentence_spans(segment.text):
        text = segment.text[start:end]
        if reading.own.rival_in(text):
            continue
        if money.MONEY.search(text):
            offer = _offer(reading, page, segment, text, others_bill=others_bill)
            if offer is not None:
                (prices.free if offer.is_free else prices.offers).append(offer)
        else:
            _claims(reading, page, segment, text, prices, others_bill=others_bill)


def _in_price_place(page: PageText, segment: Segment) -> bool:
    return page.kind == "pricing" or "price" in segment.all_roles


def _offer(reading: Reading, page: PageText, segment: Segment, text: str, *, others_bill: bool) -> Offer | None:
    card = _card(page, segment)
    near = " ".join(s.flat for s in card) if card else text
    if money.NOT_PRICE.search(text) and not _price_survives(text):
        return None
    if not _is_ours(reading, page, segment, text, near, others_bill=others_bill):
        return None
    if money.is_nothing(text) and not money.NOTHING_PLAN.match(text.strip()):
        return None
    period_text = text if len(card) == 0 else near
    words, parts = _phrase(page, segment, text, card)
    return Offer(
        words=words,
        parts=parts,
        is_free=money.is_nothing(text) and len(list(money.MONEY.finditer(text))) == 1,
        has_period=bool(money.PERIOD.search(period_text)),
        is_one_time=bool(money.ONE_TIME.search(period_text)),
        is_usage=bool(money.USAGE.search(text)),
        strength=2 if _in_price_place(page, segment) else 1,
    )


def _price_survives(text: str) -> bool:
    """A saving named beside a price does not make the price a saving."""
    for found in money.MONEY.finditer(text):
        near = text[max(0, found.start() - 25) : found.end() + 14]
        if not money.NOT_PRICE.search(near) and (money.PERIOD.search(text[found.end() : found.end() + 14])):
            return True
    return False


def _is_ours(
    reading: Reading, page: PageText, segment: Segment, text: str, near: str, *, others_bill: bool
) -> bool:
    named = reading.own.named_in(text)
    if others_bill and not named:
        return False
    if money.APPROXIMATE.search(text) and not named:
        return False
    if "faq" in segment.all_roles and page.kind != "pricing":
        return named
    if _in_price_place(page, segment):
        return not ("table" in segment.roles and _table_of_others(page, segment))
    if segment.all_roles & {"legal", "docs", "person", "others", "table", "caption", "stats"}:
        return False
    cue = money.PERIOD.search(near) or money.PRICE_CUE.search(text) or money.ONE_TIME.search(near)
    return bool(cue) and (named or len(text) <= 160)


def _table_of_others(page: PageText, segment: Segment) -> bool:
    """A table that prices many different things, row by row, with names of providers in the first column."""
    table = next((b for b in page.climb(segment.block) if page.blocks[b].tag == "table"), None)
    if table is None:
        return False
    heads = " ".join(s.flat for s in page.inside(table) if s.tag == "th").casefold()
    return bool(re.search(r"provider|vendor|anbieter|fournisseur|proveedor|fornecedor|fornitore|aanbieder|dostawca|competitor|model\b|モデル|提供商|服务商", heads))


def _card(page: PageText, segment: Segment) -> tuple[Segment, ...]:
    """The segments of the plan that a price belongs to."""
    best: tuple[Segment, ...] = ()
    for block in page.climb(segment.block):
        inside = tuple(s for s in page.inside(block) if s.kind == "text" and "struck" not in s.roles)
        priced = sum(bool(money.MONEY.search(s.text)) for s in inside)
        if priced > 2 or len(inside) > 24 or page.blocks[block].tag in {"body", "main", "[document]"}:
            break
        best = inside
        if any(s.level for s in inside):
            break
    return best


def _phrase(
    page: PageText, segment: Segment, text: str, card: tuple[Segment, ...]
) -> tuple[str, tuple[tuple[Segment, str | None], ...]]:
    parts: list[tuple[Segment, str | None]] = []
    title = _plan_title(segment, card)
    words = tidy(text)
    if len(words) > _PRICE_PLACE:
        words, text = _around(text)
    parts.append((segment, text))
    if len(words) < 14:
        following = _next_in(card, segment)
        if following is not None and len(following.text) <= 40 and money.PERIOD.search(following.text) and not money.MONEY.search(following.text):
            words = f"{words} {tidy(following.flat)}"
            parts.append((following, None))
    if title is not None and squashed(title.flat) not in squashed(words):
        words = f"{tidy(title.flat)}: {words}"
        parts.insert(0, (title, None))
    return _CURRENCY_GAP.sub(r"\1\2", words), tuple(parts)


def _around(text: str) -> tuple[str, str]:
    found = money.MONEY.search(text)
    if found is None:
        return tidy(text), text
    start = text.rfind(" ", 0, max(0, found.start() - 35)) + 1 if found.start() > 35 else 0
    end = text.find(" ", min(len(text), found.end() + 40))
    piece = text[start : end if end > 0 else len(text)].strip(" ,;:–—-")
    return tidy(piece), piece


def _plan_title(segment: Segment, card: tuple[Segment, ...]) -> Segment | None:
    if segment.level:
        return None
    heads = [s for s in card if s.level and s.index < segment.index and len(s.text) <= _PLAN_TITLE]
    if heads:
        return heads[-1]
    first = next((s for s in card if s.index < segment.index), None)
    if first is not None and len(first.text) <= 24 and not money.MONEY.search(first.text) and first.tag not in {"li", "button"}:
        return first
    return None


def _next_in(card: tuple[Segment, ...], segment: Segment) -> Segment | None:
    later = [s for s in card if s.index > segment.index]
    return later[0] if later else None


def _claims(reading: Reading, page: PageText, segment: Segment, text: str, prices: Prices, *, others_bill: bool) -> None:
    for piece in re.split(r"\s+[·•|]\s+", text):
        if len(piece) <= 400:
            _claim(reading, page, segment, piece, prices, others_bill=others_bill)


def _claim(reading: Reading, page: PageText, segment: Segment, text: str, prices: Prices, *, others_bill: bool) -> None:
    place = _in_price_place(page, segment)
    words = tidy(text) if len(text) <= _PRICE_PLACE * 2 else ""
    plain = Offer(words, ((segment, text[:300]),), strength=2 if place else 1)
    if money.TRIAL.search(text):
        if reading.own.named_in(text) or len(text) <= 80 or place:
            prices.trial.append(plain)
    elif _claims_free(reading, page, segment, text, others_bill=others_bill):
        prices.free.append(plain)
    if money.OPEN_SOURCE.search(text) and _claims_open(reading, segment, text):
        prices.open_source.append(plain)
    if money.CONTACT_SALES.search(text) and place:
        prices.on_request.append(plain)
    if money.COMMISSION.search(text) and re.search(r"\d\s?%", text) and (place or reading.own.named_in(text)):
        prices.commission.append(plain)


def _claims_free(reading: Reading, page: PageText, segment: Segment, text: str, *, others_bill: bool) -> bool:
    if not money.FREE.search(text) or money.NOT_FREE.search(text) or segment.all_roles & {"legal", "docs", "person", "others"}:
        return False
    named = reading.own.named_in(text)
    if "table" in segment.roles and not named:
        return False
    if "faq" in segment.all_roles and page.kind != "pricing":
        return named and not text.endswith(("?", "？"))
    if text.endswith(("?", "？")):
        return False
    if others_bill and not named:
        return False
    is_latin_claim = bool(_FREE_CLAIM.search(text)) if re.search(r"\bfree\b", text, re.IGNORECASE) else True
    if not is_latin_claim:
        return False
    short = len(text) <= (45 if CJK.search(text) else 60)
    return named or (short and (_in_price_place(page, segment) or page.index == 1 or "hero" in segment.roles))


def _claims_open(reading: Reading, segment: Segment, text: str) -> bool:
    if "table" in segment.roles or segment.all_roles & {"person", "others", "legal"}:
        return reading.own.named_in(text)
    return reading.own.named_in(text) or len(text) <= 90


def _marked(reading: Reading) -> Iterator[Offer]:
    for page in reading.site.pages:
        by_text = {s.text: s for s in reversed(page.marked) if s.kind == "json_ld"}
        for node in page.nodes:
            if not node.types & PRODUCT_TYPES or re.search(r"review|isRelated|isSimilar|competitor", node.path):
                continue
            name = first_text(node.data.get("name"))
            if name and not reading.own.named_in(name) and not reading.own.resembles(name):
                continue
            for offer in all_of(node.data.get("offers")):
                if isinstance(offer, dict):
                    yield from _marked_offer(offer, by_text)


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
        if title and title in by_text and len(title) <= _PLAN_TITLE:
            parts.insert(0, (by_text[title], None))
            words = f"{title}: {words}"
        yield Offer(words, tuple(parts), is_free=float(price.replace(",", ".")) == 0)


def _paid(prices: Prices) -> list[Offer]:
    offers = [o for o in prices.offers if not o.is_free]
    strong = [o for o in offers if o.strength > 1]
    return strong or offers


def _evidence(reading: Reading, offers: list[Offer]) -> tuple[Evidence, ...]:
    found = [e for offer in offers for e in reading.quote(*offer.parts)]
    return tuple(dict.fromkeys(found))


def _model(reading: Reading, prices: Prices) -> FieldDraft:
    paid, free = _paid(prices), prices.free + [o for o in prices.offers if o.is_free]
    for word, offers in _models(paid, free, prices):
        evidence = _evidence(reading, offers[:3])
        if evidence:
            return FieldDraft(value=word, evidence=evidence)
    return reading.blank


def _models(paid: list[Offer], free: list[Offer], prices: Prices) -> Iterator[tuple[str, list[Offer]]]:
    if paid:
        one_time = [o for o in paid if o.is_one_time]
        periodic = [o for o in paid if o.has_period and not o.is_one_time]
        if one_time and len(one_time) >= len(periodic):
            yield "one_time", one_time
        elif periodic:
            yield ("freemium", free[:1] + periodic) if free else ("subscription", periodic)
        usage = [o for o in paid if o.is_usage]
        if usage:
            yield "usage", usage
        if free:
            yield "freemium", free[:1] + paid
        yield from (("commission", prices.commission),) if prices.commission else ()
        return
    if prices.commission:
        yield "commission", prices.commission
    if free:
        yield "free", free
    if prices.open_source:
        yield "open_source", prices.open_source
    if prices.on_request:
        yield "contact_sales", prices.on_request
    if prices.trial and any(o.strength > 1 for o in prices.trial):
        yield "free_trial", [o for o in prices.trial if o.strength > 1]


def _summary(reading: Reading, prices: Prices) -> FieldDraft:
    paid, free = _paid(prices), [o for o in prices.offers if o.is_free] + prices.free
    wanted = _distinct(paid)[:_MAX_OFFERS]
    named = sorted(free, key=lambda o: (-o.strength, len(o.words)))
    wanted = [o for o in named if o.words][:1] + wanted
    if paid:
        wanted += [o for o in prices.trial if o.words and o.strength > 1][:1]
    elif not wanted:
        wanted = [o for o in prices.on_request if o.words][:1] or [o for o in prices.commission if o.words][:1]
    words: list[str] = []
    used: list[Offer] = []
    for offer in wanted:
        if len("; ".join([*words, offer.words])) <= PRICING_SUMMARY and offer.words not in words:
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
