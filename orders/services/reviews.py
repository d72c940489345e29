"""The private review of a listing: written by a job, seen by its owner alone."""

from datetime import datetime
from typing import Any

from django.db import transaction

from directory.models import Listing
from orders import reviewing
from orders.models import AiReview, OrderLine, Product, StaffTask
from orders.services import mails
from orders.services.fulfilment import complete_part


def write_review(*, line_id: int, at: datetime) -> None:
    """Write the review of a line's listing, once; a model is asked outside of the transaction that stores it."""
    line = OrderLine.objects.select_related("listing").get(pk=line_id)
    is_wanted = line.fulfilment_status == OrderLine.Fulfilment.IN_PROGRESS
    if not is_wanted or line.listing is None or AiReview.objects.filter(line=line_id).exists():
        return
    facts = _facts(line.listing)
    findings, writer = reviewing.review(facts)
    with transaction.atomic():
        AiReview.objects.get_or_create(
            line_id=line_id,
            defaults={
                "listing_id": line.listing_id,
                "findings": findings,
                "writer": writer,
                "written_at": at,
            },
        )
        complete_part(line_id=line_id, product=Product.AI_REVIEW, at=at)


def leave_to_staff(*, error: str, line_id: int, at: datetime) -> None:
    """It could not be written: staff do it."""
    line = OrderLine.objects.select_related("order").get(pk=line_id)
    StaffTask.objects.get_or_create(
        line=line,
        kind=StaffTask.Kind.AI_REVIEW,
        defaults={"detail": error[:500], "opened_at": at},
    )
    mails.send_to_staff(order=line.order, reason="An AI review could not be written.")


def _facts(listing: Listing) -> reviewing.Facts:
    texts: dict[str, Any] = {
        name: getattr(listing, name)
        for name in ("name", "tagline", "short_description", "description", "pricing_summary")
    }
    return reviewing.Facts(
        texts=texts,
        evidence=listing.evidence,
        not_found=listing.not_found,
        counts={
            "features": len(listing.features),
            "usps": len(listing.usps),
            "faqs": len(listing.faqs),
            "socials": len(listing.socials),
            "founders": listing.founded_by.count(),
            "categories": listing.filed.count(),
        },
        has_logo=bool(listing.logo or listing.logo_url),
        has_video=bool(listing.demo_video_url),
        url=listing.url,
    )
