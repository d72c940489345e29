"""A person's orders on the account pages, and buying something for a listing there."""

import re
from datetime import date
from typing import Any

from django.core import mail
from django.test import Client
from django.utils import timezone

from directory.models import Listing
from directory.weeks import WEEK, week_of
from orders.fulfil import block
from orders.models import Order, OrderLine, StaffTask
from tests.conftest import Api, People, signed_in
from tests.factories.listings import make_category, make_listing
from tests.orders.paying import buy, pay, work
from tests.orders.test_checkout_pages import told


def blocked_line(order: Order, *, week: date | None = None) -> OrderLine:
    line = order.lines.get()
    block(line=line, reason="week_full", detail=f"The week of {week} was full.", at=timezone.now())
    return line


def test_orders_are_listed_in_words_and_belong_to_their_owner(
    api: Api, me: Client, draft: Listing, people: People, django_assert_max_num_queries: Any
) -> None:
    first = pay(buy(api, {"product": "ai_review", "listing_id": draft.pk}))
    second = buy(api, {"product": "launch", "listing_id": draft.pk})
    for _ in range(3):
        buy(api, {"product": "done_for_you", "options": {"website": "https://tidewell.com/"}})

    with django_assert_max_num_queries(25):
        text = told(me.get("/account/orders"))
    assert "Done for you Pending" in text
    assert "AI review Paid" in text
    assert "Not paid yet. You can pay until" in text
    page = told(me.get(f"/account/orders/{second.number}"))
    assert "Review and pay €" in page
    assert f"Invoice {first.invoices.get().number}" in told(me.get(f"/account/orders/{first.number.lower()}"))
    stranger = signed_in(people.stranger)
    assert "No orders yet" in told(stranger.get("/account/orders"))
    for path in ("", "/cancel", f"/lines/{second.lines.get().pk}"):
        address = f"/account/orders/{second.number}{path}"
        assert (stranger.post if path else stranger.get)(address).status_code == 404


def test_a_pending_order_is_canceled(api: Api, me: Client, draft: Listing) -> None:
    order = buy(api, {"product": "launch", "listing_id": draft.pk})

    answer = me.post(f"/account/orders/{order.number}/cancel", follow=True)

    order.refresh_from_db()
    assert order.status == "canceled"
    assert f"Order {order.number} is cancelled. Nothing was charged." in told(answer)


def test_the_owner_of_a_blocked_line_chooses(api: Api, me: Client, draft: Listing) -> None:
    first = week_of(timezone.now()) + WEEK
    order = pay(buy(api, {"product": "launch", "listing_id": draft.pk, "week": first.isoformat()}))
    line = blocked_line(order, week=first)
    address = f"/account/orders/{order.number}"
    assert "Launch needs your decision." in told(me.get(address))

    me.post(f"{address}/lines/{line.pk}", {"act": "refund"})
    assert StaffTask.objects.get(line=line, closed_at=None).kind == "blocked"
    assert "You asked for your money." in told(me.get(address))
    assert "Choose a week first." in told(me.post(f"{address}/lines/{line.pk}", {"act": "week"}, follow=True))

    taken = first + 2 * WEEK
    answer = me.post(f"{address}/lines/{line.pk}", {"act": "week", "week": taken.isoformat()}, follow=True)
    line.refresh_from_db()
    assert (line.week, line.fulfilment_status == "blocked") == (taken, False)
    assert f"Booked: week of {taken:%-d %B %Y}." in told(answer)


def test_a_blocked_line_is_mailed_once(api: Api, draft: Listing, people: People) -> None:
    order = pay(buy(api, {"product": "launch", "listing_id": draft.pk}))
    for _ in range(2):
        blocked_line(order)
    work()

    subject = f"Order {order.number}: Launch needs your decision"
    mails = [message for message in mail.outbox if message.subject == subject]
    assert [message.to for message in mails] == [[people.owner.email]]
    assert f"/account/orders/{order.number}" in mails[0].body


def test_a_listing_is_launched_paid_from_its_page(me: Client, draft: Listing) -> None:
    page = me.get(f"/account/listings/{draft.pk}")
    assert f'href="/account/listings/{draft.pk}/buy"' in page.content.decode()
    offers = told(me.get(f"/account/listings/{draft.pk}/buy"))
    assert "Launch bundle" in offers
    assert "Relaunch Once it’s live." in offers
    assert "Featured listing Once its launch is certain, or it’s live." in offers
    week = week_of(timezone.now()) + WEEK

    answer = me.post(
        f"/account/listings/{draft.pk}/buy", {"product": "launch", "week": week.isoformat()}, follow=False
    )

    order = Order.objects.get()
    assert (answer.status_code, order.status, order.lines.get().week) == (303, "pending", week)
    assert f"/checkout/{order.number}/" in answer["Location"]


