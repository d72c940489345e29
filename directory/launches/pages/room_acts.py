"""What the launch room of a listing does: another week before it, and its figures as a file."""

import csv
from datetime import date
from io import StringIO

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_page, user_of
from core.api import throttling
from core.api.errors import NotFoundError
from directory import weeks
from directory.errors import ListingCannotMoveError, WeekOverError
from directory.launches import queueing, room
from directory.launches.figures import figures_by_hour, launch_of, sources
from directory.listings import own

COLUMNS = ("hour_utc", "votes", "place_at_its_end", "visits", "visits_to_website")


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
