"""API addresses of the leaderboards area."""

from django.urls import path

from leaderboards.api import LeaderboardViewSet
from leaderboards.trophies.api import TrophyViewSet

urlpatterns = [
    path("leaderboards/<str:board>", LeaderboardViewSet.as_view({"get": "get_leaderboard"})),
    path("awards", LeaderboardViewSet.as_view({"get": "list_awards"})),
    path("awards/<str:id>/verification", TrophyViewSet.as_view({"get": "verify_award"})),
    path("listings/<str:slug>/trophies", TrophyViewSet.as_view({"get": "get_trophy_cabinet"})),
    path("hall-of-fame", TrophyViewSet.as_view({"get": "get_hall_of_fame"})),
    path("programmes", TrophyViewSet.as_view({"get": "list_programmes"})),
    path(
        "me/listings/<str:listing_id>/programmes/<str:slug>",
        TrophyViewSet.as_view({"post": "enter_programme"}),
    ),
]
