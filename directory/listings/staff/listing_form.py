"""The form of a listing: one tab at a time, and two people who edit at once both keep their words."""

import hashlib
import json
from typing import Any

from django import forms

from directory import limits
from directory.back_office.checks import STORY, faqs_field
from directory.back_office.widgets import LinesField, NamedWidget, PartsField
from directory.facts import LIST_COLUMNS
from directory.listings.differences import as_text
from directory.models import Listing, ListingRevision
from directory.wording import words_of

OVERVIEW = ("name", "tagline", "short_description", "pricing_summary", "city", "country", "founded_year")
FACTS = (
    "name",
    "tagline",
    "short_description",
    "description",
    "stage",
    "pricing_model",
    "pricing_summary",
    "country",
    "city",
    "founded_year",
    "features",
    "usps",
    "keywords",
    "tags",
    "contact_email",
    "headline",
    "summary",
    "seo_title",
    "seo_description",
)
LINKS = ("demo_video_url", "logo_url", "socials", "faqs")
TABS: dict[str, tuple[str, tuple[str, ...]]] = {
    "": ("Overview", OVERVIEW),
    "facts": ("All facts", FACTS),
    "links": ("Questions and links", LINKS),
    "story": ("Story and milestones", ("story",)),
    "votes": ("Votes", ()),
    "sites": ("Rights and sites", ()),
}
ADDED = ("site", "slug", "name", "url", "owner", "tagline", "short_description", "description")
LONG = {"short_description", "description", "summary", "seo_description"}


def lines(name: str) -> LinesField:
    return LinesField(
        most=limits.LIST_ITEMS, limit=limits.LIST_ITEM, label=words_of(name), help_text="One a line."
    )


def special_field(name: str) -> forms.Field | None:
    """The field of what is no plain column."""
    if name in LIST_COLUMNS:
        return lines(name)
    if name == "faqs":
        return faqs_field(label=words_of(name))
    if name == "socials":
        widget: forms.Widget = NamedWidget(names=dict.fromkeys(limits.PLATFORMS, limits.SOCIAL_LINK))
    elif name == "story":
        widget = NamedWidget(names=STORY)
    else:
        return None
    return PartsField(widget=widget, required=False, label=words_of(name))


def digest(value: Any) -> str:
    return hashlib.sha256(as_text(value).encode()).hexdigest()[:12]


class ListingForm(forms.ModelForm):
    """`seen` says what stood in each field when the page was made: who saves later does not undo who saved before."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    class Meta:
        model = Listing
        fields = ()  # the admin names those of each tab

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.now = {name: self.initial.get(name) for name in self.fields if name != "seen"}
        self.fields["seen"].initial = json.dumps({name: digest(value) for name, value in self.now.items()})
        for name, field in self.fields.items():
            field.label = words_of(name) if name not in {"seen", "site", "owner"} else field.label
            field.widget.attrs.setdefault("class", "input")
            if name in LONG:
                field.widget = forms.Textarea(attrs={"rows": 3, "class": "input"})

    def clean(self) -> dict[str, Any]:
        """What somebody else saved meanwhile stays where this form left it alone, and is shown where both typed."""
        values = super().clean() or {}
        if not self.instance.pk:
            return values
        seen = self._seen_then(values.pop("seen", ""))
        clashes = []
        for name, now in self.now.items():
            if name not in values or name not in seen or seen[name] == digest(now):
                continue
            if digest(values[name]) in {seen[name], digest(now)}:
                values[name] = now
            else:
                clashes.append(name)
        for name in clashes:
            self.add_error(name, self._clash(name))
        if clashes:
            typed: Any = self.data
            self.data = typed.copy()
            typed = self.data
            typed["seen"] = json.dumps(seen | {name: digest(self.now[name]) for name in clashes})
        return values

    @staticmethod
    def _seen_then(text: str) -> dict[str, str]:
        try:
            result = json.loads(text or "{}")
        except ValueError:
            return {}
        return result if isinstance(result, dict) else {}

    def _clash(self, name: str) -> str:
        last = ListingRevision.objects.filter(listing=self.instance, changed__contains=[name])
        row = last.select_related("by").order_by("-at", "-pk").first()
        who = row.by.get_short_name() if row and row.by else "Somebody"
        when = f" at {row.at:%H:%M}" if row else ""
        words = as_text(self.now[name]) or "nothing"
        return (
            f"{who} saved this{when}: “{words}”. Yours is in the field. Save again to put yours there, "
            "or copy the other text into it."
        )
