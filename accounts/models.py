"""People and the keys of their programs."""

import hashlib
import re
import secrets
import string
import zlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Collate, Lower
from django.utils import timezone
from django.utils.functional import cached_property
from oauth2_provider.settings import oauth2_settings

from accounts import limits
from core.email_addresses import normal_email, normal_or_blank
from core.models import Row

ERASED = "erased-{}@erased.invalid"
"""The address of a person who has no other any more."""


class UserManager(BaseUserManager["User"]):
    """Makes and finds people, by the one form of an e-mail address (`core.email_addresses`)."""

    def with_address(self, address: str) -> "User | None":
        """The person whose address this is, however it was typed; nobody for what is no address."""
        normal = normal_or_blank(address)
        return self.filter(email=normal).first() if normal else None

    def ids_by_address(self, addresses: Iterable[str]) -> dict[str, int]:
        """Whose these addresses are, by each as it was typed, in one statement."""
        typed = {address: normal_or_blank(address) for address in addresses}
        ids = dict(self.filter(email__in=set(typed.values())).values_list("email", "pk"))
        return {address: ids[normal] for address, normal in typed.items() if normal in ids}

    def get_by_natural_key(self, username: str | None) -> "User":
        user = self.with_address(username or "")
        if user is None:
            raise self.model.DoesNotExist
        return user

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make a person. Raises AddressRefusedError for what is no address."""
        return self.create(email=normal_email(email), password=make_password(password), **fields)

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(max_length=limits.EMAIL, unique=True, help_text="In its one form.")
    name = models.CharField(max_length=limits.NAME, blank=True)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    suspended_at = models.DateTimeField(null=True, blank=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar = [  # what the former release goes by; to go after the next one
            models.UniqueConstraint(Lower("email"), name="user_once_per_email")
        ]
        indexes: ClassVar = [  # for staff who know how an address or a name begins
            models.Index(Collate(Lower("email"), "C"), name="user_email_begins"),
            models.Index(Collate(Lower("name"), "C"), name="user_name_begins"),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def is_suspended(self) -> bool:
        return self.suspended_at is not None

    @property
    def is_erased(self) -> bool:
        return not self.is_active and self.email == ERASED.format(self.pk)

    @cached_property
    def roles(self) -> frozenset[str]:
        """The names of the groups the person is in; what they may do follows from them."""
        return frozenset(group.name for group in self.groups.all())

    def get_short_name(self) -> str:
        return self.name or self.email.partition("@")[0]


class SeenNetwork(Row):
    """A network that a person was lately in, as a keyed digest (`accounts.networks`)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    network = models.CharField(max_length=32)
    seen_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "network"], name="seen_network_once")
        ]
        indexes: ClassVar = [models.Index(fields=["seen_at"], name="seen_network_at")]


KEY_PREFIX = "plk_"
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_FORM = re.compile(rf"{limits.KEY_PATTERN}\Z")


def _checksum(body: str) -> str:
    """CRC-32 of the key's random part as six base-62 digits."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, remainder = divmod(number, 62)
        digits = _BASE62[remainder] + digits
    return digits


def new_key() -> str:
    body = secrets.token_urlsafe(32)
    return f"{KEY_PREFIX}{body}{_checksum(body)}"


def is_key(key: str) -> bool:
    return bool(_FORM.match(key)) and _checksum(key[4:-6]) == key[-6:]


def key_digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class ApiKey(models.Model):
    """A key a person's programs send. Only its SHA-256 is kept.

    It is `plk_`, 256 random bits, and a checksum that lets scanners and us tell a typo at once.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=limits.KEY_NAME)
    prefix = models.CharField(max_length=12)
    last4 = models.CharField(max_length=4)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=40))
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-created_at", "-id"], name="api_key_newest")]

    def __str__(self) -> str:
        return f"{self.prefix}…{self.last4}"

    def is_valid(self, *, at: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > at)


class ConnectedApp(models.Model):
    """An app that a person has allowed to act for them. Without this row the app gets no tokens."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="connected_apps")
    application = models.ForeignKey(
        oauth2_settings.APPLICATION_MODEL, on_delete=models.CASCADE, related_name="connections"
    )
    allowed_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "application"], name="connected_app_once")
        ]

    def __str__(self) -> str:
        return f"{self.application} for {self.user}"


class SpentCode(Row):
    """An authorization code that was exchanged; seeing it again means somebody copied it."""

    digest = models.CharField(max_length=64, primary_key=True)
    token_family = models.UUIDField()
    spent_at = models.DateTimeField(db_index=True)


class AllowedScope(Row):
    """What a refresh token may still bring where its access token has less: the toolkit stores only that."""

    refresh_token = models.OneToOneField(
        "oauth2_provider.RefreshToken",
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="allowed",
    )
    scope = models.TextField()


class ClientRegistration(Row):
    """How a client that registered itself proves who it is, which django-oauth-toolkit does not keep."""

    application = models.OneToOneField(
        oauth2_settings.APPLICATION_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="registration",
    )
    auth_method = models.CharField(max_length=40)


class StaffAct(models.Model):
    """One line of the audit log: who of the staff did what, to which thing. A trigger keeps rows as they are."""

    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    role = models.CharField(max_length=80)
    act = models.CharField(max_length=40)
    kind = models.CharField(max_length=60, blank=True, help_text="The model of the thing, as app.model.")
    key = models.CharField(max_length=64, blank=True, help_text="Its primary key.")
    label = models.CharField(max_length=200, blank=True)
    said = models.CharField(max_length=300, help_text="What was done, as in: put back the tagline of")
    before = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    after = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    reason = models.TextField(blank=True)
    address = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField()
    undo = models.CharField(max_length=200, blank=True, help_text="The address that a POST undoes it at.")
    undoes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="undone_by")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-at", "-id"], name="staff_act_newest"),
            models.Index(fields=["by", "-at", "-id"], name="staff_act_by_person"),
            models.Index(fields=["kind", "key", "-at"], name="staff_act_on_thing"),
            models.Index(fields=["act", "-at", "-id"], name="staff_act_of_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} {self.said} {self.label}".strip()


class StaffNote(models.Model):
    """What a member of staff wrote down about a person, a listing or an order. Only staff read it."""

    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=60, help_text="The model of the thing, as app.model.")
    key = models.CharField(max_length=64, help_text="Its primary key.")
    text = models.CharField(max_length=limits.NOTE)
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["kind", "key", "-at", "-id"], name="staff_note_on_thing")]

    def __str__(self) -> str:
        return f"note {self.pk}"
