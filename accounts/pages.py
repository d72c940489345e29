"""HTML doors of the accounts area: the overview, the API keys, and the addresses that events are sent to."""

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from accounts import limits, selectors, services
from accounts import services_endpoints as endpoints
from accounts.forms import EXPIRIES, SCOPE_WORDS, AfterForm, EndpointForm, KeyForm, NameForm, TypesForm
from accounts.models import ApiKey, User
from accounts.sessions import signed_in_act, signed_in_form, signed_in_lately, signed_in_page, user_of
from core import events
from core.api import throttling
from core.api.errors import ApiError
from core.api.links import absolute
from core.api.pagination import paginate
from core.models import Endpoint

PER_PAGE = 20
Act = Callable[..., Any]


@signed_in_form
def overview(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    form = NameForm(request.POST or None, initial={"name": user.name})
    if request.method == "POST" and form.is_valid():
        throttling.enforce("write", caller=f"user:{user.pk}")
        services.call(user=user, name=form.cleaned_data["name"])
        messages.success(request, "Saved.")
        return HttpResponseRedirect(request.path)
    context = {"waiting": selectors.waiting_for(user_id=user.pk), "form": form}
    context["lead"] = selectors.lead_of(user_id=user.pk)
    return render(request, "accounts/overview.html", context, status=400 if form.errors else 200)


@signed_in_form
@signed_in_lately
def keys(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _keys_page(request, form=None)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _keys_page(request, form=form)
    if form.cleaned_data["after"] != selectors.newest_key_id(user_id=user_of(request).pk):
        return _already_displayed(request)
    now = timezone.now()
    try:
        row, key = services.create_api_key(
            user=user_of(request),
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires_at=form.expires_at(at=now),
            at=now,
        )
    except ApiError as error:
        form.add_error(None, error.detail)
        return _keys_page(request, form=form)
    return _made(request, row, key)


@signed_in_act
@signed_in_lately
def rotate_key(request: HttpRequest, key_id: int) -> HttpResponse:
    """`/account/keys/<id>/rotate`: a successor; the old key works for another day."""
    old = selectors.api_key(user_id=user_of(request).pk, key_id=key_id)
    form = AfterForm(request.POST)
    if not form.is_valid() or form.cleaned_data["after"] != selectors.newest_key_id(
        user_id=user_of(request).pk
    ):
        return _already_displayed(request)
    row, key = services.rotate_api_key(user=user_of(request), key_id=old.pk, at=timezone.now())
    return _made(request, row, key)


@signed_in_form
def revoke_key(request: HttpRequest, key_id: int) -> HttpResponse:
    key = selectors.api_key(user_id=user_of(request).pk, key_id=key_id)
    if request.method != "POST":
        return render(request, "accounts/revoke_key.html", {"key": key})
    services.revoke_api_key(user=user_of(request), key_id=key.pk, at=timezone.now())
    messages.success(request, f"“{key.name}” no longer works.")
    return HttpResponseRedirect("/account/keys")


def _made(request: HttpRequest, row: ApiKey, key: str) -> HttpResponse:
    """Show the key once, and tell the person by mail: it may not be they who made it."""
    context = {"key": row, "may": [SCOPE_WORDS[scope][0] for scope in row.scopes]}
    get_adapter(request).send_notification_mail("account/email/key_made", user_of(request), context)
    return _keys_page(request, form=None, fresh=row, key=key)


def _already_displayed(request: HttpRequest) -> HttpResponse:
    messages.warning(
        request, "A new key was made a moment ago, and a key is shown only once. Nothing more was made."
    )
    return HttpResponseRedirect("/account/keys")


def _keys_page(
    request: HttpRequest, *, form: KeyForm | None, fresh: ApiKey | None = None, key: str = ""
) -> HttpResponse:
    now = timezone.now()
    rows = selectors.api_keys(user_id=user_of(request).pk)
    newest = max((row.pk for row in rows), default=0)
    context = {
        "form": form or KeyForm(initial={"after": newest, "scopes": list(SCOPE_WORDS), "expires": "90"}),
        "after": newest,
        "working": [row for row in rows if row.is_valid(at=now)],
        "ended": [row for row in rows if not row.is_valid(at=now)],
        "fresh": fresh,
        "key": key,
        "scopes": [(scope, *words) for scope, words in SCOPE_WORDS.items()],
        "expiries": list(EXPIRIES.items()),
        "try_url": absolute("/api/v1/me"),
    }
    return render(request, "accounts/keys.html", context, status=400 if form else 200)


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
