"""What staff do, in a real browser: a setting is changed and its history read; an edit is put back or accepted."""

import json
from typing import Any

from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from directory.models import Listing, ListingRevision, SiteSettings
from directory.services.catalogue import ensure_default_site
from directory.services.voting import follow
from tests.browser.conftest import SCREENS
from tests.conftest import Caller
from tests.factories.listings import make_listing


def staff_window(visit: Any) -> Any:
    window = visit(viewport={"width": 1280, "height": 900})
    window.sign_in(accounts.create_user(email="pim@people.example", is_staff=True))
    return window


def test_a_setting_is_changed_and_its_history_says_by_whom(transactional_db: None, visit: Any) -> None:
    ensure_default_site()
    window = staff_window(visit)
    page = window.page

    window.go("/admin/directory/sitesettings/")
    page.get_by_role("link", name="Add site settings").click()
    assert page.get_by_label("Free queue weeks").input_value() == "2"
    page.get_by_label("Free queue weeks").fill("4")
    page.get_by_label("Weeks shown").fill("8")
    page.screenshot(path=SCREENS / "admin-settings-1280.png", full_page=True)
    page.get_by_role("button", name="Save", exact=True).click()

    row = page.locator("#result_list tbody tr").first
    assert "Free queue weeks: 2 → 4" in row.inner_text()
    assert "pim@people.example" in row.inner_text()
    page.screenshot(path=SCREENS / "admin-settings-history-1280.png", full_page=True)
    assert SiteSettings.objects.latest("pk").weeks_shown == 8
    assert window.foreign == []


def test_mail_is_chosen_and_data_taken_along_without_scripts(
    stocked: dict[str, Any], visit: Any, ines: User
) -> None:
    follow(user=ines, listing_id=Listing.objects.get(slug="product-1").pk, at=timezone.now())
    window = visit(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    window.sign_in(ines)
    page = window.page

    window.go("/account/mail")
    page.screenshot(path=SCREENS / "account-mail-390.png", full_page=True)
    page.get_by_label("Each one at once").check()
    page.get_by_role("button", name="Save").click()
    assert page.get_by_text("Saved. It holds from now on.").is_visible()
    assert page.get_by_role("link", name="Product 1").is_visible()

    window.go("/account/data")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download your data").click()
    assert json.loads(download.value.path().read_text())["account"]["account"]["email"] == ines.email
    page.get_by_role("link", name="Erase the account").click()
    page.screenshot(path=SCREENS / "account-erase-390.png", full_page=True)
    page.get_by_label("Your e-mail address").fill(ines.email)
    page.get_by_role("button", name="Erase the account now").click()
    assert page.get_by_role("heading", name="Your account is erased").is_visible()
    window.go("/account")
    assert page.get_by_role("heading", name="Sign in").is_visible()
    assert window.messages == []


def test_an_edit_is_put_back_and_the_next_one_accepted(
    transactional_db: None, visit: Any, ines: User
) -> None:
    listing = make_listing("tidewell", owner=ines, tagline="Calm invoices for studios")
    for tagline in ("Calm invoices for everybody", "The best <b>so far</b> invoices for everybody"):
        _, key = accounts.create_api_key(user=ines, name="Test", at=timezone.now())
        body = {"fields": {"tagline": tagline}}
        assert Caller(key).patch(f"/api/v1/me/listings/{listing.pk}", body).status_code == 200
    window = staff_window(visit)
    page = window.page

    window.go("/admin/directory/listingrevision/?review__exact=pending")
    page.get_by_role("link", name="Tidewell").first.click()
    page.get_by_role("button", name="Accept").wait_for()
    assert [text.strip() for text in page.locator("del").all_inner_texts()] == ["Calm"]
    assert [text.strip() for text in page.locator("ins").all_inner_texts()] == ["The best <b>so far</b>"]
    page.screenshot(path=SCREENS / "admin-review-1280.png", full_page=True)
    page.get_by_label("Why, for the owner to read").fill("Please say what it does.")
    page.get_by_role("button", name="Put back").click()

    page.get_by_text("1 edits put back.").wait_for()
    assert page.locator("ins").all_inner_texts() == ["everybody"]
    page.get_by_role("button", name="Accept").click()
    page.get_by_text("All edits are reviewed.").wait_for()
    listing.refresh_from_db()
    assert listing.tagline == "Calm invoices for everybody"
    newest = list(ListingRevision.objects.order_by("pk").values_list("review", "review_note"))
    assert newest == [("accepted", ""), ("reverted", "Please say what it does.")]
    assert window.foreign == []
