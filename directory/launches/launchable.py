"""What stands between a listing and its launch."""

from core.domains import host_of
from directory.addresses import product_address
from directory.facts import TEXT_COLUMNS, lacking
from directory.models import Listing


def missing_facts(listing: Listing) -> list[str]:
    return lacking(
        {name: getattr(listing, name) for name in TEXT_COLUMNS} | {"categories": listing.filed.exists()}
    )


def live_twin(listing: Listing) -> Listing | None:
    """Another listing that is live at the same product address of the same site; an address is live once."""
    return live_at(site_id=listing.site_id, url=listing.url, besides=listing.pk)


def live_at(*, site_id: int, url: str, besides: int = 0) -> Listing | None:
    """The live listing of a product address, leaving one listing out."""
    rows = Listing.objects.live().filter(site_id=site_id, host=host_of(url)).exclude(pk=besides)
    address, existing = product_address(url), rows.order_by("pk").values_list("pk", "url")
    same = next((pk for pk, entry in existing if product_address(entry) == address), None)
    return Listing.objects.filter(pk=same).first() if same else None


def own_at(*, site_id: int, owner_id: int, url: str) -> Listing | None:
    """A person's own listing of a product address, unless it was rejected; a live one first, then the newest."""
    rows = Listing.objects.owned_by(owner_id).filter(site_id=site_id, host=host_of(url))
    address = product_address(url)
    same = [
        listing
        for listing in rows.exclude(status=Listing.Status.REJECTED).order_by("-pk")
        if product_address(listing.url) == address
    ]
    return next((listing for listing in same if listing.is_live), same[0] if same else None)
