"""What staff see and do: lists with search and filters, moves, reviews, votes, and texts that readers see at once."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.forms import ModelMultipleChoiceField
from django.test import Client

from core import jobs
from directory.models import (
    Alternative,
    Category,
    Launch,
    Listing,
    ListingMove,
    ListingRevision,
    Site,
    Vote,
)
from leaderboards.models import RevenueReport
from tests.conftest import Api, People, signed_in
from tests.factories.listings import AT, make_category, make_listing

OURS = [model for model in admin.site._registry if model._meta.app_label in {"directory", "leaderboards"}]
LISTS = [f"{model._meta.app_label}/{model._meta.model_name}" for model in OURS]


def act(staff: Client, place: str, action: str, *pks: object) -> str:
    chosen = {"action": action, "reason": "Decided.", "_selected_action": [str(pk) for pk in pks]}
    return staff.post(f"/admin/{place}/", chosen, follow=True).content.decode()


def form_of(page: Any) -> dict[str, Any]:
    """What a form of the admin sends when nothing is typed into it."""
    forms = [
        page.context["adminform"].form,
        *(inline.formset.management_form for inline in page.context["inline_admin_formsets"]),
        *(form for inline in page.context["inline_admin_formsets"] for form in inline.formset.initial_forms),
    ]
    fields = (form[name] for form in forms for name in form.fields)
    values = {
        field.html_name: field.value()
        for field in fields
        if not isinstance(field.field, ModelMultipleChoiceField) or field.value()
    }
    return {name: value if value or value == 0 else "" for name, value in values.items()}


@pytest.mark.parametrize("place", LISTS)
def test_every_list_is_shown_searched_and_filtered(staff: Client, site: Site, place: str) -> None:
    model = OURS[LISTS.index(place)]
    options = admin.site._registry[model]
    shown = staff.get(f"/admin/{place}/")
    searched = staff.get(f"/admin/{place}/?q=tide%27")

    assert (shown.status_code, searched.status_code) == (200, 200)
    assert len(options.list_display) > 1
    assert options.search_fields or options.list_filter


@pytest.mark.parametrize(("factor", "told"), [(1, []), (1.0, []), (0.5, ["0.5"]), (100, ["100"])])
def test_the_start_page_tells_when_rate_limits_are_multiplied(
    staff: Client, site: Site, settings: Any, factor: float, told: list[str]
) -> None:
    settings.RATE_LIMIT_FACTOR = factor
    page = staff.get("/admin/").content.decode()

    assert re.findall(r"RATE_LIMIT_FACTOR is ([^:]+):", page) == told
    assert "Directory" in page


@pytest.mark.parametrize("place", LISTS)
def test_lists_are_for_staff(site: Site, people: People, place: str) -> None:
    client = signed_in(people.owner)

    assert client.get(f"/admin/{place}/").status_code in {302, 403}


def test_a_long_list_costs_no_more_than_a_short_one(
    staff: Client, site: Site, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        make_listing(f"listing-{number}")

    with django_assert_max_num_queries(12):
        shown = staff.get("/admin/directory/listing/?status=live&q=listing").content.decode()
    assert shown.count('class="action-select"') == 12


@pytest.mark.parametrize(
    ("action", "status"), [("suspend", "suspended"), ("reject", "rejected"), ("archive", "archived")]
)
def test_staff_take_a_listing_off_the_site_and_put_it_back(
    staff: Client, api: Api, people: People, site: Site, action: str, status: str
) -> None:
    listing = make_listing()
    act(staff, "directory/listing", action, listing.pk)
    gone = api().get("/api/v1/listings/tidewell").status_code
    listing.refresh_from_db()
    moved = ListingMove.objects.get()

    assert (gone, listing.status) == (404, status)
    assert (moved.from_status, moved.to_status, moved.by) == ("live", status, f"staff:{people.staff.pk}")
    assert Launch.objects.get().is_hidden

    act(staff, "directory/listing", "put_live", listing.pk)
    assert Listing.objects.get().launched_at == AT


def test_a_move_that_is_not_one_is_told_and_nothing_moves(staff: Client, site: Site) -> None:
    listing = make_listing(status="draft")
    said = act(staff, "directory/listing", "archive", listing.pk)

    assert "can’t become archived" in said
    assert "Nothing was changed." in said
    assert not ListingMove.objects.exists()


def test_a_listing_is_edited_with_its_categories_and_alternatives(
    staff: Client, api: Api, site: Site
) -> None:
    listing, other = make_listing(), make_listing("brindle", categories=("crm",))
    address = f"/admin/directory/listing/{listing.pk}/change/"
    staff.post(address, form_of(staff.get(address)) | {"tagline": "Edited by staff"})
    form = form_of(staff.get(f"{address}?tab=links"))
    form |= {"alternatives-TOTAL_FORMS": 1, "alternatives-0-approved": "on"}
    form |= {"alternatives-0-alternative": other.pk, "alternatives-0-listing": listing.pk}
    answer = staff.post(f"{address}?tab=links", form)
    named = api().get("/api/v1/listings/tidewell/alternatives").json()["items"]

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert api().get("/api/v1/listings/tidewell").json()["tagline"] == "Edited by staff"
    assert [(item["slug"], item["approved"]) for item in named] == [("brindle", True)]
    assert Alternative.objects.get().at is not None


def test_what_staff_edit_is_kept_with_both_sides_and_told_as_theirs(
    staff: Client, site: Site, people: People
) -> None:
    listing = make_listing(owner=people.owner, city="Ghent", evidence={"tagline": [], "city": []})
    address = f"/admin/directory/listing/{listing.pk}/change/"
    form = form_of(staff.get(address))
    staff.post(address, form | {"tagline": "Edited by staff"})
    edit = ListingRevision.objects.get()

    assert (edit.changed, edit.before, edit.by) == (["tagline"], {"tagline": listing.tagline}, people.staff)
    assert (edit.review, edit.reviewed_by) == ("accepted", people.staff)
    listing.refresh_from_db()
    assert listing.evidence == {"city": []}
    shown = " ".join(staff.get("/listings/tidewell/sources").content.decode().split())
    assert "Stated by the site team on" in shown
    assert "Stated by the owner. No page" in shown


@pytest.mark.parametrize(
    "typed",
    [
        {"name": "Tide\u202ewell"},
        {"country": "XX"},
        {"stage": "huge"},
        {"founded_year": "1200"},
        {"tagline": "", "short_description": ""},
        {"filed-0-DELETE": "on"},
    ],
)
def test_staff_cannot_make_a_listing_less_than_whole(
    staff: Client, site: Site, typed: dict[str, str]
) -> None:
    listing = make_listing()
    before = Listing.objects.values().get()
    address = f"/admin/directory/listing/{listing.pk}/change/?tab=facts"

    answer = staff.post(address, form_of(staff.get(address)) | typed)

    assert answer.status_code in {200, 400}
    assert (Listing.objects.values().get(), listing.filed.count()) == (before, 1)
    assert not ListingRevision.objects.exists()


@pytest.mark.parametrize("action", ["suspend", "reject", "put_back"])
def test_a_decision_without_a_reason_is_refused(staff: Client, site: Site, action: str) -> None:
    listing = make_listing(status="suspended" if action == "put_back" else "live")
    if action == "put_back":
        ListingMove.objects.create(
            listing=listing, from_status="live", to_status="suspended", by="staff:1", reason="Spam.", at=AT
        )
    chosen = {"action": action, "reason": " ", "_selected_action": [str(listing.pk)]}

    said = staff.post("/admin/directory/listing/", chosen, follow=True).content.decode()

    assert "Give a reason" in said
    assert Listing.objects.get().status == listing.status


def test_a_listing_is_made_by_staff_as_a_draft(staff: Client, site: Site) -> None:
    address = "/admin/directory/listing/add/"
    made = {"site": site.pk, "slug": "by-hand", "name": "By hand", "url": "https://by-hand.example/"}
    answer = staff.post(
        address, form_of(staff.get(address)) | made | {"domain": "by-hand.example", "host": "by-hand.example"}
    )

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert Listing.objects.values_list("slug", "status").get() == ("by-hand", "draft")


def test_listings_and_votes_are_never_deleted(staff: Client, site: Site, people: People) -> None:
    listing = make_listing()
    vote = Vote.objects.create(listing=listing, user=people.owner, week=AT.date(), created_at=AT)

    assert staff.post(f"/admin/directory/listing/{listing.pk}/delete/", {"post": "yes"}).status_code == 403
    assert staff.post(f"/admin/directory/vote/{vote.pk}/delete/", {"post": "yes"}).status_code == 403
    assert staff.get("/admin/directory/vote/add/").status_code == 404


def test_voided_votes_leave_the_count_and_keep_their_reason(
    staff: Client, api: Api, site: Site, people: People
) -> None:
    listing = make_listing(votes=3)
    vote = Vote.objects.create(listing=listing, user=people.owner, week=AT.date(), created_at=AT)
    for _ in range(2):
        act(staff, "directory/vote", "void", vote.pk)

    assert api().get("/api/v1/listings/tidewell").json()["votes"] == 2
    assert Vote.objects.get().void_reason == "Decided."


def test_an_edit_is_shown_escaped_and_can_be_put_back(
    staff: Client, api: Api, site: Site, people: People
) -> None:
    listing = make_listing(tagline="<b>After</b>")
    edits = [
        ListingRevision.objects.create(
            listing=listing,
            by=people.owner,
            at=AT + timedelta(hours=hours),
            changed=["tagline"],
            before={"tagline": before},
            after={"tagline": after},
        )
        for hours, before, after in ((0, "First", "Second"), (1, "Second", "<b>After</b>"))
    ]
    shown = staff.get(f"/admin/directory/listingrevision/{edits[1].pk}/change/").content.decode()
    act(staff, "directory/listingrevision", "accept", edits[0].pk)
    act(staff, "directory/listingrevision", "put_back", edits[1].pk)

    assert "&lt;b&gt;After&lt;/b&gt;" in shown
    assert "<b>After</b>" not in shown
    assert api().get("/api/v1/listings/tidewell").json()["tagline"] == "Second"
    assert [edit.review for edit in ListingRevision.objects.order_by("at")] == ["accepted", "reverted"]


def test_a_renamed_category_is_followed_by_its_listings(
    staff: Client, api: Api, site: Site, happening: Any
) -> None:
    make_listing()
    category = Category.objects.get(slug="invoicing")
    address = f"/admin/directory/category/{category.pk}/change/"
    before = api().get("/api/v1/listings/tidewell").json()["categories"][0]["name"]
    with happening():
        staff.post(address, form_of(staff.get(address)) | {"name": "Bills"})
    jobs.run_due()
    tree = api().get("/api/v1/categories").json()["items"]

    assert before == "Invoicing"
    assert [node["name"] for node in tree] == ["Bills"]
    assert api().get("/api/v1/listings/tidewell").json()["categories"][0]["name"] == "Bills"


def test_an_empty_category_can_go_and_the_tree_follows(
    staff: Client, api: Api, site: Site, happening: Any
) -> None:
    category = make_category("unused")
    before = api().get("/api/v1/categories").json()["items"]
    with happening():
        staff.post(f"/admin/directory/category/{category.pk}/delete/", {"post": "yes"})

    assert [node["slug"] for node in before] == ["unused"]
    assert api().get("/api/v1/categories").json()["items"] == []


def test_revenue_that_is_told_stands_below_what_is_verified_and_leaves_with_its_report(
    staff: Client, api: Api, site: Site, happening: Any
) -> None:
    told, verified = make_listing("told"), make_listing("verified")
    entered = [(told, 900_000, {}), (verified, 100, {"is_verified": "on", "method": "bank statement"})]
    for listing, cents, more in entered:
        form = {"listing": listing.pk, "amount_cents": cents, "currency": "EUR", "as_of": "2026-10-31"}
        with happening():
            staff.post("/admin/leaderboards/revenuereport/add/", {**form, **more})
    board = [
        (item["rank"], item["listing"]["slug"], item["metric"]["verified"])
        for item in api().get("/api/v1/leaderboards/revenue").json()["items"]
    ]
    report = RevenueReport.objects.get(listing=verified)
    with happening():
        staff.post(f"/admin/leaderboards/revenuereport/{report.pk}/delete/", {"post": "yes"})
    left = api().get("/api/v1/leaderboards/revenue").json()["items"]

    assert board == [(1, "verified", True), (2, "told", False)]
    assert [item["listing"]["slug"] for item in left] == ["told"]
