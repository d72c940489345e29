"""How complete a draft is, what is missing or unfit, and whether it may become a listing. Pure."""

from collections.abc import Mapping
from typing import Any

from drafts import fitting
from drafts.fields import is_given

WEIGHTS = {
    "name": 12,
    "tagline": 10,
    "short_description": 10,
    "description": 10,
    "categories": 10,
    "features": 8,
    "pricing_model": 6,
    "pricing_summary": 6,
    "logo_url": 5,
    "country": 4,
    "contact_email": 4,
    "usps": 3,
    "tags": 2,
    "keywords": 2,
    "founded_year": 2,
    "city": 2,
    "stage": 2,
    "demo_video_url": 2,
}
HINTS = {
    "name": "Give the product's name.",
    "tagline": "Say in one line what it does, or give a short description.",
    "short_description": "Say in a sentence or two what it does and for whom.",
    "description": "Describe what it does, in a few paragraphs.",
    "categories": "Choose at least one category from list_categories.",
    "features": "List what it can do.",
    "pricing_model": "Say how it is sold, for example free, freemium or subscription.",
    "pricing_summary": "Say what it costs.",
    "logo_url": "Give the address of the logo.",
    "country": "Give the country as an ISO code.",
    "contact_email": "Give an address people can write to.",
    "usps": "Say what sets it apart.",
    "tags": "Add a few tags.",
    "keywords": "Add the words people would search for.",
    "founded_year": "Give the year it was founded.",
    "city": "Give the city it is made in.",
    "stage": "Say where it stands, for example idea, mvp, launched or growing.",
    "demo_video_url": "Give the address of a demo video.",
}


def required(values: Mapping[str, Any]) -> set[str]:
    """What a listing still needs: a name, a tagline or a short description, one category."""
    lacking = {name for name in ("name", "categories") if not is_given(values.get(name))}
    if not is_given(values.get("tagline")) and not is_given(values.get("short_description")):
        lacking.add("tagline")
    return lacking


def percent(values: Mapping[str, Any]) -> int:
    """Completeness from 0 to 100."""
    return sum(weight for name, weight in WEIGHTS.items() if is_given(values.get(name)))


def is_submittable(values: Mapping[str, Any]) -> bool:
    """Whether a listing can be made of these values as they are."""
    return not required(values) and not fitting.unfit(values)


def missing(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is blank and what a listing cannot hold, what keeps the draft from becoming one first."""
    needed = required(values)
    blank = [name for name in WEIGHTS if not is_given(values.get(name))]
    return [
        {"field": name, "required": True, "hint": error.hint} for name, error in fitting.unfit(values).items()
    ] + [
        {"field": name, "required": name in needed, "hint": HINTS[name]}
        for name in sorted(blank, key=lambda name: (name not in needed, -WEIGHTS[name]))
    ]
