"""The prices that a site asks for its own product, plan by plan; never somebody else's sums."""

import re
from dataclasses import dataclass
from itertools import islice

from drafts.crawl.extract_parts import PageText, Segment
from drafts.languages import Shape
from drafts.limits import EVIDENCE_QUOTE
from drafts.writing.cues import money
from drafts.writing.cues.headings import names_prices
from drafts.writing.reading import Reading
from drafts.writing.text import asks, sentences, squashed, tidy

PRICE_WORDS = 150
PLAN_TITLE = 40
_NAME = 24
_WHOLE = 90
_CUE = 60
_ROUND = 400
_PROSE = 45
_LOOSE = 160
_CARD = 24
_ROW = 60
_BARE, _TWINS = 20, 2
_HEADS = 3  # so many above one price are of other things
_COSTS = r"(?:,[^,.;]{3,60},)* {costs}"
_BRAND = Shape(r"\b(?P<who>[A-Z][a-z]+[A-Z]\w*)" + _COSTS, flags=0)
"""A name with a capital inside, as products have, before what it costs."""
_SUBJECT = Shape(r"^(?P<who>[A-Z]\w+)(?: [A-Z]\w+)?" + _COSTS, flags=0)
_PICTURED = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50]")
"""As badges begin; the name of the plan follows."""
_PLAN_WORDS = frozenset({"We", "It", "This", "Plan", "Pro", "Team"})
_CURRENCY_GAP = re.compile(r"([$€£¥₩₽₹])\s+(?=\d)")
_CENTS_GAP = re.compile(r"(\d)\s+([.,]\s?\d)")
_CLAUSE = re.compile(r"[,;()|•·\n→]|\s[–—-]\s")
_BADGE = Shape(r"^\W*{badge}\W*$", r"^\W*{badge}\s+{plan}\W*$")
"""What a plan is praised with above its name."""
_PRAISED = Shape(r"(?<=\w)\s+{badge}$")
_IF = Shape(r"^\W*{if}", r"{if_you}")
_COUNTED = re.compile(r"^\+|\?\s+\W?\d|\d\s*[×*]\s*\W?\d")
"""What a calculator asks or says: a sum to be added, as the answer to a question, or beside a sign of reckoning."""


@dataclass(frozen=True)
class Offer:
    """One price of the product with the words around it."""

    words: str
    parts: tuple[tuple[Segment, str | None], ...]
    is_free: bool = False
    has_period: bool = False
    is_one_time: bool = False
    is_usage: bool = False
    is_placed: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """The page and the place on it where the offer ends."""
        return max((segment.page, segment.index) for segment, _ in self.parts)

    @property
    def quoted(self) -> str:
        """The words of the site behind the offer."""
        return " ".join(quote or segment.flat for segment, quote in self.parts)


def in_price_place(page: PageText, segment: Segment) -> bool:
    """Whether a segment stands where the site states its prices."""
    return page.kind == "pricing" or "price" in segment.all_roles


def price_texts(segment: Segment, spans: list[tuple[int, int]]) -> list[str]:
    """The texts of a segment that are looked at one by one: a short segment as a whole, a long one by sentences."""
    if len(segment.text) <= _WHOLE and "\n" in segment.text:
        return [segment.text]
    return [segment.text[start:end] for start, end in spans]


def offer_in(
    reading: Reading, page: PageText, segment: Segment, text: str, *, others_bill: bool
) -> Offer | None:
    """The offer that one sentence or one small segment makes."""
    if len(segment.text) <= _ROUND and money.FEES.search(segment.text):
        return None
    if money.NOT_PRICE.search(text):
        clause = _priced_clause(text)
        if clause is None:
            return None
        text = clause
    card = _card(page, segment)
    near = " ".join(s.flat for s in card) if card else text
    if not _is_ours(reading, page, segment, text, near, others_bill=others_bill):
        return None
    flat = " ".join(text.split())
    words, parts = _phrase(page, segment, text, card)
    period, once = _cues(text, segment, card)
    headed = in_price_place(page, segment) and any(s.level for s, _ in parts)
    if _is_counted(segment, flat, is_plan=headed or period is not None or bool(money.FREE.search(words))):
        return None
    if period is None and once is None and "table" in segment.roles:
        period = _row_period(page, segment)
        words = f"{words} ({tidy(period.flat)})" if period is not None else words
    if period is None and once is None:
        once = next((s for s in card if money.CART.search(s.text)), None)
    return Offer(
        words=words,
        parts=parts
        + tuple((s, None) for s in (period, once) if s is not None and all(s.id != p.id for p, _ in parts)),
        is_free=money.is_nothing(flat) and len(list(money.MONEY.finditer(flat))) == 1,
        has_period=period is not None,
        is_one_time=once is not None and not money.SETTING_UP.search(f"{words} {text}"),
        is_usage=bool(money.USAGE.search(flat)),
        is_placed=in_price_place(page, segment),
    )


