"""Which of a draft's values a listing can hold, and how it holds them. Pure.

A draft keeps what was typed (decision 0012); a listing takes only what has its form. The difference is told: in
`missing` while drafting, and as a refusal when the draft is submitted.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from core.api.errors import FieldError
from core.api.serializers import HIDDEN
from core.domains import host_of
from core.fetch import InvalidUrlError, UrlNotPublicError, check_link, check_site, split_url
from directory import limits
from directory.addresses import SHARED_HOSTS
from directory.countries import country_names
from directory.facts import FACTS
from directory.images.files import own_logo
from directory.wording import FIXES
from drafts.facts.states import has_value


class UnfitError(Exception):
    """A value that a listing cannot hold; says why and what to give instead."""

    def __init__(self, hint: str, *, code: str, limit: int | None = None) -> None:
        super().__init__(hint)
        self.hint, self.code, self.limit = hint, code, limit


def _name(value: str) -> str:
    if HIDDEN.search(value):
        raise UnfitError("The name has invisible characters. Type it again.", code="hidden_character")
    return value


def _stage(value: str) -> str:
    slug = re.sub(r"[\s_-]+", "-", value.strip().lower())
    if slug not in limits.STAGES:
        raise UnfitError(FIXES["stage"], code="stage")
    return slug


def _country(value: str) -> str:
    code = value.upper()
    if code not in country_names():
        raise UnfitError(FIXES["country"], code="country")
    return code


def _year(value: str) -> int:
    first, last = limits.FOUNDED_YEAR_MIN, limits.FOUNDED_YEAR_MAX
    if not re.fullmatch(r"[0-9]{4}", value) or not first <= int(value) <= last:
        raise UnfitError(FIXES["founded_year"], code="year")
    return int(value)


def _address(value: str) -> str:
    try:
        validate_email(value)
    except ValidationError as error:
        raise UnfitError(FIXES["contact_email"], code="invalid_email") from error
    return _at_most(limits.CONTACT_EMAIL)(value)


def _link(value: str) -> str:
    try:
        return check_link(value)
    except (InvalidUrlError, UrlNotPublicError) as error:
        raise UnfitError(error.detail, code=error.code) from error


def _logo(value: str) -> str:
    return value if own_logo(value) else _link(value)


def _categories(value: list[str]) -> list[str]:
    most = 1 + limits.EXTRA_CATEGORIES
    if len(value) > most:
        hint = f"Choose up to {most} categories; this has {len(value)}. Remove {len(value) - most}."
        raise UnfitError(hint, code="category_limit", limit=most)
    return value


def _at_most(length: int) -> Callable[[str], str]:
    def within(value: str) -> str:
        if len(value) > length:
            hint = f"Use at most {length} characters; this has {len(value)}."
            raise UnfitError(hint, code="max_length", limit=length)
        return value

    return within


LONGEST = {name: fact.listed for name, fact in FACTS.items() if fact.listed}
FORMS: dict[str, Callable[[Any], Any]] = {
    **{name: _at_most(length) for name, length in LONGEST.items()},
    "name": _name,
    "stage": _stage,
    "country": _country,
    "founded_year": _year,
    "contact_email": _address,
    "categories": _categories,
    **{name: _link for name, fact in FACTS.items() if fact.kind == "link"},
    "logo_url": _logo,
}


def fitted(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, UnfitError]]:
    """The values as a listing holds them, and what it cannot hold, by name."""
    fitting: dict[str, Any] = dict(values)
    unfit: dict[str, UnfitError] = {}
    for name, form in FORMS.items():
        if has_value(values.get(name)):
            try:
                fitting[name] = form(values[name])
            except UnfitError as error:
                unfit[name] = error
                fitting[name] = None
    return fitting, unfit


def unfit(values: Mapping[str, Any]) -> dict[str, UnfitError]:
    return fitted(values)[1]


def errors(faults: Mapping[str, UnfitError]) -> list[FieldError]:
    return [
        FieldError(code=entry.code, pointer=f"/fields/{name}", message=entry.hint, limit=entry.limit)
        for name, entry in faults.items()
    ]


HOME_PATH = re.compile(r"/?|/[a-z]{2}(?:[-_][a-z]{2})?/?|/(?:index|home|default)\.\w{3,5}", re.IGNORECASE)
"""What a home page is called, in one language or another."""


def public_address(url: str, *, pointer: str) -> str:
    """The address in canonical form. Raises InvalidUrlError or UrlNotPublicError, pointing to the value."""
    try:
        return check_site(url)
    except (InvalidUrlError, UrlNotPublicError) as error:
        error.errors = (FieldError(code=error.code, pointer=pointer, message=error.detail),)
        raise


def site_key(url: str) -> str:
    """What all spellings of one site share: its host, and on a shared host the steps that name the product."""
    host = host_of(url)
    if steps := SHARED_HOSTS.get(host):
        path = [step for step in split_url(url).path.split("/") if step]
        return "/".join([host, *path[:steps]]).lower()[:300]
    return host[:300]


def whole_site(url: str) -> str:
    """The site of which the address is a page, without its last slash; empty where it is a site by itself."""
    parts = split_url(url)
    root = f"{parts.scheme}://{parts.netloc}"
    if (steps := SHARED_HOSTS.get(host_of(url))) is None:
        return "" if HOME_PATH.fullmatch(parts.path) else root
    path = [step for step in parts.path.split("/") if step]
    return "/".join([root, *path[:steps]]) if len(path) > steps else ""
