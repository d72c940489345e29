"""The listing check: what can be seen of a listing without judgement, free for whoever owns it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from directory.models import Listing

EMPTY_WORDS = re.compile(
    r"\b(best|leading|world[- ]class|revolutionary|cutting[- ]edge|next[- ]gen(?:eration)?|innovative|seamless(?:ly)?"
    r"|game[- ]chang(?:er|ing)|all[- ]in[- ]one|ultimate|unique|powerful|state[- ]of[- ]the[- ]art)\b",
    re.IGNORECASE,
)
LONG_TAGLINE, SHORT_DESCRIPTION, ENOUGH = 70, 400, 3
LABELS = {"tagline": "tagline", "short_description": "short description", "description": "description"}


@dataclass(frozen=True, kw_only=True)
class Tip:
    title: str
    text: str
    at: str = "editor"  # where the editor has it


def check_listing(listing: Listing) -> list[Tip]:
    """What to do better, the most visible first; nothing when all five rules are kept."""
    values = {name: getattr(listing, name) for name in (*LABELS, "features", "faqs", "socials")}
    existing = getattr(listing, "has_founders", None)  # read with the row, or now
    counts = {"founders": int(listing.founded_by.exists() if existing is None else existing)}
    return list(tips(values, counts=counts, has_logo=bool(listing.logo or listing.logo_url)))


def tips(values: Mapping[str, Any], *, counts: Mapping[str, int], has_logo: bool) -> Iterator[Tip]:
    """The five rules: a logo, length of the tagline, empty words, length of the description, enough to compare."""
    if not has_logo:
        yield Tip(title="Add a logo", text="Lists show a letter instead.", at="logo")
    tagline, description = str(values.get("tagline") or ""), str(values.get("description") or "")
    if len(tagline) > LONG_TAGLINE:
        text = (
            f"It has {len(tagline)} characters, and lists cut it. Say what it does in {LONG_TAGLINE} at most."
        )
        yield Tip(title="The tagline is long", text=text, at="input-tagline")
    for name, label in LABELS.items():
        if empty := EMPTY_WORDS.search(str(values.get(name) or "")):
            text = f"Everybody says “{empty.group()}”. Put a number, a customer or a comparison there."
            yield Tip(title=f"An empty word in the {label}", text=text, at=f"input-{name}")
    if 0 < len(description) < SHORT_DESCRIPTION:
        text = f"It has {len(description)} characters. Say whom it is for and what changes for them."
        yield Tip(title="The description is short", text=text, at="input-description")
    yield from _enough(values, counts=counts)


def _enough(values: Mapping[str, Any], *, counts: Mapping[str, int]) -> Iterator[Tip]:
    features, answers = len(values.get("features") or ()), len(values.get("faqs") or ())
    if features < ENOUGH:
        text = f"{_so_far(features)}People compare products by their features."
        yield Tip(title="Name three features", text=text, at="input-features")
    if answers < ENOUGH:
        text = f"{_so_far(answers)}Each saves somebody a mail, and search engines show them."
        yield Tip(title="Answer three questions", text=text, at="field-faqs")
    if not counts.get("founders"):
        text = "A name gives people a reason to trust a product they don't know."
        yield Tip(title="Say who makes it", text=text, at="field-founders")
    if not values.get("socials"):
        text = "People who are not ready to buy can follow you there."
        yield Tip(title="Link a channel of yours", text=text, at="in-links")


def _so_far(count: int) -> str:
    return f"{count} so far. " if count else ""
