"""The networks a person was lately seen in, as keyed digests: whether two people share one is all they tell."""

import ipaddress
from collections.abc import Iterable
from datetime import datetime

from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import SeenNetwork
from core.api import throttling
from core.outages import if_writable

ONCE_A_DAY = 86_400


def network_digest(address: str) -> str:
    """A keyed digest of the network an address is in, a /24 or for IPv6 a /48; empty for what is no address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return ""
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    network = ipaddress.ip_network((parsed, 24 if parsed.version == 4 else 48), strict=False)
    return salted_hmac("directory.vote.network", str(network)).hexdigest()[:32]


def note_network(request: HttpRequest) -> None:
    """Note where a signed-in person is, once a day for each network; not where staff see the site as them."""
    user_id = request.user.pk
    if user_id is None or hasattr(request, "seen_as"):
        return
    digest = network_digest(throttling.client_address(request))
    if digest and cache.add(f"network:{user_id}:{digest}", 1, ONCE_A_DAY):
        with if_writable():
            see(user_id=user_id, network=digest, at=timezone.now())


def see(*, user_id: int, network: str, at: datetime) -> None:
    row = SeenNetwork(user_id=user_id, network=network, seen_at=at)
    SeenNetwork.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["user", "network"], update_fields=["seen_at"]
    )


def networks_of(user_ids: Iterable[int]) -> set[str]:
    """Where these people were seen, as long as that is kept."""
    return set(SeenNetwork.objects.filter(user__in=user_ids).values_list("network", flat=True))
