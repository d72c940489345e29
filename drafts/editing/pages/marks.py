"""What the draft's page shows beside each input: whose the value is, its quotes, what else it may be."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from directory.facts import FACTS
from directory.images.files import own_logo
from directory.listings.pages.forms import FactsForm
from directory.listings.pages.marks import (
    Mark,
    Option,
    blank_note,
    options_of,
    ordered,
    sides,
    taken,
    worth_offering,
)
from drafts import limits
from drafts.facts.states import OWN, has_value
from drafts.models import Draft, DraftField
from drafts.selectors import DraftView
from drafts.shapes.inputs import UpdateDraftIn

PARTS = ("fields", "founders", "faqs", "company_socials", "founder_socials", "story", "milestones", "seo")
SOCIALS = (DraftField.Group.COMPANY_SOCIALS.value, DraftField.Group.FOUNDER_SOCIALS.value)
STATES = {
    "ai": ("From the website", "quote"),
    "not_found": ("Blank", "circle-dashed"),
    "edited": ("Edited by you", "pencil"),
    "manual": ("Written by you", "pen-line"),
    "override": ("Locked", "lock"),
    "deleted": ("Removed", "trash-2"),
}
SURE = 0.9
FREE = {"free", "freemium"}
BY_MODEL = ("AI, from the website", "sparkles")
CHOSEN = ("From the website, chosen by you", "quote")
UPLOADED = ("Uploaded by you", "check")
RESTORE = {"uploaded": "Use the website’s logo"}
READ_AGAIN = ("regenerate", "refresh-cw", "Look again on the website")
SUGGESTED = ("Suggested", "sparkles")
NOTES = {
    "manual": "You wrote this. No page we read says it, so the listing marks it as stated by the owner.",
    "edited": "This quote backs the original, not your edit.",
    "deleted": "You removed this. It won’t be on the listing.",
}
REASONS = {
    "not_on_site": "Not on the website.",
    "robots_blocked": "It may be on a page that robots.txt asked us not to read, so we didn’t.",
    "fetch_failed": "We couldn’t open a page that may say it.",
    "conflicting": "Two pages say different things, so we left it blank.",
}
PICTURE = "site_picture_url"
TEXTS = [name for name, fact in FACTS.items() if fact.is_reworded]
TOOLS = {"lock": "lock_fields", "unlock": "unlock_fields", "restore": "restore", "regenerate": "regenerate"}
LINK_TOOLS = {"lock": "lock_link", "unlock": "unlock_link"}


def form_of(view: DraftView, posted: Mapping[str, str] | None = None) -> FactsForm:
    """The form over a draft; a suggestion whose button was pressed is taken as if it had been typed."""
    draft, typed = view.draft, posted or {}
    facts: dict[str, Any] = {group: {} for group in (*SOCIALS, "fields")}
    for row in view.fields:
        facts[row.group][row.name] = row.value
    if is_logo_dead(draft):
        facts["fields"]["logo_url"] = None
    facts |= {name: getattr(draft, name) for name in ("faqs", "founders", "story", "milestones", "seo")}
    readings = ((row.name, [*row.others, *_original(row)]) for row in view.fields)
    offers = [*readings, ("pricing_summary", both_plans(view))]
    return FactsForm(UpdateDraftIn, facts, {**typed, **taken(typed, offers)}, names=PARTS)


def is_logo_dead(draft: Draft) -> bool:
    """Whether the address of the logo gave no picture: nothing shows it, so its field is blank."""
    return bool((draft.logo or {}).get("problem"))


def offers_of(view: DraftView) -> dict[str, Sequence[Mapping[str, Any]]]:
    """What else the website may mean and is worth offering; all plans of a price make it freemium."""
    rows = {row.name: row for row in view.fields if row.group == DraftField.Group.FIELDS}
    stated = {name: row.value for name, row in rows.items()}
    offers = {name: worth_offering(name, row.others, stated=stated) for name, row in rows.items()}
    if plans := both_plans(view):
        model = [other for other in rows["pricing_model"].others if other["value"] == "freemium"]
        offers |= {"pricing_summary": plans, "pricing_model": model}
    return _once({name: [*_original(row), *offers[name]] for name, row in rows.items()}, stated)


def _once(
    offers: Mapping[str, Sequence[Mapping[str, Any]]], stated: Mapping[str, Any]
) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Each text once, as a site says a sentence in many places: in a blank field, the shortest first."""
    texts = sorted((name for name in TEXTS if name in offers), key=lambda name: has_value(stated[name]))
    seen: set[str] = set()
    once = {}
    for name in texts:
        once[name] = [
            other for other in offers[name] if not any(text.startswith(str(other["value"])) for text in seen)
        ]
        seen |= {str(other["value"]) for other in offers[name]}
    return {**offers, **once}


