"""One listing: its page, its sources, its alternatives, votes and follows."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.files.storage import default_storage
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, user_of
from core.api import throttling
from core.api.links import on_site
from core.methods import require_safe
from directory import weeks
from directory.editorial.interviews import public_answers
from directory.engagement import coming, voting
from directory.errors import ListingNotFoundError, OwnListingError
from directory.launches import badges
from directory.launches import badges as badge_selectors
from directory.launches.calendar import launched
from directory.launches.featuring import featured_until
from directory.launches.pages.visiting import count_reading
from directory.launches.race import RacePosition, race_position
from directory.launches.share_kit import share_links
from directory.listings import proofs
from directory.listings.compare import get_alternatives
from directory.listings.profile import get_listing, own_words, profile, public_id, site_picture_of
from directory.listings.sources import sources_of
from directory.models import Launch, LaunchReminder, Listing, Site
from directory.reading import is_reader, marks_of, of_listing, texts_of, way_back, week_clock
from directory.reviews.selectors import on_listing
from directory.search.cards import summaries
from directory.shown.pages.sharing import share_of_listing
from directory.shown.sharing import Share
from directory.sites.lookup import current_site

TILES, CHOSEN_FROM = 3, 12
BADGE_MODES = {"auto": "The reader’s colours", "light": "Light", "dark": "Dark"}
BADGE_SIZES = {"s": "Small", "m": "Medium", "l": "Large"}
ORIGINS = {
    "website": "Quoted from the website",
    "drafted": "Drafted without a quote",
    "owner": "Stated by the owner",
    "staff": "Stated by the site team",
    "measured": "Measured",
}
VOTE_ON_HOLD = (
    "Your vote is held until a person has looked at it, because many votes came at once from new accounts"
    " that have something in common. It counts once it is released."
)


def seen_by(request: HttpRequest, slug: str) -> dict[str, Any]:
    """The profile of a public listing, or of one's own in any status. Raises ListingNotFoundError."""
    site = current_site(request)
    try:
        return get_listing(site=site, slug=slug)
    except ListingNotFoundError:
        own = Listing.objects.owned_by(request.user.pk or 0).filter(site=site, slug=slug).first()
        if own is None:
            raise
        return {**profile(listing_id=own.pk), "is_preview": True, "listing_id": own.pk}


@require_safe
@of_listing
def listing(request: HttpRequest, slug: str) -> HttpResponse:
    details, site = seen_by(request, slug), current_site(request)
    is_public = not details.get("is_preview")
    now = timezone.now()
    others = get_alternatives(site=site, slug=slug) if is_public else []
    mates = _of_week(details, besides=others, site=site) if len(others) < TILES and is_public else []
    own = own_words(site=site, slug=slug, beside=[card["slug"] for card in (*others, *mates)])
    others, mates = (_pictured_first(cards, pictures=own["covers"]) for cards in (others, mates))
    pictures, about = own["covers"], details["name"] if own["is_of_several"] else ""
    if is_public and is_reader(request):
        count_reading(request, details, listing_id=own["pk"])
    photos = {photo["slug"]: on_site(default_storage.url(photo["file"])) for photo in own["photos"]}
    details["founders"] = [
        {**person, "photo_url": photos.get(person["slug"])} for person in details["founders"]
    ]
    position = _position(details, site=site, listing_id=own["pk"]) if is_public else None
    context = {
        "listing": details,
        "is_public": is_public,
        "alternatives": others,
        "of_week": mates,
        "near_covers": _pictures_of_whole((others, mates), pictures=pictures),
        "marks": marks_of(request, [details, *others, *mates]),
        **texts_of(details),
        "method": proofs.noun_of(details["verified"]["method"]),
        "share": _share(details, own=own, site=site, cover=pictures.get(slug)) if is_public else None,
        "position": position,
        "opening": position and _opening(details, maker=own["owner__founder__slug"]),
        "launch": _launch(details, site=site, listing_id=own["pk"], at=now) if is_public else {},
        "share_links": share_links(details) if is_public else [],
        "clock": week_clock(at=now),
        "covers": pictures,
        "featured_until": featured_until(site_id=site.pk, slug=slug, at=now) if details["featured"] else None,
        "own": own,
        "site_picture": site_picture_of(own["site_picture"]),
        "stated_by": "its owner" if own["owner_id"] else "the site team",
        "voices": on_listing(own["pk"]) if is_public and details["status"] == "live" else None,
        "interview": own["owner_id"] and public_answers(user_id=own["owner_id"], about=about),
    }
    return render(request, "directory/listing.html", context)


