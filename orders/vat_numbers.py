"""VAT numbers: whether one can be one (python-stdnum), and whether it is registered (VIES, the EU's service).

VIES is asked at the operator's fixed address, outside of transactions, for at most three seconds; when it does not
answer, VAT is charged and the buyer reads why.
"""

import json
import logging
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import httpx2
from django.conf import settings
from django.core.cache import cache
from django.utils.dateparse import parse_datetime
from stdnum.ch import vat as ch_vat
from stdnum.eu import vat as stdnum_vat
from stdnum.exceptions import ValidationError as NotANumberError
from stdnum.gb import vat as gb_vat
from stdnum.no import mva as no_mva

from core.normal_forms import normalize
from core.outages import Bulkhead, ServiceAwayError
from core.timed import timed_client
from orders import limits
from orders.seller import day_of, registrations
from orders.vat import EU, NO_NUMBER, NumberCheck
from orders.vat_areas import whole
from orders.wording import country_name

ELSEWHERE: dict[str, Any] = {"GB": gb_vat, "CH": ch_vat, "NO": no_mva}
logger = logging.getLogger(__name__)
SECONDS = 3.0
VIES = Bulkhead("VIES", seconds=SECONDS)
MAX_BYTES = 64 * 1024
CACHED_SECONDS = {"valid": 86_400, "invalid": 600, "unavailable": 15}
VIES_FAULTS = (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
REFUSALS = {"INVALID", "INVALID_INPUT"}
WRONG = "This isn't a VAT number: its form or its check digits are wrong."
PREFIXES = {country: "EL" if country == "GR" else country for country in EU}
COUNTRIES = {prefix: country for country, prefix in PREFIXES.items()} | {"GR": "GR", "XI": "GB"}


def check_number(*, vat_number: str, country: str, at: datetime) -> NumberCheck:
    """What is known of a number as somebody typed it; `country` is the buyer's, or empty.

    Call it outside of transactions. A number that cannot be one comes back with its `problem`.
    """
    if not vat_number:
        return NO_NUMBER
    read = read_number(vat_number=vat_number, country=country, on=day_of(at))
    if read.problem or read.country not in EU:
        return read
    answer = _registered(read.number, at=at)
    told = {name: getattr(answer, name) for name in ("status", "reference", "name", "address")}
    return replace(read, checked_at=parse_datetime(answer.checked_at), **told)


def read_number(*, vat_number: str, country: str, on: date) -> NumberCheck:
    """The number in its plain form, not yet asked for; or the problem with it."""
    country = whole(country)
    text = "".join(filter(str.isalnum, normalize("NFKC", vat_number))).upper()
    if country and country not in EU and text[:2] not in PREFIXES.values():
        is_read = country in registrations(on=on)
        if not 0 < len(text) <= limits.VAT_NUMBER or (is_read and not is_number_of(country, text)):
            return NumberCheck(problem=WRONG)
        return NumberCheck(number=text, country=country, status="unavailable")
    number = _complete(text, country=country)
    if number is None:
        return NumberCheck(problem=WRONG)
    owner = COUNTRIES[number[:2]]
    if country and owner != country:
        return NumberCheck(
            problem=f"This number is from {country_name(owner)}, but you chose {country_name(country)}.",
            country=owner,
        )
    return NumberCheck(number=number, country=owner, status="unavailable")


def is_number_of(country: str, text: str) -> bool:
    """Whether it can be a number of a country outside the EU in which the seller is registered."""
    check = ELSEWHERE.get(country)
    return check is None or bool(check.is_valid(text))


def _complete(text: str, *, country: str) -> str | None:
    """The number with its prefix; None if it cannot be one."""
    for candidate in (text, PREFIXES.get(country, "") + text):
        if candidate[:2] not in COUNTRIES or not candidate.isascii():
            continue
        try:
            number: str = stdnum_vat.validate(candidate)
        except NotANumberError:
            continue
        return "EL" + number[2:] if number.startswith("GR") else number
    return None


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What VIES said of a number: proof are its consultation number, and whose the number is."""

    status: str
    checked_at: str = ""
    reference: str = ""
    name: str = ""
    address: str = ""


def _registered(number: str, *, at: datetime) -> Answer:
    """What VIES says of it; from the cache if it is there."""
    key = f"vies-answer:{number}"
    cached: Answer | None = cache.get(key)
    if cached is not None:
        return cached
    try:
        with VIES.place():
            answer = _ask(number)
    except ServiceAwayError:
        return Answer(status="unavailable", checked_at=at.isoformat())
    except VIES_FAULTS as error:
        logger.warning("VIES gave no answer", extra={"error": type(error).__name__})
        answer = Answer(status="unavailable")
    answer = replace(answer, checked_at=at.isoformat())
    cache.set(key, answer, CACHED_SECONDS[answer.status])
    return answer


def _ask(number: str) -> Answer:
    """With the seller's own number, for which VIES gives a consultation number as proof."""
    url = f"{settings.VIES_URL.rstrip('/')}/ms/{number[:2]}/vat/{number[2:]}"
    own = "".join(filter(str.isalnum, settings.SELLER_VAT_NUMBER)).upper()
    if own[:2] in COUNTRIES:
        url += f"?requesterMemberStateCode={own[:2]}&requesterNumber={own[2:]}"
    answer = json.loads(_body(url))
    return _read(answer) if isinstance(answer, dict) else Answer(status="unavailable")


def _body(url: str) -> bytes:
    """The body, or httpx2.HTTPError; whatever the other side does, within the time and the size."""
    body = b""
    with (
        timed_client(VIES.seconds_left(in_job=SECONDS)) as client,
        client.stream("GET", url, headers={"Accept": "application/json"}) as answer,
    ):
        answer.raise_for_status()
        for piece in answer.iter_bytes():
            body += piece
            if len(body) > MAX_BYTES:
                raise httpx2.ReadError("VIES says too much")
    return body


def _read(answer: dict[str, Any]) -> Answer:
    is_valid = answer.get("isValid", answer.get("valid"))
    if is_valid is True:
        return Answer(
            status="valid",
            reference=_text(answer, "requestIdentifier", limits.REFERENCE),
            name=_text(answer, "name", limits.NAME),
            address=_text(answer, "address", limits.ADDRESS),
        )
    reason = answer.get("userError") or answer.get("error") or "INVALID"
    return Answer(status="invalid" if is_valid is False and reason in REFUSALS else "unavailable")


def _text(answer: dict[str, Any], name: str, length: int) -> str:
    """A line of an answer; the service writes dashes where a state does not tell."""
    text = " ".join(str(answer.get(name) or "").replace("\0", "").split())
    return "" if set(text) <= {"-"} else text[:length]
