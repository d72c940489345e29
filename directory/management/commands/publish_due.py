"""`manage.py publish_due [--at TIME]`."""

from typing import Any

from core.commands import TimedCommand
from directory.services import publishing


class Command(TimedCommand):
    """Launch every listing whose week has begun."""

    help = "Launch every scheduled listing whose week has begun (the badge is looked for on the free plan)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it at once."""
        at = self.at(options)
        found = publishing.due_to_launch(at=at)
        for listing_id in found:
            publishing.launch_one(listing_id=listing_id, at=at)
        self.stdout.write(f"{len(found)} listings were due.")
