"""Staff's door to people. Keys show their prefix alone."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.widgets import AdminEmailInputWidget
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Collate, Lower
from django.http import HttpRequest, HttpResponse

from accounts import limits
from accounts.models import ApiKey, User
from accounts.services import give_address
from accounts.sessions import ask_again
from accounts.staff import pages
from accounts.staff.lists import ReadOnlyInline, StaffAdmin
from core.email_addresses import AddressField


class ApiKeyInline(ReadOnlyInline):
    model = ApiKey
    fields = ("name", "prefix", "last4", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
    readonly_fields = fields


class AsksAgain(StaffAdmin):
    """Forms that give rights, or a way into an account: a superuser proves anew who they are, as for roles."""

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        return super().changeform_view(request, *args, **options) if _is_sure(request) else ask_again(request)

    def delete_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        return super().delete_view(request, *args, **options) if _is_sure(request) else ask_again(request)


class SuperusersOnly(AsksAgain):
    """What decides who may do what, or who somebody is: only superusers change it."""

    def changelist_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """The list; its actions delete."""
        is_sure = request.method in pages.SAFE or _is_sure(request)
        return super().changelist_view(request, *args, **options) if is_sure else ask_again(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_superuser(request)


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


def _is_sure(request: HttpRequest) -> bool:
    """Whether nothing needs proof: others than superusers can change nothing here that matters."""
    return not _is_superuser(request) or pages.is_fresh(request)


@admin.register(User)
class UserAdmin(AsksAgain):
    """People. Staff who are no superusers look after people who are no staff, and make nobody more than that."""

    list_display = ("email", "name", "is_staff", "is_active", "suspended_at", "date_joined")
    list_filter = ("is_staff", "is_active", ("suspended_at", admin.EmptyFieldListFilter))
    page_name = "People"
    nothing = "Nobody fits."
    search_placeholder = "How an e-mail address or a name begins"
    search_fields = ("email", "name")  # `matching` says how
    ordering = ("-pk",)
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
    readonly_fields = ("suspended_at", "date_joined", "last_login")
    inlines = (ApiKeyInline,)

    def matching(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By how the address or the name begins, on the indexes of both."""
        rows = rows.alias(mail=Collate(Lower("email"), "C"), called=Collate(Lower("name"), "C"))
        return rows.filter(Q(mail__startswith=term.lower()) | Q(called__startswith=term.lower()))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """An address is a way into the account, as are rights. Nobody closes the account that they work with."""
        powers = () if _is_superuser(request) else ("email", "is_staff", "is_superuser", "groups")
        if obj is not None and obj.pk == request.user.pk:
            powers = (*powers, "is_active", "is_staff", "is_superuser")
        return tuple(dict.fromkeys((*super().get_readonly_fields(request, obj), *powers)))

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: Any) -> None:
        """The address that it had opens the account no more; the new one is to be proved."""
        super().save_model(request, obj, form, change)
        if change and "email" in form.changed_data:
            give_address(user=obj, email=obj.email)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if db_field.name == "email":
            return AddressField(max_length=limits.EMAIL, label="E-mail", widget=AdminEmailInputWidget())
        return super().formfield_for_dbfield(db_field, request, **options)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """They are erased: what the books need stays."""
        return False

    @staticmethod
    def _may_touch(request: HttpRequest, person: User | None) -> bool:
        return _is_superuser(request) or person is None or not (person.is_staff or person.is_superuser)


def restrict(model: type[Model], base: type[admin.ModelAdmin]) -> None:
    """Register a library's model anew, for superusers alone."""
    admin.site.unregister(model)
    admin.site.register(model, type(f"{model.__name__}ForSuperusers", (SuperusersOnly, base), {}))


restrict(Group, GroupAdmin)
restrict(EmailAddress, EmailAddressAdmin)
restrict(Authenticator, AuthenticatorAdmin)
