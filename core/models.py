"""The kernel's tables: answers to replay, jobs to do, what is paused, and who was at work when."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models


class Replay(models.Model):
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
            models.UniqueConstraint(fields=["user", "operation", "key"], name="replay_once_per_key"),
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.status}"


class Job(models.Model):
    """One piece of work. This row is the queue of record; a Celery message is only a hint to look at it."""

    class State(models.TextChoices):
        """Where the job stands."""

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


class Pause(models.Model):
    """A queue whose jobs nobody begins until staff resume it. "all" is every queue, and nothing periodic is added."""

    queue = models.CharField(max_length=20, primary_key=True)
    reason = models.CharField(max_length=200, blank=True)
    paused_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.queue} since {self.paused_at}"


class Heartbeat(models.Model):
    """When something last happened, by the database's clock.

    Workers look for periodic jobs ("beat") and for lost ones ("reaper"); a backup was complete ("backup").
    """

    name = models.CharField(max_length=20, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.beat_at}"