def _of_week(details: dict[str, Any], *, besides: list[dict[str, Any]], site: Site) -> list[dict[str, Any]]:
    """Others of its week, the most voted first."""
    week = weeks.day_of(str(details["launch_week"]))
    if week is None:
        return []
    others = Launch.objects.filter(
        site=site, week=week, is_hidden=False, listing__in=Listing.objects.public()
    )
    others = others.exclude(listing__slug__in=[card["slug"] for card in (details, *besides)])
    ids = others.order_by("-votes", "listing").values_list("listing", flat=True)[:CHOSEN_FROM]
    return summaries(listing_ids=list(ids))


def _pictured_first(cards: list[dict[str, Any]], *, pictures: Collection[str]) -> list[dict[str, Any]]:
    """Three of them: what the owner approved, then those that have a picture, in their order."""
    return sorted(cards, key=lambda card: (not card.get("approved"), card["slug"] not in pictures))[:TILES]


def _pictures_of_whole(
    rows: Iterable[list[dict[str, Any]]], *, pictures: Mapping[str, Any]
) -> dict[str, Any]:
    """The pictures of those rows where each has one: beside a picture, none would look like one that is missing."""
    slugs = [[card["slug"] for card in cards] for cards in rows]
    return {slug: pictures[slug] for row in slugs if pictures.keys() >= set(row) for slug in row}


def _position(details: dict[str, Any], *, site: Site, listing_id: int) -> RacePosition | None:
    """Where it is in the race, while its week runs."""
    now = timezone.now()
    week = weeks.week_of(now)
    is_running = details["rank"]["week"] and str(details["launch_week"]) == week.isoformat()
    return race_position(site=site, listing_id=listing_id, week=week, at=now) if is_running else None


def _opening(details: dict[str, Any], *, maker: str | None) -> dict[str, Any] | None:
    """What its maker said first in the week of its race: told below its pictures, and not once more as an update."""
    person = next((row for row in details["founders"] if maker and row["slug"] == maker), None)
    week = str(details["launch_week"])
    notes = [row for row in details["latest_updates"] if str(row["posted_at"])[:10] >= week]
    if person is None or not notes:
        return None
    details["latest_updates"] = [row for row in details["latest_updates"] if row is not notes[-1]]
    return {**notes[-1], "person": person}


def _launch(details: dict[str, Any], *, site: Site, listing_id: int, at: datetime) -> dict[str, Any]:
    """How long it is until its launch and who waits, or how many launched in its week and who voted for it."""
    week = weeks.day_of(str(details["launch_week"]))
    if week is None:
        return {}
    if details["status"] == "upcoming":
        waiting = LaunchReminder.objects.filter(listing=listing_id).count()
        return {"left": weeks.time_left(weeks.start(week), at=at), "waiting": {details["slug"]: waiting}}
    if not details["rank"]["week"]:
        return {}
    votes = Sum("votes", filter=Q(listing=listing_id))
    return launched(site=site, week=week).order_by().aggregate(of=Count("pk"), votes=votes)


def _share(
    details: dict[str, Any], *, own: dict[str, Any], site: Site, cover: dict[str, Any] | None
) -> Share:
    """The page's card, in the words that its owner gave for search engines."""
    share = share_of_listing(details, site=site, cover=cover)
    return replace(share, title=own["seo_title"] or share.title, text=own["seo_description"] or share.text)


