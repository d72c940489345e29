"""Rows that are only looked at, and rows that are only added."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.staff.lists import StaffAdmin


class AddedOnlyAdmin(StaffAdmin):
    """A change is a new row, so that the history stays."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(AddedOnlyAdmin):
    """What orders and payments are made of is moved by services alone."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


class ReadOnlyInline(admin.TabularInline):
    extra = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
