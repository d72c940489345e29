"""The page of a maker, its words, links and photo, and a person's own name on it."""

import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts import limits as account_limits
from accounts import services as accounts
from accounts.forms import Checked
from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.serializers import Link, Name, Text
from core.methods import require_safe
from directory import limits
from directory.countries import country_names
from directory.editorial.interviews import public_answers
from directory.engagement import topic_mail
from directory.images import uploads
from directory.images.uploads import sent_file
from directory.launches.race import runners_of
from directory.listings.profile import covers, covers_of
from directory.models import Founder, InterviewAnswer, Upload
from directory.people.founders import (
    beside_founder,
    find_founders,
    founder_countries,
    get_founder,
    makers_of_week,
)
from directory.people.profile import edit_profile, record, remove_photo, send_photo
from directory.reading import marks_of, page_number
from directory.shown.pages.sharing import share_of_founder
from directory.sites.lookup import current_site
from directory.weeks import week_of
from directory.wording import PLATFORMS

LINKS = ("website", "linkedin", "x", "github", "youtube", "custom")
LABELS = {**PLATFORMS, "website": "Website", "custom": "Another link"}
ADDRESS = "/account/photo"
THREE_ABREAST = 24  # rows of three and of two end whole
MATES = 3
MANY = 4  # products have an order to choose from here on
ORDERS = {"": "Newest first", "votes": "Most votes first"}


