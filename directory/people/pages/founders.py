import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from directory import limits
from directory.countries import country_names
from directory.editorial.interviews import public_answers
from directory.engagement import topic_mail
from directory.launches.neighbours import runners_of
from directory.listings.profile import covers, covers_of
from directory.models import InterviewAnswer
from directory.people.founders import (
    beside_founder,
    find_founders,
    founder_countries,
    get_founder,
    makers_of_week,
)
from directory.people.profile import record
from directory.reading import marks_of, page_number
from directory.shown.pages.sharing import share_of_founder
from directory.sites.lookup import current_site
from directory.weeks import week_of

THREE_ABREAST = 24  # rows of three and of two end whole
MATES = 3
MANY = 4  # products have an order to choose from here on
ORDERS = {"": "Newest first", "votes": "Most votes first"}


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
