"""VAT numbers: whether one can be one (python-stdnum), and whether it is registered (VIES, the EU's service).

VIES is asked at the operator's fixed address, outside of transactions, for at most three seconds; when it does not
answer, VAT is charged and the buyer reads why.
"""

import json
import logging
import unicodedata
from datetime import datetime
from typing import Any

import httpx2
from django.conf import settings
from django.core.cache import cache
from django.utils.dateparse import parse_datetime
from stdnum.eu import vat as stdnum_vat
from stdnum.exceptions import ValidationError as NotANumberError

from core.bulkhead import Bulkhead, ServiceAwayError
from core.timed import timed_client
from orders.vat import EU, NO_NUMBER, NumberCheck
from orders.wording import country_name

logger = logging.getLogger(__name__)
SECONDS = 3.0
VIES = Bulkhead("VIES", seconds=SECONDS)
MAX_BYTES = 64 * 1024
CACHED_SECONDS = {"valid": 86_400, "invalid": 600, "unavailable": 15}
VIES_FAULTS = (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError)
REFUSALS = {"INVALID", "INVALID_INPUT"}
PREFIXES = {country: "EL" if country == "GR" else country for country in EU}
COUNTRIES = {prefix: country for country, prefix in PREFIXES.items()} | {"GR": "GR", "XI": "GB"}


def check_number(*, vat_number: str, country: str, at: datetime) -> NumberCheck:
    """What is known of a number as somebody typed it; `country` is the buyer's, or empty.

    Call it outside of transactions. A number that cannot be one comes back with its `problem`.
    """
    if not vat_number:
        return NO_NUMBER
    read = read_number(vat_number=vat_number, country=country)
    if read.problem or read.country not in EU:
        return read
    status, checked_at, reference = _registered(read.number, at=at)
    return NumberCheck(
        number=read.number,
        country=read.country,
        status=status,
        checked_at=parse_datetime(checked_at),
        reference=reference,
    )


def read_number(*, vat_number: str, country: str) -> NumberCheck:
    """The number in its plain form, not yet asked for; or the problem with it."""
    text = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", vat_number))).upper()
    if country and country not in EU and text[:2] not in PREFIXES.values():
        return NumberCheck(number=text, country=country, status="unavailable")
    number = _complete(text, country=country)
    if number is None:
        return NumberCheck(problem="This isn't a VAT number: its form or its check digits are wrong.")
    owner = COUNTRIES[number[:2]]
    if country and owner != country:
        return NumberCheck(
            problem=f"This number is from {country_name(owner)}, but you chose {country_name(country)}.",
            country=owner,
        )
    return NumberCheck(number=number, country=owner, status="unavailable")


def _complete(text: str, *, country: str) -> str | None:
    """The number with its prefix; None if it cannot be one."""
    prefix = PREFIXES.get(country, "")
    for candidate in (text, prefix + text):
        if candidate[:2] not in COUNTRIES or not candidate.isascii():
            continue
        try:
            number: str = stdnum_vat.validate(candidate)
        except NotANumberError:
            continue
        return "EL" + number[2:] if number.startswith("GR") else number
    return None


def _registered(number: str, *, at: datetime) -> tuple[str, str, str]:
    """Status, when it was asked for, and the consultation number; from the cache if it is there."""
    key = f"vies:{number}"
    cached = cache.get(key)
    if cached is None:
        try:
            with VIES.place():
                status, reference = _ask(number)
        except ServiceAwayError:
            return "unavailable", at.isoformat(), ""
        except VIES_FAULTS as error:
            logger.warning("VIES gave no answer", extra={"error": type(error).__name__})
            status, reference = "unavailable", ""
        cached = (status, at.isoformat(), reference)
        cache.set(key, cached, CACHED_SECONDS[status])
    return cached  # type: ignore[no-any-return]


def _ask(number: str) -> tuple[str, str]:
    url = f"{settings.VIES_URL.rstrip('/')}/ms/{number[:2]}/vat/{number[2:]}"
    answer = json.loads(_body(url))
    return _read(answer) if isinstance(answer, dict) else ("unavailable", "")


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


def _read(answer: dict[str, Any]) -> tuple[str, str]:
    is_valid = answer.get("isValid", answer.get("valid"))
    if is_valid is True:
        return "valid", str(answer.get("requestIdentifier") or "")[:120]
    reason = answer.get("userError") or answer.get("error") or "INVALID"
    return ("invalid" if is_valid is False and reason in REFUSALS else "unavailable"), ""
