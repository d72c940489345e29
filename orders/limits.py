"""The numbers that the interface and its contract promise about orders."""

from datetime import timedelta

ITEMS_MIN, ITEMS_MAX = 1, 20
PRODUCT, WEEK, VAT_NUMBER, PROMO_CODE = 60, 10, 32, 40
AMOUNT_MIN, AMOUNT_MAX = 1, 100_000_000
HIGHEST_VAT = 27  # percent, in the European Union
CATEGORIES_SENT, EXTRA_CATEGORIES = 10, 3
OPTIONS = 20
OPTION_TEXT = 2048

TOTAL_MIN, TOTAL_MAX = 50, 99_999_999  # what can be charged; nothing at all is paid without a provider
AMOUNT_CHARGEABLE = TOTAL_MAX * 100 // (100 + HIGHEST_VAT)

FEATURED_DAYS = 7
RELAUNCH_AFTER = timedelta(days=90)

PENDING_FOR = timedelta(days=7)
RESERVED_FOR = timedelta(minutes=35)  # a payment page lives half an hour at least
PROCESSING_FOR = timedelta(hours=72)
WEEK_HOLDS_PER_USER = 2

NUMBER = r"^PL-[0-9A-HJKMNP-TV-Z]{8}$"
NUMBER_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
NAME, ADDRESS, POSTCODE, EMAIL = 160, 200, 20, 254
REFERENCE, NOTE = 120, 500
PLACE_SHOWS = 200
