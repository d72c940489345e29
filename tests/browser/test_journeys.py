"""What people come for, with scripts switched off; then what scripts add."""

import gzip
import json
import re
from hashlib import sha256
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command

from accounts.models import ApiKey, User
from core import jobs
from directory.models import Listing, Vote
from directory.weeks import WEEK, start
from drafts.models import Draft
from tests.browser.conftest import PASSWORD
from tests.browser.test_editor import show
from tests.factories.listings import make_category
from tests.servers.brindle import HOME
from tests.servers.website import Website, html

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'


@pytest.fixture
def still(visit: Any) -> Any:
    """A window without scripts."""
    return visit(java_script_enabled=False, viewport={"width": 390, "height": 844})


def fill_in_sign_in(page: Any) -> None:
    form = page.get_by_role("region", name="With a password")
    form.get_by_label("E-mail address").fill("ines@brindle.example")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Sign in").click()


def have_it_read(page: Any) -> None:
    """Press the button; when the page says that the site is being read, the workers have their turn."""
    page.get_by_role("button", name="Read the website").click()
    page.get_by_role("heading", name="Reading brindle.test").wait_for()
    jobs.run_due()


def find_in_file(visit: Any, voter: User, address: str, *, words: str) -> None:
    """With scripts, which read the file and say where the ballot is."""
    visitor = visit()
    visitor.sign_in(voter)
    visitor.go(address)
    visitor.page.locator("summary", has_text="Product 1").click()
    visitor.page.get_by_role("button", name="Find it in the file").locator("visible=true").click()
    visitor.page.get_by_text(words).wait_for()
    assert visitor.messages == []


def test_voting_leads_through_sign_in_and_back_and_the_ballot_is_in_the_file(
    stocked: dict[str, Any], still: Any, visit: Any, ines: User
) -> None:
    page = still.page
    still.go("/weeks/this")
    page.get_by_role("link", name="Sign in to vote for Product 1").click()
    fill_in_sign_in(page)
    page.get_by_role("button", name="Vote for Product 1").click()

    page.wait_for_url("**/listings/product-1")
    assert page.get_by_role("button", name="Vote for Product 1").get_attribute("aria-pressed") == "true"
    assert Vote.objects.filter(user=ines, listing__slug="product-1").count() == 1

    still.go("/weeks/this")
    page.get_by_role("button", name="Vote for Product 2").click()
    page.wait_for_url("**/weeks/this#product-2")

    vote = Vote.objects.get(user=ines, listing__slug="product-1")
    listing, monday = vote.listing_id, vote.week
    call_command("close_week", week=monday, at=start(monday + WEEK))
    still.go(f"/weeks/{monday}")
    page.locator("summary", has_text="Product 1").click()
    secret, ballot = (page.locator("details[open] code").nth(place).inner_text() for place in (0, 1))
    assert sha256(f"{listing} {monday} {secret}".encode()).hexdigest() == ballot
    with page.expect_download() as download:
        page.get_by_role("link", name="one file").click()
    lines = gzip.decompress(download.value.path().read_bytes()).decode().splitlines()
    [own] = [line for line in lines if ballot in line]
    assert json.loads(own) == {"kind": "ballot", "listing": listing, "ballot": ballot}
    words = f"It is in the file, line {lines.index(own) + 1} of {len(lines)}. It counts."
    find_in_file(visit, ines, f"/weeks/{monday}", words=words)


def test_a_website_becomes_a_scheduled_listing(still: Any, ines: User, brindle: Website, site: Any) -> None:
    make_category("shift-planning", name="Shift planning")
    page = still.page
    still.go("/submit")
    page.get_by_label("Website of the product").fill("brindle.test")
    page.get_by_role("button", name="Read the website").click()
    fill_in_sign_in(page)
    assert page.get_by_role("heading", level=1).inner_text() == "Reading brindle.test"

    jobs.run_due()
    page.get_by_role("heading", name="Check the draft of Brindle").wait_for()
    page.locator("#field-tagline").get_by_text("Word for word").first.wait_for()
    tagline = page.get_by_role("textbox", name="Tagline")
    assert "Rotas for small cafés" in tagline.input_value()
    tagline.fill("Rotas that are done by Monday")
    page.locator("#field-categories .adding > summary").evaluate_all(
        "all => all.forEach((one) => one.click())"
    )
    page.get_by_label("Another category").or_(page.get_by_label("Name a category")).fill("Shift planning")
    page.get_by_role("button", name="Submit", exact=True).click()

    page.get_by_role("button", name="Launch free").click()
    code = page.locator("#badge-code").inner_text()
    brindle.pages["/"] = html(HOME % code)
    page.get_by_role("button", name="Check now").click()
    assert "Badge found" in page.get_by_role("status").first.inner_text()
    listing = Listing.objects.get()
    assert (listing.status, listing.tagline) == ("scheduled", "Rotas that are done by Monday")


