"""Founders."""

from django.contrib import admin

from directory.admin.public import PublicAdmin
from directory.models import Founder


@admin.register(Founder)
class FounderAdmin(PublicAdmin):
    stamps = ("listings",)
    list_display = ("name", "title", "country", "slug")
    list_filter = ("country",)
    search_fields = ("name", "slug")
    autocomplete_fields = ("user",)