class ProfileForm(forms.Form):
    """The name alone for who has no page of a maker."""

    name = Checked(
        check=Name(),
        label="Your name",
        max_length=min(account_limits.NAME, limits.FOUNDER_NAME),
        help_text="Stands beside your reviews, questions and products.",
        widget=forms.TextInput(attrs={"autocomplete": "name", "dir": "auto"}),
        error_messages={"required": "Say what you’re called."},
    )
    title = Checked(
        check=Text(),
        label="What you do",
        required=False,
        max_length=limits.FOUNDER_TITLE,
        help_text="Such as: Founder, design and product.",
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    bio = Checked(
        check=Text(),
        label="About you",
        required=False,
        max_length=limits.FOUNDER_BIO,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"}),
    )

    def __init__(self, *args: Any, founder: Founder | None, **options: Any) -> None:
        super().__init__(*args, **options)
        if founder is None:
            del self.fields["title"], self.fields["bio"]
            return
        for name in LINKS:
            self.fields[name] = Checked(
                check=Link(),
                label=LABELS.get(name, name.capitalize()),
                required=False,
                max_length=limits.SOCIAL_LINK,
                widget=forms.URLInput(attrs={"placeholder": "https://"}),
            )


@signed_in_form
def profile(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    founder = Founder.objects.filter(user=user).first()
    before = {"name": founder.name if founder else user.name}
    if founder:
        before |= {"title": founder.title, "bio": founder.bio, **founder.socials}
    form = ProfileForm(request.POST or None, initial=before, founder=founder)
    if request.method == "POST" and form.is_valid():
        throttling.enforce("write", caller=f"user:{user.pk}")
        values = dict(form.cleaned_data)
        accounts.call(user=user, name=values["name"])
        if founder:
            links = {name: values[name] for name in LINKS if values[name]}
            others = {name: url for name, url in founder.socials.items() if name not in LINKS}
            edit_profile(user_id=user.pk, values={**values, "socials": {**others, **links}})
        messages.success(request, "Saved.")
        return HttpResponseRedirect(request.path)
    context = {"form": form, "founder": founder, "links": [form[name] for name in LINKS] if founder else []}
    return render(request, "directory/account/profile.html", context, status=400 if form.errors else 200)


@signed_in_form
def photo(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        send_photo(user_id=user_of(request).pk, body=sent_file(request), at=timezone.now())
        return HttpResponseRedirect(ADDRESS)
    return render(request, "directory/account/photo.html", _context(request))


@signed_in_page
def photo_state(request: HttpRequest) -> HttpResponse:
    return render(request, "directory/account/parts/photo_state.html", _context(request))


@signed_in_act
def take_photo_down(request: HttpRequest) -> HttpResponse:
    remove_photo(user_id=user_of(request).pk)
    messages.success(request, "Removed. Your page shows your initials.")
    return HttpResponseRedirect(ADDRESS)


def _context(request: HttpRequest) -> dict[str, Any]:
    user_id = user_of(request).pk
    waiting = uploads.waiting(use=Upload.Use.PHOTO, by=user_id)
    founder = Founder.objects.filter(user=user_id).first()  # after it: made ready meanwhile, it is in both
    image = f"{settings.MEDIA_URL}{founder.photo.name}" if founder and founder.photo else ""
    return {"founder": founder, "image": image, "waiting": waiting}


@require_safe
def founders(request: HttpRequest) -> HttpResponse:
    site = current_site(request)
    q = request.GET.get("q", "")[: limits.FOUNDER_QUERY].replace("\0", "").strip()
    country = request.GET.get("country", "").upper()
    country = country if country in country_names() else ""
    page, is_near = find_founders(
        site=site, q=q, country=country, page=page_number(request), per_page=THREE_ABREAST
    )
    context = {"page": page, "is_near": is_near, "q": q, "country": country}
    context["countries"] = founder_countries(site=site, chosen=country)
    return render(request, "directory/founders.html", context)


def named_in(interview: Sequence[InterviewAnswer], cards: Sequence[Mapping[str, Any]]) -> dict[int, Any]:
    """The product that each answer names by its whole name, by the answer's key."""
    whole = {card["slug"]: re.compile(rf"(?<!\w){re.escape(card['name'])}(?!\w)") for card in cards}
    return {
        row.pk: next((card for card in cards if whole[card["slug"]].search(row.answer)), None)
        for row in interview
    }


@require_safe
def founder(request: HttpRequest, slug: str) -> HttpResponse:
    site = current_site(request)
    result = get_founder(site=site, slug=slug)
    beside = beside_founder(site=site, slug=slug)
    user_id, this = request.user.pk, week_of(timezone.now())
    racing = [listing.pk for listing in beside["listings"] if listing.launch_week == this]
    runners = runners_of(site_id=site.pk, week=this, listing_ids=racing)
    order = "votes" if request.GET.get("order") == "votes" else ""
    products, marks = result["companies"], marks_of(request, result["companies"])
    mine, slugs = beside["listings"], [card["slug"] for card in products]
    theirs = {row.slug for row in mine if row.owner_id and row.owner_id == beside["user_id"]}
    interview = public_answers(user_id=beside["user_id"]) if beside["user_id"] else []
    launched = max((row.launch_week for row in beside["listings"] if row.launch_week), default=None)
    did = record(listing_ids=beside["ids"], user_id=beside["user_id"])
    context = {
        "founder": result,
        "products": sorted(products, key=itemgetter(order), reverse=True) if order else products,
        "orders": ORDERS.items(),
        "order": order,
        "is_many": len(products) >= MANY,
        "share": share_of_founder(result, site=site),
        "marks": marks,
        "beside": beside,
        "this_week": this,
        "runners": [runner for runner in runners if runner.votes],
        "votes": sum(card["votes"] for card in result["companies"]),
        "totals": {card["slug"]: card["votes"] for card in result["companies"]},
        "awards": [(card, award) for card in result["companies"] for award in card["awards"]],
        "did": did,
        "asked": next((card["slug"] for card in products if card["slug"] in theirs), None),
        "mates": launched and makers_of_week(site=site, week=launched, besides=beside["ids"], most=MATES),
        "interview": interview,
        "about": named_in(interview, [card for card in products if card["slug"] in theirs]),
        "is_own": bool(user_id) and beside["user_id"] == user_id,
        "covers": covers_of(mine) if len(mine) == len(products) else covers(site=site, slugs=slugs),
        "followers": topic_mail.followers_of_founder(slug=slug, site=site),
        "is_followed": topic_mail.is_followed(kind=topic_mail.FOUNDER, slug=slug, user_id=user_id, site=site),
    }
    return render(request, "directory/founder.html", context)