def test_what_cannot_be_bought_is_refused_in_words(me: Client, live: Listing, draft: Listing) -> None:
    address = f"/account/listings/{live.pk}/buy"

    for form, words in (
        ({"product": "relaunch"}, "Choose a week for Relaunch."),
        ({"product": "billboard_min", "amount": "nothing"}, "billboard"),
        ({"product": "skip_queue", "week": "2020-01-06"}, "is not for a listing that is live"),
        ({"product": "nothing"}, "There is no such product."),
        ({"product": "extra_categories"}, "categor"),
    ):
        answer = me.post(address, form)
        assert (answer.status_code, Order.objects.count()) == (400, 0), form
        assert words.lower() in told(answer).lower()
    assert me.get("/account/listings/999999/buy").status_code == 404
    assert Client().get(address).status_code == 302


def test_the_owner_sees_both_launches_with_their_totals_and_the_badge_before_choosing(
    api: Api, me: Client, draft: Listing, django_assert_max_num_queries: Any
) -> None:
    address = f"/account/listings/{draft.pk}"
    with django_assert_max_num_queries(45):
        text = told(me.get(address))
    assert "Ready, but not public yet. Choose how to launch." in text
    assert "1st to book" in text
    assert f"Put our badge on {draft.host} by Sunday" in text
    assert f"We check {draft.host} every hour" in text
    assert re.search("Right away leaves [0-9a-z ]+ to vote", text)
    assert "Total without VAT" in text
    assert "VAT is added when we know your country." in text
    page = me.get(address).content.decode()
    assert f'src="/badges/{draft.slug}/listed.svg?' in page
    assert 'id="badge-code"' in page

    Order.objects.filter(pk=buy(api, {"product": "launch", "listing_id": draft.pk}).pk).update(
        billing_country="PT"
    )
    text = told(me.get(address))
    assert "VAT 23%, Portugal" in text
    assert "VAT is added" not in text

    week = week_of(timezone.now()) + WEEK
    answer = me.post(f"{address}/buy", {"product": "launch", "week": week.isoformat()})
    assert answer.status_code == 303
    assert OrderLine.objects.order_by("-pk")[0].week == week


def test_two_presses_make_one_order_until_it_is_paid_canceled_or_over(
    me: Client, draft: Listing, people: People
) -> None:
    address = f"/account/listings/{draft.pk}/buy"
    week = week_of(timezone.now()) + 2 * WEEK
    asked = {"product": "launch", "week": week.isoformat()}

    first, again, other = (
        me.post(address, asked),
        me.post(address, asked),
        me.post(address, {"product": "launch"}),
    )
    assert first["Location"] == again["Location"] != other["Location"]
    assert Order.objects.count() == 2

    Order.objects.update(status="canceled")
    assert me.post(address, asked).status_code == 303
    assert me.post(address, asked).status_code == 303
    assert Order.objects.count() == 3

    Order.objects.update(expires_at=timezone.now())  # and nobody has called it expired yet
    assert me.post(address, asked)["Location"] != first["Location"]
    assert Order.objects.count() == 4


def test_the_shop_draws_where_each_is_seen_with_vat_and_one_dark_button(
    api: Api, me: Client, live: Listing, draft: Listing
) -> None:
    address = f"/account/listings/{live.pk}/buy"
    before = me.get(address).content.decode()
    Order.objects.filter(pk=buy(api, {"product": "launch", "listing_id": draft.pk}).pk).update(
        billing_country="PT"
    )
    page = me.get(address).content.decode()

    assert ("€49.00" in before, "€60.27" in before) == (True, False)
    assert ("€49.00" in page, "€60.27" in page) == (False, True)
    cards = re.findall(r'<form class="box[^>]*id="buy-([a-z_]+)"', page)
    assert cards == ["launch", "featured", "billboard_min"]
    main = page.split("<main")[1].split("</main>")[0]
    assert len(re.findall(r'class="button primary"', main)) == 1
    forms = re.findall(r'(?s)<form class="(?:box|offer).*?</form>', main)
    assert [form for form in forms if 'class="spot-' not in form] == []


def test_categories_are_chosen_in_folds_and_those_it_has_are_named(me: Client, people: People) -> None:
    finance = make_category("finance")
    for slug in ("bills", "payroll", "taxes"):
        make_category(slug, parent=finance)
    listing = make_listing(owner=people.owner, categories=("payroll",))
    address = f"/account/listings/{listing.pk}/buy"
    page = me.get(address).content.decode()

    assert "Filed in Payroll already. Choose up to 3 more." in told(me.get(address))
    assert re.findall(r'name="categories"\s+value="([a-z]+)"', page) == ["finance", "bills", "taxes"]
    refused = me.post(address, {"product": "extra_categories", "categories": ["bills", "nothing"]})
    assert (refused.status_code, Order.objects.count()) == (400, 0)
    again = refused.content.decode()
    assert re.findall(r'value="([a-z]+)"\s+checked', again) == ["bills"]
    assert (
        me.post(address, {"product": "extra_categories", "categories": ["bills", "taxes"]}).status_code == 303
    )
    assert OrderLine.objects.get().options["categories"] == ["bills", "taxes"]
