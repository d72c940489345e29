"""`manage.py check_badges [--at TIME]`."""

from typing import Any

from core.commands import TimedCommand
from directory.launches import badge_watch


class Command(TimedCommand):
    help = "Look for the badge of every listing that waits for it, and move on those whose week has ended."

    def handle(self, *args: Any, **options: Any) -> None:
        at = self.at(options)
        self.do_each(
            [*badge_watch.waiting_for_badge(), *badge_watch.had_badge(at=at)],
            lambda listing_id: badge_watch.check_badge(listing_id=listing_id, at=at),
            done="homepages were looked at.",
        )
