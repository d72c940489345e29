"""The look of cabinets, as it is bought and taken back."""

from datetime import datetime

from django.db import transaction

from core.cache import changed
from leaderboards.trophies.models import CabinetLook

FINISHES: tuple[str, ...] = tuple(CabinetLook.Finish.values)
USUAL = CabinetLook.Finish.OAK.value


@transaction.atomic
def give(*, listing_id: int, reference: str, finish: str, title: str, at: datetime) -> None:
    """Show this look from now on. The same reference is given once."""
    values = {"listing_id": listing_id, "finish": finish, "title": title, "bought_at": at}
    CabinetLook.objects.get_or_create(reference=reference, defaults=values)
    changed("listings")


@transaction.atomic
def take_back(*, reference: str) -> None:
    CabinetLook.objects.filter(reference=reference).delete()
    changed("listings")
