"""HTML doors of webhooks: the addresses that a person has events sent to, and what was sent to each."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts import limits
from accounts import services_endpoints as endpoints
from accounts.forms import EndpointForm, TypesForm
from accounts.models import User
from accounts.sessions import signed_in_act, signed_in_form, signed_in_lately, signed_in_page, user_of
from core import events
from core.api import throttling
from core.api.errors import ApiError
from core.api.pagination import paginate
from core.models import Endpoint

PER_PAGE = 20
Act = Callable[..., Any]


@signed_in_form
@signed_in_lately
def webhooks(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = EndpointForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        throttling.enforce("write", caller=f"user:{user.pk}")
        try:
            row, secret = endpoints.add_endpoint(user=user, **form.cleaned_data, at=timezone.now())
        except ApiError as error:
            form.add_error("url", error.detail)
        else:
            get_adapter(request).send_notification_mail(
                "account/email/webhook_added", user, {"endpoint": row}
            )
            return _endpoint_page(request, row, secret=secret)
    rows = Endpoint.objects.filter(user=user).order_by("pk")
    context = {"form": form, "rows": rows, "most": limits.ENDPOINTS, "types": _types(form)}
    return render(request, "accounts/webhooks.html", context, status=400 if form.errors else 200)


@signed_in_page
def webhook(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    return _endpoint_page(
        request, endpoints.endpoint_of(user_id=user_of(request).pk, endpoint_id=endpoint_id)
    )


@signed_in_act
def choose_types(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    row = endpoints.endpoint_of(user_id=user_of(request).pk, endpoint_id=endpoint_id)
    form = TypesForm(request.POST)
    if not form.is_valid():
        return _endpoint_page(request, row, form=form)
    endpoints.choose_types(user=user_of(request), endpoint_id=row.pk, **form.cleaned_data)
    messages.success(request, "Saved.")
    return HttpResponseRedirect(reverse("account_webhook", args=[row.pk]))


@signed_in_act
@signed_in_lately
def rotate_secret(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    """`/account/webhooks/<id>/rotate`: a new secret; the old one signs for another day."""
    user = user_of(request)
    throttling.enforce("write", caller=f"user:{user.pk}")
    row, secret = endpoints.rotate_secret(user=user, endpoint_id=endpoint_id, at=timezone.now())
    return _endpoint_page(request, row, secret=secret)


@signed_in_act
def send_test(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    """`/account/webhooks/<id>/test`: an event that says nothing happened."""
    act = endpoints.send_test
    return _acted(
        request, endpoint_id, act, "The test is on its way. Reload to see the answer.", at=timezone.now()
    )


@signed_in_act
def redeliver(request: HttpRequest, endpoint_id: int, delivery_id: int) -> HttpResponse:
    text = "It is on its way again. Reload to see the answer."
    return _acted(request, endpoint_id, endpoints.redeliver, text, delivery_id=delivery_id)


@signed_in_act
def switch(request: HttpRequest, endpoint_id: int, to: str) -> HttpResponse:
    text = "Events are sent again from now on." if to == "on" else "Switched off. Nothing more is sent."
    return _acted(request, endpoint_id, endpoints.switch, text, is_on=to == "on", at=timezone.now())


def _acted(request: HttpRequest, endpoint_id: int, act: Act, notice: str, **how: Any) -> HttpResponse:
    user: User = user_of(request)
    endpoints.endpoint_of(user_id=user.pk, endpoint_id=endpoint_id)
    throttling.enforce("webhook", caller=f"user:{user.pk}")
    try:
        act(user=user, endpoint_id=endpoint_id, **how)
    except endpoints.EndpointRefusedError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, notice)
    return HttpResponseRedirect(reverse("account_webhook", args=[endpoint_id]))


@signed_in_form
def delete(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    user = user_of(request)
    row = endpoints.endpoint_of(user_id=user.pk, endpoint_id=endpoint_id)
    if request.method != "POST":
        return render(request, "accounts/delete_webhook.html", {"endpoint": row})
    endpoints.delete_endpoint(user=user, endpoint_id=row.pk)
    messages.success(request, "The webhook is deleted. Nothing more is sent there.")
    return HttpResponseRedirect(reverse("account_webhooks"))


def _endpoint_page(
    request: HttpRequest, row: Endpoint, *, form: TypesForm | None = None, secret: str = ""
) -> HttpResponse:
    text = request.GET.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 1
    sent = row.deliveries.order_by("-created_at", "-pk")
    form_or_types = form or TypesForm(initial={"types": row.types})
    context = {
        "endpoint": row,
        "page": paginate(sent, page=max(number, 1), per_page=PER_PAGE),
        "form": form_or_types,
        "types": _types(form_or_types),
        "secret": secret,
    }
    return render(request, "accounts/webhook.html", context, status=400 if form else 200)


def _types(form: TypesForm) -> list[tuple[str, str, bool]]:
    chosen = form["types"].value() or ()
    return [(name, kind.words, name in chosen) for name, kind in sorted(events.TYPES.items())]
