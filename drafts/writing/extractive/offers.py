"""The prices that a site asks for its own product, plan by plan; never somebody else's sums."""

import re
from dataclasses import dataclass
from itertools import islice

from drafts.crawl.extract_parts import PageText, Segment, words
from drafts.languages import Shape
from drafts.writing.cues import money
from drafts.writing.currencies import SIGNS
from drafts.writing.measuring import length_of, names_prices
from drafts.writing.reading import Reading
from drafts.writing.text import asks, sentences, shorten, squashed, tidy

PRICE_WORDS = 150
PLAN_TITLE = 40
_NAME = 24
_CUE = 60
_PROSE = 45
_LOOSE = 160
_CARD = 24
_ROW = 60
_HEADS = 3  # so many above one price are of other things
_PICTURED = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50]")
"""As badges begin; the name of the plan follows."""
_PLAN_WORDS = frozenset({"We", "It", "This", "Plan", "Pro", "Team"})
_CURRENCY_GAP = re.compile(rf"([{SIGNS}])\s+(?=\d)")
_CENTS_GAP = re.compile(r"(\d)\s+([.,]\s?\d)")
_CLAUSE = re.compile(r"[;()|•·\n→]|,(?!\d)|\s[–—-]\s")
_BADGE = Shape(r"^\W*{badge}\W*$", r"^\W*{badge}\s+{plan}\W*$")
"""What a plan is praised with above its name."""
_PRAISED = Shape(r"(?<=\w)\s+{badge}$", r"^\W*{badge}\s+(?=\w)")
_FREE_NAME = Shape(r"\W*{free}\W*")
_SUM = Shape(
    r"{money}", r"{period}", r"{once}", r"{buy}", r"{sales_tax}", money=money.MONEY, period=money.PERIOD
)
_FEW_LETTERS = 2
_RECKONED = frozenset("×=＝+＋")
"""A line that begins so goes on reckoning with the sum of the one before."""
_SOON = Shape(r"{soon}")
_AT_ONCE = Shape(r"{money}\W{0,3}(?:\w+\W)?{period}", money=money.MONEY, period=money.PERIOD)
_COSTS = r"(?:,[^,.;]{3,60},)* {costs}"
_BRAND = Shape(r"\b(?P<who>[A-Z][a-z]+[A-Z]\w*)" + _COSTS, flags=0)
"""A name with a capital inside, as products have, before what it costs."""
_SUBJECT = Shape(r"^(?P<who>[A-Z]\w+)(?: [A-Z]\w+)?" + _COSTS, flags=0)
_OTHER_ASKS = Shape(r"\b(?P<who>[A-Z]\w+) {asks}", flags=0)
_OF_OTHER_THINGS = words("legal docs person others caption stats feature steps why")
Parts = tuple[tuple[Segment, str | None], ...]


@dataclass(frozen=True)
class Offer:
    words: str
    parts: Parts
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
    def is_pressed(self) -> bool:
        """Whether links or buttons say it, which lead to a price and are none."""
        return all(segment.link or "button" in segment.roles for segment, _ in self.parts)

    @property
    def quoted(self) -> str:
        return " ".join(quote or segment.flat for segment, quote in self.parts)


def in_price_place(segment: Segment) -> bool:
    return "price" in segment.all_roles


def are_apart(listed: list[Offer]) -> bool:
    """Whether a sum stands below the name of what costs nothing, or only some have a word beside them."""
    sums = [o.words for o in listed if money.MONEY.search(o.words) and not o.words[0].islower()]
    loose = (_SUM.compiled.sub("", words) for words in sums if ":" not in words)
    bare = [words for words in loose if sum(map(str.isalpha, words)) <= _FEW_LETTERS]
    rows = (words.partition(":") for words in sums)
    is_below_free = any(_FREE_NAME.fullmatch(name) and any(money.amounts(rest)) for name, _, rest in rows)
    return is_below_free or 0 < len(bare) < len(sums)


def bills_of_others(reading: Reading) -> frozenset[int]:
    return frozenset(
        page.index
        for page in reading.pages
        for heads in [[page.title, *(s.text for s in page.texts if s.level or s.tag == "p")][:40]]
        if money.OTHERS_BILL.search(" \n ".join(heads))
    )


