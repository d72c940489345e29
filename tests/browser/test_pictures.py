"""Pictures in a real browser: several at once, dropped, described, put in order; and how they are shown."""

import re
from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone
from playwright.sync_api import expect

from config.demo.listings import PICTURES
from directory import weeks
from directory.images import files
from directory.images.pictures import SCREEN_BYTES, gallery_of, logo_of
from directory.models import FeaturedPlace, Listing, Site, Upload
from drafts.models import Draft
from leaderboards.models import Award
from tests.browser.conftest import picture
from tests.browser.test_pages import SHIFTS, axe
from tests.browser.test_staff_desk import RULES
from tests.factories.listings import make_listing
from tests.factories.pictures import drawn, noise, prepare

HOUR = timedelta(hours=1)
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
    for width in (375, 1280):
        window.page.set_viewport_size({"width": width, "height": 900})
        picture(window.page, f"pictures-{name}-{width}")
        assert axe(window.page, RULES) == [], (name, width)
        assert window.page.evaluate("document.documentElement.scrollWidth") <= width


FAR = """() => [...document.images].filter((one) => one.getBoundingClientRect().top > 2500)
    .map((one) => (one.complete ? one.currentSrc : "waits"))"""
# each is looked at until it is there: one that is passed between two frames is never asked for
LOOK_AT_EACH = """async () => {
    for (const one of [...document.images].filter((one) => one.checkVisibility())) {
        one.scrollIntoView();
        if (!one.complete) await new Promise((done) => { one.onload = one.onerror = done; });
    }
}"""


def signed_in(visit: Any, user: Any) -> tuple[Any, Any]:
    window = visit(bypass_csp=True)
    window.sign_in(user)
    return window, window.page


def describe_and_move(page: Any) -> None:
    """What was typed is slow to arrive: the press that made its field leave waits for it."""
    order = [row["file"] for row in Listing.objects.get().media]
    saving: list[Any] = []

    def hold(route: Any) -> None:
        saving.append(route)

    page.route("**/pictures/words", hold)
    page.locator("#alt-1").fill("The rota of a week")
    with page.expect_request("**/pictures/words"):
        page.get_by_role("button", name="Earlier: picture 3").click()
    assert page.locator("#gallery").evaluate("gallery => gallery.inert")
    assert [row["file"] for row in Listing.objects.get().media] == order
    saving[0].continue_()
    page.wait_for_function(
        "document.querySelector('#gallery-said').textContent == 'Moved.' && document.activeElement.id == 'earlier-3'"
    )


def move_in_vain(page: Any) -> None:
    """What never arrives leaves the gallery as the site has it, and open to the next press."""
    page.route("**/move", lambda route: route.abort(), times=1)
    with page.expect_navigation():
        page.get_by_role("button", name="Earlier: picture 3").click()
    assert not page.locator("#gallery").evaluate("gallery => gallery.inert")
    with page.expect_response("**/move"):
        page.get_by_role("button", name="Later: picture 2").click()
    assert [row["width"] for row in Listing.objects.get().media] == [902, 400, 901]


def test_from_a_drop_to_a_gallery_in_its_order(
    visit: Any, ines: Any, site: Site, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    listing = make_listing(owner=ines, plan="paid")
    for number in (1, 2):
        (tmp_path / f"{number}.png").write_bytes(noise("PNG", (900 + number, 600)).read())
    window, page = signed_in(visit, ines)
    window.go(f"/account/listings/{listing.pk}/edit")
    seen(window, "none")

    page.get_by_role("textbox", name="Tagline").fill("Typed meanwhile")
    page.set_input_files("#id_picture", [tmp_path / "1.png", tmp_path / "2.png"])
    picture = drawn(400, 250).read()
    page.evaluate(DROPPED, [".add-pictures", "third.png", b64encode(picture).decode()])
    page.get_by_text("Being prepared.").nth(2).wait_for()  # chosen or dropped, they are sent at once
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_hidden()
    seen(window, "waiting")
    prepare()
    page.locator(".pictures > li").nth(2).wait_for()  # by itself, once they are there
    assert [row["width"] for row in Listing.objects.get().media] == [901, 902, 400]
    describe_and_move(page)
    seen(window, "some")
    page.locator(".pictures > li a").nth(2).drag_to(page.locator(".pictures > li").nth(0))
    page.wait_for_function("document.querySelector('#alt-2').value == 'The rota of a week'")
    rows = [(row["width"], row["alt"]) for row in Listing.objects.get().media]
    assert rows == [(902, ""), (901, "The rota of a week"), (400, "")]
    assert page.get_by_role("textbox", name="Tagline").input_value() == "Typed meanwhile"
    move_in_vain(page)

    window.go(f"/listings/{listing.slug}")
    seen(window, "listing")
    assert page.locator("#pictures img").first.evaluate("image => image.currentSrc").endswith(".avif")
    open_over_the_page(page)
    assert window.foreign == []


def test_a_picture_that_is_too_large_is_refused_before_it_is_sent(
    visit: Any, ines: Any, site: Site, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    listing = make_listing(owner=ines, plan="paid")
    (tmp_path / "large.png").write_bytes(bytes(SCREEN_BYTES + 1))
    (tmp_path / "whole.png").write_bytes(drawn(400, 250).read().ljust(SCREEN_BYTES, b"\0"))
    window, page = signed_in(visit, ines)
    window.go(f"/account/listings/{listing.pk}/edit")
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))

    page.set_input_files("#id_picture", [tmp_path / "large.png", tmp_path / "whole.png"])

    refusal = page.locator(".add-pictures [role=alert]")
    expect(refusal).to_have_text("large.png: The file has more than 4 MB.")
    expect(refusal).to_be_focused()
    expect(page.get_by_text("Being prepared.")).to_have_count(1)
    assert (len(sent), Upload.objects.count()) == (1, 1)


