"""The nine products as data: what each needs and whom it is for. What they cost is in rows that staff add."""

from dataclasses import dataclass, field
from typing import Literal

from django.conf import settings

from directory.models import Listing
from orders import limits
from orders.models import Product

Status = Listing.Status
WEBSITE = "website"
NOW = "now"
FREE, PAID = Listing.Plan.FREE.value, Listing.Plan.PAID.value
QUEUED = frozenset({Status.AWAITING_BADGE.value, Status.SCHEDULED.value})
UNPUBLISHED = QUEUED | {Status.DRAFT.value}
KEPT = UNPUBLISHED | {Status.LIVE.value}
SHOWN = frozenset({Status.LIVE.value, Status.SCHEDULED.value})


@dataclass(frozen=True, kw_only=True)
class Option:
    """A further choice: `type` is text or url. One that takes a week is `now` or a Monday of those on sale."""

    key: str
    type: str
    required: bool = False
    choices: tuple[str, ...] | None = None
    takes_week: bool = False


@dataclass(frozen=True, kw_only=True)
class ProductSpec:
    """One product. `statuses` and `plans` are those of listings that it can be bought for, `parts` a bundle's products.

    `starts` products put a listing into its first launch, which no other listing of the address may have had.
    """

    code: str
    name: str
    description: str
    price_kind: Literal["fixed", "per_unit", "amount"] = "fixed"
    needs_listing: bool = True
    statuses: frozenset[str] = KEPT
    plans: tuple[str, ...] = (FREE, PAID)
    week: Literal["required", "optional", "none"] = "none"
    starts: bool = False
    options: tuple[Option, ...] = ()
    parts: tuple[str, ...] = field(default=())


PRODUCTS = {
    spec.code: spec
    for spec in (
        ProductSpec(
            code=Product.LAUNCH.value,
            name="Launch",
            description="Publishes your listing on the paid plan: at once, or in a week you choose. No badge needed. "
            f"Categories of the draft that wait are filed, up to {1 + limits.EXTRA_CATEGORIES} in all.",
            plans=(FREE,),
            week="optional",
            starts=True,
        ),
        ProductSpec(
            code=Product.SKIP_QUEUE.value,
            name="Skip the queue",
            description="Moves a listing of the free queue to an earlier week. The badge is still needed.",
            statuses=QUEUED,
            plans=(FREE,),
            week="required",
        ),
        ProductSpec(
            code=Product.FEATURED.value,
            name="Featured listing",
            description=(
                f"Your listing for {limits.FEATURED_DAYS} days in three marked places: on the home page, beside the "
                "launch week and above its primary category. It changes no vote and no rank."
            ),
            statuses=SHOWN,
            options=(Option(key="start", type="text", takes_week=True),),
        ),
        ProductSpec(
            code=Product.DONE_FOR_YOU.value,
            name="Done for you",
            description="We write and launch your listing with you. Name your listing, or the address of your website.",
            needs_listing=False,
            options=(Option(key=WEBSITE, type="url"), Option(key="note", type="text")),
        ),
        ProductSpec(
            code=Product.LAUNCH_BUNDLE.value,
            name="Launch bundle",
            description=f"Launch, {limits.FEATURED_DAYS} days featured and an AI review, for one price.",
            plans=(FREE,),
            week="optional",
            starts=True,
            parts=(Product.LAUNCH.value, Product.FEATURED.value, Product.AI_REVIEW.value),
        ),
        ProductSpec(
            code=Product.EXTRA_CATEGORIES.value,
            name="Extra categories",
            description="Shows your listing in up to three more categories beside those of its plan: "
            "one on the free plan, four on the paid plan. The price is for each.",
            price_kind="per_unit",
        ),
        ProductSpec(
            code=Product.RELAUNCH.value,
            name="Relaunch",
            description="Puts a live listing into another launch week, whose votes start at nothing.",
            statuses=frozenset({Status.LIVE.value}),
            week="required",
        ),
        ProductSpec(
            code=Product.AI_REVIEW.value,
            name="AI review",
            description="A private review of your listing and its website, with quotes for what it says.",
        ),
        ProductSpec(
            code=Product.BILLBOARD_MIN.value,
            name="Billboard",
            description="A place on the paid billboard, ranked by the money contributed. You choose the amount.",
            price_kind="amount",
        ),
    )
}
"""In the interface's order."""


def why_not_offered(spec: ProductSpec) -> str | None:
    """Why this installation cannot do what a product is for; None if it can."""
    is_missing = spec.code == Product.AI_REVIEW and not settings.OPENAI_API_KEY
    return "No language model is set up here, and one writes the review." if is_missing else None


def parts_of(spec: ProductSpec) -> tuple[str, ...]:
    """The products in a bundle, as far as they are offered."""
    return tuple(code for code in spec.parts if why_not_offered(PRODUCTS[code]) is None)


def description_of(spec: ProductSpec) -> str:
    """What is bought; a bundle says what it leaves out."""
    if parts_of(spec) == spec.parts:
        return spec.description
    return (
        f"Launch and {limits.FEATURED_DAYS} days featured, for one price. The AI review is not part of it now: "
        "no language model is set up here."
    )
