"""Who has a part in a product, and so cannot review it: owners, founders, whoever is invited, their mail domain."""

from collections.abc import Callable, Collection

from accounts.models import User
from core.domains import registrable
from core.email_addresses import normal_or_blank
from core.free_mail import is_free_mail
from directory.models import Listing, ListingFounder

# Areas above say whose addresses they have invited to a listing.
invited: list[Callable[[int], Collection[str]]] = []


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