def _original(row: DraftField) -> Sequence[Mapping[str, Any]]:
    """What the website said first, where another of its readings was chosen."""
    is_chosen = row.state == "edited" and row.evidence and has_value(row.ai_value)
    return [{"value": row.ai_value, "evidence": row.ai_evidence, "confidence": 0}] if is_chosen else []


def typed_back(view: DraftView, changes: Mapping[str, Any]) -> dict[str, Any]:
    """What changes; a value that is again what the website said is the website's, with its quotes."""
    typed = changes.get("fields", {})
    rows = (row for row in view.fields if row.group == DraftField.Group.FIELDS and row.name in typed)
    back = [row.name for row in rows if row.state == "edited" and row.ai_value == typed[row.name]]
    if not back:
        return dict(changes)
    fields = {name: value for name, value in typed.items() if name not in back}
    return {**changes, "fields": fields, "restore": [*changes.get("restore", ()), *back]}


def both_plans(view: DraftView) -> Sequence[Mapping[str, Any]]:
    """The price with the plan that costs nothing before it: a reading on its page that a free model quotes."""
    rows = {row.name: row for row in view.fields if row.group == DraftField.Group.FIELDS}
    price, model = rows.get("pricing_summary"), rows.get("pricing_model")
    if not price or not model or price.state != "ai":
        return []
    pages = {quote["url"] for quote in price.evidence}
    stated = {quote["quote"] for quote in price.evidence}
    costless = [quote for other in model.others if other["value"] == "free" for quote in other["evidence"]]
    if any(quote["quote"] in stated for quote in costless):
        return []  # it names that plan already
    free = [quote for other in model.others if other["value"] in FREE for quote in other["evidence"]]
    plans = {quote["quote"] for quote in free if quote["url"] in pages}
    return [
        other
        | {"value": f"{other['value']}. {price.value}", "evidence": [*other["evidence"], *price.evidence]}
        for other in price.others
        if any(quote["quote"] in plans for quote in other["evidence"])
        and other["value"].casefold() not in str(price.value).casefold()
    ][:1]


def mark(form: FactsForm, view: DraftView, *, needed: Collection[str]) -> None:
    """Put beside each input what is known of its value."""
    offers = offers_of(view)
    for row in view.fields:
        name = _input(row.group, row.name)
        if name in form.fields:
            options = options_of(name, offers.get(name, ()))
            is_dead = name == "logo_url" and is_logo_dead(view.draft)
            form.fields[name].mark = (
                Mark(tools=[READ_AGAIN])
                if is_dead
                else mark_of(row, draft=view.draft, options=options, is_needed=name in needed)
            )
    for name in ("founders", "faqs"):
        for number, entry in enumerate(getattr(view.draft, name)):
            form.marks[f"{name}-{number}"] = _mark_of_entry(entry, draft=view.draft)


