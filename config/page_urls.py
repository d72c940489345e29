"""Page addresses that belong to no area."""

from django.urls import path
from django.views.generic.base import RedirectView

from config import account_data, home, media, pages, status
from config.docs import errors, operation, start
from config.docs import pages as docs

urlpatterns = [
    path("", home.home, name="home"),
    path("share/home/<slug:digest>.png", home.home_image),
    path("theme", pages.choose_theme, name="choose_theme"),
    path("how-ranking-works", pages.how_ranking_works, name="how_ranking_works"),
    path("how-reviews-work", pages.how_reviews_work, name="how_reviews_work"),
    path("how-a-launch-works", pages.how_a_launch_works, name="how_a_launch_works"),
    path("how-drafts-are-written", pages.how_drafts_are_written, name="how_drafts_are_written"),
    path("crawler", pages.crawler, name="crawler"),
    path("status", status.status, name="status"),
    path("docs", docs.page, name="docs"),
    path("docs/operations/<slug:name>", operation.page, name="docs_operation"),
    path("docs/start", start.start, name="docs_start"),
    path("docs/changes", docs.changes, name="docs_changes"),
    path("docs/errors", errors.errors, name="docs_errors"),
    path("docs/events", start.events, name="docs_events"),
    path("docs/votes", start.votes, name="docs_votes"),
    path("docs/try", operation.try_it, name="docs_try"),
    path("account/data", account_data.overview, name="account_data"),
    path("account/data/export", account_data.export),
    path("account/data/erase", account_data.erase),
    path("media/<path:path>", media.media),
    path("favicon.ico", RedirectView.as_view(url="/static/mark.svg")),
]
