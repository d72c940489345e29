"""Page addresses of the leaderboards area."""

from django.urls import path

from leaderboards import pages

urlpatterns = [
    path("leaderboards/<str:board>", pages.leaderboard, name="leaderboard"),
    path("awards", pages.awards, name="awards"),
]
