"""Whoever waits for a product reads on its launch day that it is out: one mail, asked for with one press."""

from datetime import datetime

from django.db import transaction

from core import jobs, mail
from core.api.links import absolute, on_site
from directory import limits
from directory.errors import ListingNotFoundError
from directory.mail_kinds import OF_COMING
from directory.models import LaunchReminder, Listing
from directory.sites.lookup import addresses_of_listing


@transaction.atomic
def remind(*, user_id: int, listing_id: int, at: datetime) -> None:
    """Note that a person wants to hear of a launch that is to come. A second call changes nothing.

    Raises ListingNotFoundError for a product that waits for none.
    """
    if not Listing.objects.filter(pk=listing_id, status=Listing.Status.SCHEDULED).exists():
        raise ListingNotFoundError("There is no such launch to come.")
    LaunchReminder.objects.get_or_create(user_id=user_id, listing_id=listing_id, defaults={"created_at": at})
    if not OF_COMING.is_wanted(user_id=user_id):
        OF_COMING.choose(user_id=user_id, is_wanted=True, at=at)


def remind_no_longer(*, user_id: int, listing_id: int) -> None:
    LaunchReminder.objects.filter(user=user_id, listing=listing_id).delete()


def tell_waiting(*, listing_id: int, lease: jobs.Lease) -> None:
    """Mail everybody who waited for a product that is live, each once: the note goes as its mail is queued."""
    listing = Listing.objects.select_related("site").filter(pk=listing_id).first()
    if listing is None or not listing.is_live:
        return
    rows = LaunchReminder.objects.filter(listing=listing).order_by("pk")
    while rows.exists():
        lease.renew()
        with transaction.atomic():
            lease.guard()
            notes = list(rows.select_related("user__mail_choice")[: limits.MAILED_AT_ONCE])
            for note in notes:
                _write(note, listing=listing)
            LaunchReminder.objects.filter(pk__in=[note.pk for note in notes]).delete()


def _write(note: LaunchReminder, *, listing: Listing) -> None:
    user = note.user
    choice = getattr(user, "mail_choice", None)
    if not user.is_active or user.is_suspended or (choice and not choice.of_coming):
        return
    unsubscribe_url = OF_COMING.stop_url(user.pk)
    with addresses_of_listing(listing):
        mail.send_plain(
            template="directory/mail/coming",
            to=user.email,
            key=f"coming-{note.pk}",
            context={
                "listing": listing,
                "page_url": on_site(f"/listings/{listing.slug}"),
                "choice_url": absolute("/account/mail"),
                "unsubscribe_url": unsubscribe_url,
            },
            envelope=mail.Envelope(person_id=user.pk, thing=listing, unsubscribe_url=unsubscribe_url),
        )
