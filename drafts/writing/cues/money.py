"""Sums of money, and the shapes of what a site says around them."""

import re

from drafts.languages import Shape
from drafts.writing.currencies import BEFORE, CODES, LETTERS, SIGNS

_NUMBER = r"0?[.,]\d{1,4}|\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}){1,5}(?:[.,]\s?\d{1,2})?|\d{1,15}(?:\s?[.,]\s?\d{1,2})?"
MONEY = Shape(
    rf"(?:(?:R\$|(?:US|AU?|CA?|NZ|S|HK|NT|MX)\$|[{SIGNS}]|\b(?:{CODES}|{BEFORE}))\s?(?P<first>{_NUMBER})|"
    rf"(?<![A-Za-z0-9.,])(?P<second>{_NUMBER})\s?(?:,-{{1,2}}\s?|,–\s?)?"
    rf"(?:[{SIGNS}]|(?:{CODES}|{LETTERS})(?!\w)|{{currency}}))"
    r"(?!\s?(?:[kKmMbB]\b|{millions}|[+](?!\s?{sales_tax})))(?![.,]?\d)"
)
PERIOD = Shape(
    r"{per}\s*{time}",
    r"{each}\s*{time}",
    r"[/／]\s*{time}",
    r"(?:{and}|[&,])\s+(?:{per}\s+)?{time}",
    r"(?:{per}|/)\s*{seat}[^.;]{0,16}?{time}",
    r"{periodic}",
)
ONE_TIME = Shape(r"{once}", r"(?:[\d€£$]|EUR|USD|GBP),?\s+{at_once}")
SETTING_UP = Shape(r"{setting_up}")
BUY = Shape(r"{buy}")
USAGE = Shape(r"{per}\s+(?:[\d.,]+\s+)?(?:api\s)?{deed}", r"{by_use}")
TRIAL = Shape(
    r"{trial}",
    r"{free}\s+{time}",
    r"{time}\s+{free}",
    r"{first}\s{time}[^.!?\n]{0,20}{free}",
    r"(?<!\d)\d{1,3}[ -]?{days}[^.!?\n。]{0,25}{free}",
    r"{free}[^.!?\n。]{0,25}\d{1,3}[ -]?{days}",
    r"{try}[^.!?\n]{0,25}(?<!-){free}",
)
NO_TRIAL = Shape(r"{no}\s+(?:\w+\s+)?{trial}")
FREE = Shape(r"(?<!feel )(?<!\w-){free}")
_LICENCES = (
    r"(?:GNU(?: \w+)? General Public License|Mozilla Public License|MIT|A?L?GPL(?:[- ]?v?\d(?:\.\d)?)?|"
    r"Apache(?:[ -]\d\.\d)?|BSD(?:-\d-Clause)?|MPL(?:-\d\.\d)?|EUPL(?:-\d\.\d)?|ISC|Unlicense|CC0)"
)
OPEN_SOURCE = Shape(
    r"{open_source}",
    rf"{{licence}}\s*[:：]?\s+(?:the\s+)?{_LICENCES}\b",
    rf"{{under}}\s+{_LICENCES}\b",
    rf"\b{_LICENCES}[- ]{{licence}}",
    r"\b(?:A?L?GPL-\d(?:\.\d)?(?:-only|-or-later)?|Apache-2\.0|MPL-2\.0|EUPL-1\.2|BSD-[23]-Clause)\b",
)
CONTACT_SALES = Shape(r"{contact_sales}")
PRICE_WORD = Shape(r"{price}")
CART = Shape(r"{cart}")
NOT_PRICE = Shape(
    r"{not_price}",
    r"(?<!one[- ]){off}",
    r"(?<![\d€$£]\s){up_to}\s(?:[$€£]|\d[\d.,]*\s?[$€£])",
    r"{no}\s[$€£]?\d",
)
PRICE_CUE = Shape(r"{price_cue}", r"(?:{per}|/)\s?{head}")
APPROXIMATE = Shape(r"[~≈]\s?[$€£¥]", r"{roughly}(?:\s\w+)?\s?[:：]?\s?[$€£¥\d]")
OTHERS_BILL = Shape(r"{others_bill}")
NOTHING_PLAN = Shape(
    r"^(?:{from}\s+)?{money}\s*(?:[,.·|/–—-]\s*)?(?:{period}.{0,20}|{forever}|{free}|\W*)$",
    money=MONEY,
    period=PERIOD,
)
FEES = Shape(r"{fee}")
PROSE_PRICE = Shape(r"{sells}")
_FIRST = Shape(r"^(?:[^.!?。]{2,40}?\s?[:：–—-]\s*)?{money}", money=MONEY)
_CENTS = re.compile(r"[.,](\d{1,2}|(?<=^[.,])\d{1,4}|(?<=^0[.,])\d{1,4})$")
_SAME = {"EUR": "€", "EURO": "€", "EUROS": "€", "USD": "$", "US$": "$", "GBP": "£", "CHF": "FR.", "ZŁ": "PLN"}


def opens_with_price(text: str) -> bool:
    """Whether a text begins with a sum of money, or with a short label and a sum of money."""
    return bool(_FIRST.match(text.strip()))


def amounts(text: str) -> list[float]:
    rows = []
    for money in MONEY.finditer(text):
        number = re.sub(r"[\s'’\u00a0\u202f]", "", money["first"] or money["second"])
        whole, cents = (*_CENTS.split(number), "0")[:2]
        rows.append(float("0" + re.sub(r"\D", "", whole) + "." + cents))
    return rows


def currency(text: str) -> str:
    """The sign of a text's first sum of money."""
    match = MONEY.search(text)
    sign = re.sub(r"[\d.,'’\s–-]", "", match.group()).upper() if match else ""
    return _SAME.get(sign, sign)


def is_nothing(text: str) -> bool:
    result = amounts(text)
    return bool(result) and not any(result)
