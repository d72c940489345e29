"""The private review of a listing: written by a job, seen by its owner alone."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from core import jobs
from directory.listings.sources import Pages, website_text
from directory.models import Listing
from orders import mails, reviewing
from orders.fulfil import complete
from orders.models import AiReview, OrderLine, StaffTask
from orders.products.base import Effect, Product, effect_on_order

TEXTS = ("name", "tagline", "short_description", "description", "pricing_summary", "headline", "summary")


class Review(Product):
    """Done when the job has written it; what the job fails at, staff write."""

    position = 80
    code, name = "ai_review", "AI review"
    description = "A private review of your listing and its website, with quotes for what it says."
    is_once_a_listing = True
    staff_task = "{}, which could not be written by itself"
    on_refund = "the buyer keeps the review"

    def unavailable_reason(self) -> str:
        return (
            "" if settings.OPENAI_API_KEY else "No language model is set up here, and one writes the review."
        )

    def effects(self, line: OrderLine) -> list[Effect]:
        return [effect_on_order(line, "Your review, private")]

    def do(self, line: OrderLine, at: datetime) -> bool:
        if AiReview.objects.filter(line=line).exists():
            return True
        jobs.add("orders.write_review", key=f"{line.pk}-{line.effect.get('turn', 0)}", line_id=line.pk)
        return False


def write_review(*, line_id: int, at: datetime) -> None:
    """Write the review of a line's listing, once; a model is asked outside of the transaction that stores it.

    What the model fails at is tried again; without a model nobody but staff can write it.
    """
    line = OrderLine.objects.select_related("listing").get(pk=line_id)
    is_due = line.fulfilment_status == OrderLine.Fulfilment.IN_PROGRESS
    if not is_due or line.listing is None or AiReview.objects.filter(line=line_id).exists():
        return
    if not settings.OPENAI_API_KEY:
        raise jobs.PermanentError("No language model is set up.")
    findings = reviewing.review(_facts(line.listing))
    with transaction.atomic():
        review, is_new = AiReview.objects.get_or_create(
            line_id=line_id,
            defaults={
                "listing_id": line.listing_id,
                "findings": findings,
                "writer": settings.AI_MODEL[:80],
                "written_at": at,
            },
        )
        complete(line_id=line_id, part=Review.code, at=at)
        if is_new:
            mails.send_reviewed(line=review.line, count=len(findings))


def leave_to_staff(*, error: str, line_id: int, at: datetime) -> None:
    """It could not be written: staff write it or give the money back, and the buyer may ask for the money at once."""
    line = OrderLine.objects.select_related("order__owner", "listing").get(pk=line_id)
    task = {"detail": error[:500], "opened_at": at, "closed_at": None, "result": ""}
    StaffTask.objects.update_or_create(line=line, kind=Review.code, defaults=task)
    mails.send_review_late(line=line)
    mails.send_to_staff(
        order=line.order,
        reason="An AI review could not be written. Write it, or give the money of the line back.",
        about=line_id,
    )


def _facts(listing: Listing) -> reviewing.Facts:
    texts = {name: str(getattr(listing, name)) for name in TEXTS}
    for name in ("features", "usps"):
        texts[name] = "\n".join(getattr(listing, name))
    texts["faqs"] = "\n".join(
        f"{faq.get('question', '')}\n{faq.get('answer', '')}" for faq in listing.faqs if isinstance(faq, dict)
    )
    return reviewing.Facts(texts=texts, pages=website_text(listing.pk) or _quoted(listing), url=listing.url)


def _quoted(listing: Listing) -> Pages:
    """What is stored of a website whose pages are no longer kept: the sentences that the listing quotes."""
    quotes = [
        quote for rows in listing.evidence.values() for quote in (rows if isinstance(rows, list) else ())
    ]
    return [
        (str(quote.get("url") or listing.url), str(quote["quote"]))
        for quote in quotes
        if isinstance(quote, dict) and quote.get("quote")
    ]
