"""What staff decide for a site: each change is a row of a history that says who changed what, and it holds at once."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from directory.models import Site, SiteSettings
from directory.sites.lookup import rules_of
from tests.conftest import Api, People
from tests.factories.listings import make_listing

ADD = "/admin/directory/sitesettings/add/"
DECIDED = {
    "free_queue_weeks": 2,
    "free_slots_per_week": 200,
    "paid_slots_per_week": 50,
    "launch_grace_hours": 24,
    "weeks_shown": 12,
}


def test_a_change_begins_with_what_holds_and_is_listed_with_before_after_and_whom(
    staff: Client, site: Site, people: People
) -> None:
    SiteSettings.objects.create(site=site, weeks_shown=7, changed_at=timezone.now())
    begins = staff.get(ADD).context["adminform"].form.initial
    assert begins == {"site": site, **DECIDED, "weeks_shown": 7}

    staff.post(ADD, {**DECIDED, "site": site.pk, "weeks_shown": 7, "free_queue_weeks": 5})
    page = staff.get("/admin/directory/sitesettings/").content.decode()

    assert "Free queue weeks: 2 → 5" in page
    assert "Weeks shown: 12 → 7" in page
    assert people.staff.email in page
    newest = SiteSettings.objects.latest("pk")
    assert (newest.changed_by, newest.free_queue_weeks) == (people.staff, 5)
    assert "Free queue weeks" in staff.get(f"/admin/directory/site/{site.pk}/change/").content.decode()


def test_it_holds_for_the_next_who_asks(staff: Client, site: Site, people: People, api: Api) -> None:
    staff.post(ADD, {**DECIDED, "site": site.pk, "free_queue_weeks": 0, "weeks_shown": 3})
    listing = make_listing("tidewell", owner=people.owner, status="draft")

    week = api("all").post(f"/api/v1/me/listings/{listing.pk}/free").json()["launch_week"]

    assert week == api().get("/api/v1/site").json()["current_week"]
    assert len(api().get("/api/v1/products").json()["weeks"]) == 3


@pytest.mark.parametrize(
    "wrong",
    [{"weeks_shown": 0}, {"weeks_shown": 53}, {"free_queue_weeks": 53}, {"launch_grace_hours": 169}],
    ids=str,
)
def test_what_makes_no_sense_is_refused(staff: Client, site: Site, wrong: dict[str, Any]) -> None:
    before = rules_of(site.pk).pk

    assert staff.post(ADD, {**DECIDED, "site": site.pk, **wrong}).status_code == 200
    assert rules_of(site.pk).pk == before


def test_history_is_not_rewritten(staff: Client, site: Site) -> None:
    row = rules_of(site.pk)

    staff.post(
        f"/admin/directory/sitesettings/{row.pk}/change/", {**DECIDED, "site": site.pk, "weeks_shown": 1}
    )
    staff.post(f"/admin/directory/sitesettings/{row.pk}/delete/", {"post": "yes"})

    assert rules_of(site.pk).pk == row.pk
    assert rules_of(site.pk).weeks_shown == 12
