from django.apps import AppConfig

from core import event_types


class DirectoryConfig(AppConfig):
    name = "directory"

    def ready(self) -> None:
        event_types.declare(
            "directory.listings.own.listing_item",
            listing__scheduled="A listing has its launch week",
            listing__awaiting_badge="A listing waits for the badge on its homepage",
            listing__live="A listing went live",
            listing__week_closed="The launch week of a listing is over and its place is final",
            listing__reviewed="The site team looked at an edit",
            listing__suspended="The site team took a listing off",
        )
