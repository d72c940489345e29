"""What staff do, in a real browser: a setting is changed and its history read."""

import json
from typing import Any

from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from directory.engagement.voting import follow
from directory.models import Listing, SiteSettings
from directory.sites.catalogue import ensure_default_site
from tests.browser.conftest import picture


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
    picture(page, "admin-settings-1280")
    page.get_by_role("button", name="Save", exact=True).click()

    row = page.locator("#result_list tbody tr").first
    assert "Free queue weeks: 2 → 4" in row.inner_text()
    assert "pim@people.example" in row.inner_text()
    picture(page, "admin-settings-history-1280")
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
    picture(page, "account-mail-390")
    page.get_by_label("Each one at once").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.").wait_for()
    window.go("/account/votes")
    page.get_by_role("link", name="Product 1", exact=True).wait_for()

    window.go("/account/data")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download your data").click()
    assert json.loads(download.value.path().read_text())["account"]["account"]["email"] == ines.email
    page.get_by_role("link", name="Erase the account").click()
    picture(page, "account-erase-390")
    page.get_by_label("Your e-mail address").fill(ines.email)
    page.get_by_role("button", name="Erase the account now").click()
    page.get_by_role("heading", name="Your account is erased").wait_for()
    window.go("/account")
    page.get_by_role("heading", name="Sign in").wait_for()
    assert window.messages == []
