from django.urls import path
from django.views.generic import RedirectView

from core.methods import require_safe
from leaderboards import pages
from leaderboards.api import LeaderboardViewSet
from leaderboards.boards.community_weekly import Weekly
from leaderboards.open_data import pages as files
from leaderboards.trophies import pages as trophies
from leaderboards.trophies.api import TrophyViewSet

API = [
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
PAGES = [
    path("leaderboards", require_safe(RedirectView.as_view(url=f"/leaderboards/{Weekly.code}"))),
    path("leaderboards/<str:board>", pages.leaderboard, name="leaderboard"),
    path("share/boards/awards/<slug:digest>.png", pages.awards_image),
    path("share/boards/<str:board>/<slug:digest>.png", pages.board_image),
    path("awards", pages.awards, name="awards"),
    path("data", files.data, name="open_data"),
    path("data/index.json", files.data_index, name="open_data_index"),
    path("data/<slug:table>.<slug:kind>.gz", files.data_file, name="open_data_file"),
    path("weeks/<str:week>/ballots.ndjson.gz", files.ballots_file, name="ballots_file"),
    path("awards/revoked.json", trophies.revoked),
    path("awards/achievements/<slug:name>.json", trophies.achievement),
    path("awards/<int:award_id>", trophies.award_page, name="award"),
    path("awards/<int:award_id>.json", trophies.award_json),
    path("awards/<int:award_id>.svg", trophies.award_svg),
    path("awards/<int:award_id>.png", trophies.award_png),
    path("awards/<int:award_id>/verify", trophies.verify_page, name="verify_award"),
    path("awards/<int:award_id>/certificate", trophies.certificate, name="certificate"),
    path("awards/<int:award_id>/qr.svg", trophies.qr_code),
    path("listings/<slug:slug>/trophies", trophies.cabinet, name="cabinet"),
    path("listings/<slug:slug>/trophies.svg", trophies.cabinet_svg),
    path("hall-of-fame", trophies.hall_of_fame, name="hall_of_fame"),
    path("programmes", trophies.programme_list, name="programmes"),
    path("programmes/<slug:slug>", trophies.programme_page, name="programme"),
    path("programmes/<slug:slug>/enter/<int:listing_id>", trophies.enter, name="enter_programme"),
]
