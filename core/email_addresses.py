"""One form of each e-mail address, by which people are found, and the box that an address leads to."""

import re
import unicodedata
from typing import Any

import idna
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

NORMAL = r"^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+$"
LONGEST = 254  # RFC 5321, with the brackets that the protocol adds
TOO_LONG = f"An e-mail address has at most {LONGEST} characters."
NO_ADDRESS = "This is not an e-mail address."
HIDDEN = "An e-mail address holds no hidden characters or spaces."
PLAIN = "Type the part before the @ in the letters a to z, digits and .!#$%&'*+/=?^_`{|}~- alone."
ORDINARY = "Type the address in ordinary letters and dots; some of these only look like them."
DOTLESS = {"gmail.com", "googlemail.com"}  # to which a.b@ and ab@ are the same box
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+")


class AddressRefusedError(ValueError):
    """The text has no form by which a person could be found. Says why."""


def normal_email(text: str) -> str:
    """The address in small letters with its domain in punycode: two texts are one address where these are equal.

    Raises AddressRefusedError for letters that only look like others, hidden characters and quoted names. Databases
    and languages disagree on which letters are the same, so none of them is asked to compare.
    """
    text = text.strip(" \t\r\n")
    if len(text) > LONGEST:  # punycode makes none shorter
        raise AddressRefusedError(TOO_LONG)
    if any(unicodedata.category(letter) in {"Cc", "Cf", "Co", "Cs", "Zs", "Zl", "Zp"} for letter in text):
        raise AddressRefusedError(HIDDEN)
    local, _, domain = text.rpartition("@")
    if not local or not domain:
        raise AddressRefusedError(NO_ADDRESS)
    if not _LOCAL.fullmatch(local):
        raise AddressRefusedError(PLAIN)
    address = f"{local.lower()}@{_normal_domain(domain)}"
    try:
        validate_email(address)
    except ValidationError as error:
        raise AddressRefusedError(NO_ADDRESS) from error
    if len(address) > LONGEST:
        raise AddressRefusedError(TOO_LONG)
    return address


def _normal_domain(domain: str) -> str:
    if domain.startswith("["):
        raise AddressRefusedError(NO_ADDRESS)
    if unicodedata.normalize("NFKC", domain) != domain or "。" in domain:
        raise AddressRefusedError(ORDINARY)
    domain = domain.lower()
    if domain.isascii() and "xn--" not in domain:
        return domain
    try:
        return idna.encode(domain, strict=True).decode("ascii")
    except UnicodeError as error:
        raise AddressRefusedError(NO_ADDRESS) from error


def typed_email(text: str) -> str:
    """An address to write to, its name as it was typed. Raises AddressRefusedError as `normal_email` does."""
    domain = normal_email(text).rpartition("@")[2]
    return f"{text.strip().rpartition('@')[0]}@{domain}"


def normal_or_blank(text: str) -> str:
    """The one form of an address, blank for what has none: nobody is found by it."""
    try:
        return normal_email(text)
    except AddressRefusedError:
        return ""


def mailbox(address: str) -> str:
    """The box that a normal address leads to: a tag (`name+tag@`) makes no other one, nor do dots at Gmail."""
    local, _, domain = address.rpartition("@")
    local = local.partition("+")[0] or local
    if domain in DOTLESS:
        return f"{local.replace('.', '')}@gmail.com"
    return f"{local}@{domain}"


class AddressField(forms.EmailField):
    """An e-mail address, given back in its one form; says what is wrong with one that has none."""

    default_validators = []

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        if not text:
            return ""
        try:
            return normal_email(text)
        except AddressRefusedError as error:
            raise forms.ValidationError(str(error), code="invalid") from error
