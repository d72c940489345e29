"""What a tool says beside its answer, which stands in `structuredContent`, whole.

In words: one line for the person or model that reads only text, what to do next included. And lean, for language
models: enough to act on, a fraction of the answer's length. What is unknown or empty is left out there, addresses that
follow from others, hashes and offsets, and what is said twice; categories are their slugs.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.text import Truncator

from core.api.bodies import dumps

NAMES = ("name", "title", "question", "number", "slug", "url", "email", "id", "listing_id", "claim_id")
INSIDE = ("order", "listing", "draft")
NAMED = 10
LONGEST = 120  # characters of a name in a line: an address of a draft may have 2,048


def success(tool: str, body: Mapping[str, Any]) -> str:
    """What came back, and what has to be said with it."""
    return " ".join([f"{tool}: {_subject(body)}.", *_remarks(body)])


def failure(body: Mapping[str, Any], *, status: int) -> str:
    """Why it was refused, each failing value included, so that the next try can be right."""
    code = body.get("code") or body.get("error")
    text = [f"{status} {code}: {body.get('detail') or body.get('message')}"]
    for entry in body.get("errors", []):
        where = entry.get("pointer") or entry.get("parameter") or "body"
        text.append(f"{where}: {entry['message']}")
    text += _next(body)
    return " ".join(text)


def _subject(body: Mapping[str, Any]) -> str:
    items = body.get("items")
    if isinstance(items, list):
        return f"{_counted(len(items), body)}{_named(items, currency=body.get('currency'))}"
    if {"a", "b", "groups"} <= body.keys():
        return _compared(body)
    if {"award", "valid"} <= body.keys():
        award, validity = body["award"], "valid" if body["valid"] else "not valid"
        return f"{award['title']} of {award['listing']['name']}, {validity}"
    if {"lines", "total_cents"} <= body.keys() and "number" not in body:
        vat = f"{_amount(body['vat_cents'])} VAT at {body['vat']['rate']}% included"
        things = ", ".join(line["name"] for line in body["lines"])
        return f"{_amount(body['total_cents'], body['currency'])} in all for {things}, {vat}"
    return _name(body) or "done"


def _name(body: Mapping[str, Any], *, currency: str | None = None) -> str:
    """What a thing is called, with what it costs and how it stands; `currency` is its list's."""
    for thing in (body, *(body[name] for name in INSIDE if isinstance(body.get(name), Mapping))):
        name = next((str(thing[name]) for name in NAMES if isinstance(thing.get(name), str | int)), "")
        if name:
            cents = thing.get("price_cents", thing.get("total_cents"))
            costs = "" if cents is None else _amount(cents, thing.get("currency") or currency)
            parts = [Truncator(name).chars(LONGEST), thing.get("status") or "", costs]
            return ", ".join(part for part in parts if part)
    return ""


def _named(items: list[Any], *, currency: str | None) -> str:
    things = (item for item in items[:NAMED] if isinstance(item, Mapping))
    names = [name for thing in things if (name := _name(thing, currency=currency))]
    return f": {'; '.join(names)}" if names else ""


def _amount(cents: int, currency: str | None = None) -> str:
    return f"{cents // 100}.{cents % 100:02d} {currency or ''}".rstrip()


def _compared(body: Mapping[str, Any]) -> str:
    rows = [row for group in body["groups"] for row in group["rows"]]
    differing = sum(row["same"] is False for row in rows)
    return f"{body['a']['name']} and {body['b']['name']}: differ in {differing} of {len(rows)}"