def _is_counted(segment: Segment, flat: str, *, is_plan: bool) -> bool:
    """Whether a calculator says a sum, or a zero is yet to be counted: a free plan has a heading or a word for it."""
    if _COUNTED.search(segment.flat if len(segment.text) <= _WHOLE else flat):
        return True
    return money.is_nothing(flat) and not (is_plan and money.NOTHING_PLAN.match(flat))


def _cues(text: str, segment: Segment, card: tuple[Segment, ...]) -> tuple[Segment | None, Segment | None]:
    """The segments that carry the period and the word for paying once: the price's own, else the next ones."""
    period, once = money.PERIOD.search(text), money.ONE_TIME.search(text)
    if period or once:
        return (segment if period else None), (segment if once else None)
    for following in [s for s in card if s.index > segment.index][:2]:
        period, once = money.PERIOD.search(following.text), money.ONE_TIME.search(following.text)
        if len(following.text) <= _CUE and (period or once) and not money.MONEY.search(following.text):
            return (following if period else None), (following if once else None)
    return None, None


def _priced_clause(text: str) -> str | None:
    """The clause of a price when only another clause speaks of savings and the like."""
    for part in _CLAUSE.split(text):
        if money.MONEY.search(part) and not money.NOT_PRICE.search(part) and money.PERIOD.search(part):
            return part.strip()
    saved = money.NOT_PRICE.search(text)
    before = (
        text[: saved.start()].strip(" ,;:–—-(") if saved and money.MONEY.search(text[saved.end() :]) else ""
    )
    return before if money.opens_with_price(before) else None


_AT_ONCE = Shape(r"{money}\W{0,3}(?:\w+\W)?{period}", money=money.MONEY, period=money.PERIOD)
_OTHER_ASKS = Shape(r"\b(?P<who>[A-Z]\w+) {asks}", flags=0)
_PROVIDERS = Shape(r"{provider}")


def _is_ours(
    reading: Reading, page: PageText, segment: Segment, text: str, near: str, *, others_bill: bool
) -> bool:
    named = reading.own.named_in(text)
    is_plan = page.kind == "pricing" and (money.PERIOD.search(text) or money.is_nothing(text))
    others_bill = others_bill and not is_plan
    if _is_others(reading, segment, text) or ((others_bill or money.APPROXIMATE.search(text)) and not named):
        return False
    if _IF.search(text) or ("faq" in segment.all_roles and page.kind != "pricing"):
        return named and not _IF.search(text)
    is_figure = "stats" in segment.all_roles and not named
    if is_figure or ("table" in segment.roles and _table_of_others(reading, page, segment)):
        return False
    in_prose = len(text) > _PROSE and not money.opens_with_price(text)
    told = money.PROSE_PRICE.search(text) and (in_price_place(page, segment) or money.PERIOD.search(text))
    if in_prose and not (named or told):
        return False
    cue = bool(money.PERIOD.search(near) or money.PRICE_CUE.search(text) or money.ONE_TIME.search(near))
    cue = cue or bool(money.BUY.search(text))
    if in_price_place(page, segment):
        sure = page.kind == "pricing" or "price" in segment.under
        sure = (
            sure
            or _has_twins(page, segment)
            or bool(money.CART.search(near))
            or (len(text) <= _PROSE and reading.own.named_in(near))
        )
        return (sure or cue or named) and (named or "catalogue" not in segment.roles)
    is_told = named or page.kind != "other" or len(text) <= _PROSE
    return cue and is_told and _is_loose_price(segment, text, named=named)


def _has_twins(page: PageText, segment: Segment) -> bool:
    """Whether further sums stand alone in elements of the same form: a row of plans."""
    twins = (
        s
        for s in page.texts
        if s.tag == segment.tag
        and "price" in s.all_roles
        and len(s.text) <= _BARE
        and money.MONEY.search(s.text)
    )
    return len(segment.text) <= _BARE and len(list(islice(twins, _TWINS))) == _TWINS


