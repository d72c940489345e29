"""Django app of the leaderboards area."""

from django.apps import AppConfig


class LeaderboardsConfig(AppConfig):
    """The leaderboards area."""

    name = "leaderboards"
