"""Page addresses of the directory area."""

from django.urls import path

from directory.views import badges, feeds

urlpatterns = [
    path("badges/<str:slug>/<str:code>.svg", badges.badge_image, name="badge_image"),
    path("feeds/launches.ics", feeds.launch_weeks, name="launch_weeks_calendar"),
    path("feeds/launches.<str:form>", feeds.launches, name="launches_feed"),
    path("feeds/categories/<str:slug>.<str:form>", feeds.category, name="category_feed"),
    path("feeds/blog.<str:form>", feeds.blog, name="blog_feed"),
    path("feeds/awards.<str:form>", feeds.awards, name="awards_feed"),
    path("feeds/listings/<str:slug>/updates.<str:form>", feeds.updates, name="updates_feed"),
]
