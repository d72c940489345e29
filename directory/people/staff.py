from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.text import slugify

from directory.back_office.checks import PublicAdmin
from directory.models import Founder


@admin.register(Founder)
class FounderAdmin(PublicAdmin):
    stamps = ("listings",)
    list_display = ("name", "title", "country", "slug")
    list_filter = ("country",)
    search_fields = ("slug__startswith",)  # the address is made of the name
    search_as = staticmethod(lambda term: slugify(term) or "-")
    search_placeholder = "How a name begins"
    autocomplete_fields = ("user",)
    ordering = ("-id",)
    readonly_fields = ("photo_source",)

    def save_model(self, request: HttpRequest, obj: Founder, form: Any, change: Any) -> None:
        if "photo" in form.changed_data:
            obj.photo_source = ""
        super().save_model(request, obj, form, change)