def offer_in(reading: Reading, page: PageText, segment: Segment, text: str) -> Offer | None:
    if money.NOT_PRICE.search(text):  # beside what one saves, the clause of the price itself
        clauses = (part for part in _CLAUSE.split(text) if money.MONEY.search(part))
        text = next(
            (c for c in clauses if money.PERIOD.search(c) and not money.NOT_PRICE.search(c)), ""
        ).strip()
    if not text or money.FEES.search(segment.text) or text.lstrip()[:1] in _RECKONED:
        return None
    card = _card(page, segment)
    if _is_to_come(card) or not _is_ours(reading, page, segment, text, " ".join(s.flat for s in card)):
        return None
    flat = " ".join(text.split())
    words, parts = _phrase(page, segment, text, card)
    period, once = _cues(text, segment, card)
    is_headed = in_price_place(segment) and any(s.level for s, _ in parts)
    is_plan = is_headed or period is not None or money.FREE.search(words)
    if money.is_nothing(flat) and not (is_plan and money.NOTHING_PLAN.match(flat)):
        return None
    if period is None and once is None:
        once = next((s for s in card if money.CART.search(s.text)), None)
    is_timed = bool(_AT_ONCE.search(flat))  # what is owned for ever may be paid each year
    cues = (s for s in (period, once) if s is not None and all(s.id != p.id for p, _ in parts))
    return Offer(
        words=words,
        parts=parts + tuple((s, None) for s in cues),
        is_free=money.is_nothing(flat),
        has_period=period is not None,
        is_one_time=once is not None and not (is_timed or money.SETTING_UP.search(f"{words} {text}")),
        is_usage=bool(money.USAGE.search(flat)),
        is_placed=in_price_place(segment),
    )


def _is_to_come(card: tuple[Segment, ...]) -> bool:
    """Whether a plan's heading, or what stands to be pressed beside its price, says that nobody can buy it yet."""
    return any(_SOON.search(s.text) for s in card if s.link or s.level or "button" in s.roles)


def _cues(text: str, segment: Segment, card: tuple[Segment, ...]) -> tuple[Segment | None, Segment | None]:
    """The segments that carry the period and the word for paying once: the price's own, else the next ones."""
    below = [s for s in card if s.index > segment.index][:2]
    near = [(s, s.text) for s in below if len(s.text) <= _CUE and not money.MONEY.search(s.text)]
    for entry, cue_text in ((segment, text), *near):
        period, once = money.PERIOD.search(cue_text), money.ONE_TIME.search(cue_text)
        if period or once:
            return (entry if period else None), (entry if once else None)
    return None, None


def _is_ours(reading: Reading, page: PageText, segment: Segment, text: str, near: str) -> bool:
    named = reading.own.named_in(text)
    is_plan = page.kind == "pricing" and (money.PERIOD.search(text) or money.is_nothing(text))
    is_their_bill = page.index in reading.once(bills_of_others) and not is_plan
    if others_ask(reading, segment, text) or (
        (is_their_bill or money.APPROXIMATE.search(text)) and not named
    ):
        return False
    if "faq" in segment.all_roles and page.kind != "pricing":
        return named
    if ("stats" in segment.all_roles and not named) or _table_of_others(reading, page, segment):
        return False
    in_prose = length_of(text) > _PROSE and not money.opens_with_price(text)
    is_stated = money.PROSE_PRICE.search(text) and (in_price_place(segment) or money.PERIOD.search(text))
    if in_prose and not (named or is_stated):
        return False
    cue = bool(money.PERIOD.search(near) or money.ONE_TIME.search(near))
    cue = cue or bool(money.PRICE_CUE.search(text) or money.BUY.search(text))
    if in_price_place(segment):
        return named or "catalogue" not in segment.roles
    is_near = named or page.kind != "other" or length_of(text) <= _PROSE
    return cue and is_near and (named or _is_loose_price(segment, text))


def others_ask(reading: Reading, segment: Segment, text: str) -> bool:
    """Whether a text says what somebody charges who is not us. Beside our own price any other name is somebody's."""
    asks = _OTHER_ASKS.search(text) or _BRAND.search(text)
    if asks is None and (asks := _SUBJECT.match(text)):
        beside = (entry for entry in sentences(segment.text) if entry != text and reading.own.named_in(entry))
        asks = asks if any(map(money.MONEY.search, beside)) else None
    return asks is not None and asks["who"] not in _PLAN_WORDS and not reading.own.resembles(asks["who"])


def _is_loose_price(segment: Segment, text: str) -> bool:
    """Whether a sum outside of a price list is a price of the product."""
    if segment.all_roles & _OF_OTHER_THINGS:
        return False
    return bool(_AT_ONCE.search(text)) if "table" in segment.roles else length_of(text) <= _LOOSE


def _table_of_others(reading: Reading, page: PageText, segment: Segment) -> bool:
    """A table that prices many different things: it gives us one column of several."""
    table = _around(page, segment, "table")
    if table is None:
        return False
    named = [page.texts_in(cell, most=1) for cell in _cells(page, page.first_rows.get(table, table))[1:]]
    ours = sum(reading.own.resembles(head[0].flat) for head in named if head)
    return ours == 1 < len(named)


