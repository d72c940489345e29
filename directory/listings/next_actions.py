"""What an owner, or the owner's agent, can do next; and the listing check: what can be seen without judgement."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.api.routes import all_operations
from directory.addresses import homepage_of
from directory.launches import badges
from directory.models import Listing
from directory.sites.lookup import addresses_of_listing
from directory.weeks import launch_and_due
from directory.wording import NUMBERS

Status = Listing.Status
FREE, SEE, EDIT, PAY = "choose_free_listing", "get_my_listing", "update_my_listing", "quote_order"
CLAIMS = "list_my_claims"
QUEUE = (
    "The free queue begins some weeks ahead. With the badge there already the listing is scheduled at once."
)
CONTESTED = "Somebody else has shown control of its website, too."
OR_IT_GOES = "or the listing becomes theirs: your claim says how."
UNPROVED = "Verify by its slug that it is yours; until then whoever verifies it first takes it over."
EMPTY_WORDS = re.compile(
    r"\b(best|leading|world[- ]class|revolutionary|cutting[- ]edge|next[- ]gen(?:eration)?|innovative|seamless(?:ly)?"
    r"|game[- ]chang(?:er|ing)|all[- ]in[- ]one|ultimate|unique|powerful|state[- ]of[- ]the[- ]art)\b",
    re.IGNORECASE,
)
LONG_TAGLINE, SHORT_DESCRIPTION, ENOUGH = 70, 400, 3
LABELS = {"tagline": "tagline", "short_description": "short description", "description": "description"}


def next_actions(
    listing: Listing, *, queue: Mapping[str, Any] | None, prove_again_by: datetime | None = None
) -> list[dict[str, str]]:
    """What the owner, or the owner's agent, can do now, the most useful first; only operations that there are."""
    existing = {spec.name for spec in all_operations()}
    here = f"/api/v1/me/listings/{listing.pk}"
    paths = {
        FREE: ("POST", f"{here}/free"),
        SEE: ("GET", here),
        EDIT: ("PATCH", here),
        "post_listing_update": ("POST", f"{here}/updates"),
        "get_listing": ("GET", f"/api/v1/listings/{listing.slug}"),
        PAY: ("POST", "/api/v1/orders/quote"),
        "claim_listing": ("POST", "/api/v1/claims"),
        CLAIMS: ("GET", "/api/v1/claims"),
    }
    with addresses_of_listing(listing):
        sensible = _sensible(listing, waits_for_badge=waits_for_badge(queue))
    if prove_again_by is not None:
        sensible.insert(
            0, (CLAIMS, f"{CONTESTED} Prove it again by {prove_again_by:%-d %B %Y}, {OR_IT_GOES}")
        )
    return [
        {"operation": name, "method": paths[name][0], "path": paths[name][1], "why": why}
        for name, why in sensible
        if name in existing
    ]


def seeing(listing_id: int) -> dict[str, str]:
    """What a refusal names because of where a listing stands."""
    why = "See where the listing stands; its own next actions lead on from there."
    return {"operation": SEE, "method": "GET", "path": f"/api/v1/me/listings/{listing_id}", "why": why}


def waits_for_badge(queue: Mapping[str, Any] | None) -> bool:
    """Whether a launch that is booked may yet be stopped by a badge that nobody has seen."""
    badge = (queue or {}).get("badge") or {}
    return bool(badge) and badge["required"] and not badge["found"]


def _sensible(listing: Listing, *, waits_for_badge: bool) -> list[tuple[str, str]]:
    if listing.status == Status.DRAFT and listing.plan == Listing.Plan.PAID:
        return [
            (FREE, "Launch it in the next week with a place: its launch is paid, so it needs no badge."),
            (EDIT, "Change what it says before it is public."),
        ]
    if listing.status == Status.DRAFT:
        return [
            (
                FREE,
                f"Launch it free in a coming week, with our badge on the homepage. {QUEUE} {_badge(listing)}",
            ),
            (PAY, f"Or launch it {_paid(listing)}"),
            (EDIT, "Change what it says before it is public."),
        ]
    if listing.status in {Status.AWAITING_BADGE, Status.SCHEDULED}:
        return _queued(listing, waits_for_badge=waits_for_badge)
    if listing.status == Status.LIVE:
        return [
            ("get_listing", "See the public profile and its votes."),
            ("post_listing_update", "Tell its followers what is new."),
            *([] if listing.claimed_by_method else [("claim_listing", UNPROVED)]),
            (EDIT, "Change what it says; edits are public right away."),
        ]
    if listing.status == Status.ARCHIVED:
        return [(SEE, "It is unpublished and only you can see it. Write to the site team to bring it back.")]
    reason = listing.status_reason or "No reason is on record."
    return [(SEE, f"The site team has {listing.status} it: {reason} Write to them once it is fixed.")]


