"""Rows that hang on a listing."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from accounts.staff import rights
from accounts.staff.lists import StaffInline
from directory import limits
from directory.models import Alternative, ListingCategory, ListingFounder, Milestone


class FiledFormSet(BaseInlineFormSet):
    """What was paid for is taken away by those who may give it."""

    may_give = False

    def clean(self) -> None:
        """No bought place goes with the others."""
        super().clean()
        if not self.may_give and any(form.instance.is_bought for form in self.deleted_forms):
            raise ValidationError(f"This category was paid for. {rights.refusal('listings.give')}")


class FiledInline(StaffInline):
    model = ListingCategory
    formset = FiledFormSet
    extra = 0
    max_num = 1 + 2 * limits.EXTRA_CATEGORIES

    def get_formset(self, request: HttpRequest, obj: Any = None, **options: Any) -> Any:
        made: Any = super().get_formset(request, obj, validate_max=True, **options)
        made.may_give = rights.may(request.user, "listings.give")
        return made

    autocomplete_fields = ("category",)


class FoundedInline(StaffInline):
    model = ListingFounder
    extra = 0
    autocomplete_fields = ("founder",)


class AlternativeInline(StaffInline):
    """What to look at besides; with the owner's approval it stands first."""

    model = Alternative
    fk_name = "listing"
    extra = 0
    autocomplete_fields = ("alternative",)
    exclude = ("at",)


class MilestoneInline(StaffInline):
    """Dated steps; what is given here is the order of their dates."""

    model = Milestone
    extra = 0
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    ordering = ("-date", "-pk")
