"""The door for what payment providers tell us. Whoever cannot sign gets nothing, not even a reason."""

import logging
import uuid

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from core.api import throttling
from orders import notifications
from orders.payments import BadNotificationError, GatewayUnclearError, Kind, enabled_provider, sandbox
from orders.wording import price

CHOICES = {
    "pay": (Kind.PAID,),
    "twice": (Kind.PAID, Kind.PAID),
    "later": (Kind.PROCESSING,),
    "decline": (Kind.FAILED,),
}
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


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, token: str) -> HttpResponse:
    """`/pay/test/<token>`: says plainly that no money moves, and lets the person choose what a bank would do."""
    about = sandbox.about(token)
    if about is None or enabled_provider(sandbox.Sandbox.code) is None:
        raise Http404
    if request.method == "POST":
        return _chosen(request.POST.get("choice", ""), about=about)
    context = {"about": about, "amount": price(int(about["amount_cents"]), about["currency"])}
    response = render(request, "orders/test_money.html", context)
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


def _chosen(choice: str, *, about: dict[str, str]) -> HttpResponse:
    at = timezone.now()
    for kind in CHOICES.get(choice, ()):
        body, signature = sandbox.message(event_id=f"test_{uuid.uuid4()}", kind=kind, about=about, at=at)
        headers = {sandbox.HEADER: signature}
        for _ in range(2 if choice == "twice" else 1):
            notifications.receive(provider=sandbox.Sandbox.code, headers=headers, body=body, at=at)
    return HttpResponseRedirect(about["return_url" if choice in CHOICES else "cancel_url"])
