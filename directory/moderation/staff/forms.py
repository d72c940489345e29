"""What staff are asked before an act on a listing."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone

from accounts.staff.pages import text_box
from core.fetch import split_url
from directory import limits, weeks
from directory.models import Category, Listing

REASONS = {
    "spam": "It is spam, or doesn’t belong here.",
    "not_the_maker": "You are not its maker.",
    "illegal": "It offers something illegal.",
    "asked": "Its owner asked for it.",
    "other": "",
}
LABELS = {
    "spam": "Spam",
    "not_the_maker": "Not the maker",
    "illegal": "Illegal",
    "asked": "Asked by the owner",
    "other": "Other",
}
WEEKS_OFFERED = 26


class WhyForm(forms.Form):
    """A reason of a few, with words; the owner reads it."""

    kind = forms.ChoiceField(choices=list(LABELS.items()), label="Reason")
    text = text_box(
        "More", limits.STAFF_REASON - 60, "The owner reads both. Needed for “Other”.", rows=2, required=False
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        values["reason"] = f"{REASONS.get(values.get('kind', ''), '')} {values.get('text', '')}".strip()
        if not values["reason"]:
            self.add_error("text", "Say why; the owner reads it.")
        return values


class ReasonForm(forms.Form):
    reason = text_box("Reason", limits.VOTE_REASON)


class WeekForm(forms.Form):
    week = forms.DateField(label="Week", widget=forms.Select(attrs={"class": "input"}))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        first = weeks.week_of(timezone.now()) + weeks.WEEK
        mondays = [first + timedelta(weeks=number) for number in range(WEEKS_OFFERED)]
        self.fields["week"].widget.choices = [(day.isoformat(), f"{day:%a %d %b %Y}") for day in mondays]


class IntoForm(forms.Form):
    into = text_box("Its address here", limits.URL, "The last part of its page's address, or the whole.")
    sure = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, listing: Listing, **options: Any) -> None:
        super().__init__(*args, **options)
        self.listing = listing

    def clean_into(self) -> Listing:
        text = self.cleaned_data["into"].strip().rstrip("/")
        slug = split_url(text).path.rpartition("/")[2] if "/" in text else text
        row = Listing.objects.filter(site=self.listing.site_id, slug=slug).first()
        if row is None:
            raise forms.ValidationError("No listing has that address.")
        return row

    @property
    def is_sure(self) -> bool:
        """Whether the figures of this very merge were shown."""
        return bool(self.cleaned_data["sure"] == self.cleaned_data["into"].slug)


class CategoryIntoForm(forms.Form):
    """The category that another becomes part of, by its name or slug."""

    into = text_box("Into", limits.SLUG, list="tree")

    def clean_into(self) -> Category:
        return category_named(self.cleaned_data["into"])


class CategoryUnderForm(forms.Form):
    """The category that another is put under; nothing makes it a root."""

    under = text_box(
        "Under", limits.SLUG, "Leave it empty to put it at the top.", required=False, list="tree"
    )

    def clean_under(self) -> Category | None:
        slug = self.cleaned_data["under"]
        return category_named(slug) if slug else None


def category_named(text: str) -> Category:
    row = Category.objects.filter(slug=text.strip()).first()
    row = row or Category.objects.filter(name__iexact=text.strip()).first()
    if row is None:
        raise forms.ValidationError("No category has that name.")
    return row
