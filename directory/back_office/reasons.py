"""Why staff did something, typed beside an action."""

from django import forms
from django.contrib.admin.helpers import ActionForm
from django.http import HttpRequest

from directory import limits


class ReasonForm(ActionForm):
    """What goes with an action; the owner reads it."""

    reason = forms.CharField(
        max_length=limits.STAFF_REASON, required=False, label="Reason, which the owner reads"
    )


def reason_in(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[: limits.STAFF_REASON]
