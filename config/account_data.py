"""The pages on which people take their data along, or have it erased."""

from django import forms
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts.selectors import counts
from accounts.services_data import refuse_staff
from accounts.sessions import signed_in_act, signed_in_form, signed_in_lately, signed_in_page, user_of
from config import personal_data
from core.email_addresses import AddressField


class EraseForm(forms.Form):
    email = AddressField(
        label="Your e-mail address",
        help_text="Type it to say that you mean it.",
        error_messages={"required": "Type your e-mail address."},
    )

    def __init__(self, *args: object, expected: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.expected = expected

    def clean_email(self) -> str:
        typed: str = self.cleaned_data["email"]
        if typed != self.expected:
            raise forms.ValidationError("This is not the address of the account.")
        return typed


@signed_in_page
def overview(request: HttpRequest) -> HttpResponse:
    return render(request, "account_data/overview.html")


@signed_in_act
@signed_in_lately
def export(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        personal_data.export(user_id=user_of(request).pk, at=timezone.now()),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="my-data.json"'},
    )


@signed_in_form
@signed_in_lately
def erase(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    refuse_staff(user=user)
    form = EraseForm(request.POST or None, expected=user.email)
    if request.method == "POST" and form.is_valid():
        personal_data.erase(user_id=user.pk, at=timezone.now())
        logout(request)
        return render(request, "account_data/erased.html")
    context = {"form": form, "counts": counts(user_id=user.pk)}
    return render(request, "account_data/erase.html", context, status=400 if form.errors else 200)
