"""Read the town and the country that a phrase names."""

import re

from drafts.writing.countries import cities_in, city_country, countries_in, country_code
from drafts.writing.cues.places import ARTICLE, PLACE, PLACE_PARTS, REGION, TWO_PLACES
from drafts.writing.gazetteer import countries_of_town

_LONG = 3


def place_after(text: str, *, is_strong: bool) -> tuple[str | None, str | None]:
    """The city and the country that a text begins with. A weak cue counts only before known places."""
    text = ARTICLE.compiled.sub("", text.lstrip(" :"))
    found = PLACE.match(text)
    if not found:
        return None, _country_at_start(text)
    rest = [part for part in PLACE_PARTS.split(found["rest"]) if part]
    parts = [part for each in (found["first"], *rest) if (part := each.strip(" .-"))]
    codes = [code for part in parts if (code := _country_of(part))]
    if len(set(codes)) > 1:
        return None, None
    country = codes[0] if codes else None
    towns = [p for p in parts if not _country_of(p) and not REGION.fullmatch(p)]
    if not towns or _country_of(parts[0]):
        return None, country
    city = _city_of(towns[0], text, country, is_strong=is_strong)
    if city and len(towns) > 1 and TWO_PLACES.search(found["rest"]) and city_country(towns[1]):
        return None, country
    return city, country


def _country_at_start(text: str) -> str | None:
    code, words = next(iter(countries_in(text[:40])), (None, ""))
    return code if code and text[:40].casefold().startswith(words) else None


def _country_of(part: str) -> str | None:
    return country_code(part) if len(part) > 2 or part in {"US", "UK"} else None


def _city_of(town: str, text: str, country: str | None, *, is_strong: bool) -> str | None:
    if city_country(town):
        return town
    words = cities_in(town)
    if words and town.startswith(words[0]):
        return words[0]
    known = countries_of_town(town) if is_strong and len(town.split()) <= _LONG else frozenset()
    if country:
        return town if country in known else None
    ends = len(text) - len(town) < _LONG or re.match(rf"{re.escape(town)}\s*(?:[.,;!|·)]|$|\s[a-zà-ÿ])", text)
    return town if known and ends else None
