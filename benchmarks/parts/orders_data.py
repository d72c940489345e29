"""A buyer with a key, a listing to launch and a promo code, in a database that has just been migrated."""

import os
import sys
from decimal import Decimal
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.utils import timezone  # noqa: E402

from accounts import services as accounts  # noqa: E402
from directory import weeks  # noqa: E402
from orders.promos import create_promo_code  # noqa: E402
from tests.factories.listings import make_listing  # noqa: E402

now = timezone.now()
buyer = accounts.create_user(email="bench@people.example")
listing = make_listing("tidewell", owner=buyer, status="draft", launch_week=None)
create_promo_code(code="LAUNCH20", percent=Decimal(20), amount_cents=None, at=now)
_, key = accounts.create_api_key(user=buyer, name="Bench", scopes=accounts.ALL_SCOPES, at=now)
print(key, listing.pk, weeks.week_of(now) + 3 * weeks.WEEK)
