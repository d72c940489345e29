"""Pictures in a real browser: several at once, dropped, described, put in order; and how they are shown."""

from base64 import b64encode
from pathlib import Path
from typing import Any

from directory.models import Listing, Site
from tests.browser.conftest import SCREENS
from tests.browser.test_pages import AXE
from tests.browser.test_staff_desk import RULES
from tests.directory.test_pages_pictures import drawn, noise, prepare
from tests.factories.listings import make_listing

DROPPED = """async ([selector, name, base64]) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name, { type: "image/png" }));
    const form = document.querySelector(selector);
    for (const kind of ["dragover", "drop"])
        form.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
}"""


def seen(window: Any, name: str) -> None:
    """Axe and the width, on a phone and on a desk, with a picture of each."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    for width in (375, 1280):
        window.page.set_viewport_size({"width": width, "height": 900})
        window.page.screenshot(path=SCREENS / f"pictures-{name}-{width}.png", full_page=True)
        window.page.evaluate(AXE)
        assert window.page.evaluate(RULES) == [], (name, width)
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width


def signed_in(visit: Any, user: Any) -> tuple[Any, Any]:
    window = visit(bypass_csp=True)
    window.sign_in(user)
    return window, window.page


def test_from_a_drop_to_a_gallery_in_its_order(
    visit: Any, ines: Any, site: Site, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    listing = make_listing(owner=ines, plan="paid")
    for number in (1, 2):
        (tmp_path / f"{number}.png").write_bytes(noise("PNG", (900 + number, 600)).read())
    window, page = signed_in(visit, ines)
    window.go(f"/account/listings/{listing.pk}/pictures")
    seen(window, "none")

    page.set_input_files("input[type=file]", [tmp_path / "1.png", tmp_path / "2.png"])
    picture = drawn(400, 250).read()
    page.evaluate(DROPPED, ["form[data-drop]", "third.png", b64encode(picture).decode()])
    assert page.evaluate("document.querySelector('input[type=file]').files.length") == 3
    with page.expect_navigation():
        page.get_by_role("button", name="Add", exact=True).click()
    assert page.get_by_text("Being prepared.").count() == 3
    seen(window, "waiting")
    with page.expect_navigation():  # by itself, once they are there
        prepare()
    assert [row["width"] for row in Listing.objects.get().media] == [901, 902, 400]
    page.get_by_label("What it shows").first.fill("The rota of a week")
    page.get_by_role("button", name="Save what picture 1 shows").click()
    page.get_by_role("button", name="Earlier: picture 3").click()
    page.wait_for_url("**/pictures")
    seen(window, "some")
    with page.expect_navigation():
        page.locator(".pictures a").nth(2).drag_to(page.locator(".pictures > li").nth(0))
    assert [row["width"] for row in Listing.objects.get().media] == [902, 901, 400]

    window.go(f"/listings/{listing.slug}")
    seen(window, "listing")
    assert page.locator("#pictures img").first.evaluate("image => image.currentSrc").endswith(".avif")
    assert window.foreign == []


def test_a_logo_is_sent_from_the_pages_of_a_draft_and_a_listing(
    visit: Any, ines: Any, stocked: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "logo.png").write_bytes(drawn(300, 300).read())
    window, page = signed_in(visit, ines)
    places = {"draft": "/drafts/{draft}", "edit": "/account/listings/{live}/edit"}
    for name, place in places.items():
        window.go(place.format(**stocked))
        page.set_input_files("#logo-file", tmp_path / "logo.png")
        page.get_by_role("button", name="Upload", exact=True).click()
        page.get_by_text("Being prepared.").wait_for()
        seen(window, f"logo-{name}-waiting")
        prepare()
        page.locator("#logo img").wait_for()  # by itself, and nothing that was typed is lost
        assert page.get_by_text("Being prepared.").count() == 0
        seen(window, f"logo-{name}")
