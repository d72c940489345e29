"""`/account/listings/<id>/launch`: the launch room of a listing, for its owner and those who own it with them."""

import csv
from datetime import date, datetime
from importlib import import_module
from io import StringIO
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import NotFoundError
from core.api.links import on_site
from core.methods import require_safe
from directory import weeks
from directory.errors import ListingCannotMoveError, WeekOverError
from directory.launches import badges, queueing, room
from directory.launches.featuring import places_ahead, stays
from directory.launches.figures import figures_by_hour, launch_of, sources
from directory.launches.launch_mail import curve_of
from directory.launches.race import placed
from directory.launches.share_kit import share_kit
from directory.listings import own
from directory.listings.next_actions import Tip, check_listing
from directory.listings.pages import owned
from directory.listings.profile import public_media, site_picture_of
from directory.models import Launch, Listing
from directory.search.cards import summaries
from directory.sites.lookup import addresses_of_listing
from directory.wording import in_a_row

Status = Listing.Status
OPEN = (Status.AWAITING_BADGE, Status.SCHEDULED, Status.LIVE)

COMPARED = {
    "input-features": ("Name three features", "People compare products by their features."),
    "field-faqs": ("Answer three questions", "Each saves somebody a mail, and search engines show them."),
}
CLEAR = Tip(title="Clear words", text="A short tagline, and a description that says whom it is for.")
COLUMNS = ("hour_utc", "votes", "place_at_its_end", "visits", "visits_to_website")
DRAWING = "directory.shown.sharing.curve"  # loads Pillow, so only once somebody asks
A_DAY = 86400


@signed_in_page
def launch_room(request: HttpRequest, listing_id: int) -> HttpResponse:
    """The room of the launch that comes, runs or ended last; before one is chosen, the choice."""
    owner_id, now = user_of(request).pk, timezone.now()
    row = own.own_row(owner_id=owner_id, listing_id=listing_id)
    launch = launch_of(listing_id=listing_id, at=now) if row.status in OPEN else None
    if launch is None:
        return owned.listing_page(request, row)
    stage = room.stage_of(launch, at=now)
    with addresses_of_listing(row):
        context = {
            "row": row,
            "listing": {**own.headed(row), "launch_week": row.launch_week, "plan": row.plan},
            "launch": launch,
            "stage": stage,
            "stays": stays(places_ahead(listing_id=listing_id, at=now).select_related("listing"), at=now),
            **STAGES[stage](row, launch, at=now),
        }
    return render(request, "directory/account/room.html", context)


def _before(row: Listing, launch: Launch, *, at: datetime) -> dict[str, Any]:
    card, tips = summaries(listing_ids=[row.pk])[0], check_listing(row)
    queue, checks = own.queue_and_checks(row)
    badge = (queue or {}).get("badge")
    start, picture = weeks.start(launch.week), _picture(row)
    tasks = _tasks(row, badge=badge, has_picture=bool(picture), tips=tips)
    return {
        "sentence": owned.sentence({"status": row.status, "queue": queue, "votes": card["votes"]})
        if row.status != Status.LIVE
        else f"Launches again on Monday {launch.week:%-d %B %Y}. Its votes begin at zero.",
        "start": start,
        "weeks": _weeks(row, launch, at=at),
        "missed": row.missed_weeks if row.status == Status.AWAITING_BADGE else 0,
        "has_begun": start <= at,
        "countdown": weeks.countdown(start, at=at),
        "badge": badge,
        "checks": checks,
        "tasks": sorted(tasks, key=lambda task: task["is_done"]),
        "done": sum(task["is_done"] for task in tasks),
        "card": card,
        "covers": {row.slug: picture} if picture else {},
        "has_card": row.status != Status.AWAITING_BADGE,
        "happened": own.happened(row),
        "kit": share_kit(card, site_name=row.site.name, url=row.url),
    }


def _weeks(row: Listing, launch: Launch, *, at: datetime) -> list[date]:
    """The weeks that a free launch may move to, with its own; none for one that was paid for or has begun."""
    if launch.kind != Launch.Kind.FREE or weeks.start(launch.week) <= at:
        return []
    return sorted({launch.week, *queueing.open_weeks(site=row.site, at=at)})


def _tasks(
    row: Listing, *, badge: dict[str, Any] | None, has_picture: bool, tips: list[Tip]
) -> list[dict[str, Any]]:
    """What makes a listing ready: what is missing says where it is done."""
    here = f"/account/listings/{row.pk}"
    is_needed = bool(badge and badge["required"])
    has_logo, open_at = bool(row.logo or row.logo_url), {tip.at for tip in tips}
    others = [tip for tip in tips if tip.at not in {"logo", *COMPARED}]
    wording = next(iter(others), CLEAR)
    rows = [
        (
            "Our badge on your homepage",
            "Needed for a free launch."
            if is_needed
            else "Not needed on the paid plan. It leads people here.",
            bool(badge and badge["found"]),
            "#badge" if is_needed else f"/listings/{row.slug}/badges",
            "Get it",
        ),
        (
            f"Proof that {row.name} is yours",
            "Until then, whoever verifies it first takes it over.",
            bool(row.claimed_by_method),
            f"/listings/{row.slug}/claim",
            "Verify",
        ),
        ("A logo", "Without one, lists show a letter.", has_logo, f"{here}/edit", "Add"),
        ("A picture", "It stands beside your name in the race.", has_picture, f"{here}/pictures", "Add"),
        *(
            (title, detail, at not in open_at, f"{here}/edit", "Edit")
            for at, (title, detail) in COMPARED.items()
        ),
        (wording.title, wording.text, not others, f"{here}/edit", "Edit"),
    ]
    names = ("title", "detail", "is_done", "path", "act")
    return [dict(zip(names, values, strict=True)) for values in rows]


