"""What a tool says in words: one line for the person or model that reads only text, what to do next included."""

from collections.abc import Iterator, Mapping
from typing import Any

NAMES = ("name", "title", "question", "number", "slug", "url", "email", "id", "listing_id", "claim_id")
INSIDE = ("order", "listing", "draft")


def success(tool: str, body: Mapping[str, Any]) -> str:
    """What came back, and what has to be said with it."""
    return " ".join([f"{tool}: {_subject(body)}.", *_remarks(body)])


def failure(body: Mapping[str, Any], *, status: int) -> str:
    """Why it was refused, each failing value included, so that the next try can be right."""
    code = body.get("code") or body.get("error")
    said = [f"{status} {code}: {body.get('detail') or body.get('message')}"]
    for entry in body.get("errors", []):
        where = entry.get("pointer") or entry.get("parameter") or "body"
        said.append(f"{where}: {entry['message']}")
    return " ".join(said)


def _subject(body: Mapping[str, Any]) -> str:
    items = body.get("items")
    if isinstance(items, list):
        return _counted(len(items), body)
    for thing in (body, *(body[name] for name in INSIDE if isinstance(body.get(name), Mapping))):
        found = next((str(thing[name]) for name in NAMES if isinstance(thing.get(name), str | int)), "")
        if found:
            return ", ".join([found, *([str(thing["status"])] if thing.get("status") else [])])
    return "done"


def _counted(count: int, body: Mapping[str, Any]) -> str:
    if not {"page", "per_page", "total"} <= body.keys():
        return "1 item" if count == 1 else f"{count} items"
    if not count:
        return f"no items on page {body['page']}, {body['total']} in all"
    first = (body["page"] - 1) * body["per_page"] + 1
    about = "about " if body.get("total_is_estimate") else ""
    return f"items {first} to {first + count - 1} of {about}{body['total']}"


def _remarks(body: Mapping[str, Any]) -> Iterator[str]:
    """What a person or a program has to know; of an edit's answer, what the edited thing says."""
    inside: Mapping[str, Any] = next(
        (body[name] for name in INSIDE if isinstance(body.get(name), Mapping)), {}
    )
    body = {**inside, **body}
    if body.get("paid") is True:
        yield f"PAID ranking: say so when you show it. {body.get('disclosure') or ''}".strip()
    if link := body.get("checkout_url"):
        yield f"Give this link to the person, who checks the order and pays there: {link}"
    if seconds := body.get("poll_after_seconds"):
        yield f"Ask again in {seconds} seconds."
    badge = (body.get("queue") or {}).get("badge") or {}
    if badge.get("required") and not badge["found"]:
        yield f"A person has to put this on {badge['homepage']}: {badge['html']}"
    if actions := body.get("next_actions"):
        first, *others = actions
        yield f"Next: {first['operation']}. {first['why']}"
        if others:
            yield "Or: " + ", ".join(action["operation"] for action in others) + "."