def open_over_the_page(page: Any) -> None:
    """The first picture, those after it by their key, and back to the link."""
    page.locator("#pictures a").first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog", name="Pictures")).to_contain_text("The rota of a week (3 of 3)")
    words = page.get_by_role("dialog").get_by_role("status")
    spoken = words.evaluate_handle("words => words.firstChild")
    page.keyboard.press("Tab")
    assert words.evaluate("(words, spoken) => words.firstChild === spoken", spoken)  # not spoken again
    page.keyboard.press("Escape")
    expect(page.locator("#pictures a").first).to_be_focused()


def shows(page: Any, first: int | None, text: str) -> None:
    """Whether this picture is in both parts of the preview, and head and list say how many there are."""
    for place in ("#head-pictures", "#editor-side"):
        expect(page.locator(place)).to_contain_text(text, ignore_case=True)
    expect(page.locator("#editor-glance .best")).to_contain_text(
        "Add pictures" if first is None else "Answer"
    )
    names = [row["file"].rpartition("/")[2].partition(".")[0] for row in Listing.objects.get().media]
    for place in ("#looks-row", "#looks-card"):
        cover = page.locator(f"{place} img:not(.logo)")
        expect(cover).to_have_count(0 if first is None else 1)
        if first is not None:
            expect(cover).to_have_attribute("src", re.compile(re.escape(names[first])))


