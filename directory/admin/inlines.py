"""Rows that hang on a listing."""

from django.contrib import admin
from django.db import models

from directory.models import Alternative, ListingCategory, ListingFounder, Milestone


class FiledInline(admin.TabularInline):
    model = ListingCategory
    extra = 0
    autocomplete_fields = ("category",)


class FoundedInline(admin.TabularInline):
    model = ListingFounder
    extra = 0
    autocomplete_fields = ("founder",)


class AlternativeInline(admin.TabularInline):
    """What to look at besides; with the owner's approval it stands first."""

    model = Alternative
    fk_name = "listing"
    extra = 0
    autocomplete_fields = ("alternative",)
    exclude = ("at",)


class MilestoneInline(admin.TabularInline):
    """Dated steps; what is given here is the order of their dates."""

    model = Milestone
    extra = 0
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    ordering = ("-date", "-pk")
