"""The door for what payment providers tell us. Whoever cannot sign gets nothing, not even a reason."""

import logging

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from core.api import throttling
from orders import notifications
from orders.payments import BadNotificationError, GatewayUnclearError

logger = logging.getLogger(__name__)
LARGEST = 256 * 1024


@csrf_exempt  # a provider has no cookie of ours; its signature is what counts
@require_POST
def webhook(request: HttpRequest, provider: str) -> HttpResponse:
    """`/webhooks/<provider>`: 200 once it is stored, 400 for what is not signed, 503 when that cannot be told now.

    A network whose notifications were refused too often gets 429, and nothing of it is looked at for a while.
    """
    network = throttling.network_caller(request)
    if throttling.is_spent("webhook_refused", caller=network):
        return HttpResponse(status=429, headers={"Retry-After": "60"})
    if len(request.body) > LARGEST:
        return HttpResponse(status=400)
    try:
        notifications.receive(
            provider=provider, headers=request.headers, body=request.body, at=timezone.now()
        )
    except BadNotificationError as error:
        throttling.count("webhook_refused", caller=network)
        logger.warning("notification refused", extra={"provider": provider, "reason": str(error)})
        return HttpResponse(status=400)
    except GatewayUnclearError as error:
        logger.warning("notification not checked", extra={"provider": provider, "reason": str(error)})
        return HttpResponse(status=503, headers={"Retry-After": "60"})
    return HttpResponse(status=200)