def test_a_key_is_made_copied_and_gone(still: Any, ines: User, site: Any) -> None:
    page = still.page
    still.sign_in(ines)
    still.go("/account/keys")
    page.get_by_label("Name").fill("Agent on my laptop")
    page.get_by_label("Prepare orders").uncheck()
    page.get_by_role("button", name="Create key").click()
    key = page.locator("#the-key").inner_text()
    assert re.fullmatch(r"plk_\S{49}", key)
    assert page.get_by_role("button", name="Copy key").count() == 0

    page.get_by_role("link", name="I have copied it").click()
    assert key not in page.content()
    assert ApiKey.objects.get().scopes == ["account:read", "listings:write"]


def test_an_account_is_made_confirmed_and_recovered(still: Any, site: Any) -> None:
    page = still.page
    still.go("/accounts/signup/")
    page.get_by_label("E-mail address").fill("new@brindle.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    jobs.run_due()
    link = re.search(r"http\S+/accounts/confirm-email/\S+", mail.outbox[-1].body)
    assert link is not None
    page.goto(link[0])
    page.get_by_role("button", name="Yes, sign me in").click()
    page.wait_for_url("**/account")
    page.get_by_role("button", name="Sign out").click()

    still.go("/accounts/login/")
    page.get_by_label("E-mail address").first.fill("new@brindle.example")
    page.get_by_role("button", name="E-mail me a code").click()
    jobs.run_due()
    code = mail.outbox[-1].subject.rsplit(" ", 1)[1]
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Sign in").click()

    page.wait_for_url("**/account")
    page.get_by_role("button", name="Sign out").click()
    still.go("/account")
    assert "/accounts/login/" in page.url


def test_evidence_sharing_menu_and_theme_need_no_script(stocked: dict[str, Any], still: Any) -> None:
    page = still.page
    still.go("/listings/tidewell")
    assert page.locator("#source-tagline mark").is_hidden()
    page.get_by_role("button", name="Source for the tagline").click()
    page.locator("#source-tagline mark").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#share").get_by_text("LinkedIn").is_hidden()
    page.get_by_role("button", name="Share Tidewell").click()
    page.locator("#share").get_by_text("LinkedIn").wait_for()

    still.go("/")
    page.get_by_label("Menu").first.click()
    page.get_by_role("navigation", name="Menu").get_by_role("link", name="Categories").wait_for()
    colour = "node => getComputedStyle(node).backgroundColor"
    light = page.locator("body").evaluate(colour)
    page.get_by_role("button", name="Dark").click()
    dark = page.locator("body").evaluate(colour)
    assert (light, dark) == ("rgb(251, 250, 247)", "rgb(18, 19, 17)")


def test_a_quote_mark_shows_where_one_points_or_tabs_or_all_at_once(
    stocked: dict[str, Any], still: Any
) -> None:
    page = still.page
    still.go("/listings/tidewell")
    mark = page.get_by_role("button", name="Source for the tagline")
    shown = "node => getComputedStyle(node).opacity"
    seen = [mark.evaluate(shown)]

    for point in (page.locator(".lede").first.hover, page.get_by_label("Show quotes").check):
        point()
        seen.append(mark.evaluate(shown))
        page.mouse.move(0, 0)
    page.get_by_label("Show quotes").uncheck()
    seen.append(mark.evaluate(shown))
    mark.focus()
    seen.append(mark.evaluate(shown))

    assert seen == ["0", "1", "1", "0", "1"]


def gap(page: Any, number: int) -> str:
    """What the row of a product says of the votes to its neighbour's."""
    return " ".join(page.locator(f"#product-{number} [data-tally]:visible").all_inner_texts())


def test_scripts_vote_in_place_and_keep_the_focus(stocked: dict[str, Any], visit: Any, ines: User) -> None:
    visitor = visit()
    visitor.sign_in(ines)
    page = visitor.page
    visitor.go("/weeks/this")
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    button = page.get_by_role("button", name="Vote for Product 3")
    assert button.inner_text().split()[-2:] == ["6", "votes"]
    assert page.locator("[data-total]").count() == 1
    before = [gap(page, number) for number in (2, 3, 4)]

    button.click()
    page.locator("form[action$='/product-3/vote'] button[aria-pressed=true]").wait_for()
    assert page.get_by_role("button", name="Vote for Product 3").inner_text().split()[-2:] == ["7", "votes"]
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    assert before == ["1 behind 2nd", "2 behind 4th", "1 behind 5th"]
    after = ["1 behind 2nd", "1 behind 4th", "2 behind 5th"]
    assert [gap(page, number) for number in (2, 3, 4)] == after
    assert page.locator("[data-total]").count() == 0  # how many people voted, only the server knows
    assert loads == []
    assert visitor.messages == []

    # where the answer breaks off, the same press goes as a form does
    page.route(
        "**/vote",
        lambda route: route.abort() if "x-part" in route.request.headers else route.continue_(),
    )
    page.get_by_role("button", name="Vote for Product 3").click()
    page.locator("form[action$='/product-3/vote'] button[aria-pressed=false]").wait_for()
    assert page.get_by_role("button", name="Vote for Product 3").inner_text().split()[-2:] == ["6", "votes"]


def test_scripts_follow_the_draft_until_it_is_ready(
    visit: Any, ines: User, brindle: Website, site: Any
) -> None:
    visitor = visit()
    visitor.sign_in(ines)
    visitor.go("/submit")
    visitor.page.get_by_label("Website of the product").fill("https://brindle.test/")
    visitor.page.get_by_role("button", name="Read the website").click()
    visitor.page.get_by_role("heading", name="Reading brindle.test").wait_for()
    jobs.run_due()

    visitor.page.get_by_role("heading", name="Check the draft of Brindle").wait_for()
    assert Draft.objects.get().status == "ready"
    assert visitor.messages == []


def unfolded(group: Any, words: str) -> Any:
    """The fields of the first line of a group that says these words, open."""
    line = group.locator("summary").get_by_text(words, exact=True).first
    line.click()
    return line.locator("xpath=ancestor::details[1]")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "none"])
