"""The pages that ask staff before money, rights or people change: axe in both themes, on a desk and a phone."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from directory.models import BlogPost, Founder, Report
from directory.sites.catalogue import ensure_default_site
from orders.models import Order, Payment, ProductPrice, VatRate
from tests.browser.test_staff_desk import look, window_of
from tests.conftest import Api, People
from tests.factories.listings import make_listing
from tests.factories.orders import set_price
from tests.orders.paying import buy, pay

FEATURED = {"product": "featured"}


def money_pages(api: Api, item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is asked about prices, rates and orders; one that is disputed with a deadline, one without."""
    pending, paid, *disputed = buy(api, item), *(pay(buy(api, item)) for _ in range(3))
    for order, days in zip(disputed, (2, None), strict=True):
        answer_by = timezone.now() + timedelta(days=days) if days else None
        Payment.objects.filter(order=order).update(status="disputed", answer_by=answer_by)
        Order.objects.filter(pk=order.pk).update(status="disputed")
    mistyped = set_price("launch", 59_000, at=timezone.now() + timedelta(days=3))
    rate = VatRate.objects.create(
        country="DE",
        percent=91,
        valid_from=timezone.now().date() + timedelta(days=9),
        source="The law",
        entered_at=timezone.now(),
    )
    orders = "/admin/orders/order"
    yield "price", f"/admin/orders/productprice/{mistyped.pk}/withdraw/"
    yield "rate", f"/admin/orders/vatrate/{rate.pk}/withdraw/"
    yield "cancel", f"{orders}/{pending.pk}/cancel/"
    yield "vat-back", f"{orders}/{paid.pk}/vat/"
    yield "buyer", f"{orders}/{paid.pk}/buyer/"
    yield "disputes", f"{orders}/?status__exact=disputed"
    yield "disputed", f"{orders}/{disputed[0].pk}/change/"
    yield "paid-work", "/admin/orders/stafftask/"


def people_pages(owner: User, listing: int) -> Iterator[tuple[str, str]]:
    """What is asked about rights, bans and reports"""
    report = Report.objects.create(
        listing_id=listing,
        reason="illegal",
        text="It copies ours.",
        name="Mira Held",
        email="mira@people.example",
        created_at=timezone.now(),
    )
    founder = Founder.objects.create(slug="ada", name="Ada Lindqvist", user=owner, created_at=timezone.now())
    post = BlogPost.objects.create(
        site=ensure_default_site(),
        slug="your-first-week",
        title="Your first week",
        published_at=timezone.now(),
        updated_at=timezone.now(),
    )
    post.listings.add(listing)
    for act in ("give", "co_owners", "address", "ban"):
        yield f"listing-{act}", f"/admin/directory/listing/{listing}/{act}/"
    yield "rights", f"/admin/directory/listing/{listing}/change/?tab=sites"
    yield "ban", f"/admin/accounts/user/ban/?people={owner.pk}"
    yield "founder", f"/admin/directory/founder/{founder.pk}/change/"
    yield "new-founder", "/admin/directory/founder/add/"
    yield "post", f"/admin/directory/blogpost/{post.pk}/change/"
    yield "new-post", "/admin/directory/blogpost/add/"
    yield "reports", "/admin/directory/report/"
    yield "report", f"/admin/directory/report/{report.pk}/change/"


def test_pages_that_ask_about_money_read_well(
    transactional_db: None, visit: Any, api: Api, people: People
) -> None:
    listing = make_listing(owner=people.owner)
    window = window_of(visit, "administrator")

    for name, address in money_pages(api, FEATURED | {"listing_id": listing.pk}):
        assert (window.go(address).status, window.page.url.endswith(address)) == (200, True), name
        look(window.page, f"asks-{name}")
    assert ProductPrice.objects.filter(withdrawn_at__isnull=False).count() == 0
    assert window.foreign == []


def test_pages_that_ask_about_people_read_well(transactional_db: None, visit: Any, people: People) -> None:
    listing = make_listing(owner=people.owner)
    window = window_of(visit, "administrator")

    for name, address in people_pages(people.owner, listing.pk):
        assert (window.go(address).status, window.page.url.endswith(address)) == (200, True), name
        look(window.page, f"asks-{name}")
    people.owner.refresh_from_db()
    assert not people.owner.is_suspended
    assert window.foreign == []
