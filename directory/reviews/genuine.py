"""What makes a review genuine: who may write one, and which wait until staff have looked at them."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import connection
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.networks import networks_of
from core.domains import is_free_mail, registrable
from core.email_addresses import normal_or_blank
from directory.errors import CannotReviewError
from directory.models import Listing, ListingFounder, Review, Vote
from directory.reviews import limits

# Areas above say whose addresses they have invited to a listing.
invited: list[Callable[[int], Collection[str]]] = []
FIRST = "First review of this account"
NEAR_OWNER = "Shares a network with the makers"


def owners_of(listing: Listing) -> list[User]:
    co_owners = list(listing.co_owners.all())
    return [listing.owner, *co_owners] if listing.owner else co_owners


def part_of(user: User, listing: Listing, *, owners: Collection[User]) -> str:
    """The part a person has in a product, in words; nothing for who has none."""
    if any(user.pk == owner.pk for owner in owners):
        return "It’s your own product."
    if ListingFounder.objects.filter(listing=listing, founder__user=user).exists():
        return "You’re one of its founders."
    addresses = (address for source in invited for address in source(listing.pk))
    if user.email in {normal_or_blank(address) for address in addresses}:
        return "Its makers invited you to its page."
    domain = mail_domain(user)
    if domain and domain in {listing.domain, *(mail_domain(owner) for owner in owners)}:
        return f"Your e-mail address is at {domain}, as its makers’."
    return ""


def mail_domain(user: User) -> str:
    """The registrable domain of a person's address; nothing for a domain of many people's mailboxes."""
    domain = user.email.rpartition("@")[2].lower()
    return "" if is_free_mail(domain) else registrable(domain)


def why_not(user: User, listing: Listing, *, at: datetime) -> str:
    """Why a person can't review a product, in words; nothing for who can."""
    if not EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists():
        return "Confirm your e-mail address first; reviews come from confirmed addresses."
    if at - user.date_joined < limits.ACCOUNT_AGE:
        since = user.date_joined + limits.ACCOUNT_AGE
        return f"Your account is new. You can write reviews from {since:%-d %B %Y, %H:%M} UTC on."
    return part_of(user, listing, owners=owners_of(listing))


def refuse_unfit(user: User, listing: Listing, *, at: datetime) -> None:
    """Raise CannotReviewError for a review that would not be genuine."""
    if why := why_not(user, listing, at=at):
        raise CannotReviewError(why)


def reasons_to_wait(review: Review, *, at: datetime) -> list[str]:
    """Why staff look at a review before it is public.

    Its network is locked, so that of reviews that come at once each sees those before it; the caller has the listing.
    """
    reasons = []
    others = Review.objects.filter(author=review.author_id).exclude(pk=review.pk)
    if not others.filter(status=Review.Status.PUBLISHED).exists():
        reasons.append(FIRST)
    owners = [owner.pk for owner in owners_of(review.listing)]
    if _networks([review.author_id], also=review.network) & _networks(owners):
        reasons.append(NEAR_OWNER)
    if review.network:
        _lock_network(review.network)
        same = _recent(at).filter(network=review.network).exclude(pk=review.pk).count() + 1
        if same >= limits.BURST_OF_NETWORK:
            reasons.append(f"{same} reviews of one network within a day")
    return reasons


def bursts_with(review: Review, *, at: datetime) -> Iterator[tuple[str, list[int]]]:
    """The bursts that a review just stored is the last of: what its reviews have in common, and which they are."""
    of_listing = _recent(at).filter(listing=review.listing_id)
    for words, alike, enough in _alike(review):
        ids = list(of_listing.filter(alike).order_by("pk").values_list("pk", flat=True))
        if len(ids) >= enough:
            yield f"{len(ids)} reviews of this product within a day{words}", ids


def _alike(review: Review) -> Iterator[tuple[str, Q, int]]:
    if review.network:
        yield " from one network", Q(network=review.network), limits.BURST_ALIKE
    if domain := mail_domain(review.author):
        at_domain = Q(author__email__endswith=f"@{domain}") | Q(author__email__endswith=f".{domain}")
        yield f" from the mail domain {domain}", at_domain, limits.BURST_ALIKE
    yield "", Q(), limits.BURST


def _recent(at: datetime) -> QuerySet[Review]:
    """Reviews written or edited within the window, refused ones too."""
    since = at - limits.WINDOW
    return Review.objects.filter(Q(created_at__gt=since) | Q(edited_at__gt=since))


def _networks(user_ids: list[int], *, also: str = "") -> set[str]:
    """Where people were lately seen: on their own pages, and where they voted and wrote."""
    networks = networks_of(user_ids) | {also}
    for rows in (Vote.objects.filter(user__in=user_ids), Review.objects.filter(author__in=user_ids)):
        networks.update(rows.exclude(network="").order_by().values_list("network", flat=True).distinct())
    return networks - {""}


def _lock_network(network: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"review:{network}"])
