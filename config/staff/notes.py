"""The door for notes of staff, for the pages of people, listings and orders."""

from django import forms
from django.apps import apps
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts import limits
from accounts.staff import audit, rights
from accounts.staff.audit import actor


class NoteForm(forms.Form):
    text = forms.CharField(max_length=limits.NOTE)


def add_note(request: HttpRequest) -> HttpResponse:
    """Write a note on the thing that the form names, and go back to its page."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("admin:index"))
    kind = request.POST.get("kind", "")
    thing = _thing(kind, request.POST.get("key", ""))
    rights.require(request.user, rights.MODELS[kind][0])
    form = NoteForm(request.POST)
    if form.is_valid():
        audit.add_note(actor(request), thing, text=form.cleaned_data["text"], at=timezone.now())
        messages.success(request, "Note saved.")
    else:
        messages.error(request, f"A note has 1 to {limits.NOTE} characters. Nothing was saved.")
    page = reverse(f"admin:{kind.replace('.', '_')}_change", args=[thing.pk])
    return HttpResponseRedirect(f"{page}#notes")


def _thing(kind: str, key: str) -> Model:
    if kind not in audit.KINDS:
        raise Http404
    model = apps.get_model(kind)
    try:
        row = model._base_manager.filter(pk=model._meta.pk.to_python(key)).first()  # noqa: SLF001
    except (ValidationError, OverflowError) as error:
        raise Http404 from error
    if row is None:
        raise Http404
    return row
