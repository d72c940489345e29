"""What the directory holds of a person: theirs to take along, and gone or nameless when they ask for it."""

import re
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from accounts.models import StaffNote, User
from core.cache import changed
from directory.images import files, uploads
from directory.launches import queueing
from directory.listings import media
from directory.models import (
    Follow,
    Founder,
    InterviewAnswer,
    LaunchReminder,
    Listing,
    ListingFounder,
    ListingRevision,
    ListingStats,
    ListingUpdate,
    MailChoice,
    Milestone,
    Report,
    TopicFollow,
    UnpublishedEdit,
    UpdateNotice,
    Upload,
    Vote,
    WeekReminder,
    WinnersReader,
)
from directory.reviews import personal_data as reviews
from directory.search import public_data

TAKEN_OUT = "[removed]"
# of a writing that parts words by spaces, which those of East and Southeast Asia do not
LETTER = "[^\\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
WORDS_OF_REVISION = ("before", "after", "sources_before", "put_back", "review_note")
QUEUED = queueing.QUEUED
INTERVIEW = ("question__question", "answer", "updated_at")
TOPIC = ("founder__slug", "category__slug", "created_at")
REPORT = ("listing__slug", "reason", "fact", "text", "name", "email", "created_at", "status", "resolution")


def export(*, user_id: int) -> dict[str, Any]:
    """Listings with what belongs to them, and what the person did on the site."""
    user, theirs, mine = User.objects.get(pk=user_id), {"user": user_id}, {"listing__owner": user_id}
    listings, revisions = Listing.objects.order_by("pk"), ListingRevision.objects.order_by("pk")
    versions = revisions.filter(Q(by=user_id) | Q(**mine))
    unpublished = UnpublishedEdit.objects.filter(**theirs).order_by("pk")
    sent = Upload.objects.filter(by=user_id).order_by("pk")
    rows: dict[str, QuerySet[Any, Any]] = {
        "listings": listings.filter(owner=user_id).values(),
        "shared_listings": listings.filter(co_owners=user_id).values("slug", "url"),
        "updates": ListingUpdate.objects.filter(**mine).order_by("pk").values(),
        "milestones": Milestone.objects.filter(**mine).order_by("pk").values(),
        "versions": versions.values("listing_id", "changed", "before", "after", "at", "review"),
        "unpublished_edits": unpublished.values("listing__slug", "typed", "at"),
        "founder": Founder.objects.filter(**theirs).values(),
        "interview_answers": InterviewAnswer.objects.filter(**theirs).values(*INTERVIEW),
        "votes": Vote.objects.filter(**theirs).values("listing__slug", "week", "created_at", "voided_at"),
        "follows": Follow.objects.filter(**theirs).values("listing__slug", "created_at"),
        "followed_topics": TopicFollow.objects.filter(**theirs).values(*TOPIC),
        "reports": Report.objects.filter(_reports_of(user)).order_by("pk").values(*REPORT),
        "pictures_sent": sent.values("use", "listing__slug", "alt", "status", "problem", "created_at"),
        "mail": MailChoice.objects.filter(pk=user_id).values(),
        "launch_reminders": LaunchReminder.objects.filter(**theirs).values("listing__slug", "created_at"),
        "week_reminders": WeekReminder.objects.filter(**theirs).values("week", "created_at"),
        "winners_mail": WinnersReader.objects.filter(email=user.email).values(),
    }
    return {**{name: list(entries) for name, entries in rows.items()}, **reviews.export(user_id=user_id)}


@transaction.atomic
def erase(*, user: User, at: datetime) -> None:
    """What was public stays without the person; the rest goes. Votes stay as votes of nobody in particular."""
    listings = list(Listing.objects.select_for_update().filter(owner=user).order_by("pk"))
    touched = {listing.pk for listing in listings} | _remove_founders(user, listings=listings)
    uploads.forget_waiting(by_id=user.pk)
    for listing in listings:
        if not _withdraw(listing, at=at):
            _leave_without_owner(listing, user=user, at=at)
    followed = Follow.objects.filter(user=user)
    ListingStats.objects.filter(pk__in=followed.values("listing"), followers__gt=0).update(
        followers=F("followers") - 1
    )
    Listing.co_owners.through.objects.filter(user=user).delete()
    own = (Follow, TopicFollow, LaunchReminder, WeekReminder, UpdateNotice, MailChoice, InterviewAnswer)
    for model in (*own, UnpublishedEdit):
        model.objects.filter(user=user).delete()
    Vote.objects.filter(user=user).update(network="")
    Report.objects.filter(_reports_of(user)).update(reporter=None, text=TAKEN_OUT, name="", email="")
    WinnersReader.objects.filter(email=user.email).delete()
    reviews.erase(user=user)
    revisions = ListingRevision.objects.filter(Q(by=user) | Q(listing__in=touched))
    _scrub(revisions.values("id", *WORDS_OF_REVISION), needles=(user.email, user.name))
    _scrub(_notes_on(touched).values("id", "text"), needles=(user.email, user.name))
    public_data.refresh(listing_ids=touched)
    changed("listings")


