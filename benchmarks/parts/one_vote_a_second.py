"""Votes for one listing after another, one a second, until it is ended."""

import os
import sys
import threading
import uuid
from datetime import timedelta
from itertools import cycle
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from directory.engagement import voting  # noqa: E402
from directory.models import Listing  # noqa: E402

now = timezone.now()
voter = User.objects.create_user(f"{uuid.uuid4().hex}@bench.example", date_joined=now - timedelta(days=365))
listings = list(Listing.objects.live().order_by("-stats__votes").values_list("pk", flat=True)[:500])
for listing_id in cycle(listings):
    cast = voting.cast_vote(user=voter, listing_id=listing_id, at=timezone.now())
    if not cast:
        voting.take_back_vote(user=voter, listing_id=listing_id, at=timezone.now())
    threading.Event().wait(1)
