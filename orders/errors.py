"""The refusals of the orders area. Several at once are one `invalid_request` that names them all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.api.errors import (
    ApiError,
    FieldError,
    InvalidRequestError,
    InvalidStateError,
    NotFoundError,
    needs_fix,
)
from directory.errors import CategoryUnknownError, DuplicateListingError, ListingUnknownError


class OrderNotFoundError(NotFoundError):
    """No such order, or somebody else's."""


class OrderCannotMoveError(InvalidStateError):
    """The order's status does not allow this. Says `current` and `allowed`."""


class PriceStaysError(ApiError, title="The price stays"):
    """A price that has begun is neither changed nor withdrawn."""


class WeekUnavailableError(ApiError, code="week_unavailable", title="This week isn’t available"):
    """A week that is not on sale for this product, or that is full."""


class CategoryLimitError(ApiError, code="category_limit", title="Too many categories"):
    """More extra categories than a listing may have."""


class AmountBelowMinimumError(ApiError, code="amount_below_minimum", title="The amount is too small"):
    """Less than the billboard's minimum."""


class TotalBelowMinimumError(
    ApiError, code="total_below_minimum", title="The total is too small to be charged"
):
    """A total too small to be charged; nothing at all is fine."""


class TotalAboveMaximumError(
    ApiError, code="total_above_maximum", title="The total is too large to be charged"
):
    """A total larger than can be charged at once."""


class ListingRequiredError(ApiError, code="listing_required", title="A listing has to be named"):
    """The product is for a listing, and none is named."""


class ConflictingItemsError(ApiError, code="conflicting_items", title="These items can’t be combined"):
    """Items that exclude each other."""


class OptionInvalidError(ApiError, code="option_invalid", title="The product does not take this"):
    """A property or option that the product does not take, or a value it does not know."""


class TotalChangedError(ApiError, code="total_changed", title="The total has changed"):
    """The total is no longer the one that the person agreed to."""


class PaymentUnavailableError(ApiError, code="payment_unavailable", title="This way to pay isn’t available"):
    """The way to pay is not offered, or its provider does not take the payment now."""


class CheckoutClosedError(InvalidStateError, title="Checkout is not open yet"):
    """No payment provider is set up, so nothing can be bought yet. Says `current`, which is `closed`."""


class RefundRefusedError(ApiError, code="refund_refused", title="This can’t be refunded"):
    """More than came."""


class VatNumberInvalidError(ApiError, code="vat_number_invalid", title="Not a VAT number"):
    """A VAT number that cannot be one, or that is of another country."""


class PromoRefusedError(ApiError, title="This code cannot be used"):
    """A promo code that cannot be used."""


class PromoUnknownError(PromoRefusedError, code="promo_unknown"):
    """No such code; codes count exactly as typed."""


class PromoInactiveError(PromoRefusedError, code="promo_inactive"):
    """The code has been switched off."""


class PromoNotStartedError(PromoRefusedError, code="promo_not_started"):
    """The code is for later."""


class PromoExpiredError(PromoRefusedError, code="promo_expired"):
    """The code's time is over."""


class PromoUsedUpError(PromoRefusedError, code="promo_used_up"):
    """The code has been used as often as it may be."""


class PromoUsedByYouError(PromoRefusedError, code="promo_used_by_you"):
    """The person has used the code as often as one may."""


class PromoWrongProductsError(PromoRefusedError, code="promo_wrong_products"):
    """The code is for other products."""


class PromoMinSubtotalError(PromoRefusedError, code="promo_min_subtotal"):
    """The code asks for a larger order."""


PROMO_REFUSALS = {kind.code: kind for kind in PromoRefusedError.__subclasses__()}
BY_CODE: dict[str, type[ApiError]] = PROMO_REFUSALS | {
    kind.code: kind
    for kind in (
        WeekUnavailableError,
        CategoryLimitError,
        CategoryUnknownError,
        AmountBelowMinimumError,
        TotalBelowMinimumError,
        TotalAboveMaximumError,
        ListingRequiredError,
        ListingUnknownError,
        ConflictingItemsError,
        OptionInvalidError,
        VatNumberInvalidError,
        DuplicateListingError,
        InvalidStateError,
    )
}
CODES = tuple(sorted(BY_CODE))


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One thing that is wrong with what was asked, and where. `extras` go with it if it is the only kind."""

    code: str
    pointer: str
    message: str
    limit: int | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)


def raise_for(refusals: Iterable[Refusal]) -> None:
    """Raise the error of these refusals, if there are any: their own kind, or `invalid_request` for several kinds."""
    rows = list(refusals)
    if not rows:
        return
    errors = [
        FieldError(code=row.code, pointer=row.pointer, message=row.message, limit=row.limit) for row in rows
    ]
    codes = {row.code for row in rows}
    kind = BY_CODE.get(rows[0].code) if len(codes) == 1 else None
    if kind is None:
        raise InvalidRequestError(needs_fix(errors), errors=errors)
    raise kind(rows[0].message, errors=errors, **rows[0].extras)
