"""What somebody with an account has: drafts, listings in every state, claims, orders, keys, an app, votes, reports."""

from datetime import datetime, timedelta

from django.core.signing import dumps
from django.db import transaction

from accounts import services as accounts
from accounts import services_endpoints
from accounts.models import ConnectedApp, User
from claims import mailing
from claims.models import Claim, ClaimCheck
from core import jobs
from directory.engagement import follower_mail, topic_mail, voting, winners
from directory.listings.editing import update_my_listing
from directory.mail_kinds import OF_PRODUCTS
from directory.models import BadgeCheck, Listing, Report, Site, WinnersReader
from directory.weeks import WEEK
from drafts.invites import inviting
from drafts.models import Draft, Invite
from drafts.requests.submitting import submit_listing
from orders import links
from orders.checkout import create_checkout
from orders.models import Order
from orders.promos import Caller
from orders.settle import mark_paid
from orders.vat_numbers import NO_NUMBER
from tests.factories.listings import make_listing
from tests.factories.oauth import Agent
from tests.factories.reviews import make_question, make_review, reader


def fill_account(*, owner: User, site: Site, live: Listing, at: datetime) -> dict[str, str]:
    """Fill somebody's account; `live` is theirs. Gives the names of what is in it."""
    draft = submit_listing(owner=owner, site=site, url="https://brindle.test/", at=at)
    jobs.run_due()
    draft.refresh_from_db()
    assert draft.status == "ready", draft.error
    update = live.updates.get()
    agent = Agent(owner)
    agent.tokens()
    key, _ = accounts.create_api_key(user=owner, name="Agent on my laptop", scopes=["account:read"], at=at)
    hook, _ = services_endpoints.add_endpoint(
        user=owner, url="https://hooks.tidewell.com/launch", types=["draft.ready", "order.paid"], at=at
    )
    services_endpoints.send_test(user=owner, endpoint_id=hook.pk, at=at)
    for kind, slug in (("founder", "freja-holm"), ("category", "invoicing")):
        topic_mail.follow(kind=kind, slug=slug, user=owner, site=site, at=at)
    return {
        "webhook": str(hook.pk),
        "draft": str(draft.pk),
        "invite": _invited(draft, at=at),
        "failed": str(_stopped(owner, site, "failed", at=at).pk),
        "reading": str(_stopped(owner, site, "crawling", at=at).pk),
        "live": str(live.pk),
        "update": str(update.pk),
        "key": str(key.pk),
        "app": str(ConnectedApp.objects.get(user=owner).pk),
        "consent": agent.address(scope="account:read listings:write"),
        "stop": follower_mail.SIGNER.sign(str(owner.pk)),
        "reader": winners.token_of(
            WinnersReader.objects.create(site=site, email="noor@reader.example", created_at=at)
        ),
        "stop_products": OF_PRODUCTS.token(owner.pk),
        **_listings(owner, at=at),
        **_orders(owner, site, at=at),
        **_said(owner, at=at),
        **_reviewed(owner, live, at=at),
    }


def _invited(draft: Draft, *, at: datetime) -> str:
    token = inviting.SIGNER.sign("invited")
    Invite.objects.create(
        draft=draft,
        email="freja@tidewell.example",
        digest=inviting.digest(token),
        sent_at=at,
        expires_at=at + inviting.LIFE,
    )
    return token


def _stopped(owner: User, site: Site, status: str, *, at: datetime) -> Draft:
    """A draft that is not ready, without a job that would go on with it."""
    error = {"code": "robots_blocked", "detail": "robots.txt forbids it.", "request_id": "r1"}
    return Draft.objects.create(
        owner=owner,
        site=site,
        url=f"https://{status}.example/",
        site_key=f"{status}.example",
        domain=f"{status}.example",
        status=status,
        stage="queued" if status == "crawling" else "failed",
        error=error if status == "failed" else None,
        created_at=at - timedelta(days=1),
        updated_at=at,
    )


def _listings(owner: User, *, at: datetime) -> dict[str, str]:
    """One that waits for its badge, with edits to review, and one that is saved."""
    waiting = make_listing("waiting", owner=owner, status="awaiting_badge", at=at + WEEK)
    for city in ("Aarhus", "Odense"):
        changes = {"fields": {"city": city}}
        update_my_listing(owner_id=owner.pk, listing_id=waiting.pk, changes=changes, at=at)
    BadgeCheck.objects.create(
        listing=waiting, at=at, found=False, result="not_found", detail="No link to us.", snippet="<a>"
    )
    saved = make_listing("saved", owner=owner, status="draft", launch_week=None)
    return {"waiting": str(waiting.pk), "saved": str(saved.pk)}


