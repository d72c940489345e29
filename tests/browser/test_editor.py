"""One editor for drafts and listings, on a phone and on a desk, with scripts and without."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from directory.models import Listing
from drafts.models import Draft, DraftField
from tests.browser.conftest import picture
from tests.browser.test_pages import SHIFTS, broken, violations
from tests.factories.pictures import drawn, prepare

Way = tuple[int, bool]  # how wide the window is, and whether scripts run
WAYS = pytest.mark.parametrize("way", [(390, True), (390, False), (1280, True), (1280, False)])


def opened(visit: Any, ines: User, path: str, *, way: Way) -> Any:
    width, scripts = way
    window = visit(
        java_script_enabled=scripts, viewport={"width": width, "height": 844}, reduced_motion="reduce"
    )
    window.sign_in(ines)
    window.go(path)
    return window


def show(window: Any, title: str) -> Any:
    """The group of this title, open."""
    group = window.page.locator("details.group").filter(
        has=window.page.get_by_role("heading", name=title, exact=True, include_hidden=True)
    )
    if group.get_attribute("open") is None:
        group.locator("summary").first.click()
    return group


def saved(window: Any, *, way: Way) -> None:
    """By itself where scripts run, by the button where they do not."""
    bar = window.page.locator("#editor-saved")
    if way[1]:
        window.page.keyboard.press("Tab")
    else:
        window.page.get_by_role("button", name="Save", exact=True).last.click()
    bar.get_by_text(re.compile(r"Saved \d\d:\d\d UTC")).wait_for()
    bar.get_by_role("button", name="Undo").wait_for()


def seen(window: Any, name: str, *, way: Way) -> None:
    width, scripts = way
    if scripts:
        assert [*violations(window.page), *broken(window.page)] == []
        window.page.set_viewport_size({"width": width, "height": 844})
    picture(window.page, f"editor-{name}-{width}{'' if scripts else '-none'}")
    assert window.page.evaluate("document.documentElement.scrollWidth") <= width if scripts else True


@WAYS
def test_a_draft_is_saved_as_one_goes_and_undone(
    visit: Any, ines: User, stocked: dict[str, str], way: Way
) -> None:
    draft = Draft.objects.get(pk=stocked["draft"])
    option = {"value": "Rotas by Friday", "confidence": 0.6, "evidence": []}
    row = DraftField.objects.get(draft=draft, name="tagline")
    DraftField.objects.filter(draft=draft, name="city").update(
        value=None, state="not_found", reason="unconfirmed", suggestions=[option | {"value": "Porto"}]
    )
    window = opened(visit, ines, f"/drafts/{draft.pk}", way=way)
    seen(window, "draft", way=way)

    show(window, "Basics").get_by_role("textbox", name="Tagline").fill("Typed on the way")
    saved(window, way=way)
    assert DraftField.objects.get(pk=row.pk).value == "Typed on the way"
    window.page.get_by_role("button", name="Undo").click()
    window.page.get_by_text("Undone.").wait_for()
    assert DraftField.objects.get(pk=row.pk).value == row.value

    show(window, "Price and place").get_by_role("button", name="Use this: City, Porto").click()
    expect(window.page.get_by_role("textbox", name="City")).to_have_value("Porto")
    assert DraftField.objects.get(draft=draft, name="city").value == "Porto"
    assert window.messages == []


def add_three(window: Any, folder: Path, *, way: Way) -> None:
    """At once where scripts run, by the button where they do not."""
    files = [folder / f"{number}.png" for number in range(3)]
    for number, file in enumerate(files):
        file.write_bytes(drawn(900 + number, 600).read())
    show(window, "Pictures")
    window.page.set_input_files("#id_picture", files)
    if not way[1]:
        window.page.get_by_role("button", name="Add", exact=True).click()
    window.page.get_by_text("Being prepared.").nth(2).wait_for()
    prepare()
    prepare()  # the pictures of one request wait for each other


@pytest.mark.parametrize("way", [(390, True), (390, False)])
def test_pictures_of_a_draft_are_put_in_order_and_join_its_listing(
    visit: Any, ines: User, stocked: dict[str, str], settings: Any, tmp_path: Path, way: Way
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=way)
    add_three(window, tmp_path, way=way)
    window.go(f"/drafts/{stocked['draft']}")
    show(window, "Pictures")
    window.page.get_by_role("button", name="Earlier: picture 3").click()
    window.page.get_by_text("Moved.").first.wait_for(state="attached")
    seen(window, "draft-pictures", way=way)

    window.page.get_by_role("button", name="Submit", exact=True).click()
    window.page.get_by_text("Submitted.").wait_for()
    prepare()
    listing = Draft.objects.get(pk=stocked["draft"]).listing
    assert listing
    assert [row["width"] for row in listing.media] == [900, 902, 901]


@WAYS
def test_from_phone_to_a_published_edit_with_three_pictures(
    visit: Any, ines: User, stocked: dict[str, str], settings: Any, tmp_path: Path, way: Way
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    listing = Listing.objects.get(pk=stocked["live"])
    pictures = len(listing.media)
    path = f"/account/listings/{listing.pk}/edit"
    window = opened(visit, ines, path, way=way)
    page, begun = window.page, time.monotonic()

    show(window, "Basics").get_by_role("textbox", name="Tagline").fill("Rotas that are done by Monday")
    saved(window, way=way)
    add_three(window, tmp_path, way=way)
    window.go(path)
    assert (
        show(window, "Basics").get_by_role("textbox", name="Tagline").input_value()
        == "Rotas that are done by Monday"
    )
    page.get_by_role("button", name="Review and publish").last.click()
    page.get_by_role("button", name="Publish 1 change").click()
    page.get_by_text("Published: 1 change.").wait_for()

    assert time.monotonic() - begun < 120
    listing.refresh_from_db()
    assert (listing.tagline, len(listing.media)) == ("Rotas that are done by Monday", pictures + 3)
    seen(window, "listing", way=way)
    assert window.messages == []


def test_card_and_counters_follow_what_is_typed(visit: Any, ines: User, stocked: dict[str, str]) -> None:
    path = f"/account/listings/{stocked['live']}/edit"
    window = opened(visit, ines, path, way=(1280, True))
    tagline = show(window, "Basics").get_by_role("textbox", name="Tagline")
    tagline.fill("Rotas \U0001f680")
    assert window.page.locator(".share-card [data-shows=tagline]").inner_text() == "Rotas \U0001f680"
    count = window.page.locator("#input-tagline-count")
    assert (count.text_content(), count.is_visible()) == ("7 of 200", False)  # shown once it is long
    assert window.page.locator("#editor-left").inner_text() == ""
    tagline.fill("x" * 181)
    assert count.inner_text() == "181 of 200"
    assert window.page.locator("#editor-left").inner_text() == "19 letters left"
    assert "input-tagline-count" in (tagline.get_attribute("aria-describedby") or "")
    saved(window, way=(1280, True))

    without = opened(visit, ines, path, way=(390, False))
    assert without.page.locator("#input-tagline-count").inner_text() == "Up to 200 letters"


def test_on_a_phone_each_group_is_a_screen(visit: Any, ines: User, stocked: dict[str, str]) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(390, True))
    for title in ("People", "Questions", "Basics"):
        show(window, title)
        assert window.page.locator("details.group[open]").count() == 1
        heading = window.page.get_by_role("heading", name=title, exact=True)
        expect(heading).to_be_in_viewport()  # though the group above it closed


def test_what_is_wrong_stands_at_its_field_until_it_is_right_and_the_preview_stays_in_view(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    window = opened(visit, ines, f"/account/listings/{stocked['live']}/edit", way=(1280, True))
    contact = show(window, "Price and place").get_by_role("textbox", name="Contact address")
    field = window.page.locator("#field-contact_email")
    for text, is_wrong in (("nobody", True), ("ines@brindle.example", False)):
        contact.fill(text)
        window.page.keyboard.press("Tab")
        expect(field.get_by_text("Enter an e-mail address")).to_have_count(int(is_wrong))
        expect(contact).to_have_attribute("aria-invalid", str(is_wrong).lower())
    expect(window.page.locator(".looks")).to_be_in_viewport(ratio=0.9)


def test_undo_pressed_while_a_save_is_under_way_takes_that_change_back(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(1280, True))
    page, held = window.page, []
    tagline = show(window, "Basics").get_by_role("textbox", name="Tagline")
    tagline.fill("Rotas by Monday")
    saved(window, way=(1280, True))
    page.route("**/edit", lambda route: held.append(route) if not held else route.continue_())
    tagline.fill("Rotas by Tuesday")
    with page.expect_request("**/edit"):
        page.keyboard.press("Tab")

    page.get_by_role("button", name="Undo").click()
    held[0].continue_()
    expect(tagline).to_have_value("Rotas by Monday", timeout=60_000)
    assert DraftField.objects.get(draft=stocked["draft"], name="tagline").value == "Rotas by Monday"
    assert window.messages == []


def test_on_a_slow_line_nothing_moves_once_it_is_seen(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    window = visit(viewport={"width": 390, "height": 844})
    window.sign_in(ines)
    window.page.add_init_script(SHIFTS)
    line = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    window.context.new_cdp_session(window.page).send("Network.emulateNetworkConditions", line)
    window.go(f"/drafts/{stocked['draft']}")

    expect(window.page.locator("#editor-side .section-list")).to_be_hidden()
    assert window.page.evaluate("window.shifts") < 0.02


def test_it_saves_by_itself_after_a_pause_and_posts_once_what_is_refused(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(1280, True))
    page, bar, posts = window.page, window.page.locator("#editor-saved"), []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    city = show(window, "Price and place").get_by_role("textbox", name="City")
    city.press_sequentially("Lisbon")
    page.locator("#field-city").get_by_text("Written by you", exact=True).wait_for()
    expect(city).to_be_focused()
    assert DraftField.objects.get(draft=stocked["draft"], name="city").value == "Lisbon"

    questions = show(window, "Questions")
    questions.get_by_text("Add a question").click()
    questions.get_by_role("textbox", name="Question").last.fill("And now?")
    city.focus()
    bar.get_by_text("Not saved: one field needs a fix.").wait_for()
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(questions.get_by_text("Write the answer too, or clear its question.")).to_be_visible()
    assert len(posts) == 2


def height_of(field: Any) -> float:
    return float(field.bounding_box()["y"])


def test_on_a_phone_a_press_leads_to_what_is_needed_and_it_stands_before_what_is_not(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    DraftField.objects.filter(draft=stocked["draft"], name="categories").update(value=None)
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(390, True))
    window.page.locator("#editor-glance").get_by_role("link", name="Choose a category.").click()
    category = window.page.locator("#field-categories")
    expect(category).to_be_in_viewport()
    tagline = window.page.get_by_role("textbox", name="Tagline", exact=True)
    overview = window.page.locator("#head-overview")  # which has the description, folded
    assert height_of(tagline) < height_of(category) < height_of(overview)


@pytest.mark.parametrize("of", ["draft", "live"])
def test_the_way_to_an_error_opens_its_group_and_shows_its_field_below_the_head(
    visit: Any, ines: User, stocked: dict[str, str], of: str
) -> None:
    path = f"/drafts/{stocked['draft']}" if of == "draft" else f"/account/listings/{stocked['live']}/edit"
    window = opened(visit, ines, path, way=(390, True))
    show(window, "Price and place").get_by_role("textbox", name="Founding year").fill("soon")
    saved(window, way=(390, True))
    window.go(path)
    show(window, "People")
    bar, year = window.page.locator("#finish"), window.page.get_by_role("textbox", name="Founding year")
    expect(bar.get_by_text("Price and place: Founding year")).to_be_visible()
    expect(bar.get_by_role("button", name=re.compile("Submit|Review"))).to_have_count(0)
    expect(year).to_be_hidden()
    bar.get_by_role("link", name="Fix 1 field").click()

    expect(year).to_be_focused()
    window.page.wait_for_function("scrollY > 0")
    head, label = (
        window.page.locator(place) for place in ("#head-price-and-place", "#field-founded_year .label")
    )
    assert height_of(head) + head.bounding_box()["height"] <= height_of(label)


@pytest.mark.parametrize("of", ["draft", "live"])
def test_the_bar_says_what_is_not_saved_and_save_and_undo_leave_one_where_one_was(
    visit: Any, ines: User, stocked: dict[str, str], of: str
) -> None:
    path = f"/drafts/{stocked['draft']}" if of == "draft" else f"/account/listings/{stocked['live']}/edit"
    window = opened(visit, ines, path, way=(1280, True))
    page, bar = window.page, window.page.locator("#editor-saved")
    # it is saved once it is left alone: Save is there until then
    year = show(window, "Price and place").get_by_role("textbox", name="Founding year")
    year.scroll_into_view_if_needed()
    if of == "live":  # Publish is seen, and waits for something to publish
        expect(page.get_by_role("button", name="Review and publish")).to_be_disabled()
    year.evaluate("field => scrollBy({ top: field.getBoundingClientRect().top - 300, behavior: 'instant' })")
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    year.fill("2019")
    bar.get_by_text("Not saved yet.").wait_for()
    assert bar.get_by_text(re.compile("Saved [0-9]")).count() == 0
    if of == "live":
        expect(page.locator("[data-review]")).to_have_class("button primary")
        expect(page.locator("[data-review]")).to_be_enabled()

    for press, words in (("Save", "Saved [0-9]"), ("Undo", "Undone")):
        before = height_of(year)
        button = page.get_by_role("button", name=re.compile(rf"^{press}\b")).last
        button.evaluate("button => button.click()")  # a driver's click scrolls to what sticks first
        bar.get_by_text(re.compile(f"^{words}")).first.wait_for()
        assert height_of(year) == pytest.approx(before, abs=4), press
        bar.get_by_text(re.compile(r"Saved \d\d:\d\d UTC")).wait_for()
        expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    assert window.messages == []


@pytest.mark.parametrize("of", ["draft", "live"])
def test_a_logo_is_sent_and_what_was_typed_before_stays(
    visit: Any, ines: User, stocked: dict[str, str], settings: Any, tmp_path: Path, of: str
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    file = tmp_path / "logo.png"
    file.write_bytes(drawn(300, 300).read())
    path = f"/drafts/{stocked['draft']}" if of == "draft" else f"/account/listings/{stocked['live']}/edit"
    window = opened(visit, ines, path, way=(1280, True))
    show(window, "Pictures")
    tagline = show(window, "Basics").get_by_role("textbox", name="Tagline")
    tagline.fill("Typed before the logo")

    window.page.set_input_files("#logo-file", file)
    window.page.get_by_text("Being prepared.").first.wait_for(state="attached")

    assert tagline.input_value() == "Typed before the logo"
    assert window.messages == []


def test_a_site_that_refuses_a_save_is_asked_again_by_a_press_alone(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    window = opened(visit, ines, f"/drafts/{stocked['draft']}", way=(1280, True))
    page, bar, asked = window.page, window.page.locator("#editor-saved"), []
    page.clock.install()
    page.route("**/edit", lambda route: (asked.append(route), route.fulfill(status=429, body="")))
    show(window, "Basics").get_by_role("textbox", name="Tagline").fill("Typed while it is busy")

    page.clock.run_for(2_000)
    bar.get_by_text("Press Save to try again").wait_for()
    page.clock.run_for(20_000)
    page.evaluate("fetch('/healthz')")  # what was asked before has come by then
    assert len(asked) == 1

    page.unroute("**/edit")
    page.get_by_role("button", name="Save", exact=True).last.click()
    bar.get_by_text(re.compile(r"Saved \d\d:\d\d UTC")).wait_for()
    assert DraftField.objects.get(draft=stocked["draft"], name="tagline").value == "Typed while it is busy"


def test_of_two_texts_that_clash_ones_own_is_saved_by_a_press(
    visit: Any, ines: User, stocked: dict[str, str]
) -> None:
    path, way = f"/drafts/{stocked['draft']}", (1280, True)
    theirs, mine = (opened(visit, ines, path, way=way) for _ in range(2))
    show(theirs, "Basics").get_by_role("textbox", name="Tagline").fill("Theirs")
    saved(theirs, way=way)
    show(mine, "Basics").get_by_role("textbox", name="Tagline").fill("Mine")
    mine.page.keyboard.press("Tab")
    mine.page.get_by_text("Press Save to see both texts.").first.wait_for()
    save = mine.page.get_by_role("button", name="Save", exact=True).last
    save.click()
    mine.page.get_by_text("Both texts are below.").wait_for()

    save.click()
    mine.page.locator("#editor-saved").get_by_text(re.compile(r"Saved \d\d:\d\d UTC")).wait_for()
    assert DraftField.objects.get(draft=stocked["draft"], name="tagline").value == "Mine"
