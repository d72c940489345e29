"""Staff work the directory in a real browser: by keyboard alone, in few clicks, as the least role that may."""

import re
from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import User
from claims.models import Claim
from core.models import Job
from directory.listings.editing import update_my_listing
from directory.models import BadgeCheck, Category, Listing, ListingRevision, Site, Vote
from directory.sites.catalogue import ensure_default_site
from directory.weeks import WEEK, week_of
from orders.models import LaunchWeek, Order, Payment, Refund
from tests.browser.conftest import picture
from tests.browser.test_pages import axe
from tests.factories.listings import make_category, make_listing
from tests.factories.orders import make_order
from tests.factories.staff import make_staff

# colours are no longer on their way from one theme to the other
# what moves is at its end at once: one that is waited for may have none, or belong to a page that is not drawn
CALM = """() => document.getAnimations().forEach((one) => {
  try { one.finish() } catch { one.cancel() }
})"""
RULES = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .map((found) => found.id + ' ' + found.nodes[0].html)"""


def window_of(visit: Any, role: str, **options: Any) -> Any:
    window = visit(**{"viewport": {"width": 1280, "height": 900}, "bypass_csp": True, **options})
    window.sign_in(make_staff(role))
    return window


def look(page: Page, name: str) -> None:
    """Axe in both themes and on a phone, with a picture of each."""
    for theme, width in (("light", 1280), ("dark", 1280), ("light", 390)):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(CALM)
        picture(page, f"desk-{name}-{theme}-{width}")
        assert axe(page, RULES) == [], (name, theme, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})


def edit(listing: Listing, **fields: Any) -> None:
    assert listing.owner_id
    update_my_listing(
        owner_id=listing.owner_id, listing_id=listing.pk, changes={"fields": fields}, at=timezone.now()
    )


def test_edits_are_worked_by_keyboard_and_put_back_in_two_clicks(
    transactional_db: None, visit: Any, ines: User
) -> None:
    ensure_default_site()
    User.objects.filter(pk=ines.pk).update(date_joined=timezone.now() - timedelta(days=60))
    quote = {"quote": "Calm invoices for studios", "url": "https://tidewell.example/", "fetched_at": None}
    listing = make_listing(
        owner=ines, tagline="Calm invoices for studios", evidence={"tagline": [quote]}, city="Ghent"
    )
    edit(listing, demo_video_url="https://elsewhere.test/tour", tagline="Loud invoices for everybody")
    window = window_of(visit, "editor")
    page = window.page

    window.go("/admin/")
    page.get_by_role("navigation", name="Back office").get_by_role("link", name="Edits").click()
    page.get_by_role("heading", name="Tidewell", exact=True).wait_for()
    look(page, "review")
    page.get_by_role("button", name=re.compile("Put this one back.*Tagline")).click()
    page.get_by_text("Put back. The former tagline of Tidewell is live again.").wait_for()
    listing.refresh_from_db()
    assert (listing.tagline, listing.demo_video_url) == (
        "Calm invoices for studios",
        "https://elsewhere.test/tour",
    )


def test_edits_are_worked_by_keyboard_alone(transactional_db: None, visit: Any, ines: User) -> None:
    for slug in ("tidewell", "brindle", "corvid"):
        edit(make_listing(slug, owner=ines, city="Ghent"), city="Rome")
    window = window_of(visit, "editor")
    page = window.page

    window.go("/admin/directory/listingrevision/queue/")
    page.get_by_role("heading", name="Tidewell", exact=True).wait_for()
    page.keyboard.press("a")
    page.get_by_role("heading", name="Brindle", exact=True).wait_for()
    page.keyboard.press("j")
    page.get_by_role("heading", name="Corvid", exact=True).wait_for()
    assert page.evaluate("document.activeElement.id") == "edit"
    page.keyboard.press("b")
    page.get_by_role("heading", name="Brindle", exact=True).wait_for()
    assert Listing.objects.get(slug="corvid").city == "Ghent"
    page.keyboard.press("z")
    page.get_by_text("Undone. The edit of Corvid waits again.").wait_for()
    assert Listing.objects.get(slug="corvid").city == "Rome"
    page.keyboard.press("a")
    page.get_by_role("heading", name="Brindle", exact=True).wait_for()
    page.keyboard.press("1")
    page.get_by_role("heading", name="All edits are reviewed").wait_for()
    reviews = dict(ListingRevision.objects.values_list("listing__slug", "review"))
    assert reviews == {"tidewell": "accepted", "brindle": "reverted", "corvid": "accepted"}
    assert window.foreign == []


def test_a_listing_says_why_it_is_not_live_and_is_suspended(
    transactional_db: None, visit: Any, ines: User
) -> None:
    now = timezone.now()
    faqs = [{"question": "Free?", "answer": "Yes."}]
    said = [{"quote": "Calm invoices", "url": "https://tidewell.example/", "fetched_at": now.isoformat()}]
    listing = make_listing(
        owner=ines,
        status="awaiting_badge",
        at=now + WEEK,
        faqs=faqs,
        city="Ghent",
        evidence={"tagline": said},
    )
    BadgeCheck.objects.create(
        listing=listing, at=now, found=False, result="not_found", detail="No link to us."
    )
    edit(listing, city="Rome")
    window = window_of(visit, "moderator")
    page = window.page

    window.go(f"/admin/directory/listing/{listing.pk}/change/")
    page.get_by_text("The free plan needs our badge on tidewell.example.").first.wait_for()
    look(page, "listing")
    for tab in ("links", "story", "votes", "sites"):
        window.go(f"/admin/directory/listing/{listing.pk}/change/?tab={tab}")
        picture(page, f"desk-listing-{tab}")
    window.go(f"/admin/directory/listing/{listing.pk}/change/")
    page.get_by_role("link", name="Suspend…").click()
    page.get_by_label("Reason").select_option("spam")
    look(page, "suspend")
    page.get_by_role("button", name="Suspend", exact=True).click()
    page.get_by_text("Tidewell is suspended.").wait_for()
    assert Listing.objects.get().status == "suspended"


def test_categories_are_merged(transactional_db: None, visit: Any) -> None:
    ensure_default_site()
    bills, _ = make_category("bills", name="Bills"), make_category("invoicing", name="Invoicing")
    make_category("late-bills", name="Late bills", parent=bills)
    make_listing(categories=("bills",))
    window = window_of(visit, "moderator")
    page = window.page

    window.go("/admin/")
    menu = page.get_by_role("navigation", name="Back office")
    menu.get_by_role("link", name="Categories").click()
    look(page, "tree")
    page.get_by_role("link", name="Merge… Bills", exact=True).click()
    page.get_by_label("Into").fill("Invoicing")
    page.get_by_role("button", name="Merge").click()
    page.get_by_text("Bills is part of Invoicing now: 1 listings moved.").wait_for()
    assert not Category.objects.filter(slug="bills").exists()


def test_votes_are_voided_and_a_claim_is_decided(transactional_db: None, visit: Any, ines: User) -> None:
    now = timezone.now()
    listing = make_listing(owner=ines, at=now, claimed_by_method="dns")
    rival = User.objects.create(email="rival@people.example")
    for number in range(6):
        user = User.objects.create(email=f"voter-{number}@people.example")
        fields = {"held_at": now, "held_for": "6 votes of new accounts of one network", "network": "a" * 32}
        Vote.objects.create(listing=listing, user=user, week=week_of(now), created_at=now, **fields)
    claim = Claim.objects.create(
        listing=listing,
        user=rival,
        method="dns",
        status="contested",
        created_at=now,
        expires_at=now + WEEK,
        proved_at=now,
        for_staff_since=now,
    )
    window = window_of(visit, "moderator")
    page = window.page

    window.go("/admin/")
    menu = page.get_by_role("navigation", name="Back office")
    menu.get_by_role("link", name="Votes").click()
    look(page, "risks")
    page.get_by_role("link", name="Tidewell").click()
    page.get_by_label("Reason").fill("Accounts made for it.")
    look(page, "burst")
    page.get_by_role("button", name="Void the ticked votes").click()
    page.get_by_text("6 votes for Tidewell are void.").wait_for()

    menu.get_by_role("link", name="Claims").click()
    page.get_by_role("link", name="Decide", exact=True).click()
    page.get_by_label("Reason").fill("The owner's proof is older.")
    look(page, "claim")
    page.get_by_role("button", name="Keep with the owner").click()
    page.get_by_text("Decided. Both are told by e-mail.").wait_for()
    claim.refresh_from_db()
    assert claim.status == "failed"
    assert window.foreign == []


def test_a_price_is_raised_from_next_monday_and_a_line_refunded(
    transactional_db: None, visit: Any, ines: User
) -> None:
    order = paid_order(ensure_default_site(), owner=ines, week=week_of(timezone.now()) + WEEK)
    window = window_of(visit, "finance")
    page = window.page

    window.go("/admin/")
    menu = page.get_by_role("navigation", name="Back office")
    menu.get_by_role("link", name="Prices and codes").click()
    page.get_by_label("Product", exact=True).select_option("launch")
    page.get_by_label("Price before VAT, EUR").fill("119")
    page.get_by_label("From", exact=True).select_option("monday")
    look(page, "prices")
    page.get_by_role("button", name="Schedule this price").click()
    page.get_by_text("00:00 UTC Launch costs €119.00.").wait_for()

    window.go(f"/admin/orders/order/{order.pk}/change/")
    look(page, "order")
    page.get_by_label("Launch, €99.00").check()
    page.get_by_role("button", name="Refund…").click()
    page.get_by_label("Reason, for us and the buyer").fill("Bought twice.")
    page.get_by_role("button", name="Refund €99.00").click()
    page.get_by_text("€99.00 is asked back from sandbox.").wait_for()
    assert Refund.objects.get().line == order.lines.get()
    assert window.foreign == []


def test_weeks_are_planned_and_single_keys_switched_off(
    transactional_db: None, visit: Any, ines: User
) -> None:
    now, site = timezone.now(), ensure_default_site()
    listing, week = make_listing(owner=ines, at=now + WEEK, status="scheduled"), week_of(now) + WEEK
    window = window_of(visit, "moderator")
    page = window.page

    window.go("/admin/")
    page.get_by_role("link", name="Calendar").click()
    page.get_by_role("link", name=listing.name).first.wait_for()
    page.get_by_label(f"Paid places in the week of {week:%-d %B %Y}").fill("7")
    look(page, "weeks")
    page.get_by_role("button", name="Change").first.click()
    page.get_by_text("has 7 paid places").wait_for()
    assert LaunchWeek.objects.get(site=site, week=week).capacity == 7
    page.keyboard.press("?")
    page.get_by_label("Single keys work in this browser").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    assert not page.get_by_role("heading", name="Keys of this page").is_visible()
    assert window.foreign == []


def paid_order(site: Site, *, owner: User, week: date) -> Order:
    """One line of €99.00, paid with test money."""
    now, order = timezone.now(), make_order(site, owner=owner, week=week)
    order.lines.update(unit_cents=9900, net_cents=9900, gross_cents=9900)
    sums = dict.fromkeys(("subtotal_cents", "net_cents", "total_cents"), 9900)
    Order.objects.filter(pk=order.pk).update(status="paid", paid_at=now, test_money=True, **sums)
    Payment.objects.create(
        order=order,
        provider="sandbox",
        method="test",
        status="paid",
        amount_cents=9900,
        currency="EUR",
        paid_cents=9900,
        paid_currency="EUR",
        created_at=now,
        expires_at=now,
    )
    return order


SIZES = """() => [...document.querySelectorAll('#result_list')].map((table) => [
    table.scrollWidth - table.closest('.card').clientWidth,
    Math.max(...[...table.querySelectorAll('tbody tr')].map((row) => row.offsetHeight))])"""
LISTS = ("orders/order/", "orders/orderinreview/", "orders/payment/", "core/job/?state__exact=dead")


def test_lists_of_orders_payments_and_jobs_are_lines_of_which_nothing_is_cut(visit: Any, ines: User) -> None:
    now = timezone.now()
    order = make_order(ensure_default_site(), owner=ines, review_reason="Money came in part or late. " * 9)
    Payment.objects.create(
        order=order,
        provider="sandbox",
        method="test",
        status="flagged",
        amount_cents=99_999_999,
        currency="EUR",
        flag="Another sum came. " * 10,
        created_at=now,
        expires_at=now,
    )
    moments = dict.fromkeys(("run_after", "created_at", "finished_at"), now)
    Job.objects.create(
        kind="directory.plan_reminders",
        key="k" * 60,
        queue="mail",
        state="dead",
        last_error="No. " * 90,
        **moments,
    )
    window = window_of(visit, "administrator")

    sizes = {}
    for address in LISTS:
        window.go(f"/admin/{address}")
        (sizes[address],) = window.page.evaluate(SIZES)
        assert window.page.locator("#changelist-filter").is_hidden()
    assert [(address, size) for address, size in sizes.items() if size[0] > 0 or size[1] > 36] == []
    window.page.get_by_text("Filter: chosen").click()
    window.page.reload()
    assert window.page.get_by_role("link", name="Clear all filters").is_visible()