def test_the_preview_of_a_live_listing_follows_its_gallery(
    visit: Any, ines: Any, site: Site, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    logo = tmp_path / "media" / "logos" / "one.png"
    logo.parent.mkdir(parents=True)
    logo.write_bytes(drawn(64, 64).read())
    texts = {"tagline": "Paid on time", "features": ["One", "Two", "Three"]}
    listing = make_listing(owner=ines, plan="paid", logo="logos/one.png", **texts)
    files = [tmp_path / f"{number}.png" for number in range(2)]
    for number, file in enumerate(files):
        file.write_bytes(noise("PNG", (900 + number, 600)).read())
    window, page = signed_in(visit, ines)
    window.go(f"/account/listings/{listing.pk}/edit")
    shows(page, None, "picture")

    page.set_input_files("#id_picture", files)
    page.get_by_text("Being prepared.").nth(1).wait_for()
    prepare()
    prepare()  # the pictures of one request wait for each other
    shows(page, 0, "2 pictures")
    with page.expect_response("**/move"):
        page.get_by_role("button", name="Earlier: picture 2").click()
    shows(page, 0, "2 pictures")
    page.locator("#remove-1").click()
    page.get_by_text("1 picture", exact=True).first.wait_for()
    shows(page, 0, "1 picture")
    page.locator("#remove-1").click()
    shows(page, None, "picture")
    assert window.messages == []


def test_a_logo_is_sent_from_the_pages_of_a_draft_and_a_listing(
    visit: Any, ines: Any, stocked: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    (tmp_path / "logo.png").write_bytes(drawn(300, 300).read())
    window, page = signed_in(visit, ines)
    places = {"draft": "/drafts/{draft}", "edit": "/account/listings/{live}/edit"}
    for name, place in places.items():
        window.go(place.format(**stocked))
        with page.expect_file_chooser() as chooser:  # by our words: the browser's stand in its own language
            page.locator("#logo").get_by_text(re.compile("Choose a(nother)? logo")).click()
        chooser.value.set_files(tmp_path / "logo.png")
        page.get_by_text("Being prepared.").wait_for()
        seen(window, f"logo-{name}-waiting")
        prepare()
        page.locator("#logo img").wait_for()  # by itself, and nothing that was typed is lost
        assert page.get_by_text("Being prepared.").count() == 0
        seen(window, f"logo-{name}")


def test_a_page_that_waits_lets_go_whoever_already_left(
    visit: Any, ines: Any, stocked: dict[str, str]
) -> None:
    """The page they set out for is slow, and meanwhile the one they leave hears that it has something new to show."""
    window, page = signed_in(visit, ines)
    window.go(f"/drafts/{stocked['reading']}")
    asked: list[Any] = []
    going: list[Any] = []

    def answer(route: Any) -> None:
        asked.append(route)
        if len(asked) == 2:  # it heard of the draft, and goes on asking instead of loading itself again
            route.abort()
            going[0].continue_()

    def set_out(route: Any) -> None:
        going.append(route)
        asked[0].continue_()

    page.route("**/progress", answer)
    page.route("**/account/listings", set_out)
    with page.expect_request("**/progress"):
        Draft.objects.filter(pk=stocked["reading"]).update(status="ready")
    window.go("/account/listings")
    assert page.url.endswith("/account/listings")


def with_pictures(number: int) -> None:
    """So many listings, each with a logo and a screen of the demo's size: the last three won the week before this."""
    at = timezone.now()
    last_week = weeks.week_of(at) - weeks.WEEK
    logos, screens = (sorted(PICTURES.glob(f"{kind}/*.webp")) for kind in ("logos", "screens"))
    for place in range(number):
        name, content = files.named(logo_of(logos[place].read_bytes()))
        files.store(name, content)
        votes = number - place
        rank = place + 4 - number
        launched_at = weeks.start(last_week) if rank > 0 else at
        listing = make_listing(f"product-{place}", at=launched_at, votes=votes, logo=name, owner=None)
        if rank > 0:
            Award.objects.create(
                site=listing.site, listing=listing, week=last_week, rank=rank, votes=votes, given_at=at
            )
        made = gallery_of(screens[place].read_bytes())
        stored = files.store_picture(made, folder=f"{files.PICTURES}/{listing.pk}")
        Listing.objects.filter(pk=listing.pk).update(site_picture={"source": listing.url, **stored})
        FeaturedPlace.objects.create(listing=listing, begins_at=at - HOUR, ends_at=at + HOUR)
    for place in range(3):
        next_week = weeks.week_of(at) + weeks.WEEK
        make_listing(f"next-{place}", at=at, status="scheduled", launch_week=next_week, logo=name)


def test_home_with_thirty_pictures_is_light_still_and_lazy_on_a_phone(
    visit: Any, site: Site, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    with_pictures(24)
    # waiting for what is not so at once needs a script of the test's own, which the page's policy refuses
    window = visit(viewport={"width": 390, "height": 844}, device_scale_factor=2, bypass_csp=True)
    page, answers = window.page, dict[str, Any]()
    page.on("response", lambda answer: answers.__setitem__(answer.url, answer))
    page.add_init_script(SHIFTS)
    window.go("/")
    page.wait_for_load_state("networkidle")
    sizes = {url: len(answer.body()) for url, answer in answers.items()}
    cold, eager = sum(sizes.values()), [url for url in sizes if "/media/pictures/" in url]
    at_first = len([url for url in sizes if "/media/" in url])
    far = page.evaluate(FAR)

    assert page.evaluate("document.images.length") >= 30
    assert page.evaluate("[...document.images].every((one) => one.width && one.height)")
    assert page.locator(".row > .thumb:visible").count() == page.locator(".row").count()
    assert (set(far), len(eager) <= 12) == ({"waits"}, True), (far, eager)
    page.evaluate(LOOK_AT_EACH)
    sizes = {url: len(answer.body()) for url, answer in answers.items()}
    assert len([url for url in sizes if "/media/" in url]) > at_first  # the rest came on the way
    assert (cold <= 350_000, sum(sizes.values()) <= 350_000) == (True, True), (cold, sum(sizes.values()))
    assert page.evaluate("window.shifts") == 0
