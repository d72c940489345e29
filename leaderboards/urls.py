"""API addresses of the leaderboards area."""

from django.urls import path

from leaderboards.views import LeaderboardViewSet

urlpatterns = [
    path("leaderboards/<str:board>", LeaderboardViewSet.as_view({"get": "get_leaderboard"})),
    path("awards", LeaderboardViewSet.as_view({"get": "list_awards"})),
]
