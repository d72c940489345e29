"""Staff and roles: who is staff, whether with a second factor, and giving and taking roles."""

from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts import limits, services
from accounts.models import User
from accounts.staff import pages, rights
from accounts.staff.audit import acting
from core.email_addresses import AddressField

LISTED = 200
FACTOR = {
    True: "The back office opens only to staff with a second factor (STAFF_SECOND_FACTOR is on).",
    False: "A second factor is suggested at each sign-in, not demanded (STAFF_SECOND_FACTOR is off).",
}


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=[(role, role.capitalize()) for role in rights.ROLES.values()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="With none, they’re no longer staff.",
    )


class NewStaffForm(forms.Form):
    email = AddressField(label="E-mail address of their account", max_length=limits.EMAIL)
    roles = forms.MultipleChoiceField(
        choices=RolesForm.base_fields["roles"].choices,  # type: ignore[attr-defined]
        widget=forms.CheckboxSelectMultiple,
    )

    def clean_email(self) -> User:
        person = User.objects.with_address(self.cleaned_data["email"])
        if person is None:
            raise forms.ValidationError("Nobody has this address. Ask them to sign up first.")
        return person


class StaffPages(pages.Pages):
    @pages.page("staff/", "staff", "staff.see")
    def listed(self, request: HttpRequest) -> HttpResponse:
        factor = Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
        staff = (
            User.objects.filter(is_staff=True).prefetch_related("groups").annotate(has_factor=Exists(factor))
        )
        return pages.show(
            request,
            self.site,
            "staff/roles.html",
            title="Staff and roles",
            subtitle=FACTOR[settings.STAFF_SECOND_FACTOR],
            staff=staff.order_by("name", "email")[:LISTED],
            may_edit=rights.may(request.user, "staff.edit"),
        )

    @pages.page("staff/add/", "staff_add", "staff.see", "staff.edit", asks_again=True)
    def add(self, request: HttpRequest) -> HttpResponse:
        form = NewStaffForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            return self._set(request, form.cleaned_data["email"], form.cleaned_data["roles"])
        return self._ask(request, form, title="Make somebody staff", button="Make staff")

    @pages.page("staff/<int:person_id>/", "staff_roles", "staff.see", "staff.edit", asks_again=True)
    def change(self, request: HttpRequest, person_id: int) -> HttpResponse:
        person = get_object_or_404(User, pk=person_id, is_staff=True)
        form = RolesForm(
            request.POST if request.method == "POST" else None, initial={"roles": sorted(person.roles)}
        )
        if request.method == "POST" and form.is_valid():
            return self._set(request, person, form.cleaned_data["roles"])
        return self._ask(request, form, title=f"Roles of {person.get_short_name()}", button="Change roles")

    def _ask(self, request: HttpRequest, form: forms.Form, *, title: str, button: str) -> HttpResponse:
        says = ["It takes effect with their next click."]
        return pages.Question(
            title=title, says=says, button=button, back=reverse("admin:staff"), form=form
        ).ask(request, self.site)

    @staticmethod
    def _set(request: HttpRequest, person: User, roles: list[str]) -> HttpResponse:
        with acting(request, "staff.edit") as act:
            before, after = services.set_roles(person_id=person.pk, roles=roles)
            act.record("changed the roles of", on=person, before={"roles": before}, after={"roles": after})
            act.say(f"{person.get_short_name()}: {', '.join(after) or 'no longer staff'}.")
        return HttpResponseRedirect(reverse("admin:staff"))
