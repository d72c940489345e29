"""One act of staff: one moment, one transaction, its lines of the audit log, and what its page says."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.db import models, transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import StaffAct
from accounts.staff import audit
from core.api.errors import ApiError

UNCHANGED = "Nothing was changed."


class Acting:
    def __init__(self, request: HttpRequest, right: str, *, at: datetime | None = None) -> None:
        self.request, self.right = request, right
        self.by, self.at = audit.actor(request), at or timezone.now()

    @property
    def staff_id(self) -> int:
        return self.by.user_id

    def record(
        self, summary: str, *, on: models.Model | None = None, right: str = "", **change: Any
    ) -> StaffAct:
        """Write a line of the audit log; `change` is what `audit.Change` says."""
        return audit.record(
            self.by, right or self.right, summary, at=self.at, on=on, change=audit.Change(**change)
        )

    def say(self, text: str) -> None:
        messages.success(self.request, text)


@contextmanager
def acting(
    request: HttpRequest,
    right: str,
    *,
    at: datetime | None = None,
    form: forms.Form | None = None,
    field: str | None = None,
) -> Iterator[Acting]:
    """A refusal of a service takes it all back and becomes a sentence on the page, or a fault of the form’s field."""
    try:
        with transaction.atomic():
            yield Acting(request, right, at=at)
    except ApiError as refusal:
        if form is not None:
            form.add_error(field, refusal.detail)
        else:
            messages.error(request, f"{refusal.detail.removesuffix(UNCHANGED).strip()} {UNCHANGED}")
