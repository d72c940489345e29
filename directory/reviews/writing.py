"""People write, edit and delete their reviews: who may, and which wait for staff. No API operation leads here."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.networks import network_digest, networks_of
from core.api import throttling
from core.api.errors import NotFoundError
from core.domains import is_free_mail, registrable
from core.email_addresses import normal_or_blank
from directory.errors import CannotReviewError, ListingNotFoundError
from directory.models import Listing, ListingFounder, Review, ReviewVersion, Vote
from directory.reviews import limits, notices, rating

# Areas above say whose addresses they have invited to a listing.
invited: list[Callable[[int], Collection[str]]] = []
FIRST = "First review of this account"
NEAR_OWNER = "Shares a network with the makers"
Status = Review.Status
REFUSED_BEFORE = "Refused or withdrawn before"
AND = "; "  # between the reasons for which a review waits
WITHDRAWN = "Withdrawn by its writer."
PLACE = ("status", "waits_for", "waits_since")
DECISION = ("decided_at", "decided_by", "reason")
WORDS = ("stars", "how", "text", "network", "edited_at")


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


@dataclass(frozen=True, kw_only=True)
class ReviewText:
    stars: int
    how: str
    text: str


@transaction.atomic
def write_review(
    *, user: User, listing_id: int, words: ReviewText, at: datetime, address: str = ""
) -> Review:
    """Write the person's review of a live listing, or edit it; what it words before stays in its history.

    Raises CannotReviewError for one that is not genuine. What waits for staff is `waiting`; a burst holds all of it.
    """
    # whoever writes about the same product at once waits here, and then sees what the first has written
    stats = rating.lock([listing_id])
    listing = Listing.objects.live().select_related("owner").filter(pk=listing_id).first()
    if not stats or listing is None:
        raise ListingNotFoundError("There is no such listing.")
    refuse_unfit(user, listing, at=at)
    review = Review.objects.select_for_update().filter(listing=listing, author=user).first()
    if review is None:
        review = Review(listing=listing, author=user, created_at=at)
    elif (review.stars, review.how, review.text) == (words.stars, words.how, words.text):
        return review
    else:
        if review.text:
            ReviewVersion.objects.create(
                review=review, stars=review.stars, how=review.how, text=review.text, until=at
            )
        review.edited_at = at
    throttling.enforce("review", caller=f"user:{user.pk}")
    review.stars, review.how, review.text = words.stars, words.how, words.text
    review.listing, review.author, review.network = listing, user, network_digest(address)
    _file(review, at=at)
    rating.recount([listing.pk])
    return review


def _file(review: Review, *, at: datetime) -> None:
    """Store a review as published, or as waiting with the reasons, together with the burst that it makes full."""
    was_public = review.status == Status.PUBLISHED and review.pk is not None
    reasons = reasons_to_wait(review, at=at)
    if review.pk and not was_public:  # what waits, or was refused, gets by nobody through an edit
        reasons = [*(review.waits_for or REFUSED_BEFORE).split(AND), *reasons]
    review.decided_at = review.decided_by = None
    review.reason = ""
    _move(review, reasons=reasons, at=at)
    review.save(update_fields=[*WORDS, *PLACE, *DECISION] if review.pk else None)
    for reason, ids in bursts_with(review, at=at):
        _move(review, reasons=[*reasons, reason], at=at)
        review.save(update_fields=PLACE)
        free = Review.objects.select_for_update().filter(pk__in=ids, status=Status.PUBLISHED, decided_at=None)
        for row in free.order_by("pk"):
            _move(row, reasons=[reason], at=at)
            row.save(update_fields=PLACE)
    if review.status == Status.PUBLISHED and not was_public:
        notices.tell_maker(review)


def _move(review: Review, *, reasons: list[str], at: datetime) -> None:
    review.status = Status.WAITING if reasons else Status.PUBLISHED
    review.waits_for = AND.join(dict.fromkeys(reasons))[: limits.WAITS_FOR]
    review.waits_since = at if reasons else None


@transaction.atomic
def delete_review(*, user: User, listing_id: int, at: datetime) -> None:
    """Take the person's own review away with its history. Raises NotFoundError.

    Of one that was not public a row without text stays: what is written in its place waits for staff as well.
    """
    rating.lock([listing_id])
    review = Review.objects.select_for_update().filter(author=user, listing=listing_id).first()
    if review is None or not review.text:
        raise NotFoundError("You have no review of this product.")
    if review.status == Status.PUBLISHED:
        review.delete()
    else:
        review.versions.all().delete()
        review.text, review.status, review.reason = "", Status.REFUSED, WITHDRAWN
        review.waits_since, review.decided_at = None, at
        review.save(update_fields=["text", "status", "reason", "waits_since", "decided_at"])
    rating.recount([listing_id])
