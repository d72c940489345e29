"""The page of test money: where a provider's own page would be. What is chosen there comes back as a notification."""

import uuid
from decimal import Decimal

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from orders import notifications
from orders.payments import Kind, enabled_provider, sandbox

CHOICES = {
    "pay": (Kind.PAID,),
    "twice": (Kind.PAID, Kind.PAID),
    "later": (Kind.PROCESSING,),
    "decline": (Kind.FAILED,),
}


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, token: str) -> HttpResponse:
    """`/pay/test/<token>`: says plainly that no money moves, and lets the person choose what a bank would do."""
    about = sandbox.about(token)
    if about is None or enabled_provider(sandbox.Sandbox.code) is None:
        raise Http404
    if request.method == "POST":
        return _chosen(request.POST.get("choice", ""), about=about)
    context = {"about": about, "amount": f"{about['currency']} {Decimal(about['amount_cents']) / 100:,.2f}"}
    response = render(request, "orders/test_money.html", context)
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


def _chosen(choice: str, *, about: dict[str, str]) -> HttpResponse:
    at = timezone.now()
    for kind in CHOICES.get(choice, ()):
        event_id = f"test_{uuid.uuid4()}"
        body, signature = sandbox.message(event_id=event_id, kind=kind, about=about, at=at)
        headers = {sandbox.HEADER: signature}
        for _ in range(2 if choice == "twice" else 1):
            notifications.receive(provider=sandbox.Sandbox.code, headers=headers, body=body, at=at)
    return HttpResponseRedirect(about["return_url" if choice in CHOICES else "cancel_url"])
