"""Founders."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.text import slugify

from directory.back_office.public import PublicAdmin
from directory.models import Founder


@admin.register(Founder)
class FounderAdmin(PublicAdmin):
    stamps = ("listings",)
    list_display = ("name", "title", "country", "slug")
    list_filter = ("country",)
    search_fields = ("slug",)  # how is told by get_search_results
    search_placeholder = "How a name begins"
    autocomplete_fields = ("user",)
    ordering = ("-id",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Founder], search_term: str
    ) -> tuple[QuerySet[Founder], bool]:
        """By how the address begins, which is made of the name and has an index."""
        term = search_term.strip()
        return (queryset.filter(slug__startswith=slugify(term) or "-") if term else queryset), False
