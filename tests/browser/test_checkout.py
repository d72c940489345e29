"""The purchase in a real browser: quoted and made by a program, paid by a person, fulfilled; scripts on and off."""

import json
from functools import partial
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from core import jobs
from directory.models import Listing
from directory.sites.catalogue import ensure_default_site
from orders.models import Order, Payment
from tests.browser.conftest import picture
from tests.browser.test_pages import violations
from tests.factories.listings import make_listing
from tests.factories.orders import make_promo

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
CASES = [
    {"viewport": PHONE, "color_scheme": "light", "java_script_enabled": False},
    {"viewport": DESK, "color_scheme": "dark"},
    {"viewport": DESK, "color_scheme": "light"},
    {"viewport": PHONE, "color_scheme": "dark"},
]


@pytest.fixture
def draft(transactional_db: None, settings: Any, ines: User) -> Listing:
    """A listing that waits for its launch, and a shop in Germany."""
    settings.SELLER_COUNTRY, settings.VIES_URL = "DE", "http://127.0.0.1:9"
    settings.SELLER_NAME, settings.SELLER_ADDRESS = "Launch House GmbH", "Spreeufer 7, 10178 Berlin"
    site = ensure_default_site()
    make_promo("AUTUMN10", percent=10)
    return make_listing("brindle", name="Brindle", site=site, owner=ines, status="draft", launch_week=None)


BROKEN = """() => [...document.querySelectorAll("td.end")].filter((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
}).map((cell) => cell.textContent)"""  # amounts that stand on two lines


def call(address: str, key: str, cart: dict[str, Any]) -> dict[str, Any]:
    """A program's call."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with urlopen(Request(address, data=json.dumps(cart).encode(), headers=headers)) as answer:
        body: dict[str, Any] = json.loads(answer.read())
    return body


def fill_in(page: Any) -> None:
    for label, text in (
        ("E-mail for the receipt", "ines@brindle.example"),
        ("Name", "Inês Prado"),
        ("Company", "Brindle Lda"),
        ("Street and number", "Rua do Almada 112"),
        ("Postal code", "4050-031"),
        ("City", "Porto"),
    ):
        page.get_by_label(label, exact=label == "Name").fill(text)
    page.get_by_label("Country").select_option("PT")
    page.get_by_label("Start right away").check()


@pytest.mark.parametrize("options", CASES, ids=["no-scripts", "dark-desk", "light-desk", "dark-phone"])
def test_a_purchase_from_quote_to_a_live_listing(
    visit: Any, ines: User, draft: Listing, options: dict[str, Any]
) -> None:
    window = visit(**options)
    Listing.objects.update(name="Brindle, the ledger of workshops that two people run")
    quote, made = quoted_and_made(window.url, ines, draft)
    shown = partial(look, window, options)

    window.go(made["checkout_url"])
    shown("checkout")
    review(window.page, shown)
    pay(window.page, shown)
    window.page.get_by_role("link", name="Invoice TEST-").click()
    window.page.get_by_text("Brindle Lda").wait_for()
    shown("invoice")
    assert window.page.evaluate(BROKEN) == []

    order, listing = Order.objects.get(), Listing.objects.get(pk=draft.pk)
    assert made["order"]["total_cents"] == quote["total_cents"] == order.total_cents
    assert (order.status, Payment.objects.count()) == ("paid", 1)
    assert [line.fulfilment_status for line in order.lines.all()] == ["done", "done"]
    assert (listing.status, listing.plan) == ("live", "paid")
    assert window.go(f"/listings/{listing.slug}").status == 200
    assert [text for text in window.messages if "400" not in text] == []
    assert window.foreign == []


def quoted_and_made(url: str, buyer: User, listing: Listing) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a program does."""
    _, key = accounts.create_api_key(user=buyer, name="Agent", at=timezone.now())
    products = ("launch", "featured")
    cart = {
        "items": [{"product": product, "listing_id": listing.pk} for product in products],
        "billing_country": "PT",
        "promo_code": "AUTUMN10",
    }
    return call(f"{url}/api/v1/orders/quote", key, cart), call(f"{url}/api/v1/orders/checkout", key, cart)


def review(page: Any, shown: Any) -> None:
    """First with everything missing, then with a number that is none."""
    page.get_by_role("button", name="Pay €").click()
    page.get_by_role("alert").get_by_role("link").nth(5).wait_for()
    assert page.title().startswith("Error:")
    shown("checkout-errors")
    fill_in(page)
    page.get_by_label("VAT number").fill("PT50123")
    update(page)
    page.get_by_text("This isn't a VAT number").first.wait_for()
    page.get_by_label("VAT number").fill("")
    update(page)
    page.get_by_text("VAT (23%, Portugal)").first.wait_for()


def update(page: Any) -> None:
    """Scripts ask for the total when a field is left; without them there is a button."""
    button = page.get_by_role("button", name="Update the total")
    if button.count():
        button.click()
    else:
        page.get_by_label("VAT number").blur()


def pay(page: Any, shown: Any) -> None:
    page.get_by_role("button", name="Pay €").click()
    page.get_by_role("heading", level=1, name="Test money").wait_for()
    shown("test-money")
    page.get_by_role("button", name="Pay €").click()
    page.get_by_role("heading", name="Confirming your payment").wait_for()
    shown("confirming")
    jobs.run_due()
    page.get_by_role("heading", name="Paid. Here’s your receipt").wait_for()
    shown("receipt")


def look(window: Any, options: dict[str, Any], name: str) -> None:
    """Keep a picture; nothing scrolls sideways, and nothing stands in the way of whoever cannot see it."""
    width = window.page.viewport_size["width"]
    scheme = options.get("color_scheme", "light")
    picture(window.page, f"{name}-{scheme}-{width}")
    if options.get("java_script_enabled", True):  # it is a script that measures
        assert window.page.evaluate("document.documentElement.scrollWidth") == width, name
        assert violations(window.page) == [], name


def test_a_listing_is_bought_for_on_the_account_pages(visit: Any, ines: User, draft: Listing) -> None:
    window = visit(viewport=PHONE, java_script_enabled=False)
    wide = visit(viewport=DESK)
    for one in (window, wide):
        one.sign_in(ines)
    page = window.page
    window.go(f"/account/listings/{draft.pk}")
    page.get_by_role("button", name="Pay and launch").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Checkout"
    assert page.get_by_label("E-mail for the receipt").input_value() == ines.email

    number = Order.objects.get().number
    for path, name in (
        ("/account/orders", "orders"),
        (f"/account/orders/{number}", "order"),
        (f"/account/listings/{draft.pk}/buy", "buy"),
    ):
        wide.go(path)
        look(wide, {}, f"account-{name}")
        narrow = visit(viewport={"width": 320, "height": 640})
        narrow.sign_in(ines)
        narrow.go(path)
        assert narrow.page.evaluate("document.documentElement.scrollWidth") == 320, path
    assert wide.messages == []
