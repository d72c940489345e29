"""Reviews and questions on the pages of a listing, what a person wrote, and what makers answer. They remove none."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts import limits as account_limits
from accounts import services as accounts
from accounts.forms import Checked
from accounts.sessions import signed_in, signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import ApiError
from core.api.pagination import paginate
from core.api.serializers import CONTROL, SURROGATE, Name
from core.methods import require_safe
from core.normal_forms import normalize
from directory import limits as bounds
from directory.categories.tree import category_in_tree
from directory.errors import ListingNotFoundError
from directory.listings import own
from directory.listings.profile import covers
from directory.models import Listing, Review
from directory.reading import marks_of, of_listing, page_number
from directory.reviews import answering, limits, selectors, writing
from directory.search.cards import summaries
from directory.sites.lookup import current_site

STARS = {5: "Excellent", 4: "Good", 3: "All right", 2: "Poor", 1: "Bad"}
FORM = require_http_methods(["GET", "HEAD", "POST"])
WAITS = {
    writing.FIRST: "Thanks. A person reads first reviews, usually within a day.",
    "": "Thanks. A person on our team reads your review before it is public, usually within a day.",
}


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


def live_listing(request: HttpRequest, slug: str) -> Listing:
    """Raises ListingNotFoundError for one that has not launched or is off the site."""
    rows = Listing.objects.live().select_related("owner", "stats")
    return ListingNotFoundError.unless(rows.filter(site=current_site(request), slug=slug).first(), "listing")


@require_safe
@of_listing
def reviews(request: HttpRequest, slug: str) -> HttpResponse:
    listing = live_listing(request, slug)
    overview = selectors.overview(listing.pk)
    rows = selectors.public_reviews(listing.pk)
    context = {
        "listing": listing,
        "product": summaries(listing_ids=[listing.pk])[0],
        "overview": overview,
        "page": paginate(rows, page=page_number(request), per_page=limits.PER_PAGE, total=overview.total),
        "mine": selectors.review_of(user_id=request.user.pk, listing_id=listing.pk),
        "is_own": _is_own(request, listing),
    }
    return render(request, "directory/reviews.html", context)


@FORM
@of_listing
def write(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/reviews/write`: one's review, new or to edit; a POST that says so deletes it."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    return _write(request, slug)


@signed_in
def _write(request: HttpRequest, slug: str) -> HttpResponse:
    listing, user = live_listing(request, slug), user_of(request)
    mine = selectors.review_of(user_id=user.pk, listing_id=listing.pk)
    if request.method == "POST" and request.POST.get("do") == "delete":
        writing.delete_review(user=user, listing_id=listing.pk, at=timezone.now())
        messages.success(request, "Your review is deleted.")
        return HttpResponseRedirect(f"/listings/{slug}/reviews")
    before = {"stars": mine.stars, "how": mine.how, "text": mine.text} if mine else None
    form = ReviewForm(request.POST or None, initial=before, has_name=bool(user.name))
    refusal = writing.why_not(user, listing, at=timezone.now())
    if request.method == "POST" and not refusal and form.is_valid():
        return _store(request, listing, form)
    status = 403 if refusal and request.method == "POST" else 400 if form.errors else 200
    context = {"listing": listing, "form": form, "mine": mine, "refusal": refusal, "stars": STARS.items()}
    return render(request, "directory/review_write.html", context, status=status)


def _store(request: HttpRequest, listing: Listing, form: ReviewForm) -> HttpResponse:
    user, values = user_of(request), form.cleaned_data
    text = writing.ReviewText(stars=values["stars"], how=values["how"], text=values["text"])
    review = writing.write_review(
        user=user,
        listing_id=listing.pk,
        words=text,
        at=timezone.now(),
        address=throttling.client_address(request),
    )
    if "name" in values:
        accounts.call(user=user, name=values["name"])
    if review.status == Review.Status.PUBLISHED:
        messages.success(request, "Thanks. Your review is public.")
    else:
        messages.success(request, WAITS.get(review.waits_for, WAITS[""]))
    return HttpResponseRedirect(f"/listings/{listing.slug}/reviews")


@FORM
@of_listing
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/questions`: those that were answered, newest first; a POST asks another."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    listing = live_listing(request, slug)
    form = QuestionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            answering.ask(
                user=user_of(request),
                listing_id=listing.pk,
                text=form.cleaned_data["text"],
                at=timezone.now(),
                address=throttling.client_address(request),
            )
        except ApiError as error:
            form.add_error("text", error.detail)
        else:
            messages.success(
                request, "Sent to the makers. It’s public once they answer, and we e-mail you the answer."
            )
            return HttpResponseRedirect(request.path)
    context: dict[str, Any] = {
        "listing": listing,
        "form": form,
        "page": paginate(
            selectors.public_questions(listing.pk), page=page_number(request), per_page=limits.PER_PAGE
        ),
        "is_own": _is_own(request, listing),
    }
    return render(request, "directory/questions.html", context, status=400 if form.errors else 200)


@require_safe
def answered(request: HttpRequest) -> HttpResponse:
    rows = selectors.answered_on(current_site(request))
    page = paginate(rows, page=page_number(request), per_page=limits.PER_PAGE)
    return render(request, "directory/answered.html", {"page": page})


def _is_own(request: HttpRequest, listing: Listing) -> bool:
    return Listing.objects.owned_by(request.user.pk or 0).filter(pk=listing.pk).exists()


@signed_in_page
def written(request: HttpRequest) -> HttpResponse:
    """`/account/reviews`: the person's reviews and questions, and what became of each."""
    user_id = user_of(request).pk
    context = {"reviews": selectors.own_reviews(user_id), "questions": selectors.own_questions(user_id)}
    return render(request, "directory/account/written.html", context)


