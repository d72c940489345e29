from django.apps import AppConfig

from core import event_types


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"

    def ready(self) -> None:
        event_types.declare("leaderboards.trophies.selectors.award_item", award__won="A listing won an award")
