"""What people fill in: a review, a question, an answer, a reply. Texts are plain, trimmed and bounded."""

from typing import Any

from django import forms

from accounts import limits as account_limits
from accounts.forms import Checked
from core.api.serializers import CONTROL, SURROGATE, Name
from core.normal_forms import normalize
from directory.models import Review
from directory.reviews import limits

STARS = {5: "Excellent", 4: "Good", 3: "All right", 2: "Poor", 1: "Bad"}


class PlainText(forms.CharField):
    """Text in one form of Unicode, with line breaks as one character, and nothing in it that nobody sees."""

    def __init__(self, *, rows: int = 4, **options: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": rows, "dir": "auto"}), **options)

    def to_python(self, value: Any) -> str:
        text = str(value or "").replace("\r\n", "\n").replace("\r", "\n")
        text = normalize("NFC", text).strip()
        if CONTROL.search(text) or SURROGATE.search(text):
            raise forms.ValidationError("Take out the control characters.", code="control_character")
        return text


class ReviewForm(forms.Form):
    """A review. Who has no name yet gives one: it stands beside the review."""

    name = Checked(
        check=Name(),
        label="Your name",
        help_text="Stands beside your review. You can change it in your account.",
        max_length=account_limits.NAME,
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
        error_messages={"required": "Say what you’re called."},
    )
    stars = forms.TypedChoiceField(
        label="Stars",
        choices=[(number, f"{number} of 5: {words}") for number, words in STARS.items()],
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose from 1 to 5 stars."},
    )
    how = forms.ChoiceField(
        label="How do you know it?",
        choices=Review.How.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Say how you know it."},
    )
    text = PlainText(
        label="Your review",
        help_text=(
            f"From {limits.TEXT_MIN} to {limits.TEXT:,} characters. What do you do with it, what works, what doesn’t?"
        ),
        min_length=limits.TEXT_MIN,
        max_length=limits.TEXT,
        rows=8,
        error_messages={"required": "Write your review."},
    )
    unpaid = forms.BooleanField(
        label="I’m not paid for this",
        error_messages={"required": "Tick this. We publish no review that was paid for or traded."},
    )

    def __init__(self, *args: Any, has_name: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if has_name:
            del self.fields["name"]

    def clean_name(self) -> str:
        """A name, which is no address."""
        if "@" in self.cleaned_data["name"]:
            raise forms.ValidationError("Use a name, without an address.")
        return str(self.cleaned_data["name"])


class QuestionForm(forms.Form):
    text = PlainText(
        label="Your question",
        min_length=limits.QUESTION_MIN,
        max_length=limits.QUESTION,
        rows=3,
        error_messages={"required": "Write your question."},
    )


class AnswerForm(forms.Form):
    text = PlainText(
        label="Your answer",
        max_length=limits.ANSWER,
        rows=3,
        error_messages={"required": "Write an answer, or dismiss the question."},
    )


class ReplyForm(forms.Form):
    text = PlainText(label="Your reply", max_length=limits.REPLY, rows=3, required=False)
