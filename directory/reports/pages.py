from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.api import throttling
from directory import limits
from directory.errors import ListingNotFoundError
from directory.facts import FACTS
from directory.models import Listing, Question, Report, Review
from directory.reading import of_listing, visitor_of
from directory.reports.reporting import REPORTABLE, Sender, Subject, report_listing
from directory.sites.lookup import current_site

BOTH = ("spam", "illegal")
OF_TEXTS = ("not_genuine", "spam", "rude", "illegal")  # what may be wrong with a review or a question
LABELS = {
    "founders": "Founders",
    "faqs": "Questions",
    "socials": "Links",
    "media": "Pictures",
    "milestones": "Milestones",
    "story": "Story",
}


class ReportForm(forms.Form):
    reason = forms.ChoiceField(
        label="What is wrong?",
        choices=[("", "Choose"), *Report.Reason.choices],
        error_messages={"required": "Choose what is wrong."},
    )
    fact = forms.ChoiceField(
        label="Which statement?",
        required=False,
        choices=[
            ("", "None in particular"),
            *((name, FACTS[name].label if name in FACTS else LABELS[name]) for name in REPORTABLE),
        ],
    )
    text = forms.CharField(
        label="What would be right, and where does it say so?",
        help_text=f"A link helps. At most {limits.REPORT_TEXT} characters.",
        max_length=limits.REPORT_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    name = forms.CharField(
        label="Your name",
        help_text="If you like. The owner of the listing is not told.",
        max_length=limits.REPORTER_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label="Your e-mail address",
        help_text="If you like: you get a receipt, and later what we decided and why. For nothing else.",
        max_length=limits.CONTACT_EMAIL,
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, *args: Any, is_of_text: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        choices = [
            row for row in Report.Reason.choices if (row[0] in OF_TEXTS) == is_of_text or row[0] in BOTH
        ]
        self.fields["reason"].choices = [("", "Choose"), *choices]  # type: ignore[attr-defined]
        if is_of_text:
            del self.fields["fact"]
            self.fields["text"].label = "Why do you think so?"

    def clean(self) -> None:
        """A wrong statement cannot be looked into without a word about it."""
        stated = {Report.Reason.WRONG, Report.Reason.OUTDATED, Report.Reason.ILLEGAL}
        if self.cleaned_data.get("reason") in stated and not self.cleaned_data.get("text", "x"):
            self.add_error("text", "Say what is wrong and, if you know it, what is right.")


@require_http_methods(["GET", "HEAD", "POST"])
@of_listing
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/report`: anybody may; so many a day from one account or network, and about one listing."""
    rows = Listing.objects.public().filter(site=current_site(request), slug=slug)
    row = ListingNotFoundError.unless(rows.first(), "listing")
    subject = _subject(request, row)
    form = ReportForm(
        request.POST or None,
        initial={"fact": request.GET.get("fact", "")},
        is_of_text=subject.review is not None or subject.question is not None,
    )
    if request.user.is_authenticated:  # the account says both
        del form.fields["name"], form.fields["email"]
    if request.method != "POST" or not form.is_valid():
        status = 400 if request.method == "POST" else 200
        return render(
            request,
            "directory/report.html",
            {"listing": row, "form": form, "subject": subject},
            status=status,
        )
    throttling.enforce("report", caller=visitor_of(request))
    throttling.enforce("report_listing", caller=f"listing:{row.pk}")
    account = request.user if isinstance(request.user, User) else None
    values = dict(form.cleaned_data)
    sender = Sender(account=account, name=values.pop("name", ""), email=values.pop("email", ""))
    subject = replace(subject, fact=values.pop("fact", ""))
    made = report_listing(subject=subject, **values, sender=sender, at=timezone.now())
    sentence = f" We e-mail you what came of it. Your report is {made.number}." if made.answered_at else ""
    messages.success(request, f"Thank you. Someone on our team will look.{sentence}")
    return HttpResponseRedirect(f"/listings/{slug}")


def _subject(request: HttpRequest, listing: Listing) -> Subject:
    """The review or question that the address names. Raises ListingNotFoundError for one that its reader can't see."""
    pk = {name: request.GET.get(name, "") for name in ("review", "question")}
    if not any(pk.values()):
        return Subject(listing=listing)
    is_own = Listing.objects.owned_by(request.user.pk or 0).filter(pk=listing.pk).exists()
    questions = Question.objects.filter(listing=listing) if is_own else Question.objects.public()
    subject = Subject(
        listing=listing,
        review=Review.objects.public().filter(listing=listing, pk=_number(pk["review"])).first(),
        question=questions.filter(listing=listing, pk=_number(pk["question"])).first(),
    )
    if subject == Subject(listing=listing):
        raise ListingNotFoundError("It is no longer there.")
    return subject


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
