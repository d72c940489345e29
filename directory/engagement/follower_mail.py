"""Followers are told of a product's updates: each at once, all of a day together, or not at all; of each one once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.signing import Signer
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from core import jobs, mail
from core.api.links import absolute, on_site
from directory import limits
from directory.listings.versions import NEWS
from directory.models import Follow, Listing, ListingRevision, ListingUpdate, MailChoice, UpdateNotice
from directory.sites.lookup import addresses_of_listing

SIGNER = Signer(sep=".", salt="directory.follower_mail")
Updates = MailChoice.Updates
DAY = timedelta(days=1)


def announce(*, update: ListingUpdate) -> int:
    """Have a listing's followers told of an update that was just posted, once staff had time to put it back.

    Gives how many they are.
    """
    at = update.posted_at + limits.REVIEW_UNDO
    jobs.add("directory.tell_followers", key=str(update.pk), run_after=at, update_id=update.pk)
    return followers_to_tell(update).count()


def followers_to_tell(update: ListingUpdate) -> QuerySet[Follow]:
    """Who followed when the update was posted, may sign in, and wants such mail."""
    rows = Follow.objects.filter(
        listing=update.listing_id,
        created_at__lte=update.posted_at,
        user__is_active=True,
        user__suspended_at=None,
    )
    return rows.exclude(user__mail_choice__updates=Updates.OFF)


def tell_followers(*, update_id: int, lease: jobs.Lease, at: datetime) -> None:
    """Note for each follower that there is news, and mail those who want it at once. May run again and go on."""
    update = ListingUpdate.objects.select_related("listing__site").filter(pk=update_id).first()
    if update is None or not update.listing.is_live:
        return
    if at < update.posted_at + limits.NEWS_WAITS and _waits_for_staff(update):
        raise jobs.NotNowError(seconds=limits.NEWS_LOOKED_AT.total_seconds())
    rows = followers_to_tell(update).order_by("user").values_list("user", "user__mail_choice__updates")
    after = 0
    while portion := list(rows.filter(user__gt=after)[: limits.MAILED_AT_ONCE]):
        lease.renew()
        with transaction.atomic():
            lease.guard()
            UpdateNotice.objects.bulk_create(
                [UpdateNotice(update=update, user_id=user_id, created_at=at) for user_id, _ in portion],
                ignore_conflicts=True,
            )
            at_once = [user_id for user_id, choice in portion if choice == Updates.AT_ONCE]
            waiting = UpdateNotice.objects.filter(update=update, user__in=at_once, closed_at=None)
            notices = list(waiting.select_for_update(of=("self",)).select_related("user").order_by("user"))
            for notice in notices:
                _write([update], user=notice.user, key=f"update-{notice.pk}")
            _close(notices, mailed=notices, at=at)
        after = portion[-1][0]


def _waits_for_staff(update: ListingUpdate) -> bool:
    """Whether its words are among the edits that staff look at first, and nobody has looked."""
    flagged = ListingRevision.objects.filter(
        listing=update.listing_id, review=ListingRevision.Review.PENDING, look_first=True
    )
    return flagged.filter(after__contains={NEWS: [{"id": update.pk}]}).exists()


def digest_moment(at: datetime) -> datetime:
    """When the newest digests were due: every day at the same hour (UTC)."""
    today = at.replace(hour=limits.DIGEST_HOUR, minute=0, second=0, microsecond=0)
    return today if today <= at else today - DAY


def send_digests(*, lease: jobs.Lease, at: datetime) -> int:
    """Mail everybody whose news has waited for the day's digest; gives how many people. A second run finds nobody."""
    before = digest_moment(at)
    waiting = UpdateNotice.objects.filter(closed_at=None, created_at__lt=before)
    people = list(
        waiting.order_by("user").values_list("user", flat=True).distinct()[: limits.DIGESTS_AT_ONCE]
    )
    for user_id in people:
        lease.renew()
        send_digest(user_id=user_id, before=before, at=at)
    return len(people)


@transaction.atomic
def send_digest(*, user_id: int, before: datetime, at: datetime) -> None:
    """One mail with the news that waits for a person; none when nothing of it is to be told any more."""
    user = User.objects.get(pk=user_id)
    follows = Follow.objects.filter(user=user_id, listing=OuterRef("update__listing"))
    waiting = UpdateNotice.objects.filter(user=user_id, closed_at=None, created_at__lt=before)
    notices = list(
        waiting.select_for_update(of=("self",))
        .select_related("update__listing__site")
        .annotate(is_followed=Exists(follows))
        .order_by("-update__posted_at", "-pk")
    )
    mailed = [
        notice
        for notice in notices
        if notice.is_followed and notice.update.listing.status == Listing.Status.LIVE and _wants_mail(user)
    ]
    if mailed:
        _write([notice.update for notice in mailed], user=user, key=f"digest-{user_id}-{mailed[0].pk}")
    _close(notices, mailed=mailed, at=at)


def _wants_mail(user: User) -> bool:
    return user.is_active and not user.is_suspended and choice_of(user_id=user.pk) != Updates.OFF


def _close(notices: Sequence[UpdateNotice], *, mailed: Sequence[UpdateNotice], at: datetime) -> None:
    UpdateNotice.objects.filter(pk__in=[notice.pk for notice in notices]).update(closed_at=at)
    UpdateNotice.objects.filter(pk__in=[notice.pk for notice in mailed]).update(is_mailed=True)


def _write(updates: Sequence[ListingUpdate], *, user: User, key: str) -> None:
    """Queue one mail with these updates, newest first; long ones are cut when there are several."""
    visible = updates[: limits.DIGEST_LISTED]
    length = limits.UPDATE_BODY if len(updates) == 1 else limits.DIGEST_EXCERPT
    unsubscribe_url = absolute(f"/mail/stop/{SIGNER.sign(str(user.pk))}")
    mail.send(
        template="directory/mail/updates",
        to=user.email,
        key=key,
        envelope=mail.Envelope(person_id=user.pk, unsubscribe_url=unsubscribe_url),
        context={
            "news": [_as_news(update, length=length) for update in visible],
            "products": len({update.listing_id for update in updates}),
            "number": len(updates),
            "more": len(updates) - len(visible),
            "choice_url": absolute("/account/mail"),
            "unsubscribe_url": unsubscribe_url,
        },
    )


def _as_news(update: ListingUpdate, *, length: int) -> dict[str, Any]:
    body = update.body.strip()
    with addresses_of_listing(update.listing):
        return {
            "name": update.listing.name,
            "title": " ".join(update.title.split()),
            "body": body if len(body) <= length else f"{body[:length].rstrip()}…",
            "url": on_site(f"/listings/{update.listing.slug}#update-{update.pk}"),
        }


def choice_of(*, user_id: int) -> str:
    row = MailChoice.objects.filter(pk=user_id).first()
    return row.updates if row else Updates.DIGEST


def choose(*, user_id: int, updates: str, at: datetime) -> None:
    MailChoice.objects.update_or_create(pk=user_id, defaults={"updates": updates, "changed_at": at})