def _orders(owner: User, site: Site, *, at: datetime) -> dict[str, str]:
    order, paid = (bought(owner, site, at=at) for _ in range(2))
    with transaction.atomic():
        mark_paid(order=paid, is_test=True, by="system", at=at)
    return {
        "order": order.number,
        "checkout": "/" + links.checkout_url(order).split("/", 3)[3],
        "paid": paid.number,
        "invoice": paid.invoices.get().number,
    }


def bought(owner: User, site: Site, *, at: datetime) -> Order:
    """An order that waits for its money."""
    order = create_checkout(
        buyer=Caller(user_id=owner.pk, network="n"),
        site=site,
        cart={
            "items": [{"product": "done_for_you", "options": {"website": "https://tidewell.com/"}}],
            "billing_country": "DE",
        },
        number=NO_NUMBER,
        at=at,
    )
    order.billing_name, order.billing_company, order.billing_address = "Ines Prado", "Brindle Lda", "Rua 1"
    order.billing_email = owner.email
    order.save()
    return order


def _said(owner: User, *, at: datetime) -> dict[str, str]:
    """Votes and follows, a claim by DNS that has been looked at and one by e-mail, a report."""
    first, second, third = (Listing.objects.get(slug=f"product-{number}") for number in (1, 2, 3))
    voting.cast_vote(user=owner, listing_id=second.pk, at=at, address="198.51.100.7")
    voting.follow(user=owner, listing_id=third.pk, at=at)
    for method in ("dns", "email"):
        claim = Claim.objects.create(
            listing=first, user=owner, method=method, created_at=at, expires_at=at + WEEK
        )
        claim.last_check = ClaimCheck.objects.create(
            claim=claim, at=at, result="not_found", detail="There is no such record.", seen=["v=spf1"]
        )
        claim.save()
    claim.email, claim.link, claim.link_expires_at = "hello@product-1.example", "l" * 32, at + WEEK
    claim.save()
    Report.objects.create(listing=third, reason="wrong", text="They moved.", reporter=owner, created_at=at)
    return {"confirm": dumps({"claim": claim.pk, "link": claim.link}, salt=mailing.SALT)}


def add_more_to_account(*, owner: User, site: Site, at: datetime, rows: int = 40) -> None:
    """As much again of everything that an account lists, many times."""
    live = Listing.objects.get(slug="tidewell")
    for number in range(rows):
        accounts.create_api_key(user=owner, name=f"Key {number}", scopes=["account:read"], at=at)
        bought(owner, site, at=at)
        _stopped(owner, site, "failed", at=at)
        row = make_listing(f"seen-{number}", at=at)
        voting.cast_vote(user=owner, listing_id=row.pk, at=at, address="198.51.100.7")
        voting.follow(user=owner, listing_id=row.pk, at=at)
        Claim.objects.create(listing=row, user=owner, method="dns", created_at=at, expires_at=at + WEEK)
        for listing_id in (live.pk, Listing.objects.get(slug="waiting").pk):
            changes = {"fields": {"city": f"City {number}"}}
            update_my_listing(owner_id=owner.pk, listing_id=listing_id, changes=changes, at=at)


def _reviewed(owner: User, live: Listing, *, at: datetime) -> dict[str, str]:
    """Reviews of the live listing, one with a reply, and questions, one of them open."""
    long_ago = timedelta(days=40)
    readers = [reader(name, at=at, age=long_ago) for name in ("noor", "karel", "joana", "sanna")]
    for number, author in enumerate(readers, start=2):
        reply = {"reply": "Thank you.", "replied_at": at, "replied_by": owner} if number == 5 else {}
        make_review(live, author, stars=number, created_at=at - timedelta(hours=number), **reply)
    make_question(live, readers[0], answer="Yes, since October.", answered_by=owner, created_at=at)
    make_question(live, readers[1], text="Is there a print view for the kitchen wall?", created_at=at)
    other = Listing.objects.get(slug="product-2")
    User.objects.filter(pk=owner.pk).update(date_joined=at - long_ago)
    make_review(other, owner, stars=4, status="waiting", created_at=at)
    newest = live.reviews.order_by("-stars").values_list("pk", flat=True)[0]
    return {"review": str(newest)}
