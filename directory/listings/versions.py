"""Every edit of a listing is kept with both sides, and none takes away what a listing must have.

Some edits staff look at first.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from accounts.models import User
from core.api.errors import FieldError, InvalidRequestError
from core.domains import domain_of
from directory import limits
from directory.facts import FACTS, lacking
from directory.listings.contents import ROWS, facts_of, facts_of_all
from directory.listings.differences import as_text
from directory.models import Listing, ListingRevision

NEWS = "updates"  # how an edit names a piece of news
LINK, NAME, NEW_ACCOUNT, PAID = FLAGS = ("link", "name", "new_account", "paid")
ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+", re.IGNORECASE)


def flags_of(
    changes: Sequence[Mapping[str, Any]], *, domain: str, is_paid: bool, is_new_account: bool
) -> list[str]:
    """Why an edit comes first: another website or a link away from it, a name, a new account, a paid listing."""
    fields = {change["field"] for change in changes}
    result = {
        LINK: "url" in fields or any(_leads_away(change, domain=domain) for change in changes),
        NAME: "name" in fields,
        NEW_ACCOUNT: is_new_account,
        PAID: is_paid,
    }
    return [flag for flag in FLAGS if result[flag]]


def _leads_away(change: Mapping[str, Any], *, domain: str) -> bool:
    before, after = (set(ADDRESS.findall(as_text(change[side]))) for side in ("before", "after"))
    return any(domain_of(address) != domain for address in after - before)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A listing as it is before an edit: what it states, the quotes for it, and what its website leaves blank.

    `rows` are the facts in rows of their own that the edit may change; what it leaves alone is not read.
    """

    facts: Mapping[str, Any]
    evidence: Mapping[str, Any]
    blanks: Collection[Mapping[str, Any]]
    rows: Collection[str] = ROWS


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What an edit changed, and the version that keeps it; none where nothing changed."""

    changes: list[dict[str, Any]]
    version_id: int | None = None


def begin(listing: Listing, *, names: Collection[str] = ROWS) -> Snapshot:
    """The side before an edit of these facts of a locked listing."""
    return begin_all([listing], names=names)[listing.pk]


def begin_all(listings: Collection[Listing], *, names: Collection[str] = ROWS) -> dict[int, Snapshot]:
    """The sides before edits of locked listings, in as many statements as one needs."""
    rows = ROWS.intersection(names)
    facts = facts_of_all(listings, rows=rows)
    return {
        row.pk: Snapshot(
            facts=facts[row.pk], evidence=dict(row.evidence), blanks=tuple(row.not_found), rows=rows
        )
        for row in listings
    }


def drop_evidence(listing: Listing, values: Mapping[str, Any]) -> None:
    """No quote carries these values any longer; what is blank now was taken out. Saves nothing."""
    blank = [
        {"field": name, "reason": "removed_by_owner"}
        for name, value in values.items()
        if name in FACTS and FACTS[name].is_reported_when_blank and not value
    ]
    listing.evidence = {name: quotes for name, quotes in listing.evidence.items() if name not in values}
    listing.not_found = [entry for entry in listing.not_found if entry["field"] not in values] + blank


def restore_evidence(listing: Listing, *, names: Collection[str], sources: Mapping[str, Any]) -> None:
    """The quotes and blanks of these facts are what they were. Saves nothing."""
    evidence = {name: quotes for name, quotes in listing.evidence.items() if name not in names}
    listing.evidence = evidence | {n: q for n, q in sources.get("evidence", {}).items() if n in names}
    rest = [entry for entry in listing.not_found if entry["field"] not in names]
    listing.not_found = rest + [e for e in sources.get("not_found", ()) if e["field"] in names]


def close(
    listing: Listing, *, before: Snapshot | None, by_id: int, at: datetime, joined: datetime | None = None
) -> Edit:
    """Compare with the side before, and keep both. A new listing has none, and no version.

    `joined` is when whoever edits came to us, where that was read already.
    Raises InvalidRequestError when the listing lacks what it must have and had.
    """
    if before is not None:
        sides = {listing.pk: before}
        return close_all([listing], before=sides, by_id=by_id, at=at, joined=joined)[listing.pk]
    after = facts_of(listing)
    refuse_loss({}, after)
    return Edit(changes=_changes({}, after))


def close_all(
    listings: Collection[Listing],
    *,
    before: Mapping[int, Snapshot],
    by_id: int,
    at: datetime,
    review: Mapping[str, Any] = MappingProxyType({}),
    joined: datetime | None = None,
) -> dict[int, Edit]:
    """Compare listings with their sides before, and keep both, in as many statements as one needs.

    `review` are columns of an edit that was looked at. Raises InvalidRequestError as `close` does.
    """
    rows_read = {name for side in before.values() for name in side.rows}
    after = facts_of_all(listings, rows=rows_read)
    edits = {}
    for listing in listings:
        facts = before[listing.pk].facts
        refuse_loss(facts, after[listing.pk])
        edits[listing.pk] = Edit(changes=_changes(facts, after[listing.pk]))
    changed = [listing for listing in listings if edits[listing.pk].changes]
    is_new = bool(changed) and _is_new(by_id, joined=joined, at=at)
    by: dict[str, Any] = {"by_id": by_id, "at": at, "is_new_account": is_new}
    rows = [_version(entry, edits[entry.pk].changes, before=before[entry.pk], **by) for entry in changed]
    for row in rows:
        for name, value in review.items():
            setattr(row, name, value)
    for row in ListingRevision.objects.bulk_create(rows):
        edits[row.listing_id] = replace(edits[row.listing_id], version_id=row.pk)
    return edits


def note_news(
    listing: Listing,
    *,
    before: Sequence[Mapping[str, Any]],
    after: Sequence[Mapping[str, Any]],
    by_id: int,
    at: datetime,
) -> ListingRevision:
    """Keep both sides of a piece of news, which staff look at like any other edit."""
    changes = [{"field": NEWS, "before": list(before), "after": list(after)}]
    is_new = _is_new(by_id, joined=None, at=at)
    side = Snapshot(facts={}, evidence={}, blanks=())
    row = _version(listing, changes, before=side, by_id=by_id, at=at, is_new_account=is_new)
    ListingRevision.objects.bulk_create([row])
    return row


def _is_new(by_id: int, *, joined: datetime | None, at: datetime) -> bool:
    """Whether whoever edits has not been here for long."""
    if joined is not None:
        return joined > at - limits.NEW_ACCOUNT
    return User.objects.filter(pk=by_id, date_joined__gt=at - limits.NEW_ACCOUNT).exists()


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"field": name, "before": before.get(name), "after": value}
        for name, value in after.items()
        if value != before.get(name) and (before or value)
    ]


def _version(
    listing: Listing,
    changes: Sequence[Mapping[str, Any]],
    *,
    before: Snapshot,
    by_id: int,
    at: datetime,
    is_new_account: bool,
) -> ListingRevision:
    names = [change["field"] for change in changes]
    is_paid = listing.plan == Listing.Plan.PAID
    flags = flags_of(changes, domain=listing.domain, is_paid=is_paid, is_new_account=is_new_account)
    return ListingRevision(
        listing=listing,
        changed=names,
        before={change["field"]: change["before"] for change in changes},
        after={change["field"]: change["after"] for change in changes},
        sources_before={
            "evidence": {name: before.evidence[name] for name in names if name in before.evidence},
            "not_found": [entry for entry in before.blanks if entry["field"] in names],
        },
        by_id=by_id,
        at=at,
        flags=flags,
        look_first=bool(flags),
    )


def refuse_loss(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Raise InvalidRequestError when a listing now lacks what it must have and had, named as it was given before."""
    if lost := [name for name in lacking(after) if not before or name not in lacking(before)]:
        moved = {"tagline": "short_description"} if before and not before.get("tagline") else {}
        raise InvalidRequestError(
            "A listing needs a name, a tagline or a short description, and one category. Nothing was changed.",
            errors=[
                FieldError(
                    code="required",
                    pointer=f"/fields/{moved.get(name, name)}",
                    message="A listing can’t be without this. Give another value instead.",
                )
                for name in lost
            ],
        )