def _to_publish(instructions: Mapping[str, Any]) -> str:
    """What shows that a listing is somebody's, and where it goes."""
    if record := instructions.get("record"):
        return f"Publish the {record['type']} record {record['name']} with the value {record['value']}"
    if tag := instructions.get("meta"):
        return f"Publish {tag['html']} in the head of {tag['url']}"
    if file := instructions.get("file"):
        return f"Publish a file at {file['url']} whose one line is {file['content']}"
    return str(instructions["summary"]).rstrip(".")


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
    if "created" in body:
        yield f"It is listing {body['listing_id']}."
    if (changes := body.get("changes")) and not body.get("created"):
        yield f"Changed: {', '.join(change['field'] for change in changes)}."
    if body.get("status") == "pending" and (check := body.get("last_check")):
        yield f"The check found nothing: {check['detail']}"
    if body.get("status") == "pending" and (instructions := body.get("instructions")):
        yield f"{_to_publish(instructions)}."
    yield from _next(body)


def _next(body: Mapping[str, Any]) -> Iterator[str]:
    """What to do; the code of a badge stands once."""
    actions = body.get("next_actions") or []
    badge = (body.get("queue") or {}).get("badge") or {}
    is_stated = bool(actions) and badge.get("html", "") in actions[0]["why"]
    if badge.get("required") and not badge["found"] and not is_stated:
        yield f"A person has to put this where visitors of {badge['homepage']} see it: {badge['html']}"
    if actions:
        first, *others = actions
        yield f"Next: {first['operation']}. {first['why']}"
        if others:
            yield "Or: " + ", ".join(action["operation"] for action in others) + "."


EMPTY: tuple[Any, ...] = (None, "", [], {})
FOLLOWS = frozenset({"api_url", "svg_url", "link_url"})
UNWRITTEN = frozenset({"crawling", "drafting"})
Cut = Callable[[Mapping[str, Any]], Any]


def lean(body: Any) -> str:
    return dumps(_cut(body)).decode()


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        return [_cut(entry) for entry in value]
    if not isinstance(value, Mapping):
        return value
    for names, cut in CUTS:
        if names <= value.keys():
            value = cut(value)
            break
    if not isinstance(value, Mapping):
        return value
    result = {name: _cut(inner) for name, inner in value.items() if name not in FOLLOWS}
    return {name: inner for name, inner in result.items() if inner not in EMPTY}


def _without(*names: str) -> Cut:
    return lambda value: {name: inner for name, inner in value.items() if name not in names}


def _only(*names: str) -> Cut:
    return lambda value: {name: value[name] for name in names}


def _field(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """A value of a draft: whose it is matters, and what it rests on; of a blank one, what the website may mean."""
    parts = {name: value[name] for name in ("value", "state", "reason", "evidence")}
    suggestions = [row["value"] for row in value["suggestions"]] if value["value"] is None else None
    return {**parts, "locked": value["locked"] or None, "suggestions": suggestions}


def _draft(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What `missing` names is blank: it need not stand among the fields too, and before it is written all is."""
    fields = {
        name: field
        for name, field in value["fields"].items()
        if field["value"] is not None or field["suggestions"]
    }
    crawl = {**value["crawl"], "pages": len(value["crawl"]["pages"])}
    missing = None if value["status"] in UNWRITTEN else value["missing"]
    return {**value, "fields": fields, "crawl": crawl, "missing": missing, "writer": None}


# The first whose names are all there cuts.
CUTS: tuple[tuple[frozenset[str], Cut], ...] = (
    (frozenset({"slug", "name", "primary"}), lambda value: value["slug"]),
    (frozenset({"quote", "page_sha256"}), _only("quote", "url")),
    (frozenset({"value", "state", "ai_value"}), _field),
    (frozenset({"fields", "crawl", "missing"}), _draft),
    (frozenset({"children", "faqs"}), _without("subcategories")),
    (frozenset({"children", "parent"}), _without("description", "parent", "total_listings_count")),
    (frozenset({"html", "markdown"}), _without("markdown", "width", "height")),
    (frozenset({"slug", "votes", "page_url"}), _without("updated_at", "logo_url")),
    (
        frozenset({"code", "detail", "instance"}),
        _without("type", "title", "status", "instance", "request_id"),
    ),
)