def _is_others(reading: Reading, segment: Segment, text: str) -> bool:
    """Whether a sentence says what somebody else asks. Beside our own price any other name is somebody's."""
    is_beside_ours = bool(_own_prices(reading, segment) - {text})
    asks = _SUBJECT.match(text) if is_beside_ours else _BRAND.search(text)
    return others_ask(reading, text) or (asks is not None and _is_other(reading, asks["who"]))


def others_ask(reading: Reading, text: str) -> bool:
    """Whether a text begins to say what somebody charges who is not us."""
    asks = _OTHER_ASKS.search(text)
    return asks is not None and _is_other(reading, asks["who"])


def _is_other(reading: Reading, who: str) -> bool:
    return not reading.own.resembles(who) and who not in _PLAN_WORDS


def _own_prices(reading: Reading, segment: Segment) -> frozenset[str]:
    """The sentences of a segment with our name and a price; asked for each of them, so that they are kept."""
    if segment.id not in reading.own_prices:
        reading.own_prices[segment.id] = frozenset(
            text
            for text in sentences(segment.text)
            if money.MONEY.search(text) and reading.own.named_in(text)
        )
    return reading.own_prices[segment.id]


def _is_loose_price(segment: Segment, text: str, *, named: bool) -> bool:
    """Whether a sum outside of a price list is a price of the product."""
    if segment.all_roles & {"legal", "docs", "person", "others", "caption", "stats", "feature", "steps"}:
        return named
    if "table" in segment.roles:
        return named or bool(_AT_ONCE.search(text))
    return named or len(text) <= _LOOSE


def _table_of_others(reading: Reading, page: PageText, segment: Segment) -> bool:
    """A table that prices many different things: it names providers, or gives us one column of several."""
    table = next((b for b in page.climb(segment.block) if page.blocks[b].tag == "table"), None)
    if table is None:
        return False
    named = [page.texts_in(cell, most=1) for cell in _cells(page, page.first_rows.get(table, table))[1:]]
    ours = sum(reading.own.resembles(head[0].flat) for head in named if head)
    return ours == 1 < len(named) or bool(_PROVIDERS.search(page.table_heads.get(table, "")))


def _card(page: PageText, segment: Segment) -> tuple[Segment, ...]:
    """The segments of the plan that a price belongs to."""
    best: tuple[Segment, ...] = ()
    for block in page.climb(segment.block):
        if page.blocks[block].tag in {"body", "main", "table", "[document]"}:
            break
        shown = (s for s in page.inside(block) if s.kind == "text" and "struck" not in s.roles)
        inside = tuple(islice(shown, _CARD + 1))
        if len(inside) > _CARD or sum(bool(money.MONEY.search(s.text)) for s in inside) > 2:
            break
        best = inside
        if any(s.level and not money.MONEY.search(s.text) for s in inside):
            break
    return best


def _phrase(
    page: PageText, segment: Segment, text: str, card: tuple[Segment, ...]
) -> tuple[str, tuple[tuple[Segment, str | None], ...]]:
    parts: list[tuple[Segment, str | None]] = []
    title = _column_title(page, segment) if "table" in segment.roles else _plan_title(segment, card)
    words = tidy(text)
    parts.append((segment, text if len(text) <= EVIDENCE_QUOTE else _around(text)[1]))
    if len(words) > PRICE_WORDS:
        words = _around(text)[0]
    if len(words) < 16:
        following = next((s for s in card if s.index > segment.index), None)
        if (
            following is not None
            and following.tag != "li"
            and len(following.text) <= 40
            and money.PERIOD.search(following.text)
            and not money.MONEY.search(following.text)
        ):
            words = f"{words} {tidy(following.flat)}"
            parts.append((following, None))
    if title is not None and squashed(title.flat) not in squashed(words):
        words = f"{_PRAISED.split(tidy(title.flat))[0].rstrip('.:')}: {words}"
        parts.insert(0, (title, None))
    words = _CENTS_GAP.sub(r"\1\2", _CURRENCY_GAP.sub(r"\1", words))
    return words, tuple(parts)


def _around(text: str) -> tuple[str, str]:
    found = money.MONEY.search(text)
    if found is None:
        return tidy(text), text
    start = text.rfind(" ", 0, max(0, found.start() - 35)) + 1 if found.start() > 35 else 0
    end = text.find(" ", min(len(text), found.end() + 40))
    piece = text[start : end if end > 0 else len(text)].strip(" ,;:–—-")
    return tidy(piece), piece


