"""What Django's checks of this installation's settings say."""

from collections.abc import Iterator
from datetime import datetime

from django.core import checks

from config.doctor.findings import Finding, note, ok, wrong
from orders.checks import TAG


def look_at_settings(*, at: datetime) -> Iterator[Finding]:
    """What is said of money and of who sells."""
    messages = checks.run_checks(tags=[TAG])
    for message in messages:
        look = wrong if message.level >= checks.WARNING else note
        yield look("settings", message.msg)
    if not messages:
        yield ok("settings", "nothing is missing")
