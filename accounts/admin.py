"""Staff's door to people. Keys show their prefix alone."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.models import ApiKey, User


class ApiKeyInline(admin.TabularInline):
    """A person's keys."""

    model = ApiKey
    extra = 0
    fields = ("name", "prefix", "last4", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
    readonly_fields = fields
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keys are made by their owner."""
        return False


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    """People."""

    list_display = ("email", "name", "is_staff", "is_active", "suspended_at", "date_joined")
    list_filter = ("is_staff", "is_active", ("suspended_at", admin.EmptyFieldListFilter))
    search_fields = ("email", "name")
    fields = (
        "email",
        "name",
        "is_active",
        "is_staff",
        "is_superuser",
        "groups",
        "suspended_at",
        "date_joined",
        "last_login",
    )
    readonly_fields = ("date_joined", "last_login")
    filter_horizontal = ("groups",)
    inlines = (ApiKeyInline,)
    show_full_result_count = False