def _plan_title(segment: Segment, card: tuple[Segment, ...]) -> Segment | None:
    if "faq" in segment.under:
        return None
    if any(map(money.MONEY.search, segment.lines[1:])) and not money.MONEY.search(segment.lines[0]):
        return None  # it names the plan itself
    above = [s for s in card if s.index < segment.index and s.level != 1 and not _is_ornament(s.flat)]
    above = [s for s in above if not (s.link or "nav" in s.roles or "%" in s.text)]
    above = [s for s in above if s.level or not _PICTURED.match(s.text)] or above
    before = [s for s in above if not _asks_price(s.flat)]
    priced = max((at for at, s in enumerate(before) if money.MONEY.search(s.text)), default=-1)
    before = before[priced + 1 :]
    heads = [s for s in before if s.level and len(s.text) <= PLAN_TITLE]
    if heads:
        return heads[-1] if len(heads) < _HEADS else None
    if priced < 0 and len(before) < len(above):
        return next((s for s in reversed(before) if _is_plan_name(s)), None) if _is_bare(segment) else None
    first = before[0] if before and priced < 0 else None
    first = first or next((s for s in before if _is_plan_name(s)), None)
    return first if first is not None and _is_plan_name(first) else None


def _asks_price(text: str) -> bool:
    """Whether a heading stands above all prices and names no plan."""
    return names_prices(text) or asks(text)


def _is_bare(segment: Segment) -> bool:
    return len(segment.text) <= _PROSE


def _is_plan_name(segment: Segment) -> bool:
    text = segment.text
    is_price = money.MONEY.search(text) or money.PERIOD.search(text)
    return len(text) <= _NAME and not is_price and segment.tag not in {"li", "button"}


def _is_ornament(text: str) -> bool:
    """Whether a text is a picture of signs, or praises the plan below it."""
    return not any(map(str.isalnum, text)) or bool(_BADGE.match(text))


def _column_title(page: PageText, segment: Segment) -> Segment | None:
    """The head of the column, or of the row where the price stands in the second of two columns."""
    row = next((b for b in page.climb(segment.block) if page.blocks[b].tag == "tr"), None)
    table = next((b for b in page.climb(segment.block) if page.blocks[b].tag == "table"), None)
    first = page.first_rows.get(table) if table is not None else None
    if row is None or first is None:
        return None
    cells, heads = _cells(page, row), _cells(page, first)
    own = next((b for b in page.climb(segment.block) if page.blocks[b].parent == row), None)
    is_head = row == first and (
        len(cells) != 2 or page.blocks[cells[0]].tag == page.blocks[cells[1]].tag == "th"
    )
    if own not in cells or is_head:
        return None
    at = cells.index(own)
    if len(heads) == len(cells) > 2:
        named = [s for s in page.inside(heads[at]) if s.kind == "text"]
        if not named or not (names_prices(named[0].flat) or money.PERIOD.search(named[0].flat)):
            return named[0] if named and len(named[0].text) <= PLAN_TITLE else None
    named = [s for s in page.inside(cells[0]) if s.kind == "text"]
    return named[0] if at and named and len(named[0].text) <= PLAN_TITLE else None


def _row_period(page: PageText, segment: Segment) -> Segment | None:
    """The head of a price's row, where it says for how long the price is."""
    row = next((b for b in page.climb(segment.block) if page.blocks[b].tag == "tr"), None)
    head = next((s for s in page.inside(row) if s.kind == "text"), None) if row is not None else None
    is_period = head is not None and len(head.text) <= PLAN_TITLE and money.PERIOD.search(head.text)
    return head if is_period and head is not segment else None


def in_row_of_prices(page: PageText, segment: Segment) -> bool:
    """Whether another cell of the same row holds a sum of money."""
    row = next((b for b in page.climb(segment.block) if page.blocks[b].tag == "tr"), None)
    inside = page.inside(row)[:_ROW] if row is not None else ()
    return any(money.MONEY.search(s.text) for s in inside if s.kind == "text" and s.id != segment.id)


def _cells(page: PageText, row: int) -> list[int]:
    return [b for b in page.children.get(row, ())[:_ROW] if page.blocks[b].tag in {"td", "th"}]