def _queued(listing: Listing, *, waits_for_badge: bool) -> list[tuple[str, str]]:
    week, sunday = launch_and_due(listing.launch_week)
    earlier = f"For a week before {week} price skip_queue, which needs the badge too; or launch it"
    pay = [(PAY, f"{earlier} {_paid(listing)}")] if listing.plan == Listing.Plan.FREE else []
    launch = f"To launch in the week of {week}, the badge has to be"
    if listing.status == Status.AWAITING_BADGE:
        due = (
            f"{launch} seen before it begins, or in it by Sunday {sunday}: then it is live from that moment."
        )
        again = "Call this again, with another idempotency key or none, and we look at once; else every hour."
        looking = [
            (FREE, f"{due} {_badge(listing)} {again}"),
            (SEE, "See when we looked last and what we saw."),
        ]
        return [*looking, *pay, (EDIT, "Change what it says before it is public.")]
    gone = (
        " if the badge is still there; if not, it waits for the next open week" if listing.needs_badge else ""
    )
    why = f"It launches on {week} at 00:00 UTC{gone}."
    if waits_for_badge:
        why = (
            f"{launch} there when it begins. {_badge(listing)} Call this to see whether it was found by then."
        )
    return [(SEE, why), *pay, (EDIT, "Change what it says; it is public already.")]


def _paid(listing: Listing) -> str:
    words = "right away or in a week you choose: price the product launch; a person pays."
    if listing.beyond_plan and listing.plan == Listing.Plan.FREE:
        words += " It also files the categories that wait for the paid plan."
    return words


def _badge(listing: Listing) -> str:
    """What has to be put where."""
    code = badges.badge_html(slug=listing.slug, name=listing.name)
    page = homepage_of(listing.url)
    return f"A person puts this code where visitors of {page} see it, in its footer for instance: {code}"


@dataclass(frozen=True, kw_only=True)
class Tip:
    title: str
    text: str
    at: str = "editor"  # where the editor has it


def check_listing(listing: Listing) -> list[Tip]:
    """What to do better, the most visible first; nothing when all rules are kept."""
    values = {name: getattr(listing, name) for name in (*LABELS, "features", "faqs", "socials")}
    existing = getattr(listing, "has_founders", None)  # read with the row, or now
    counts = {"founders": int(listing.founded_by.exists() if existing is None else existing)}
    return list(tips(values, counts=counts, has_logo=bool(listing.logo or listing.logo_url)))


def tips(values: Mapping[str, Any], *, counts: Mapping[str, int], has_logo: bool) -> Iterator[Tip]:
    """The rules: a logo, a short tagline of its own, empty words, length of the description, enough to compare."""
    if not has_logo:
        yield Tip(title="Add a logo", text="Lists show a letter instead.", at="logo")
    tagline, description = str(values.get("tagline") or ""), str(values.get("description") or "")
    if len(tagline) > LONG_TAGLINE:
        text = (
            f"It has {len(tagline)} characters, and lists cut it. Say what it does in {LONG_TAGLINE} at most."
        )
        yield Tip(title="Shorten the tagline", text=text, at="input-tagline")
    if tagline and _bare(tagline) == _bare(str(values.get("short_description") or "")):
        text = "It repeats the short description, and the page has both. Say what it is in a few words."
        yield Tip(title="Give the tagline words of its own", text=text, at="input-tagline")
    for name, label in LABELS.items():
        if empty := EMPTY_WORDS.search(str(values.get(name) or "")):
            text = f"Everybody says “{empty.group()}”. Put a number, a customer or a comparison there."
            yield Tip(title=f"Replace an empty word in the {label}", text=text, at=f"input-{name}")
    if 0 < len(description) < SHORT_DESCRIPTION:
        text = f"It has {len(description)} characters. Say whom it is for and what changes for them."
        yield Tip(title="Say more in the description", text=text, at="input-description")
    yield from _enough(values, counts=counts)


def _bare(text: str) -> str:
    """A sentence as whoever reads it twice knows it again."""
    return " ".join(text.casefold().split()).rstrip(".!")


def _enough(values: Mapping[str, Any], *, counts: Mapping[str, int]) -> Iterator[Tip]:
    features, answers = len(values.get("features") or ()), len(values.get("faqs") or ())
    if features < ENOUGH:
        text = f"{_so_far(features)}People compare products by their features."
        yield Tip(title=f"Name {_more(features, 'feature')}", text=text, at="input-features")
    if answers < ENOUGH:
        text = f"{_so_far(answers)}Each saves somebody a mail, and search engines show them."
        yield Tip(title=f"Answer {_more(answers, 'question')}", text=text, at="field-faqs")
    if not counts.get("founders"):
        text = "A name gives people a reason to trust a product they don't know."
        yield Tip(title="Say who makes it", text=text, at="field-founders")
    if not values.get("socials"):
        text = "People who are not ready to buy can follow you there."
        yield Tip(title="Link a channel of yours", text=text, at="in-links")


def _more(count: int, noun: str) -> str:
    lacking = ENOUGH - count
    number = NUMBERS.get(lacking, "one")
    return f"{number}{' more' if count else ''} {noun}{'' if lacking == 1 else 's'}"


def _so_far(count: int) -> str:
    return f"{count} of {ENOUGH} so far. " if count else ""
