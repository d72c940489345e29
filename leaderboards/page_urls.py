"""Page addresses of the leaderboards area."""

from django.urls import path
from django.views.generic import RedirectView

from leaderboards import pages, pages_files
from leaderboards.boards.community_weekly import Weekly

urlpatterns = [
    path("leaderboards", RedirectView.as_view(url=f"/leaderboards/{Weekly.code}")),
    path("leaderboards/<str:board>", pages.leaderboard, name="leaderboard"),
    path("share/boards/awards/<slug:digest>.png", pages.awards_image),
    path("share/boards/<str:board>/<slug:digest>.png", pages.board_image),
    path("awards", pages.awards, name="awards"),
    path("data", pages_files.data, name="open_data"),
    path("data/index.json", pages_files.data_index, name="open_data_index"),
    path("data/<slug:table>.<slug:kind>.gz", pages_files.data_file, name="open_data_file"),
    path("weeks/<str:week>/ballots.ndjson.gz", pages_files.ballots_file, name="ballots_file"),
]