def _picture(row: Listing) -> dict[str, Any] | None:
    """What stands for it in lists: its own first picture, else the one of its website."""
    return next(iter(public_media(row.media)), None) or site_picture_of(row.site_picture)


def _live(row: Listing, launch: Launch, *, at: datetime) -> dict[str, Any]:
    race = room.race_of(row, launch, at=at)
    return {
        "race": race,
        "card": race.own.card if race.own else None,
        "left": weeks.time_left(weeks.end(launch.week), at=at),
        "closes_at": weeks.end(launch.week),
        "closes": weeks.sunday(launch.week),
        "half_time": weeks.start(launch.week) + 3.5 * room.DAY,
        "now": at,
        "live_badge": {
            "url": f"/badges/{row.slug}/{badges.LIVE}.svg",
            "html": badges.badge_html(slug=row.slug, name=row.name, code=badges.LIVE),
        },
        "is_verified": bool(row.claimed_by_method),
        "kit": share_kit(_card(row, race), site_name=row.site.name, url=row.url),
    }


def _card(row: Listing, race: room.Race) -> dict[str, Any]:
    return {"name": row.name, "tagline": row.tagline, "page_url": on_site(f"/listings/{row.slug}")}


def _after(row: Listing, launch: Launch, *, at: datetime) -> dict[str, Any]:
    race = room.race_of(row, launch, at=at)
    award = room.award_of(row, week=launch.week)
    rank = award["rank"] if award else race.rank
    result = f"{placed(rank)} of {race.of}" if rank else ""
    return {
        "race": race,
        "award": badges.AWARDS[award["code"]] if award else None,
        "result": result,
        "days": weeks.span(launch.week),
        "card": race.own.card if race.own else None,
        "award_path": f"/awards/{award['id']}" if award else "",
        "tasks": _next(row, race, has_award=bool(award)),
        "badge": {
            "url": f"/badges/{row.slug}/{award['code']}.svg",
            "html": badges.badge_html(slug=row.slug, name=row.name, code=award["code"]),
        }
        if award
        else None,
        "is_verified": bool(row.claimed_by_method),
        "kit": share_kit(_card(row, race), site_name=row.site.name, url=row.url, result=result),
    }


def _next(row: Listing, race: room.Race, *, has_award: bool) -> list[dict[str, Any]]:
    """What makers do once the week is over."""
    here = f"/account/listings/{row.pk}"
    numbers = ((race.questions, "question"), (race.reviews, "review"))
    waits = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in numbers if number]
    rows = [
        ("Answer what waits", f"{in_a_row(waits)}.", f"{here}/reviews", "Answer") if waits else None,
        (
            "Put the award on your website",
            "With a link to the result that anyone can check.",
            f"/listings/{row.slug}/badges",
            "Get the badge",
        )
        if has_award
        else None,
        (
            "Thank the people who had a look",
            "An update reaches your followers. Say what you heard and what comes next.",
            f"{here}/updates",
            "Write it",
        ),
        (
            "Ask your users for a review",
            f"Send them this link: {on_site(f'/listings/{row.slug}/reviews/write')}. "
            "We never pay for reviews, and neither may you.",
            "",
            "",
        ),
    ]
    names = ("title", "detail", "path", "act")
    return [dict(zip(names, values, strict=True)) for values in rows if values]


STAGES = {room.BEFORE: _before, room.LIVE: _live, room.AFTER: _after}


@signed_in_page
def figures(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/launch.csv`: votes, place and visits by hour, and then the websites they came from."""
    now = timezone.now()
    row = own.own_row(owner_id=user_of(request).pk, listing_id=listing_id)
    launch = launch_of(listing_id=listing_id, at=now)
    if launch is None or launch.launched_at is None:
        raise NotFoundError("There are no figures yet.")
    text = StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    lines.writerows(figures_by_hour(launch, until=min(now, weeks.end(launch.week))))
    lines.writerow([])
    lines.writerow(("website", "visits"))
    hosts = sources(listing_id=listing_id, week=launch.week)
    lines.writerows((room.NETWORKS.get(item["host"], item["host"]), item["visits"]) for item in hosts)
    name = f"{row.slug}-{weeks.start(launch.week):%Y-%m-%d}.csv"
    return HttpResponse(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@signed_in_act
def change_week(request: HttpRequest, listing_id: int) -> HttpResponse:
    """`/account/listings/<id>/week`: another open week of the free queue."""
    owner_id = user_of(request).pk
    throttling.enforce("write", caller=f"user:{owner_id}")
    try:
        week = date.fromisoformat(request.POST.get("week", ""))
        listing = queueing.change_week(owner_id=owner_id, listing_id=listing_id, week=week, at=timezone.now())
    except ValueError:
        messages.warning(request, "Choose a week from the list.")
    except (ListingCannotMoveError, WeekOverError) as error:
        messages.warning(request, error.detail)
    else:
        messages.success(request, f"{listing.name} launches in the week of {week:%-d %B %Y}.")
    return HttpResponseRedirect(room.room_path(listing_id))


@require_safe
def curve(request: HttpRequest, token: str) -> HttpResponse:
    """Votes by the hour up to the moment of the mail."""
    by_hour = NotFoundError.unless(curve_of(token), "picture")
    response = HttpResponse(import_module(DRAWING).drawn(by_hour), content_type="image/png")
    response["Cache-Control"] = f"private, max-age={A_DAY}"
    response["X-Robots-Tag"] = "noindex"
    return response