def test_a_draft_is_corrected_where_it_is_wrong(
    visit: Any, ines: User, brindle: Website, site: Any, scripts: Any
) -> None:
    hospitality = make_category("hospitality", name="Hospitality")
    make_category("cafes", name="Cafés and bars", parent=hospitality, terms=["small cafés"])
    make_category(
        "shift-planning", name="Shift planning", parent=hospitality, terms=["rotas", "shift planning"]
    )
    team = "<h2>Team</h2><p>Brindle was founded by Carla Wrong in 2021.</p>"
    brindle.pages["/"] = html(f'<link rel="icon" href="/logo.svg">{HOME % team}')
    brindle.pages["/logo.svg"] = html(LOGO, content_type="image/svg+xml")
    visitor = visit(java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    page = visitor.page
    visitor.sign_in(ines)
    visitor.go("/submit?url=brindle.test")
    have_it_read(page)
    page.get_by_role("heading", name="Check the draft of Brindle").wait_for()

    jobs.run_due()
    page.reload()
    assert page.locator("#logo img").evaluate("image => image.naturalWidth") > 0
    person = unfolded(show(visitor, "People"), "Edit")
    person.get_by_label("Name").fill("Carla Right")
    person.get_by_label("Role").fill("Founder")
    questions = unfolded(show(visitor, "Questions"), "Add a question")
    questions.get_by_label("Question").fill("Does it work offline?")
    questions.get_by_label("Answer").fill("Yes.")
    show(visitor, "Basics").locator("#field-categories").get_by_text("Shift planning", exact=True).wait_for()
    page.get_by_role("button", name="Preview", exact=True).click()
    page.get_by_text("This is a preview").wait_for()  # what was typed is saved before
    assert "Carla Right" in page.locator("main").inner_text()
    page.get_by_role("button", name="Submit", exact=True).click()

    listing = Listing.objects.get()
    assert [faq["question"] for faq in listing.faqs] == ["Does it work offline?"]
    assert [category.name for category in listing.categories.all()] == ["Shift planning"]


def test_a_site_of_scripts_alone_is_described_by_hand(
    still: Any, ines: User, brindle: Website, site: Any
) -> None:
    make_category("shift-planning", name="Shift planning", terms=["rota"])
    brindle.pages = {"/": html('<title></title><div id="root"></div><script src="/app.js"></script>')}
    page = still.page
    still.sign_in(ines)
    still.go("/submit?url=brindle.test")
    have_it_read(page)
    still.go(page.url.removeprefix(still.url))
    if page.get_by_role("link", name="Fill it in by hand").count():
        page.get_by_role("link", name="Fill it in by hand").click()
    page.get_by_role("textbox", name="Name", exact=True).first.fill("Brindle")
    page.get_by_role("textbox", name="Tagline").fill("Rotas for small cafés")
    page.get_by_label("Name a category").or_(page.get_by_label("Another category")).fill("rota")
    page.get_by_role("button", name="Submit", exact=True).click()
    assert "No category" in page.get_by_role("alert").inner_text()
    page.get_by_label("Another category").fill("")
    page.get_by_role("radio", name="Shift planning").check()
    page.get_by_role("button", name="Submit", exact=True).click()

    assert Listing.objects.get().name == "Brindle"
