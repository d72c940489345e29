"""Claims of listings, the checks they have had, and the moves they may make."""

import secrets
from base64 import b32encode
from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Value
from django.db.models.functions import Now

from claims import limits
from claims.methods import METHODS, Method, Target, as_strong_as
from claims.reach import reach_of


def new_token() -> str:
    """160 random bits, in letters and digits that survive being typed."""
    return b32encode(secrets.token_bytes(20)).decode().lower()


STRENGTH = models.Case(
    *(models.When(method=code, then=Value(method.strength)) for code, method in METHODS.items()), default=0
)


class ClaimQuerySet(models.QuerySet["Claim"]):
    def owned_by(self, user_id: int) -> Self:
        return self.filter(user_id=user_id)

    def with_current_status(self) -> Self:
        """With what answers and pages show; a claim whose time is over says so before the sweep has come by."""
        is_over = models.When(status=Claim.Status.PENDING, expires_at__lte=Now(), then=Value("expired"))
        now = models.Case(is_over, default="status", output_field=models.CharField())
        rivals = Claim.objects.filter(listing=models.OuterRef("listing"), status=Claim.Status.CONTESTED)
        rivals = rivals.alias(strength=STRENGTH).exclude(user=models.OuterRef("user"))
        is_newer = models.Q(contested_at__gt=models.OuterRef("proved_at"))
        unmet = rivals.filter(is_newer | models.Q(strength__gt=models.OuterRef("strength")))
        first = unmet.order_by("contest_ends_at")
        return (
            self.alias(strength=STRENGTH)
            .annotate(
                status_now=now,
                prove_again_by=models.Subquery(first.values("contest_ends_at")[:1]),
                rival_method=models.Subquery(first.values("method")[:1]),
            )
            .select_related("listing", "last_check")
        )


class Claim(models.Model):
    """One person's claim of one listing by one method. Its token is published by the person, so it is no secret."""

    class Status(models.TextChoices):
        PENDING = "pending"
        VERIFIED = "verified"
        EXPIRED = "expired"
        FAILED = "failed"
        CONTESTED = "contested"
        SUPERSEDED = "superseded"
        LAPSED = "lapsed"
        REVOKED = "revoked"

    MOVES: ClassVar[dict[str, set[str]]] = {
        Status.PENDING: {Status.VERIFIED, Status.CONTESTED, Status.EXPIRED, Status.SUPERSEDED},
        Status.VERIFIED: {Status.LAPSED, Status.SUPERSEDED, Status.REVOKED},
        Status.CONTESTED: {Status.VERIFIED, Status.FAILED, Status.SUPERSEDED},
        Status.LAPSED: {Status.VERIFIED, Status.CONTESTED, Status.SUPERSEDED, Status.REVOKED},
    }

    listing = models.ForeignKey("directory.Listing", on_delete=models.CASCADE, related_name="claims")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims")
    method = models.CharField(
        max_length=8, choices=[(code, method.label) for code, method in METHODS.items()]
    )
    status = models.CharField(max_length=12, choices=Status.choices, default=Status.PENDING)
    token = models.CharField(max_length=limits.TOKEN, unique=True, default=new_token)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="When it ends, unless it is verified before.")
    verified_at = models.DateTimeField(null=True, blank=True)
    proved_at = models.DateTimeField(null=True, blank=True, help_text="When the proof was last found.")

    email = models.EmailField(max_length=limits.EMAIL, blank=True)
    link = models.CharField(
        max_length=32, blank=True, help_text="The newest link that was mailed and not used."
    )
    link_expires_at = models.DateTimeField(null=True, blank=True)

    attempts = models.PositiveIntegerField(default=0)
    last_check = models.ForeignKey("ClaimCheck", on_delete=models.SET_NULL, null=True, related_name="+")
    next_check_allowed_at = models.DateTimeField(null=True, blank=True)
    checking_until = models.DateTimeField(null=True, blank=True, help_text="A check is under way until then.")
    next_proof_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failing_since = models.DateTimeField(null=True, blank=True)

    contested_at = models.DateTimeField(null=True, blank=True)
    contest_ends_at = models.DateTimeField(
        null=True, blank=True, help_text="Until then the owner may prove it again."
    )
    for_staff_since = models.DateTimeField(
        null=True, blank=True, help_text="Both have proved it; staff decide."
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=500, blank=True, help_text="What staff said to both.")

    objects = ClaimQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["listing", "user", "method"],
                condition=models.Q(status="pending"),
                name="claim_pending_once",
            ),
            models.CheckConstraint(
                name="claim_verified_has_proof",
                condition=~models.Q(status="verified")
                | models.Q(verified_at__isnull=False, proved_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-created_at", "-id"], name="claim_newest"),
            models.Index(fields=["for_staff_since", "-created_at", "-id"], name="claim_for_staff"),
            models.Index(fields=["expires_at"], name="claim_expiry", condition=models.Q(status="pending")),
            models.Index(fields=["next_proof_at"], name="claim_proof", condition=models.Q(status="verified")),
            models.Index(
                fields=["contest_ends_at"], name="claim_contest", condition=models.Q(status="contested")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} claim of {self.listing_id}"

    @property
    def proof(self) -> Method:
        return METHODS[self.method]

    @property
    def target(self) -> Target:
        return Target(
            reach=reach_of(self.listing.url),
            token=self.token,
            email=self.email,
            link_expires_at=self.link_expires_at,
        )

    @property
    def current_status(self) -> str:
        """The status as it is now; of a claim from `with_current_status`."""
        return str(getattr(self, "status_now", self.status))

    @property
    def prove_again(self) -> datetime | None:
        """Until when an owner has to prove it again; of a claim from `with_current_status`."""
        return getattr(self, "prove_again_by", None)

    @property
    def needs(self) -> str:
        """The ways that hold against who contests it, in words, where this one does not; `with_current_status`."""
        rival = METHODS.get(getattr(self, "rival_method", None) or "")
        if rival is None or self.proof.strength >= rival.strength:
            return ""
        return as_strong_as(rival, reach=self.target.reach)

    def has_expired(self, *, at: datetime) -> bool:
        return self.status == self.Status.PENDING and self.expires_at <= at

    def is_as_strong_as(self, other: Self) -> bool:
        return self.proof.strength >= other.proof.strength

    def can_become(self, status: str) -> bool:
        return status in self.MOVES.get(self.status, set())


class ClaimCheck(models.Model):
    """One check for a proof: what was found, in words for the claimant, and raw for staff."""

    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="checks")
    at = models.DateTimeField()
    result = models.CharField(max_length=20)
    detail = models.CharField(max_length=500)
    seen = ArrayField(models.CharField(max_length=limits.SEEN_TEXT), default=list, blank=True)
    raw = models.TextField(blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["claim", "-at", "-id"], name="claim_check_newest")]

    def __str__(self) -> str:
        return f"{self.claim_id}: {self.result}"
