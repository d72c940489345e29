"""A person's own listings on the account pages: their news, their interview, taking one off."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import ordinal
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from accounts.sessions import signed_in, signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import ApiError
from core.api.serializers import StrictSerializer
from directory import limits, weeks
from directory.addresses import host_of
from directory.editorial import interviews, updates
from directory.errors import DuplicateListingError
from directory.launches import badge_watch, free_choice
from directory.launches.featuring import places_ahead, stays
from directory.launches.launchable import live_twin
from directory.listings import own, taking_off
from directory.listings.next_actions import check_listing, waits_for_badge
from directory.listings.pages.forms import FactsForm, WholeForm, validated
from directory.listings.shapes.inputs import AnswerInterviewIn, PostListingUpdateIn, text
from directory.models import Listing
from directory.reading import PER_PAGE, page_number

TEAM_WROTE = (Listing.Status.SUSPENDED, Listing.Status.REJECTED)
FORM = require_http_methods(["GET", "HEAD", "POST"])
NEWS = {"title": "What is new", "body": "Say it in a few sentences"}
Save = Callable[[dict[str, Any]], str]


def sentence(listing: dict[str, Any]) -> str:
    """Where a listing stands and what it waits for; its week is named here and nowhere else on the page."""
    queue = listing["queue"] or {}
    badge = queue.get("badge") or {}
    week, due = weeks.launch_and_due(queue.get("week"))
    host = host_of(badge["homepage"]) if badge else ""
    if listing["status"] == Listing.Status.AWAITING_BADGE:
        return f"Booked: week of {week}. Put our badge on {host} by Sunday {due}."
    if listing["status"] == Listing.Status.SCHEDULED and badge.get("next_check_at"):
        return f"Its week of {week} has begun. It goes live as soon as we can open {host}."
    if listing["status"] == Listing.Status.SCHEDULED and waits_for_badge(queue):
        seen = f"We don’t see the badge on {host}" if badge["last_checked_at"] else f"{host} has no badge yet"
        eve = f"{queue['week'] - timedelta(days=1):%-d %B}"
        return f"{seen}. Put it there by Sunday {eve}."
    if listing["status"] == Listing.Status.SCHEDULED:
        keep = f" Keep our badge on {host}: we check it then." if badge.get("required") else ""
        return f"Launches Monday {week}, {ordinal(queue['position'])} to book.{keep}"
    if listing["status"] == Listing.Status.LIVE:
        return live_sentence(listing)
    return {
        Listing.Status.DRAFT: "Ready, but not public yet. Choose how to launch.",
        Listing.Status.ARCHIVED: "Unpublished. Only you can see it.",
        Listing.Status.REJECTED: "Not accepted, so it is not on the site.",
        Listing.Status.SUSPENDED: "Suspended by the site team. Your text and votes are kept.",
    }.get(listing["status"], "")


def live_sentence(listing: dict[str, Any]) -> str:
    """The votes of a live listing, and its place in its week where it has one."""
    if not listing["votes"]:
        return "Live. No votes yet."
    votes = f"{listing['votes']} vote{'' if listing['votes'] == 1 else 's'}"
    rank = (listing.get("rank") or {}).get("week")
    return f"Live: {ordinal(rank)} of its week, {votes} in all." if rank else f"Live. {votes}."


@signed_in_page
def listings(request: HttpRequest) -> HttpResponse:
    page = own.my_listings(owner_id=user_of(request).pk, page=page_number(request), per_page=PER_PAGE)
    rows = [(row, sentence(row)) for row in page.items]
    return render(request, "directory/account/listings.html", {"page": page, "rows": rows})


def listing_page(request: HttpRequest, row: Listing) -> HttpResponse:
    """A listing without a launch to show: the choice of one, or why it is not on the site and how to answer."""
    user_id, at = user_of(request).pk, timezone.now()
    is_saved = row.status == Listing.Status.DRAFT
    context = {
        "listing": own.headed(row),
        "sentence": sentence({"status": row.status, "queue": None, "votes": row.stats.votes}),
        "reply_to": _reply_to(row) if row.status in TEAM_WROTE and row.status_reason else "",
        "stays": stays(places_ahead(listing_id=row.pk, at=at).select_related("listing"), at=at),
        "choice": free_choice.launch_choice(row, user_id=user_id, at=at) if is_saved else None,
        "twin": live_twin(row) if is_saved else None,
        "tips": check_listing(row),
        "happened": own.happened(row),
    }
    return render(request, "directory/account/listing.html", context)


def _reply_to(row: Listing) -> str:
    subject = quote(f"{row.name} ({row.get_status_display().lower()})")
    return f"mailto:{settings.CONTACT_EMAIL}?subject={subject}"


@signed_in_act
def launch_free(request: HttpRequest, listing_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        check = free_choice.check_badge_at_once(owner_id=owner_id, listing_id=listing_id)
        listing = free_choice.choose_free_listing(
            owner_id=owner_id, listing_id=listing_id, check=check, at=timezone.now()
        )
    except DuplicateListingError:
        return HttpResponseRedirect(
            f"/account/listings/{listing_id}#launch"
        )  # where it says so, with both ways on
    except ApiError as error:
        if error.status == 404:
            raise
        messages.warning(request, error.detail)
    else:
        week = f"{listing.launch_week:%-d %B %Y}"
        messages.success(request, f"{listing.name} has a place in the week of {week}.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}")


@signed_in_act
def check_badge(request: HttpRequest, listing_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    row = own.own_row(owner_id=owner_id, listing_id=listing_id)
    if row.status == Listing.Status.DRAFT:
        _read_badge(request, row)
        return HttpResponseRedirect(f"/account/listings/{listing_id}#badge")
    at = timezone.now()
    result = badge_watch.check_badge_soon(owner_id=owner_id, listing_id=listing_id, at=at)
    newest = result.badge_checks.order_by("-at", "-pk").first()
    if result.status != Listing.Status.AWAITING_BADGE:
        messages.success(request, "Badge found. Keep it there until the launch.")
    elif newest is not None and newest.at == at:
        messages.warning(request, "We checked just now and didn’t see the badge. Details are below.")
    else:
        messages.success(request, "Your homepage is slow. We’re still checking; come back in a minute.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}")


def _read_badge(request: HttpRequest, listing: Listing) -> None:
    """Tell what the homepage of a saved listing shows; nothing is recorded before a launch is chosen."""
    check = badge_watch.read_badge(owner_id=user_of(request).pk, listing_id=listing.pk)
    if check is None:
        messages.warning(request, "Many homepages are being looked at just now. Ask again in a minute.")
    elif check.is_seen:
        messages.success(request, f"The badge is on {listing.host}. You can launch free at once.")
    else:
        messages.warning(request, f"We looked at {listing.host} just now. {check.detail}")


def _form_page(
    request: HttpRequest, form: FactsForm, save: Save, *, template: str, context: Any, goes_to: str = ""
) -> HttpResponse:
    """A page with one form. `save` gives what to say once it is done."""
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{user_of(request).pk}")
        try:
            if form.is_valid():
                messages.success(request, save(form.changes))
                return HttpResponseRedirect(goes_to or request.path)
        except ApiError as error:
            form.refuse(error)
    context = {**context, "form": form, "refusal": form.refusal}
    status = 400 if form.refusal else 200
    return render(request, f"directory/account/{template}.html", context, status=status)


def _mine(request: HttpRequest, listing_id: int) -> tuple[Listing, dict[str, Any]]:
    """A listing of whoever asks, and what its verbs ask for."""
    by: dict[str, Any] = {"owner_id": user_of(request).pk, "listing_id": listing_id}
    return own.own_row(**by), by


@FORM
@signed_in
def news(request: HttpRequest, listing_id: int, update_id: int | None = None) -> HttpResponse:
    """`/account/listings/<id>/updates`: what was posted, and a form for more; with an id, for that one."""
    listing, by = _mine(request, listing_id)
    posted = own.update_of(listing, update_id=update_id) if update_id is not None else None
    form = WholeForm(PostListingUpdateIn, vars(posted) if posted else {}, request.POST.dict(), labels=NEWS)
    context = {
        "listing": own.headed(listing),
        "tab": "updates",
        "update": posted,
        "followers": listing.follow_rows.count(),
        "rows": own.posted_updates(listing),
    }

    def save(values: dict[str, Any]) -> str:
        if posted is not None:
            updates.edit_update(**by, update_id=posted.pk, at=timezone.now(), **values)
            return "Saved. E-mails that went out keep the former text."
        made = updates.post_listing_update(**by, at=timezone.now(), **values)
        people = "person follows" if made.followers_notified == 1 else "people follow"
        return f"Posted. {made.followers_notified} {people} it and will get it by e-mail."

    template, goes_to = "update" if posted else "updates", f"/account/listings/{listing_id}/updates"
    return _form_page(request, form, save, template=template, context=context, goes_to=goes_to)


@require_POST
@signed_in
def remove_update(request: HttpRequest, listing_id: int, update_id: int) -> HttpResponse:
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    updates.remove_update(owner_id=owner_id, listing_id=listing_id, update_id=update_id)
    messages.success(request, "Removed from the listing and its feed.")
    return HttpResponseRedirect(f"/account/listings/{listing_id}/updates")


@FORM
@signed_in
def interview_page(request: HttpRequest) -> HttpResponse:
    user_id, questions = user_of(request).pk, interviews.interview_questions()
    answers = {row["question_id"]: row["answer"] for row in interviews.interview_answers(user_id=user_id)}
    names = {f"answer-{row['id']}": row for row in questions}
    shape = type("Interview", (StrictSerializer,), {name: text(limits.INTERVIEW_ANSWER) for name in names})

    def save(changes: dict[str, Any]) -> str:
        rows = [{"question_id": names[name]["id"], "answer": text or ""} for name, text in changes.items()]
        values = validated(AnswerInterviewIn, {"answers": rows[: limits.INTERVIEW_ANSWERS]})
        interviews.answer_interview(user_id=user_id, at=timezone.now(), **values)
        return "Your answers are saved."

    facts = {name: answers.get(row["id"]) for name, row in names.items()}
    labels = {name: row["question"] for name, row in names.items()}
    form = FactsForm(shape, facts, request.POST.dict(), labels=labels)
    for name, row in names.items():
        form.fields[name].help_text = row["help"] or ""
    return _form_page(request, form, save, template="interview", context={})


@FORM
@signed_in
def off_site(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/off`: says what taking it off does, and does it by POST; puts it back as well."""
    owner_id = user_of(request).pk
    listing = own.own_row(owner_id=owner_id, listing_id=listing_id)
    if request.method == "POST":
        throttling.enforce("write", caller=f"user:{owner_id}")
        act = taking_off.put_back if request.POST.get("do") == "back" else taking_off.take_off
        try:
            act(owner_id=owner_id, listing_id=listing_id, at=timezone.now())
        except ApiError as error:
            if error.status == 404:
                raise
            messages.warning(request, error.detail)
        return HttpResponseRedirect(f"/account/listings/{listing_id}")
    context = {
        "listing": own.headed(listing),
        "is_owner": listing.owner_id == owner_id,
        "is_live": listing.status == Listing.Status.LIVE,
        "can_come_back": taking_off.was_taken_off_by_owner(listing),
        "contact": settings.CONTACT_EMAIL,
    }
    return render(request, "directory/account/off.html", context)