def _reports_of(user: User) -> Q:
    """What a person reported, signed in or by the address of the account."""
    return Q(reporter=user) | Q(email=user.email)


def _notes_on(listing_ids: Iterable[int]) -> QuerySet[Any]:
    keys = [str(pk) for pk in listing_ids]
    return StaffNote.objects.filter(kind="directory.listing", key__in=keys)


def _withdraw(listing: Listing, *, at: datetime) -> bool:
    """Delete a listing that was never public; one that an order names stays, as a draft that nobody can open.

    So does one that a draft of somebody else's came to: without it, that would be their second of the same site.
    """
    if listing.launched_at is not None:
        return False
    if listing.status in QUEUED:
        queueing.back_to_draft(listing, reason="Its owner has left.", at=at)
    try:
        with transaction.atomic():
            listing.delete()
    except IntegrityError:  # ProtectedError and RestrictedError are such, too
        return False
    return True


def _leave_without_owner(listing: Listing, *, user: User, at: datetime) -> None:
    """Nobody's listing, with what its website says of the product, and no word of how to reach the person."""
    listing.refresh_from_db(fields=["evidence"])
    listing.owner, listing.claimed_by_method, listing.claim_checked_at = None, "", None
    if listing.media:
        media.remove_pictures(listing_id=listing.pk, at=at)
    if listing.contact_email.lower() == user.email.lower():
        listing.contact_email = ""
        listing.evidence.pop("contact_email", None)
    listing.save(
        update_fields=["owner", "claimed_by_method", "claim_checked_at", "contact_email", "evidence"]
    )
    updates, milestones = (model.objects.filter(listing=listing) for model in (ListingUpdate, Milestone))
    for rows in (Listing.objects.filter(pk=listing.pk), updates, milestones):
        _scrub(rows.values(), needles=(user.email,))


def _remove_founders(user: User, *, listings: Iterable[Listing]) -> set[int]:
    """The person's public profile goes, and founders of their name on their listings; gives the listings touched."""
    mine = Q(user=user)
    if user.name:
        mine |= Q(name__iexact=user.name, user=None, founded__listing__in=[row.pk for row in listings])
    founders = list(Founder.objects.filter(mine).distinct())
    named = set(ListingFounder.objects.filter(founder__in=founders).values_list("listing", flat=True))
    if photos := [str(founder.photo.name) for founder in founders if founder.photo]:
        transaction.on_commit(partial(files.drop, photos), robust=True)
    for listing in Listing.objects.select_for_update().filter(pk__in=named, evidence__has_key="founders"):
        pattern = re.compile("|".join(re.escape(founder.name) for founder in founders), re.IGNORECASE)
        listing.evidence["founders"] = without(listing.evidence["founders"], pattern=pattern)
        listing.save(update_fields=["evidence"])
    Founder.objects.filter(pk__in=[founder.pk for founder in founders]).delete()
    return named


def _scrub(rows: QuerySet[Any, Any], *, needles: tuple[str, ...]) -> None:
    """Take an address or a name out of these columns of rows, where it is no part of another word."""
    words = "|".join(re.escape(needle) for needle in needles if needle)
    pattern = re.compile(f"(?<!{LETTER})(?:{words})(?!{LETTER})", re.IGNORECASE)
    for row in rows:
        clean = {name: without(value, pattern=pattern) for name, value in row.items()}
        result = {name: _fitting(rows, name, value) for name, value in clean.items() if value != row[name]}
        if result:
            rows.model.objects.filter(pk=row["id"]).update(**result)


def _fitting(rows: QuerySet[Any, Any], name: str, value: Any) -> Any:
    """A text no longer than its column: what stands for a short name is longer than that."""
    longest = rows.model._meta.get_field(name).max_length  # noqa: SLF001  (documented by Django)
    return value[:longest] if isinstance(value, str) else value


def without(value: Any, *, pattern: re.Pattern[str]) -> Any:
    """A value with its texts rid of what the pattern finds; quotes of evidence that hold it go as a whole."""
    if isinstance(value, str):
        return pattern.sub(TAKEN_OUT, value)
    if isinstance(value, list):
        return [
            without(entry, pattern=pattern)
            for entry in value
            if not (isinstance(entry, dict) and pattern.search(str(entry.get("quote", ""))))
        ]
    if isinstance(value, dict):
        return {key: without(entry, pattern=pattern) for key, entry in value.items()}
    return value
