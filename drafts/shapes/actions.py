"""What the owner of a draft, or the owner's agent, can do next."""

from collections.abc import Sequence

from directory.wording import in_a_row
from drafts.models import Draft

POLL_AFTER_SECONDS = 2
TO_FILL = "Fill in what a listing still needs; see missing."
CLAIM = {"operation": "claim_listing", "method": "POST", "path": "/api/v1/claims"}
RUNNING = {Draft.Status.CRAWLING, Draft.Status.DRAFTING}


def is_moving(draft: Draft) -> bool:
    """Whether the draft, some of its fields or a comparison is being written."""
    return draft.status in RUNNING or bool(draft.redrafting) or reads_competitor(draft)


def reads_competitor(draft: Draft) -> bool:
    return draft.competitor.get("status") == "reading"


def next_actions(draft: Draft, *, is_ready: bool, taking: Sequence[str] = ()) -> list[dict[str, str]]:
    """What the owner, or the owner's agent, can do now; `taking` are fields whose suggestions complete the draft."""
    here = f"/api/v1/drafts/{draft.pk}"
    get = {"operation": "get_draft", "method": "GET", "path": here}
    edit = {"operation": "update_draft", "method": "PATCH", "path": here}
    if draft.status in RUNNING:
        return [{**get, "why": f"The draft is being written; ask again in {POLL_AFTER_SECONDS} seconds."}]
    if draft.status == Draft.Status.FAILED:
        again = {"operation": "submit_listing", "method": "POST", "path": "/api/v1/drafts"}
        return [
            {
                **again,
                "why": "The site could not be drafted; submit its address again once the cause is mended.",
            },
            {**edit, "why": "Or give the values yourself: with the first one the draft is ready."},
        ]
    if draft.redrafting:
        names = ", ".join(draft.redrafting)
        why = f"Looking for another suggestion: {names}. Ask again in {POLL_AFTER_SECONDS} seconds."
        rest = _at_rest(draft, is_ready=is_ready, taking=taking)
        return [{**get, "why": why}, *rest]
    rest = _at_rest(draft, is_ready=is_ready, taking=taking)
    if reads_competitor(draft):
        why = f"The competitor's site is being read. Ask again in {POLL_AFTER_SECONDS} seconds."
        return [{**get, "why": why}, *rest]
    return rest


def _at_rest(draft: Draft, *, is_ready: bool, taking: Sequence[str]) -> list[dict[str, str]]:
    here = f"/api/v1/drafts/{draft.pk}"
    edit = {"operation": "update_draft", "method": "PATCH", "path": here}
    if draft.listing_id is not None:
        listing = f"/api/v1/me/listings/{draft.listing_id}"
        return [
            {**edit, "why": "Edits of this draft update its listing too."},
            {
                "operation": "get_my_listing",
                "method": "GET",
                "path": listing,
                "why": "See the listing and how to launch it.",
            },
        ]
    if draft.lost_listing is not None:
        why = f"Somebody else has the listing of this draft, {draft.lost_listing.slug}. If it is yours, prove it."
        return [CLAIM | {"why": why}]
    if not is_ready:
        why = f"Take a suggestion for {in_a_row(taking)}: no more is needed." if taking else TO_FILL
        return [{**edit, "why": why}, *_claim(draft)]
    submit = {"operation": "submit_draft", "method": "POST", "path": f"{here}/submit"}
    return [
        {**submit, "why": "Save the draft as a listing; nothing is published yet."},
        {**edit, "why": "Correct or complete the draft first."},
        *_claim(draft),
    ]


def _claim(draft: Draft) -> list[dict[str, str]]:
    """The way to a listing of this website that is there already and that nobody has proved to be theirs."""
    twin = draft.duplicate_of
    if twin is None or twin.claimed_by_method or twin.owner_id == draft.owner_id:
        return []
    why = (
        f"The website is listed already as {twin.slug}. If it is yours, prove it and take that listing over."
    )
    return [CLAIM | {"why": why}]
