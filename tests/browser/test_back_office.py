"""What staff do, in a real browser: a setting is changed and its history read; an edit is put back or accepted."""

from typing import Any

from accounts import services as accounts
from directory.models import SiteSettings
from directory.services.catalogue import ensure_default_site
from tests.browser.conftest import SCREENS


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
