"""What a service is not started with, each refused in a sentence that says what to do. Settings ask here."""

import importlib
import ipaddress
import re
import sys
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

from config import environment as env
from directory.countries import country_names

SITE = re.compile(r"https?://([^\s/?#@:\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?/?")
LEAST_SECRET, PLACEHOLDER = 32, "change-me"
# ISO 4217 by decimals. All money here is in hundredths, so the site's own currency has to have them.
TWO_DECIMALS = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE
CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR
KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB
PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY
TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG
"""
NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
MORE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND CLF UYW"


def is_loopback(host: str) -> bool:
    name = host.strip("[]").lower()
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def site_url(text: str) -> str:
    """What every link, mail and document begins with; nothing for the address that is listened at."""
    parts = SITE.fullmatch(text)
    if text and not (parts and (parts[2] is None or env.is_port(parts[2][1:]))):
        raise ImproperlyConfigured(
            f"SITE_URL is {text!r}; use http:// or https:// and a host, without a path, such as https://launch.example."
        )
    return text.rstrip("/")


def secret_key(key: str, *, former: list[str], is_public: bool) -> str:
    """A key that strangers cannot know, where they would try: on a site with https."""
    if is_public and any(PLACEHOLDER in secret.lower() for secret in (key, *former)):
        raise ImproperlyConfigured(
            f"SECRET_KEY is still the example's ({PLACEHOLDER}…), which everybody knows. Make one:"
            " python -c 'import secrets; print(secrets.token_urlsafe(50))'."
        )
    if is_public and len(key) < LEAST_SECRET:
        raise ImproperlyConfigured(
            f"SECRET_KEY has {len(key)} characters, and {LEAST_SECRET} are the least for a site with https. Make one:"
            " python -c 'import secrets; print(secrets.token_urlsafe(50))'."
        )
    return key


def currency(text: str) -> str:
    code = text.upper()
    if code in NO_DECIMALS.split() or code in MORE_DECIMALS.split():
        has = "no decimals" if code in NO_DECIMALS.split() else "more than two decimals"
        raise ImproperlyConfigured(
            f"CURRENCY is {code}, which has {has}; use one with two, such as EUR or USD."
        )
    if code not in TWO_DECIMALS.split():
        raise ImproperlyConfigured(
            f"CURRENCY is {text!r}, which is no currency; use a code of ISO 4217, such as EUR."
        )
    return code


def seller_country(text: str) -> str:
    code = text.upper()
    if code not in country_names():
        raise ImproperlyConfigured(
            f"SELLER_COUNTRY is {text!r}, which is no country; use two letters of ISO 3166-1, such as BE."
        )
    return code


def webhook_secret(secret: str, *, name: str, beside: str, is_on: bool) -> str:
    """What a provider's notifications are signed with: without, anybody could say that an order was paid."""
    if is_on and not secret:
        raise ImproperlyConfigured(
            f"{name} is needed beside {beside}: it proves that word of a payment is the provider's."
        )
    return secret


def choice(text: str, *choices: str, name: str) -> str:
    if text not in choices:
        raise ImproperlyConfigured(f"{name} is {text!r}; use one of: {', '.join(choices)}.")
    return text


def time_zone(text: str) -> str:
    """A zone of the tz database, or nothing for the one of the seller's country."""
    try:
        return ZoneInfo(text).key if text else ""
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ImproperlyConfigured(
            f"SELLER_TIME_ZONE is {text!r}, which is no time zone; use one such as Europe/Brussels."
        ) from error


def main() -> int:
    """Read all settings; say what is wrong with them, and give the exit code."""
    try:
        importlib.import_module("config.settings")
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
