"""`manage.py publish_due [--at TIME]`."""

from typing import Any

from core.commands import TimedCommand
from directory.launches import paid, publishing


class Command(TimedCommand):
    help = "Launch every scheduled listing whose week has begun (the badge is looked for on the free plan)."

    def handle(self, *args: Any, **options: Any) -> None:
        at = self.at(options)
        paid.begin_relaunches(at=at)
        self.do_each(
            publishing.begun(at=at),
            lambda listing_id: publishing.launch_listing(listing_id=listing_id, at=at),
            done="listings were due.",
        )
