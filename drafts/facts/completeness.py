"""How complete a draft is, what is missing or unfit, and whether it may become a listing. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from directory.facts import FACTS, Fact, lacking
from directory.wording import in_a_row
from drafts.facts import fitting
from drafts.facts.states import has_value
from drafts.writing.text import shorten

_EXCERPT = 80
NO_LOGO = "There is no picture to use at this address. Give another one."


def required(values: Mapping[str, Any]) -> set[str]:
    """What a listing still needs: a name, a tagline or a short description, one category."""
    return set(lacking(values))


def percent(values: Mapping[str, Any], *, logo: Mapping[str, Any] | None) -> int:
    """How much of it is filled. The address of a logo that gave no picture fills nothing."""
    filled = sum(fact.weight for fact in FACTS.values() if has_value(values.get(fact.name)))
    return filled - lost_to_logo(logo)


def lost_to_logo(logo: Mapping[str, Any] | None) -> int:
    return FACTS["logo_url"].weight if (logo or {}).get("problem") else 0


def is_submittable(values: Mapping[str, Any]) -> bool:
    """Whether a listing can be made of these values as they are."""
    return not required(values) and not fitting.unfit(values)


def missing(
    values: Mapping[str, Any],
    *,
    suggested: Mapping[str, Sequence[Any]] | None = None,
    waiting: Sequence[str] = (),
    gone: Sequence[str] = (),
    logo: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """What is blank or gave nothing and what a listing cannot hold, what keeps the draft from becoming one first.

    `suggested` are values that would fill a blank at once: the hint names them. `waiting` are categories that the plan
    does not hold yet, `gone` what is said of those that are none any more.
    """
    needed = required(values)
    blank = [fact for fact in FACTS.values() if not has_value(values.get(fact.name))]
    return (
        [
            {"field": name, "required": True, "hint": error.hint}
            for name, error in fitting.unfit(values).items()
        ]
        + [{"field": "categories", "required": True, "hint": hint} for hint in gone]
        + [
            {"field": fact.name, "required": fact.name in needed, "hint": _hint(fact, suggested or {})}
            for fact in sorted(blank, key=lambda fact: (fact.name not in needed, -fact.weight))
        ]
        + ([{"field": "logo_url", "required": False, "hint": NO_LOGO}] if lost_to_logo(logo) else [])
        + ([{"field": "categories", "required": False, "hint": waits(waiting)}] if waiting else [])
    )


def waits(names: Sequence[str]) -> str:
    """Tells of categories that the plan does not hold."""
    wait, are = ("waits", "is") if len(names) == 1 else ("wait", "are")
    return (
        f"A free listing has one category. {in_a_row(names)} {wait}, and {are} filed once a launch is paid for "
        "or when bought as extra categories."
    )


def completed_by_taking(values: Mapping[str, Any], suggested: Mapping[str, Sequence[Any]]) -> list[str]:
    """The fields whose first suggestions, once taken, are all that the draft still needs; none where it needs more."""
    taken = {name: suggested[name][0] for name in lacking(values) if suggested.get(name)}
    return list(taken) if taken and is_submittable({**values, **taken}) else []


def _hint(fact: Fact, suggested: Mapping[str, Sequence[Any]]) -> str:
    options = [_in_short(value) for value in suggested.get(fact.name, ())]
    if not options:
        return fact.hint
    return (
        f"{fact.hint} By the website it may be {in_a_row(options, last='or')}: take a suggestion to fill it."
    )


def _in_short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"“{shorten(text, _EXCERPT)}”"
