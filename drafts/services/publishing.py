"""submit_draft: a ready draft becomes a saved listing, and goes on updating it."""

import re
import uuid
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from core.errors import FieldError
from directory.limits import CONTACT_EMAIL
from directory.models import Category
from directory.services.from_draft import EVERYTHING, DraftedListing, Saved, save_from_draft
from drafts import completeness
from drafts.addresses import domain_of, host_of
from drafts.errors import DraftNotFoundError, DraftNotReadyError
from drafts.fields import is_given
from drafts.models import Draft, DraftField

NOT_FOUND_REASONS = {"not_on_site", "robots_blocked", "fetch_failed", "conflicting", "removed_by_owner"}
_YEAR = re.compile(r"1[89][0-9]{2}|20[0-9]{2}|2100")
SHOWN_WHEN_BLANK = {
    "pricing_model",
    "pricing_summary",
    "country",
    "city",
    "founded_year",
    "contact_email",
    "demo_video_url",
    "features",
    "tagline",
    "short_description",
    "stage",
}


@transaction.atomic
def submit_draft(*, owner_id: int, draft_id: uuid.UUID, at: datetime) -> Saved:
    """Save a ready draft as an unpublished listing; after edits, bring the same listing up to date."""
    draft = Draft.objects.select_for_update().owned_by(owner_id).filter(pk=draft_id).first()
    if draft is None:
        raise DraftNotFoundError("There is no such draft.")
    if draft.status != Draft.Status.READY:
        raise DraftNotReadyError(
            f"The draft is {draft.status}; wait until it is ready.", current=draft.status
        )
    values = dict(draft.field_rows.filter(group=DraftField.Group.FIELDS).values_list("name", "value"))
    if lacking := completeness.required(values):
        raise DraftNotReadyError(
            "A listing needs a name, a tagline or a short description, and one category.",
            current=draft.status,
            errors=[
                FieldError(code="required", pointer=f"/fields/{name}", message=completeness.HINTS[name])
                for name in sorted(lacking)
            ],
        )
    saved = save_listing(draft=draft, at=at)
    draft.listing = saved.listing
    draft.updated_at = at
    draft.save(update_fields=["listing", "updated_at"])
    return saved


def save_listing(*, draft: Draft, at: datetime, only: frozenset[str] = EVERYTHING) -> Saved:
    """Write a draft's values to its listing, or only those that were changed."""
    return save_from_draft(
        owner=draft.owner,
        site=draft.site,
        listing_id=draft.listing_id,
        drafted=_as_listing(draft),
        at=at,
        only=only,
    )


def _as_listing(draft: Draft) -> DraftedListing:
    rows = list(draft.field_rows.all())
    own = {row.name: row for row in rows if row.group == DraftField.Group.FIELDS}
    values: dict[str, Any] = {name: row.value for name, row in own.items()}
    values["country"] = (values.get("country") or "").upper()
    values["socials"] = _links(rows, DraftField.Group.COMPANY_SOCIALS)
    values["faqs"] = [{"question": faq["question"], "answer": faq["answer"]} for faq in draft.faqs]
    values["story"] = draft.story
    values["seo_title"], values["seo_description"] = draft.seo.get("title", ""), draft.seo.get("meta", "")
    values["evidence"] = {
        name: row.evidence for name, row in own.items() if row.state == "ai" and row.evidence
    }
    values["not_found"] = [
        {"field": name, "reason": row.reason if row.reason in NOT_FOUND_REASONS else "not_on_site"}
        for name, row in own.items()
        if name in SHOWN_WHEN_BLANK and not is_given(row.value)
    ]
    values["last_crawled_at"] = max(
        (page.fetched_at for page in draft.pages.only("fetched_at") if page.fetched_at), default=None
    )
    year = _YEAR.fullmatch(str(values.get("founded_year") or ""))
    values["contact_email"] = _address(values.get("contact_email"))
    founder_links = _links(rows, DraftField.Group.FOUNDER_SOCIALS)
    own_links = _own_links(draft)
    founders = [
        {
            **person,
            "socials": own_links.get(str(person["name"]).casefold())
            or (founder_links if position == 0 else {}),
        }
        for position, person in enumerate(draft.founders)
    ]
    home = draft.home_url or draft.url
    return DraftedListing(
        url=home,
        domain=domain_of(home),
        host=host_of(home),
        values=values,
        founded_year=int(year.group()) if year else None,
        categories=_slugs(values.get("categories") or []),
        founders=founders,
        milestones=draft.milestones,
    )


def _address(given: str | None) -> str:
    """A contact address that people can write to. A draft keeps whatever its owner typed."""
    try:
        validate_email(given or "")
    except ValidationError:
        return ""
    return given if given and len(given) <= CONTACT_EMAIL else ""


def _links(rows: list[DraftField], group: str) -> dict[str, str]:
    return {row.name: str(row.value) for row in rows if row.group == group and is_given(row.value)}


def _own_links(draft: Draft) -> dict[str, dict[str, str]]:
    """The links that invited founders gave with their profiles, by name."""
    profiles = [invite.profile for invite in draft.invites.all() if invite.profile]
    return {str(profile["name"]).casefold(): profile.get("socials") or {} for profile in profiles}


def _slugs(names: list[str]) -> list[str]:
    known = dict(Category.objects.filter(name__in=names).values_list("name", "slug"))
    return [known[name] for name in names if name in known]
