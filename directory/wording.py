"""How values and names are worded for people, on every page and in every mail. Pure."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal

from core.api.errors import FieldError
from directory.countries import country_names
from directory.facts import FACTS
from directory.limits import FOUNDED_YEAR_MAX, FOUNDED_YEAR_MIN, STAGES

Choice = tuple[str, str]
ELLIPSIS = "…"
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
CODE = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
ISO_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b")
MODELS = {
    "free": "Free",
    "freemium": "Freemium",
    "free_trial": "Free trial",
    "subscription": "Subscription",
    "one_time": "One-time payment",
    "usage": "Pay per use",
    "paid": "Paid",
    "commission": "Commission",
    "contact_sales": "Price on request",
    "open_source": "Open source",
}
PLATFORMS = {
    "linkedin": "LinkedIn",
    "x": "X",
    "tiktok": "TikTok",
    "youtube": "YouTube",
    "github": "GitHub",
    "producthunt": "Product Hunt",
    "website": "Website",
    "custom": "More",
}
STORY_PROMPTS = {
    "story": "The story in one piece",
    "why_started": "Why you began",
    "problem": "The problem you solve",
    "journey": "How it went",
    "challenges": "What was hard",
    "achievements": "What you are proud of",
    "lessons": "What you learned",
    "whats_next": "What comes next",
}
STORY_TITLES = {
    "story": "",
    "why_started": "Why it was started",
    "problem": "The problem",
    "journey": "The journey",
    "challenges": "What was hard",
    "achievements": "What went well",
    "lessons": "What was learned",
    "whats_next": "What comes next",
}
WORDS = {
    **{name: title for name, title in STORY_TITLES.items() if title},
    **{name: fact.label for name, fact in FACTS.items()},
    **MODELS,
    "seo_title": "Title for search engines",
    "seo_description": "Description for search engines",
    "socials": "Links",
    "faqs": "Questions",
    "media": "Pictures",
    "mvp": "Early version",
    "canceled": "Cancelled",
    "updates": "News",
    "usps": "What sets it apart",
    "url": "Website",
}


def words_of(identifier: str) -> str:
    """A name or code of the interface in words: founded_year becomes Founding year. Other text stays as it is."""
    text = str(identifier).strip()
    existing = WORDS.get(text)
    if existing or not CODE.fullmatch(text):
        return existing or text
    return re.sub(r"[_-]", " ", text).capitalize()


def dates_in_words(text: str) -> str:
    """A stored text with its dates in words: former releases wrote 2026-12-07 into logs."""
    return ISO_DAY.sub(lambda match: _day_in_words(match[0]), text)


def _day_in_words(text: str) -> str:
    try:
        return f"{date.fromisoformat(text):%-d %B %Y}"
    except ValueError:
        return text


def in_a_row(names: Sequence[str], *, last: str = "and") -> str:
    *first, end = names
    return f"{', '.join(first)} {last} {end}" if first else end


def ended(text: str) -> str:
    """What goes on elsewhere, without the sign or space that it would break off at."""
    return text.rstrip(" ,;:.…–—-") + ELLIPSIS


def at_a_word(text: str, most: int) -> str:
    """A text in at most so many letters, its last word whole; where one word fills it, cut within that."""
    if len(text) <= most:
        return text
    words = text[:most].rpartition(" ")[0]
    return ended(words if len(words) > most / 2 else text[: most - 1])


FIXES = {
    "founded_year": f"Enter a year from {FOUNDED_YEAR_MIN} to {FOUNDED_YEAR_MAX}, such as 2023.",
    "contact_email": "Enter an e-mail address, such as hello@example.com.",
    "country": "Choose a country, or enter its two-letter code, such as DK.",
    "stage": f"Choose one of these stages: {', '.join(STAGES)}.",
    "milestones-date": "Enter a whole date: year, month and day.",
}
BLANKS = {
    "faqs-question": "Write the question too, or clear its answer.",
    "faqs-answer": "Write the answer too, or clear its question.",
    "founders-name": "Give the name too, or clear the rest.",
    "milestones-date": "Give the date too, or clear the rest.",
    "milestones-title": "Say what happened, or clear the rest.",
}
BLANK = {"null", "required", "blank"}
MISFORMED = {"invalid", "pattern", "country", "stage", "year", "min_value", "max_value", "invalid_email"}


def fix_of(name: str, error: FieldError) -> str:
    """What to do about a value, by the name of its input: the same words on every page."""
    kind = re.sub(r"-[0-9]+", "", name)
    if error.code in BLANK and kind in BLANKS:
        return BLANKS[kind]
    if error.code in MISFORMED or (kind == "country" and error.code == "max_length"):
        return FIXES.get(kind, error.message)
    if error.code == "max_length" and error.limit:
        is_list = kind in FACTS and FACTS[kind].kind == "list" and str(error.pointer).endswith(kind)
        return f"Use at most {error.limit} {'lines' if is_list else 'characters'}."
    if error.code == "link":
        return error.message.partition(". ")[2] or "Enter an address that begins with https:// or http://."
    return error.message


def fields(number: int) -> str:
    return "one field" if number == 1 else f"{NUMBERS.get(number, number)} fields"


def need_a_fix(number: int) -> str:
    return f"{fields(number)} {'needs' if number == 1 else 'need'} a fix"


def not_saved(errors: Sequence[FieldError]) -> str:
    return f"Not saved: {need_a_fix(len({error.pointer for error in errors}))}."


def country_name(code: str | None) -> str:
    return country_names().get(str(code), [str(code or "")])[0]


def who(by: str) -> str:
    """Who did something, as records name them: `user:7`, `staff:3`, `order:PL-…`, `provider:stripe`, `system`."""
    kind, _, key = by.partition(":")
    words = {"user": "a person", "staff": "staff", "system": "by itself", "order": f"order {key}"}
    return {**words, "provider": key, "buyer": "the buyer"}.get(kind, by)


WORDED: dict[str, Callable[[str], str]] = {
    "country": country_name,
    "stage": words_of,
    "pricing_model": words_of,
}


def worded(name: str, value: Any) -> Any:
    return WORDED[name](value) if value and name in WORDED else value


def choices_of(name: str, text: str) -> list[Choice]:
    """What a fact is chosen from, none where it is typed; a text that is none of it stays to be seen."""
    rows: list[Choice] = []
    if name == "country":
        rows = sorted(
            ((code, names[0]) for code, names in country_names().items()), key=lambda choice: choice[1]
        )
    elif name == "stage":
        rows = [(stage, words_of(stage)) for stage in STAGES]
    elif name == "pricing_model":
        rows = list(MODELS.items())
    if rows and text and text not in dict(rows):
        rows.insert(0, (text, text))
    return rows


def placed(title: str) -> str:
    """The title of an award as people say it: Launch of the Week, 1st place."""
    name, sign, rank = title.rpartition(" #")
    return f"{name}, {ordinal(rank)} place" if sign and rank.isdigit() else title


def decided_by(who: Any, did: str, since: datetime | None, *, at: datetime) -> str:
    """Who was faster, for staff who decide the same thing after them."""
    seconds = int((at - since).total_seconds()) if since else 0
    ago = (
        f"{seconds} s"
        if seconds < 120
        else f"{seconds // 60} min"
        if seconds < 7200
        else f"{seconds // 3600} h"
    )
    return f"{who.get_short_name() if who else 'Somebody'} {did} {ago} ago. Nothing was changed."
