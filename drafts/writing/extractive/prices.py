"""The pricing model and the pricing summary: plans, price sentences and claims of being free."""

import re
from collections import defaultdict
from collections.abc import Iterator

from drafts.crawl.extract_parts import PageText, Segment, words
from drafts.crawl.extract_roles import HEADING_ROLES
from drafts.crawl.extract_structured import all_of, first_text
from drafts.languages import Shape
from drafts.limits import TEXT_FIELDS
from drafts.writing.cues import money
from drafts.writing.extractive import offers
from drafts.writing.extractive.offers import Offer
from drafts.writing.identity import PRODUCT_TYPES
from drafts.writing.measuring import length_of
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading, ranked
from drafts.writing.roles import speaks
from drafts.writing.text import CJK, asks, sentences, tidy

_NEVER = words("blog event job comparison sample struck donation instruction host nav pain")
_PRICED = frozenset({"home", "pricing"})
"""Pages whose prices go before those of the others, which may be of samples."""
_JOINT = ". "
_ANSWERED = re.compile(
    "^(?:(?:Yes|No|Ja|Nein|Nee|Oui|Non|S[iìí]|Sim|Não|Tak|Nie|Evet|Да|Нет)[.,!]|"
    "[–—•·|\U0001f000-\U0001faff\u2600-\u27bf\u2b50\ufe0f]+)\\s+(?=\\w)"
)
"""How an answer among the questions begins, or an ornament: neither says anything by itself."""
_MAX_OFFERS = 8
_PLANS, _MANY_SUMS, _CARD, _TITLE = 2, 4, 24, 3
_NAME = Shape(r"^\W*[^.!?:：—–]{2,40}\s?[:：—–]\s?(?:\w+\s)?{money}", money=money.MONEY)
_NAME_END = re.compile(r"\s?[:：—–]")
_NO_NAME = re.compile(r"^(?:[\d.,]+|[^:：]*[.,!?]\s[^:：]*)\s?[:：]")
"""What stands before a sum and is none of a plan: a number of things, or more than one clause."""
_SHORT, _BRIEF, _WHOLE = 80, 60, 90
_FREE_PRODUCT = Shape(
    r"(?<!feel )(?<!-){free}\W*(?:\w+\W+){0,2}?{product}", r"{product}\W*(?:\w+\W+){0,2}?(?<!-){free}"
)
"""The free thing is the product: a word for it stands beside the word."""
_ONE_OF_PLANS = (r"{free}\W*(?:\w+\W+)?{plan}", r"{plan}\W*(?:\w+\W+)?{free}")
_PLAN_IS_FREE = Shape(*_ONE_OF_PLANS)
"""A free plan tells of others, whose prices stand elsewhere."""
_FREE_PLAN = Shape(*_ONE_OF_PLANS, r"^\W*{free}\W+{forever}", r"{forever}\W+{free}\W*$")
_FREE_END = Shape(r"(?<!-){free}\s*$", r"(?<!-){free}\s*(?:{after_free}|{forever})(?![-‑])")
_NOT_FREE = Shape(r"{no}\s+[\"'“„«]?{free}")
_NOT_OPEN = Shape(r"{no}\s+(?:\w+\s+)?{open_source}")
_FOREVER = Shape(r"{forever}")
_LONE = Shape(r"\W*(?:(?:{free}|{forever})\W*)+")
_CLAUSE = re.compile(r"[.;!|·—–(),:。！，、]+")
_UNCOUNTED = re.compile(r"(?<![\d.,])0[.,]00(?!\d)")
_PARTS = Shape(r"\s*[✓✔✅]\s*|\s+[·•|]\s+|;\s+|,\s+(?={then})")
_CJK_PARTS = re.compile(r"\s+[·•|]\s+|[，、]")
_UNPAID = ("free", "open_source", "contact_sales")
"""What the price of a product is that states no sum, the strongest word first."""
Prices = dict[str, list[Offer]]
"""All that a site says about its price: what is paid, what is said once, and what is none of both."""


