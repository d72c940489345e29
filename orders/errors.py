"""The refusals of the orders area. Several at once are one `invalid_request` that names them all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import ApiError, FieldError, InvalidRequestError, InvalidStateError, NotFoundError
from directory.errors import CategoryUnknownError, DuplicateListingError, ListingUnknownError


class OrderNotFoundError(NotFoundError):
    """No such order, or somebody else's."""


class OrderCannotMoveError(InvalidStateError):
    """The order's status does not allow this. Says `current` and `allowed`."""


class PriceStaysError(ApiError):
    """A price that has begun is neither changed nor withdrawn."""

    title = "The price stays"


class WeekUnavailableError(ApiError):
    """A week that is not on sale for this product, or that is full."""

    code = "week_unavailable"
    title = "This week cannot be had"


class CategoryLimitError(ApiError):
    """More extra categories than a listing may have."""

    code = "category_limit"
    title = "Too many categories"


class AmountBelowMinimumError(ApiError):
    """Less than the billboard's minimum."""

    code = "amount_below_minimum"
    title = "The amount is too small"


class TotalBelowMinimumError(ApiError):
    """A total too small to be charged; nothing at all is fine."""

    code = "total_below_minimum"
    title = "The total is too small to be charged"


class TotalAboveMaximumError(ApiError):
    """A total larger than can be charged at once."""

    code = "total_above_maximum"
    title = "The total is too large to be charged"


class ListingRequiredError(ApiError):
    """The product is for a listing, and none is named."""

    code = "listing_required"
    title = "A listing has to be named"


class ConflictingItemsError(ApiError):
    """Items that exclude each other."""

    code = "conflicting_items"
    title = "These items exclude each other"


class OptionInvalidError(ApiError):
    """A property or option that the product does not take, or a value it does not know."""

    code = "option_invalid"
    title = "The product does not take this"


class TotalChangedError(ApiError):
    """The total is no longer the one that the person agreed to."""

    code = "total_changed"
    title = "The total has changed"


class PaymentUnavailableError(ApiError):
    """The way to pay is not offered, or its provider does not take the payment now."""

    code = "payment_unavailable"
    title = "This way to pay does not work now"


class CheckoutClosedError(InvalidStateError):
    """No payment provider is set up, so nothing can be bought yet. Says `current`, which is `closed`."""

    title = "Checkout is not open yet"


class RefundRefusedError(ApiError):
    """More than came."""

    code = "refund_refused"
    title = "This cannot be given back"


class VatNumberInvalidError(ApiError):
    """A VAT number that cannot be one, or that is of another country."""

    code = "vat_number_invalid"
    title = "Not a VAT number"


class PromoRefusedError(ApiError):
    """A promo code that cannot be used."""

    title = "This code cannot be used"


class PromoUnknownError(PromoRefusedError):
    """No such code; codes count exactly as typed."""

    code = "promo_unknown"


class PromoInactiveError(PromoRefusedError):
    """The code has been switched off."""

    code = "promo_inactive"


class PromoNotStartedError(PromoRefusedError):
    """The code is for later."""

    code = "promo_not_started"


class PromoExpiredError(PromoRefusedError):
    """The code's time is over."""

    code = "promo_expired"


class PromoUsedUpError(PromoRefusedError):
    """The code has been used as often as it may be."""

    code = "promo_used_up"


class PromoUsedByYouError(PromoRefusedError):
    """The person has used the code as often as one may."""

    code = "promo_used_by_you"


class PromoWrongProductsError(PromoRefusedError):
    """The code is for other products."""

    code = "promo_wrong_products"


class PromoMinSubtotalError(PromoRefusedError):
    """The code asks for a larger order."""

    code = "promo_min_subtotal"


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
    found = list(refusals)
    if not found:
        return
    errors = [
        FieldError(code=one.code, pointer=one.pointer, message=one.message, limit=one.limit) for one in found
    ]
    codes = {one.code for one in found}
    kind = BY_CODE.get(found[0].code) if len(codes) == 1 else None
    if kind is None:
        raise InvalidRequestError("Some values of the order break a rule.", errors=errors)
    raise kind(found[0].message, errors=errors, **found[0].extras)
