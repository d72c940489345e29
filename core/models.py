"""The kernel's tables: answers to replay, jobs to do, what is paused, and who was at work when."""

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class Row(models.Model):
    """A row of any area that no page names: whoever meets it in a log or a shell reads its kind and its key."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


def merged_row(model: str, *, help_text: str = "") -> "models.ForeignKey[Any, Any]":
    """What a row belonged to before staff merged that into another, so that it can be undone."""
    return models.ForeignKey(
        model,
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        db_index=False,
        help_text=help_text,
    )


class Replay(Row):
    """The stored answer of a call that carried an Idempotency-Key; written in the transaction of its change."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    operation = models.CharField(max_length=64)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.BinaryField()
    headers = models.JSONField(null=True, help_text="Those that go with this answer alone.")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "operation", "key"], name="replay_once_per_key")
        ]


class Job(models.Model):
    """One piece of work. This row is the queue of record; a Celery message is only a hint to look at it."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        DEAD = "dead"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=80)
    key = models.CharField(max_length=200)
    queue = models.CharField(max_length=20)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    run_after = models.DateTimeField()
    attempt = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField(default=5)
    lease_until = models.DateTimeField(null=True)
    hint_until = models.DateTimeField(null=True, help_text="Until then a hint is under way.")
    token = models.UUIDField(null=True)
    last_error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["kind", "key"], name="job_once_per_key")]
        indexes: ClassVar = [
            models.Index(
                fields=["run_after"], name="job_due", condition=models.Q(state__in=["queued", "running"])
            ),
            models.Index(fields=["finished_at"], name="job_finished"),
            models.Index(fields=["kind"], name="job_dead", condition=models.Q(state="dead")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Mail(models.Model):
    """One message to one address, without its text: that stands in its job, and goes with it."""

    class State(models.TextChoices):
        QUEUED = "queued", "Waiting"
        SENT = "sent", "Sent"
        BOUNCED = "bounced", "Bounced"
        FAILED = "failed", "Failed"

    id = models.BigAutoField(primary_key=True)
    key = models.CharField(max_length=200, unique=True, help_text="That of its job.")
    address = models.EmailField(db_collation="C", help_text="In small letters.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    about = models.CharField(max_length=100, blank=True, help_text="The thing, as app.model:key.")
    template = models.CharField(max_length=80, blank=True)
    subject = models.CharField(max_length=200, blank=True, help_text="Empty where it may hold a code.")
    is_repeatable = models.BooleanField(default=True, help_text="Holds nothing that works once.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=300, blank=True, help_text="What the mail server said.")
    queued_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, help_text="From then on it is not sent any more.")
    settled_at = models.DateTimeField(null=True, help_text="When it was sent, bounced or failed.")
    closed_at = models.DateTimeField(null=True, help_text="When staff let it rest.")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-queued_at", "-id"], name="mail_newest"),
            models.Index(fields=["address", "-queued_at", "-id"], name="mail_to_address"),
            models.Index(
                fields=["user", "-queued_at", "-id"],
                name="mail_of_person",
                condition=models.Q(user__isnull=False),
            ),
            models.Index(
                fields=["about", "-queued_at", "-id"], name="mail_about", condition=models.Q(about__gt="")
            ),
            models.Index(
                fields=["state", "-queued_at", "-id"],
                name="mail_not_sent",
                condition=models.Q(state__in=["queued", "bounced", "failed"]),
            ),
        ]

    def __str__(self) -> str:
        return f"mail {self.pk}"

    @property
    def title(self) -> str:
        kind = self.template.rpartition("/")[2].replace("_", " ").capitalize()
        return self.subject or kind or "Mail"


class Pause(Row):
    """A queue whose jobs nobody begins until staff resume it. "all" is every queue, and nothing periodic is added."""

    queue = models.CharField(max_length=20, primary_key=True)
    reason = models.CharField(max_length=200, blank=True)
    paused_at = models.DateTimeField()


class Heartbeat(Row):
    """When something last happened, by the database's clock.

    Workers look for periodic jobs ("beat") and for lost ones ("reaper"); a backup was complete ("backup"),
    a payment provider refused our key ("key:stripe").
    """

    name = models.CharField(max_length=20, primary_key=True)
    beat_at = models.DateTimeField()


class SigningKey(models.Model):
    """An Ed25519 key, named by its thumbprint (RFC 7638). The public half of a former key stays published."""

    kid = models.CharField(max_length=43, primary_key=True)
    public = models.JSONField(help_text="The JWK that is published.")
    private = models.BinaryField(
        help_text="PKCS #8, encrypted under SECRET_KEY; empty once the key is retired."
    )
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now())
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["is_current"], condition=models.Q(is_current=True), name="signing_key_current_once"
            )
        ]

    def __str__(self) -> str:
        return self.kid


class Endpoint(models.Model):
    """Where a person's own program takes events. Its secret is made of the nonce, and stored nowhere."""

    class Off(models.TextChoices):
        """Why nothing is sent to it."""

        BY_OWNER = "owner", "Switched off by you"
        FAILING = "failing", "Switched off: it failed for five days"
        GONE = "gone", "Switched off: it answered 410 Gone"

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="endpoints")
    url = models.CharField(max_length=2048)
    types = ArrayField(models.CharField(max_length=40))
    nonce = models.BinaryField(max_length=32)
    former_nonce = models.BinaryField(
        max_length=144, null=True, help_text="Those of the secrets before, joined, the newest first."
    )
    former_until = models.DateTimeField(null=True, help_text="Until then the secret before signs, too.")
    created_at = models.DateTimeField()
    failing_since = models.DateTimeField(
        null=True, help_text="When the first try failed after the last success."
    )
    slow_until = models.DateTimeField(
        null=True, help_text="Until then it waits for its turn with other slow ones."
    )
    off_at = models.DateTimeField(null=True)
    off_reason = models.CharField(max_length=10, choices=Off.choices, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "id"], name="endpoint_of_person"),
            models.Index(
                fields=["failing_since"],
                name="endpoint_failing",
                condition=models.Q(failing_since__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.url


class Delivery(Row):
    """An event on its way to one endpoint. The row is the queue of record: it is of the change's own transaction."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Failed"

    id = models.BigAutoField(primary_key=True)
    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.CASCADE, related_name="deliveries", db_index=False
    )
    event = models.UUIDField(help_text="The same for each endpoint that the event goes to.")
    type = models.CharField(max_length=40)
    thing = models.CharField(max_length=64, help_text="The key of what it is about.")
    body = models.TextField(blank=True, help_text="Made before the first try, and the same at each.")
    created_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    next_at = models.DateTimeField(null=True)
    attempt = models.PositiveSmallIntegerField(default=0, help_text="Since it was last sent off.")
    tries = models.PositiveIntegerField(default=0, help_text="In all.")
    tried_at = models.DateTimeField(null=True)
    http_status = models.PositiveSmallIntegerField(null=True, help_text="Of the last answer.")
    answer = models.TextField(blank=True, help_text="How the last answer begins, or why there was none.")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["endpoint", "-created_at", "-id"], name="delivery_newest"),
            models.Index(
                fields=["endpoint", "next_at"], name="delivery_due", condition=models.Q(state="waiting")
            ),
            models.Index(fields=["created_at"], name="delivery_age"),
        ]