@require_safe
@of_listing
def sources(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/sources`: every statement with the sentence it rests on, on one page."""
    profile = seen_by(request, slug)
    groups = sources_of(profile, site=current_site(request))
    counts = Counter(row.by for _, rows in groups for row in rows)
    blanks = texts_of(profile)["blanks"]
    source = request.GET.get("show", "")
    source = source if source in ORIGINS or source == "blank" else ""
    chosen = [(title, [row for row in rows if source in {"", row.by}]) for title, rows in groups]
    kinds = [("", "All", counts.total())]
    kinds += [(name, words, counts[name]) for name, words in ORIGINS.items() if counts[name]]
    context = {
        "listing": profile,
        "groups": [(title, rows) for title, rows in chosen if rows],
        "blanks": blanks if source in {"", "blank"} else [],
        "kinds": [*kinds, ("blank", "Not found", len(blanks))] if blanks else kinds,
        "shown": source,
        "is_quoted": bool(counts["website"]),
        "is_public": not profile.get("is_preview"),
    }
    return render(request, "directory/sources.html", context)


@require_safe
@of_listing
def alternatives(request: HttpRequest, slug: str) -> HttpResponse:
    site = current_site(request)
    card = summaries(listing_ids=[public_id(site=site, slug=slug)])[0]
    items = get_alternatives(site=site, slug=slug)
    context = {"listing": card, "items": items, "marks": marks_of(request, items)}
    return render(request, "directory/alternatives.html", context)


@require_safe
@of_listing
def badge_page(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/badges`: the badges and the code to copy."""
    style = badges.BadgeStyle(
        shape=_choice(request.GET.get("shape"), badges.SHAPES),
        mode=_choice(request.GET.get("mode"), badges.MODES, "auto"),
        size=_choice(request.GET.get("size"), badges.SIZES, "m"),
    )
    site = current_site(request)
    context = {
        "badges": badge_selectors.get_badges(site=site, slug=slug, style=style, at=timezone.now()),
        "listing": Listing.objects.only("slug", "name").get(site=site, slug=slug),
        "modes": BADGE_MODES.items(),
        "sizes": BADGE_SIZES.items(),
    }
    return render(request, "directory/badges.html", context)


def _choice(text: str | None, choices: Any, otherwise: str = "") -> str:
    return text if text and text in choices else otherwise or next(iter(choices))


@require_http_methods(["GET", "HEAD", "POST"])
@of_listing
def vote(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/vote`: asks on the way from sign-in, votes and takes back by POST."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    return _vote(request, slug)


@signed_in
def _vote(request: HttpRequest, slug: str) -> HttpResponse:
    listing_id = public_id(site=current_site(request), slug=slug)
    if request.method != "POST":
        card = summaries(listing_ids=[listing_id])[0]
        return render(request, "directory/vote.html", {"listing": card, "marks": marks_of(request, [card])})
    user, now = user_of(request), timezone.now()
    throttling.enforce("vote", caller=f"user:{user.pk}")
    try:
        if request.POST.get("do") == "take_back":
            voting.take_back_vote(user=user, listing_id=listing_id, at=now)
        else:
            address = throttling.client_address(request)
            voting.cast_vote(user=user, listing_id=listing_id, at=now, address=address)
    except OwnListingError:
        return HttpResponseRedirect(f"/listings/{slug}")
    return _answer(request, listing_id=listing_id, part="directory/parts/vote.html")


@require_http_methods(["GET", "HEAD", "POST"])
@of_listing
def follow(request: HttpRequest, slug: str) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(f"/listings/{slug}")
    return _switch(request, slug, part="follow")


@require_http_methods(["GET", "HEAD", "POST"])
@of_listing
def remind(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/remind`: one mail when a product that is to come launches."""
    if not request.user.is_authenticated:
        return redirect_to_login(f"/listings/{slug}")
    return _switch(request, slug, part="remind")


@signed_in
def _switch(request: HttpRequest, slug: str, *, part: str) -> HttpResponse:
    """Follow a product or be reminded of it, or no longer."""
    if request.method != "POST":
        return HttpResponseRedirect(f"/listings/{slug}")
    user, now = user_of(request), timezone.now()
    throttling.enforce("vote", caller=f"user:{user.pk}")
    listing_id = public_id(site=current_site(request), slug=slug)
    do = request.POST.get("do")
    if part == "follow" and do == "unfollow":
        voting.unfollow(user=user, listing_id=listing_id)
    elif part == "follow":
        voting.follow(user=user, listing_id=listing_id, at=now)
    elif do == "forget":
        coming.remind_no_longer(user_id=user.pk, listing_id=listing_id)
    else:
        coming.remind(user_id=user.pk, listing_id=listing_id, at=now)
    return _answer(request, listing_id=listing_id, part=f"directory/parts/{part}.html")


def _answer(request: HttpRequest, *, listing_id: int, part: str) -> HttpResponse:
    """The changed button alone for a script, the way back for everybody else."""
    card = summaries(listing_ids=[listing_id])[0]
    here = way_back(request, otherwise=f"/listings/{card['slug']}")
    marked = marks_of(request, [card])
    if not request.headers.get("X-Part"):
        if card["slug"] in marked.on_hold and request.POST.get("do") == "vote":
            messages.warning(request, VOTE_ON_HOLD)
        return HttpResponseRedirect(here)
    counted_in = request.POST.get("in", "")
    votes = card["votes"]
    if counted_in == "week":
        launch = Launch.objects.filter(listing=listing_id, week=weeks.week_of(timezone.now())).first()
        votes = launch.votes if launch else votes
    context = {
        "card": card,
        "votes": votes,
        "counted_in": counted_in,
        "marks": marked,
        "kind": kind if (kind := request.POST.get("kind")) in {"broad", "little"} else "",
        "waiting": {card["slug"]: coming.waiting(listing_id)} if kind == "broad" else {},
        "is_upcoming": counted_in == "week",
        "back": here,
    }
    return render(request, part, context)
