"""The refusals of the orders area. Several at once are one `invalid_request` that names them all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.api.errors import ApiError, FieldError, InvalidRequestError, InvalidStateError, needs_fix
from directory.errors import CategoryUnknownError, DuplicateListingError, ListingUnknownError


class OrderCannotMoveError(InvalidStateError):
    """The order's status does not allow this. Says `current` and `allowed`."""


class OrderOutdatedError(InvalidStateError, title="This order can’t be paid as it stands"):
    """What it is for means nothing any more for its listing, which has changed since. Says `current`."""


class PriceStaysError(ApiError, title="The price stays"):
    """A price that has begun is neither changed nor withdrawn."""


class WeekUnavailableError(ApiError, code="week_unavailable", title="This week isn’t available"):
    """A week that is not on sale for this product, or that is full."""


class CategoryLimitError(ApiError, code="category_limit", title="Too many categories"):
    """More extra categories than a listing may have."""


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


# What nobody catches by its kind: each code with its title and meaning, which the documentation shows.
PROMO_CODES = {
    "promo_unknown": "No such code; codes count exactly as typed.",
    "promo_inactive": "The code has been switched off.",
    "promo_not_started": "The code is for later.",
    "promo_expired": "The code's time is over.",
    "promo_used_up": "The code has been used as often as it may be.",
    "promo_used_by_you": "The person has used the code as often as one may.",
    "promo_wrong_products": "The code is for other products.",
    "promo_min_subtotal": "The code asks for a larger order.",
}
CART_CODES = {
    "amount_below_minimum": ("The amount is too small", "Less than the billboard's minimum."),
    "total_below_minimum": (
        "The total is too small to be charged",
        "A total too small to be charged; nothing at all is fine.",
    ),
    "total_above_maximum": (
        "The total is too large to be charged",
        "A total larger than can be charged at once.",
    ),
    "listing_required": ("A listing has to be named", "The product is for a listing, and none is named."),
    "conflicting_items": ("These items can’t be combined", "Items that exclude each other."),
    "option_invalid": (
        "The product does not take this",
        "A property or option that the product does not take, or a value it does not know.",
    ),
}


def _kind(base: type[ApiError], code: str, title: str, meaning: str) -> type[ApiError]:
    return type("RefusedError", (base,), {"__doc__": meaning}, code=code, title=title)


BY_CODE: dict[str, type[ApiError]] = {
    **{
        code: _kind(PromoRefusedError, code, PromoRefusedError.title, meaning)
        for code, meaning in PROMO_CODES.items()
    },
    **{code: _kind(ApiError, code, *words) for code, words in CART_CODES.items()},
    **{
        kind.code: kind
        for kind in (
            WeekUnavailableError,
            CategoryLimitError,
            CategoryUnknownError,
            ListingUnknownError,
            VatNumberInvalidError,
            DuplicateListingError,
            InvalidStateError,
        )
    },
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