def _card(page: PageText, segment: Segment) -> tuple[Segment, ...]:
    best: tuple[Segment, ...] = ()
    for block in page.climb(segment.block):
        if page.blocks[block].tag in {"body", "main", "table", "[document]"}:
            break
        visible = (s for s in page.inside(block) if s.kind == "text" and "struck" not in s.roles)
        inside = tuple(islice(visible, _CARD + 1))
        if len(inside) > _CARD or sum(bool(money.MONEY.search(s.text)) for s in inside) > 2:
            break
        best = inside
        if any(s.level and not money.MONEY.search(s.text) for s in inside):
            break
    return best


def _phrase(page: PageText, segment: Segment, text: str, card: tuple[Segment, ...]) -> tuple[str, Parts]:
    """The words of an offer, with the name of its plan before and the period below, and what they are quoted from."""
    text = shorten(text, PRICE_WORDS)
    words = tidy(text)
    parts: list[tuple[Segment, str | None]] = [(segment, text)]
    title = _column_title(page, segment) if "table" in segment.roles else _plan_title(segment, card)
    for following in [s for s in card if s.index > segment.index][:1] if len(words) < 16 else ():
        is_period = money.PERIOD.search(following.text) and not money.MONEY.search(following.text)
        if is_period and following.tag != "li" and len(following.text) <= 40:
            words = f"{words} {tidy(following.flat)}"
            parts.append((following, None))
    if title is not None and squashed(title.flat) not in squashed(words):
        words = f"{''.join(_PRAISED.split(tidy(title.flat))).rstrip('.:')}: {words}"
        parts.insert(0, (title, None))
    return _CENTS_GAP.sub(r"\1\2", _CURRENCY_GAP.sub(r"\1", words)), tuple(parts)


def _plan_title(segment: Segment, card: tuple[Segment, ...]) -> Segment | None:
    priced_lines = [bool(money.MONEY.search(line)) for line in segment.lines]
    if "faq" in segment.under or (not priced_lines[0] and any(priced_lines)):  # it names the plan itself
        return None
    above = [s for s in card if s.index < segment.index and s.level != 1 and not _is_ornament(s)]
    above = [s for s in above if s.level or not _PICTURED.match(s.text)] or above
    before = [s for s in above if not (names_prices(s.flat) or asks(s.flat))]  # heads of all prices
    priced = max((at for at, s in enumerate(before) if money.MONEY.search(s.text)), default=-1)
    heads = [s for s in before[priced + 1 :] if s.level and length_of(s.text) <= PLAN_TITLE]
    if heads:
        return heads[-1] if len(heads) < _HEADS else None
    names = [s for s in before[priced + 1 :] if _is_plan_name(s)]
    if priced < 0 and len(before) < len(above):
        return names[-1] if names and len(segment.text) <= _PROSE else None
    first = before[0] if before and priced < 0 else None
    return (names[0] if names else None) if first is None or first in names else None


def _is_plan_name(segment: Segment) -> bool:
    is_price = any(shape.search(segment.text) for shape in (money.MONEY, money.PERIOD, money.ONE_TIME))
    return length_of(segment.text) <= _NAME and not is_price and segment.tag not in {"li", "button"}


def _is_ornament(segment: Segment) -> bool:
    """Whether a text is a picture of signs or leads away, or praises the plan below it."""
    is_sign = "%" in segment.text or not any(map(str.isalnum, segment.text))
    return is_sign or bool(segment.link or "nav" in segment.roles or _BADGE.match(segment.flat))


def _column_title(page: PageText, segment: Segment) -> Segment | None:
    """The head of the column, or of the row where the price stands in the second of two columns."""
    row, table = _around(page, segment, "tr"), _around(page, segment, "table")
    cells = _cells(page, row) if row is not None else []
    at = next((cells.index(block) for block in page.climb(segment.block) if block in cells), 0)
    first = page.first_rows.get(table, -1) if table is not None else -1
    if at == 0 or (row == first and len(cells) != 2):
        return None
    heads = _cells(page, first)
    named = page.texts_in(heads[at], most=1) if len(heads) == len(cells) > 2 else ()
    if not named or names_prices(named[0].flat) or money.PERIOD.search(named[0].flat):
        named = page.texts_in(cells[0], most=1)
    return named[0] if named and len(named[0].text) <= PLAN_TITLE else None


def in_row_of_prices(page: PageText, segment: Segment) -> bool:
    """Whether another cell of the same row holds a sum of money."""
    return any(money.MONEY.search(s.text) for s in _row(page, segment) if s.id != segment.id)


def _row(page: PageText, segment: Segment) -> tuple[Segment, ...]:
    row = _around(page, segment, "tr")
    return page.texts_in(row, most=_ROW) if row is not None else ()


def _around(page: PageText, segment: Segment, tag: str) -> int | None:
    """The nearest block with a tag that a segment stands in."""
    return next((block for block in page.climb(segment.block) if page.blocks[block].tag == tag), None)


def _cells(page: PageText, row: int) -> list[int]:
    return [b for b in page.children.get(row, ())[:_ROW] if page.blocks[b].tag in {"td", "th"}]
