"""`manage.py check_badges [--at TIME]`."""

from typing import Any

from core.commands import TimedCommand
from directory.services import publishing


class Command(TimedCommand):
    """Look for the badge of every listing that waits for it."""

    help = "Look for the badge of every listing that waits for it, and move on those whose week has ended."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it at once."""
        at = self.at(options)
        found = publishing.waiting_for_badge()
        for listing_id in found:
            publishing.check_badge(listing_id=listing_id, at=at)
        self.stdout.write(f"{len(found)} homepages were looked at.")
