"""HTML doors of the accounts area: the overview and the API keys."""

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts import selectors, services
from accounts.forms import EXPIRIES, SCOPE_WORDS, AfterForm, KeyForm, NameForm
from accounts.models import ApiKey
from accounts.sessions import signed_in_act, signed_in_form, signed_in_lately, user_of
from core.api import throttling
from core.api.errors import ApiError
from core.api.links import absolute


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