@require_safe
def reviewed(request: HttpRequest, category: str = "") -> HttpResponse:
    """`/best/reviewed` and `/best/reviewed/<category>`: the first twenty by the average of their reviews."""
    site = current_site(request)
    chosen = category_in_tree(site=site, slug=category)[0] if category else None
    cards = selectors.best_reviewed(site=site, category=chosen)
    context = {
        "cards": cards,
        "category": chosen,
        "fewest": bounds.REVIEWS_FOR_BEST,
        "covers": covers(site=site, slugs=[card["slug"] for card in cards]),
        "marks": marks_of(request, cards),
    }
    return render(request, "directory/best_reviewed.html", context)


@signed_in_page
def of_owner(request: HttpRequest, listing_id: int) -> HttpResponse:
    return _page(request, own.own_row(owner_id=user_of(request).pk, listing_id=listing_id))


@signed_in_act
def answer(request: HttpRequest, listing_id: int, question_id: int) -> HttpResponse:
    if request.POST.get("do") == "dismiss":
        return _done(
            request,
            listing_id,
            lambda **who: answering.dismiss(question_id=question_id, **who),
            says="Dismissed. Nobody else sees it.",
        )
    form = AnswerForm(request.POST)
    return _done(
        request,
        listing_id,
        lambda **who: answering.answer(
            question_id=question_id, text=form.cleaned_data["text"], at=timezone.now(), **who
        ),
        says="Answered. Both are public, and whoever asked gets an e-mail.",
        form=form,
        place=f"question-{question_id}",
    )


@signed_in_act
def reply(request: HttpRequest, listing_id: int, review_id: int) -> HttpResponse:
    """Reply to a review, correct the reply, or take it away."""
    form = ReplyForm(request.POST)
    return _done(
        request,
        listing_id,
        lambda **who: answering.reply(
            review_id=review_id, text=form.cleaned_data["text"], at=timezone.now(), **who
        ),
        says="Saved. Your reply stands under the review.",
        form=form,
        place=f"review-{review_id}",
    )


def _done(
    request: HttpRequest,
    listing_id: int,
    act: Callable[..., Any],
    *,
    says: str,
    form: forms.Form | None = None,
    place: str = "",
) -> HttpResponse:
    """Do it and go back to the page; a text that is refused stands there again."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    throttling.enforce("write", caller=f"user:{owner_id}")
    if form is not None and not form.is_valid():
        return _page(request, listing, place=place, form=form)
    try:
        act(owner_id=owner_id, listing_id=listing_id)
    except ApiError as error:
        if error.status == 404:
            raise
        messages.error(request, error.detail)
    else:
        messages.success(request, says)
    return HttpResponseRedirect(f"/account/listings/{listing_id}/reviews")


def _page(
    request: HttpRequest, listing: Listing, *, place: str = "", form: forms.Form | None = None
) -> HttpResponse:
    context = {
        "listing": own.headed(listing),
        "tab": "reviews",
        "waiting": selectors.open_questions(listing.pk, page=1),
        "page": paginate(
            selectors.public_reviews(listing.pk), page=page_number(request), per_page=limits.PER_PAGE
        ),
        "place": place,
        "form": form,
        "answer_max": limits.ANSWER,
        "reply_max": limits.REPLY,
    }
    return render(request, "directory/account/reviews.html", context, status=400 if form else 200)