def draft_prices(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    prices = _read(reading)
    return _model(reading, prices), _summary(reading, prices)


def _read(reading: Reading) -> Prices:
    prices: Prices = defaultdict(list)
    for page in (p for p in reading.pages if p.index not in reading.translated and not _asks_for_gifts(p)):
        for segment in page.texts:
            if speaks(segment) and not segment.all_roles & _NEVER:
                _take(reading, page, segment, prices)
    priced = prices["paid"]
    timed = (o for o in priced if o.has_period)  # outside every price list at home, or first of its line
    stated = [o for o in priced if o.is_placed] or [
        o for o in timed if o.place[0] == 1 or money.opens_with_price(o.words)
    ]
    kinds = {offer.place: reading.site.pages[offer.place[0] - 1].kind for offer in stated}
    stated = (
        [o for o in stated if kinds[o.place] in _PRICED]
        or [o for o in stated if kinds[o.place] != "legal"]
        or [o for o in stated if length_of(o.words) <= _WHOLE]  # terms tell of former contracts, too
    )
    if not stated:
        prices["some sum"][:0] = priced
    paid = stated or ([] if priced else list(_marked_offers(reading)))
    chosen = next((mark for offer in paid if (mark := money.currency(offer.words))), "")
    prices["paid"] = [o for o in paid if money.currency(o.words) in {"", chosen}]  # else of a left-over tab
    if not paid:  # a zero is one plan's beside others without a sum, or a script's before it counts
        zeros = [o for o in prices["free"] if money.MONEY.search(o.quoted)]
        prices["some free"] += [o for o in zeros if o.is_placed and not _UNCOUNTED.search(o.quoted)]
        prices["free"] = [offer for offer in prices["free"] if offer not in zeros]
    on_request = [offer for offer in prices["contact_sales"] if offer.is_placed]
    if not paid and all(
        _PLAN_IS_FREE.search(offer.words) or _is_in_a_card(reading, offer) for offer in prices["free"]
    ):
        prices["some free"] += prices.pop("free", [])
    elif on_request and not any(offer.is_placed or offer.is_free for offer in prices["free"]):
        prices["some free"] += prices.pop("free")  # what is said in passing may be of a part
    return prices


def _is_in_a_card(reading: Reading, offer: Offer) -> bool:
    """Whether all that is free is one of several plans side by side, each with its heading."""
    page, segment = reading.site.pages[offer.place[0] - 1], offer.parts[0][0]
    if not offer.is_placed or not _LONE.fullmatch(offer.quoted):
        return False
    for at in page.climb(segment.block):
        box = page.blocks[at]
        alike = (block for block in page.children.get(box.parent, ()) if page.blocks[block].tag == box.tag)
        headed = [block for block in alike if any(s.level for s in page.inside(block))]
        if box.last - box.first > _CARD or len(headed) >= _PLANS:
            return at in headed
    return False


def _asks_for_gifts(page: PageText) -> bool:
    """Whether a page speaks of donations in running text: what it names are no prices."""
    said = (s.text for s in page.texts if not s.roles & {"nav", "footer", "legal"})
    return page.kind == "other" and any(map(HEADING_ROLES["donation"].search, said))


def _free_plan(prices: Prices) -> list[Offer]:
    """The free offers that are a plan of their own: named so, or a card of their own before the paid ones."""
    first = min((o.place for o in prices["paid"]), default=(0, 0))
    return [
        o
        for o in prices["free"]
        if o.is_free
        or _FREE_PLAN.search(o.words)
        or (o.is_placed and o.place < first and _LONE.fullmatch(o.quoted))
    ]


def _marked_offers(reading: Reading) -> Iterator[Offer]:
    """The prices that only the markup states; a zero there may be what a form was left at."""
    for page in reading.site.pages:
        for node in page.nodes:
            is_ours = node.types & (PRODUCT_TYPES | {"Service"}) and reading.own.is_node(node)
            for offer in all_of(node.data.get("offers")) if is_ours else ():
                if isinstance(offer, dict):
                    yield from _marked_offer(offer, page.stated)


def _marked_offer(offer: dict[str, object], stated: dict[str, Segment]) -> Iterator[Offer]:
    title, currency = first_text(offer.get("name")), first_text(offer.get("priceCurrency"))
    for price in (first_text(offer.get(key)) for key in ("price", "lowPrice", "highPrice")):
        if price in stated and re.fullmatch(r"\d+(?:[.,]\d+)?", price) and price.strip("0.,"):
            parts = [
                entry
                for entry in (title, price, currency)
                if entry in stated and len(entry) <= offers.PLAN_TITLE
            ]
            stated_offer = " ".join(f"{entry}:" if entry == title else entry for entry in parts)
            yield Offer(stated_offer, tuple((stated[entry], None) for entry in parts))


def _take(reading: Reading, page: PageText, segment: Segment, prices: Prices) -> None:
    is_whole = len(segment.text) <= _WHOLE and "\n" in segment.text
    for text in [segment.text] if is_whole else sentences(segment.text):
        if reading.own.rival_in(text):
            continue
        if money.MONEY.search(text):
            if offer := offers.offer_in(reading, page, segment, text):
                prices["free" if offer.is_free else "paid"].append(offer)
            elif len(text) <= offers.PRICE_WORDS:
                prices["some sum"].append(_loose(segment, text))
        for piece in _pieces(text):
            if len(piece) <= offers.PRICE_WORDS * 2 and not money.MONEY.search(piece):
                _take_claims(reading, page, segment, piece, prices)


def _pieces(text: str) -> list[str]:
    """What may say something of the price by itself; nothing of a sentence that leads to a list, which says it."""
    pieces = (_CJK_PARTS if CJK.search(text) else _PARTS).split(text)
    return [] if text.rstrip().endswith((":", "：")) else [p for p in pieces if not _NOT_FREE.search(p)]


def _take_claims(reading: Reading, page: PageText, segment: Segment, piece: str, prices: Prices) -> None:
    is_ours = bool(_FREE_END.search(piece)) and reading.own.named_in(piece)
    stated_offer = Offer(tidy(piece), ((segment, piece),), is_ours, is_placed=offers.in_price_place(segment))
    kinds = list(_claims(reading, page, segment, piece))
    for kind in kinds:
        prices[kind].append(stated_offer)
    is_trial = money.TRIAL.search(piece)
    if "free" not in kinds and len(piece) <= _WHOLE and money.FREE.search(piece) and not is_trial:
        prices["some free"].append(stated_offer)


def _loose(segment: Segment, text: str) -> Offer:
    """A sum of which nothing says that it is the product's price."""
    period = bool(money.PERIOD.search(text))
    placed = offers.in_price_place(segment)
    return Offer(tidy(text), ((segment, text),), has_period=period, is_placed=placed)


def _claims(reading: Reading, page: PageText, segment: Segment, text: str) -> Iterator[str]:
    """What a text without a sum says of the price."""
    is_placed, is_statement = offers.in_price_place(segment), not asks(text)
    if is_statement and money.TRIAL.search(text):
        if is_placed and not money.NO_TRIAL.search(text):
            yield "free_trial"
    elif is_statement and _claims_free(reading, page, segment, text):
        yield "free"
    if is_statement and is_placed and money.ONE_TIME.search(text):
        yield "once"
    if money.OPEN_SOURCE.search(text) and _claims_open(reading, segment, text):
        yield "open_source"
    if money.CONTACT_SALES.search(text) and (is_placed or money.PRICE_WORD.search(segment.text)):
        yield "contact_sales"


def _claims_free(reading: Reading, page: PageText, segment: Segment, text: str) -> bool:
    """Whether a text says of the product itself that it costs nothing."""
    if not money.FREE.search(text) or "©" in text:
        return False
    named = reading.own.named_in(text)
    if "table" in segment.roles and not named:
        return offers.in_row_of_prices(page, segment)
    aside = bool(segment.all_roles & {"legal", "docs", "person", "others"})
    aside = aside or ("faq" in segment.all_roles and page.kind != "pricing")
    if (aside or page.index in reading.once(offers.bills_of_others)) and not named:
        return False
    if _LONE.fullmatch(text):
        return offers.in_price_place(segment) or bool(_FOREVER.search(text))
    short = length_of(text) <= _BRIEF
    return any(_is_free_product(reading, clause, short=short) for clause in _CLAUSE.split(text))


def _is_free_product(reading: Reading, clause: str, *, short: bool) -> bool:
    ends = _FREE_END.search(clause)
    if ends and reading.own.named_in(clause[: ends.end()]):
        return True
    if _FREE_PRODUCT.search(clause):
        return short or reading.own.named_in(clause)
    return short and ends is not None and not clause[: ends.start()].strip()


def _claims_open(reading: Reading, segment: Segment, text: str) -> bool:
    if "©" in text or _NOT_OPEN.search(text):  # a foot of links, of which one leads to the licences of others
        return False
    is_aside = "table" in segment.roles or segment.all_roles & {"person", "others", "legal"}
    return reading.own.named_in(text) or not (is_aside or len(text) > 90)


def _evidence(reading: Reading, listed: list[Offer]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(quote for offer in listed for quote in reading.quote(*offer.parts)))


def _model(reading: Reading, prices: Prices) -> FieldDraft:
    unpaid = [(kind, prices[kind]) for kind in _UNPAID]
    if not prices["free"]:
        unpaid.sort(key=lambda row: not any(offer.is_placed for offer in row[1]))
    paid = list(_paid_models(prices)) if prices["paid"] else []
    models = [*paid, *unpaid] if _has_terms(prices) and not _is_mixed(prices) else []
    rows: dict[str, tuple[float, FieldDraft]] = {}
    for word, result in models:
        if evidence := _evidence(reading, result[:3]):
            rows.setdefault(word, (1 / (1 + len(rows)), FieldDraft(value=word, evidence=evidence)))
    weaker = (
        FieldDraft(value=word, evidence=_evidence(reading, result[:2]))
        for word, result in (*_possible_models(prices), *([] if models else paid))
    )
    return ranked(rows.values(), otherwise=reading.blank, weaker=weaker)


def _has_terms(prices: Prices) -> bool:
    """Whether something says for how long or for what the sums are paid: bare ones may be of anything."""
    return not prices["paid"] or any(result for _, result in _paid_models(prices))


def _is_mixed(prices: Prices) -> bool:
    """Whether the sums do not go together: beside a free plan without one, more of them elsewhere, or most untold."""
    paid, stated = prices["paid"], (*prices["free"], *prices["some free"])
    has_free = not _free_plan(prices) and any(_PLAN_IS_FREE.search(offer.quoted) for offer in stated)
    plans = [offer for offer in _distinct(paid) if _is_named(offer)]
    timed = [offer for offer in plans if offer.has_period or offer.is_one_time or offer.is_usage]
    is_untold = bool(timed) and plans[0] not in timed and len(timed) * 2 < len(plans)
    is_loose = not any(offer.is_placed for offer in paid) and len(_distinct(prices["some sum"])) > len(paid)
    return bool(paid) and (has_free or is_untold or is_loose)


def _possible_models(prices: Prices) -> Iterator[tuple[str, list[Offer]]]:
    """What the price may be by words that nothing ties to the product, and by a trial, after which all is open."""
    sums = sorted([*prices["paid"], *prices["some sum"]], key=lambda offer: not offer.is_placed)
    free = [*prices["free"], *prices["some free"]]
    timed = [offer for offer in sums if offer.has_period]
    if not _has_terms(prices):
        yield "paid", [offer for offer in prices["paid"] if offer.parts[0][0].kind == "text"]
    if sums and free:
        yield "freemium", [free[0], sums[0]]
    yield "free", free
    yield "subscription", timed
    yield "one_time", [offer for offer in sums if not offer.has_period]
    yield "free_trial", prices["free_trial"]


def _paid_models(prices: Prices) -> Iterator[tuple[str, list[Offer]]]:
    paid, free = prices["paid"], _free_plan(prices)
    timed = [o for o in paid if o.has_period or o.is_one_time]
    if not timed:
        yield "usage", [o for o in paid if o.is_usage]
    elif timed[0].is_one_time:
        yield "freemium" if free else "one_time", free[:1] + [o for o in timed if o.is_one_time]
    else:
        yield "freemium" if free else "subscription", free[:1] + [o for o in timed if not o.is_one_time]
    if free:
        yield "freemium", free[:1] + paid
    if prices["once"]:
        yield "one_time", prices["once"][:1] + paid[:1]
    yield "one_time", [o for o in paid if money.BUY.search(o.quoted)]


def _summary(reading: Reading, prices: Prices) -> FieldDraft:
    paid = prices["paid"]
    if not _has_terms(prices):
        return ranked((), otherwise=reading.blank, weaker=[_stated(reading, _distinct(paid)[:_MAX_OFFERS])])
    sold = " ".join(o.words for o in paid)
    free = sorted(
        (o for o in (_free_plan(prices) if paid else prices["free"]) if _is_brief(o)),
        key=lambda o: (not o.is_placed, o.is_pressed, len(o.words)),
    )
    plans = _named(_distinct(paid))
    chosen = [o for o in free if o.words.rstrip(" .;") not in sold][:1] + plans[:_MAX_OFFERS]
    trials = (o for o in prices["free_trial"] if len(o.words) <= _SHORT and money.FREE.search(o.words))
    chosen += [o for o in trials if paid and not o.is_pressed][:1]
    used: list[Offer] = []
    for offer in chosen or [o for o in prices["contact_sales"] if not o.is_pressed][:1]:
        if len(_JOINT.join(o.words for o in (*used, offer))) <= TEXT_FIELDS["pricing_summary"]:
            used.append(offer)
    is_muddled = (
        bool(plans) and not _is_named(plans[0]) and len(plans) - sum(map(_is_named, plans)) >= _MANY_SUMS
    )
    stated = _stated(reading, used)
    is_odd = is_muddled or _is_mixed(prices) or _is_headed(used) or _is_unclear(used)
    rows = [(1.0, stated)] if stated.value and not is_odd else []
    free_words = sorted([*prices["free"], *prices["some free"]], key=lambda offer: not offer.is_placed)
    sums = sorted(prices["some sum"], key=lambda offer: not offer.is_placed)
    loose = (_distinct(sums)[:3], free_words[:1], free_words[1:2])
    weaker = [stated, *(_stated(reading, offers) for offers in loose if offers)]
    return ranked(rows, otherwise=reading.blank, weaker=weaker)


def _named(listed: list[Offer]) -> list[Offer]:
    """Of plans each with its name, no sums that begin anew and tell of what else is sold."""
    named = [offer for offer in listed if _is_named(offer)]
    is_stated = named[:1] == listed[:1] or len(named) * 2 >= len(listed)
    return (
        [o for o in listed if o in named or o.words[0].islower()]
        if is_stated and len(named) >= _PLANS
        else listed
    )


def _is_named(offer: Offer) -> bool:
    return bool(_NAME.match(offer.words))


def _is_headed(used: list[Offer]) -> bool:
    """Whether what stands before a sum has as many words as the head of a part of the page: plans have fewer."""
    titles = [_NAME_END.split(offer.words)[0].split() for offer in used if _is_named(offer)]
    most = max((sum(word[0].isalnum() for word in title) for title in titles), default=0)
    return most > _TITLE + (len(titles) > 1)


def _is_unclear(used: list[Offer]) -> bool:
    """Whether a sum has no name of a plan before it, that of another, or is cut out of a sentence."""
    names = [_NAME_END.split(offer.words)[0] for offer in used if _is_named(offer)]
    cut = (offer.words.count("(") != offer.words.count(")") for offer in used)
    is_cut = any(cut) or any(_NO_NAME.match(offer.words) for offer in used)
    return is_cut or len(set(names)) < len(names) or offers.are_apart(used)


def _is_brief(offer: Offer) -> bool:
    """Whether an offer says little beside the price; more of it only where prices stand, and never terms of use."""
    is_legal = any("legal" in segment.roles for segment, _ in offer.parts)
    return not is_legal and (offer.is_placed or length_of(offer.words) <= _BRIEF)


def _stated(reading: Reading, offers: list[Offer]) -> FieldDraft:
    """Offers in the site's words, one after another."""
    evidence = _evidence(reading, offers)
    stated_offer = dict.fromkeys(_ANSWERED.sub("", offer.words.rstrip(" .;。"), count=1) for offer in offers)
    value = "".join(f"{', ' if words[:1].islower() else _JOINT}{words}" for words in stated_offer)
    value = value.lstrip(", .")[: TEXT_FIELDS["pricing_summary"]]
    return FieldDraft(value=value, evidence=evidence) if evidence and value else reading.blank


def _distinct(listed: list[Offer]) -> list[Offer]:
    sums: dict[frozenset[float], Offer] = {}
    for offer in listed:
        sums.setdefault(frozenset(money.amounts(offer.words)), offer)
    return list(sums.values())