def mark_of(row: DraftField, *, draft: Draft, options: Sequence[Option], is_needed: bool) -> Mark:
    is_field = row.group == DraftField.Group.FIELDS
    state, (words, icon) = _whose(row, is_offered=bool(options), by_model=bool(draft.writer_model))
    is_awaited = is_field and row.name in (draft.redrafting or ())
    is_set, quotes = has_value(row.value), row.evidence or (row.ai_evidence if state == "edited" else [])
    tools = [("unlock", "lock-open", "Unlock")] if row.is_locked else []
    if is_field and draft.pages_read and not row.is_locked and not is_awaited:
        tools.append(("regenerate", "refresh-cw", f"Suggest {'another' if is_set or options else 'one'}"))
    if is_field and row.state in {"edited", "deleted"} and has_value(row.ai_value) and state != "chosen":
        tools.append(("restore", "undo-2", RESTORE.get(state, "Restore the original")))
    if is_set and not row.is_locked:
        tools.append(("lock", "lock", "Lock"))
    return Mark(
        state=state,
        words="" if is_needed and state == "deleted" else words,  # that it is needed says more
        icon=icon,
        note=note_of(row, state, pages=draft.pages_read, is_needed=is_needed) if is_field else "",
        evidence=row.evidence if state == "chosen" else ordered(quotes, value=row.value),
        options=options,
        is_needed=is_needed,
        is_awaited=is_awaited,
        tools=tools,
        is_unsure=row.sureness is not None and row.sureness < SURE,
        sides=sides(row.name, row.ai_value, row.value) if is_field and state == "edited" else (),
    )


def _mark_of_entry(entry: Mapping[str, Any], *, draft: Draft) -> Mark:
    words, icon = STATES.get(entry.get("state", ""), STATES["manual"])
    if entry.get("state") == "ai" and draft.writer_model:
        words, icon = BY_MODEL
    return Mark(state=entry.get("state", ""), words=words, icon=icon, evidence=entry.get("evidence", ()))


def _whose(row: DraftField, *, is_offered: bool, by_model: bool) -> tuple[str, tuple[str, str]]:
    """Whose a value is. One that stands with quotes is the website's: what a person types has none."""
    if row.name == "logo_url" and own_logo(row.value):
        return "uploaded", UPLOADED
    if row.state in OWN and row.evidence:
        return "chosen", CHOSEN
    if is_offered and row.state == "not_found":
        return "suggested", SUGGESTED
    return row.state, BY_MODEL if by_model and row.state == "ai" else STATES.get(
        row.state, (row.state, "info")
    )


def note_of(row: DraftField, state: str, *, pages: int, is_needed: bool) -> str:
    if state == "deleted" and is_needed:
        return "You removed this. A listing needs it."
    if state in NOTES:
        return NOTES[state]
    if has_value(row.value) or not pages:
        return ""
    blank = "" if is_needed or state == "suggested" else blank_note(row.name)
    return f"{REASONS.get(row.reason, '')} {blank}".strip()


def undone(draft: Draft) -> list[str]:
    """What the last change was made to, by the names of the inputs."""
    last = draft.undo or {"rows": (), "lists": ()}
    return [
        *(_input(group, name) for group, name, _ in last["rows"]),
        *(name for name in last["lists"] if not name.startswith("ai_")),
    ]


def _input(group: str, name: str) -> str:
    return name if group == DraftField.Group.FIELDS else f"{group}-{name}"


def tools_in(posted: Mapping[str, str]) -> dict[str, Any]:
    """The tool that was pressed, as update_draft takes it."""
    body: dict[str, Any] = {}
    for tool, key in TOOLS.items():
        name = posted.get(tool, "")
        if name in (limits.RESTORABLE if tool == "restore" else limits.FIELDS):
            body[key] = [name]
        group, _, platform = name.partition("-")
        if tool in LINK_TOOLS and group in SOCIALS and platform in limits.PLATFORMS:
            body[LINK_TOOLS[tool]] = (group, platform)
    if posted.get("take_down") == PICTURE:
        body["take_down"] = PICTURE
    if posted.get("undo", "").isdecimal() and len(posted["undo"]) < 10:
        body["undo"] = int(posted["undo"])
    return body
