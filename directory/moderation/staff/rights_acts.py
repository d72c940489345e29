"""Acts on what of a listing is worth money or power: what is asked, and what is done."""

from typing import Any

from django import forms
from django.utils import timezone

from accounts.models import User
from accounts.staff.pages import text_box
from directory import limits
from directory.back_office.checks import IS_SLUG
from directory.categories.filing import PAID_SECTIONS
from directory.models import Listing
from directory.moderation import staff_rights
from directory.moderation.staff.forms import ReasonForm
from directory.moderation.staff_rights import Gain, Paid

PEOPLE_MAX = 20


class OfListingForm(ReasonForm):
    def __init__(self, *args: Any, listing: Listing, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial = self.initial_of(listing)
        self.order_fields([name for name in self.fields if name != "reason"])

    @staticmethod
    def initial_of(listing: Listing) -> dict[str, Any]:
        raise NotImplementedError


class PaidForm(OfListingForm):
    plan = forms.ChoiceField(choices=Listing.Plan.choices, widget=forms.Select(attrs={"class": "input"}))
    featured_until = forms.DateTimeField(
        required=False,
        label="Featured until (UTC)",
        help_text="Leave it empty for no featured place.",
        widget=forms.DateTimeInput(
            attrs={"class": "input", "type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
    )
    sections = forms.MultipleChoiceField(
        required=False,
        label="Unlocked sections",
        choices=[(name, name.capitalize()) for name in PAID_SECTIONS],
        widget=forms.CheckboxSelectMultiple,
    )

    @staticmethod
    def initial_of(listing: Listing) -> dict[str, Any]:
        return {
            "plan": listing.plan,
            "featured_until": listing.featured_until,
            "sections": listing.unlocked_sections,
        }


class CoOwnersForm(OfListingForm):
    emails = text_box("E-mail addresses", None, "One a line. Each has an account.", rows=3, required=False)

    @staticmethod
    def initial_of(listing: Listing) -> dict[str, Any]:
        return {"emails": "\n".join(listing.co_owners.order_by("pk").values_list("email", flat=True))}

    def clean_emails(self) -> list[User]:
        emails = list(dict.fromkeys(self.cleaned_data["emails"].split()))
        if len(emails) > PEOPLE_MAX:
            raise forms.ValidationError(f"At most {PEOPLE_MAX} addresses.")
        people = []
        for email in emails:
            person = User.objects.with_address(email)
            if person is None:
                raise forms.ValidationError(f"Nobody has an account with the address {email}.")
            people.append(person)
        return list(dict.fromkeys(people))


class AddressForm(OfListingForm):
    slug = forms.CharField(
        max_length=limits.SLUG,
        label="Address of its page",
        help_text="The last part. The former one leads on.",
        validators=[IS_SLUG],
        widget=forms.TextInput(attrs={"class": "input"}),
    )
    url = forms.URLField(
        max_length=limits.URL,
        label="Website",
        assume_scheme="https",
        widget=forms.URLInput(attrs={"class": "input"}),
    )

    @staticmethod
    def initial_of(listing: Listing) -> dict[str, Any]:
        return {"slug": listing.slug, "url": listing.url}


def give_paid(listing: Listing, staff_id: int, data: dict[str, Any]) -> Gain:
    sections = [name for name in PAID_SECTIONS if name in data["sections"]]
    until, before = data["featured_until"], listing.featured_until
    if before and until == before.replace(second=0, microsecond=0):  # a field of a form holds minutes
        until = before
    paid = Paid(plan=data["plan"], featured_until=until, unlocked_sections=sections)
    return staff_rights.give_paid(
        listing_id=listing.pk, paid=paid, staff_id=staff_id, reason=data["reason"], at=timezone.now()
    )


def choose_co_owners(listing: Listing, staff_id: int, data: dict[str, Any]) -> Gain:
    people, reason = data["emails"], data["reason"]
    return staff_rights.choose_co_owners(
        listing_id=listing.pk, people=people, staff_id=staff_id, reason=reason, at=timezone.now()
    )


def rename(listing: Listing, staff_id: int, data: dict[str, Any]) -> Gain:
    return staff_rights.rename(listing_id=listing.pk, staff_id=staff_id, at=timezone.now(), **data)
