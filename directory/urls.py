from django.urls import path, re_path
from django.views.decorators.csrf import csrf_exempt

from directory.editorial import pages as blog
from directory.engagement import pages as mail
from directory.launches.pages import room, visiting
from directory.launches.pages import weeks as launches
from directory.listings.api import (
    CategoryViewSet,
    LaunchViewSet,
    ListingViewSet,
    OwnInterviewViewSet,
    OwnListingViewSet,
    SiteViewSet,
)
from directory.listings.pages import comparing, editing, owned, pictures
from directory.listings.pages import profile as listings
from directory.models import SitePage
from directory.people import pages as people
from directory.people.api import BlogViewSet, FounderViewSet, InterviewViewSet, NeighbourViewSet
from directory.reports import pages as reporting
from directory.reviews import pages as reviews
from directory.search import pages as browsing
from directory.shown.pages import badges, feeds, sharing, sitemaps

API = [
    path("site", SiteViewSet.as_view({"get": "get_site_info"})),
    path("listings", ListingViewSet.as_view({"get": "search_listings"})),
    path("listings/<str:slug>", ListingViewSet.as_view({"get": "get_listing"})),
    path("listings/<str:slug>/alternatives", NeighbourViewSet.as_view({"get": "get_alternatives"})),
    path("listings/<str:slug>/badges", NeighbourViewSet.as_view({"get": "get_badges"})),
    path("compare", NeighbourViewSet.as_view({"get": "compare_listings"})),
    path("categories", CategoryViewSet.as_view({"get": "list_categories"})),
    path("categories/<str:slug>", CategoryViewSet.as_view({"get": "get_category"})),
    path("launches", LaunchViewSet.as_view({"get": "list_launches"})),
    path("launches/weeks/<str:week>", LaunchViewSet.as_view({"get": "get_launch_week"})),
    path("founders", FounderViewSet.as_view({"get": "list_founders"})),
    path("founders/<str:slug>", FounderViewSet.as_view({"get": "get_founder"})),
    path("blog", BlogViewSet.as_view({"get": "list_blog_posts"})),
    path("blog/<str:slug>", BlogViewSet.as_view({"get": "get_blog_post"})),
    path("interview-questions", InterviewViewSet.as_view({"get": "list_interview_questions"})),
    # Owners
    path("me/listings", OwnListingViewSet.as_view({"get": "list_my_listings"})),
    path(
        "me/listings/<str:listing_id>",
        OwnListingViewSet.as_view({"get": "get_my_listing", "patch": "update_my_listing"}),
    ),
    path("me/listings/<str:listing_id>/free", OwnListingViewSet.as_view({"post": "choose_free_listing"})),
    path("me/listings/<str:listing_id>/updates", OwnListingViewSet.as_view({"post": "post_listing_update"})),
    path("me/listings/<str:listing_id>/milestones", OwnListingViewSet.as_view({"post": "add_milestone"})),
    path(
        "me/listings/<str:listing_id>/milestones/<str:milestone_id>",
        OwnListingViewSet.as_view({"delete": "delete_milestone"}),
    ),
    path("me/listings/<str:listing_id>/story", OwnListingViewSet.as_view({"put": "set_founder_story"})),
    path("me/interview", OwnInterviewViewSet.as_view({"put": "answer_interview"})),
]
PAGES = [
    path("listings", browsing.listings),
    path("listings/<slug:slug>", listings.listing, name="listing"),
    path("listings/<slug:slug>/sources", listings.sources),
    path("listings/<slug:slug>/alternatives", listings.alternatives),
    path("listings/<slug:slug>/badges", listings.badge_page),
    path("listings/<slug:slug>/vote", listings.vote),
    path("listings/<slug:slug>/follow", listings.follow),
    path("listings/<slug:slug>/remind", listings.remind),
    path("listings/<slug:slug>/report", reporting.report),
    path("listings/<slug:slug>/visit", visiting.visit),
    path("listings/<slug:slug>/reviews", reviews.reviews),
    path("listings/<slug:slug>/reviews/write", reviews.write),
    path("listings/<slug:slug>/questions", reviews.questions),
    path("weeks/<str:week>", launches.week, name="week"),
    path("weeks/<str:week>/remind", launches.remind),
    path("best", launches.this_year),
    path("best/reviewed", reviews.reviewed),
    path("best/reviewed/<slug:category>", reviews.reviewed),
    path("best/<int:year>", launches.best, name="best"),
    path("best/<int:year>/<slug:category>", launches.best),
    path("best/<slug:category>", launches.this_year),
    path("categories", browsing.categories),
    path("categories/<slug:slug>", browsing.category),
    path("categories/<slug:slug>/follow", mail.follow_category),
    path("search", browsing.search),
    path("search/suggestions", browsing.suggestions),
    path("compare", comparing.compare),
    path("founders", people.founders),
    path("founders/<slug:slug>", people.founder),
    path("founders/<slug:slug>/follow", mail.follow_founder),
    path("updates", blog.updates),
    path("questions", reviews.answered),
    path("blog", blog.posts),
    path("blog/<slug:slug>", blog.post),
    path("share/curves/<str:token>.png", room.curve),
    re_path(
        rf"^share/(?P<kind>{'|'.join(sharing.SUBJECTS)})/(?P<subject>[^/]+)/(?P<digest>\w+)\.png$",
        sharing.image,
    ),
    *(path(name, blog.site_page, {"name": name}) for name in SitePage.Name.values),
    path("robots.txt", csrf_exempt(sitemaps.robots)),
    path("sitemap.xml", csrf_exempt(sitemaps.index)),
    path("sitemaps/<slug:name>-<int:number>.xml", csrf_exempt(sitemaps.section)),
    # People's mail
    path("account/mail", mail.preferences, name="account_mail"),
    path("account/votes", mail.votes, name="account_votes"),
    path("mail/stop/<str:token>", mail.stop),
    path("winners", mail.winners_by_mail, name="winners"),
    path("winners/confirm/<str:token>", mail.confirm_winners),
    path("mail/stop/winners/<str:token>", mail.stop_winners),
    path("mail/stop/<str:name>/<str:token>", mail.stop_kind),
    path("account/reviews", reviews.written, name="account_reviews"),
    # Owners
    path("account/listings", owned.listings),
    path("account/listings/<int:listing_id>", room.launch_room),
    path("account/listings/<int:listing_id>/launch", room.launch_room, name="launch_room"),
    path("account/listings/<int:listing_id>/launch.csv", room.figures),
    path("account/listings/<int:listing_id>/week", room.change_week),
    path("account/listings/<int:listing_id>/free", owned.launch_free),
    path("account/listings/<int:listing_id>/badge", owned.check_badge),
    path("account/listings/<int:listing_id>/edit", editing.edit),
    path("account/listings/<int:listing_id>/updates", owned.news),
    path("account/listings/<int:listing_id>/updates/<int:update_id>", owned.news),
    path("account/listings/<int:listing_id>/updates/<int:update_id>/remove", owned.remove_update),
    path("account/listings/<int:listing_id>/off", owned.off_site),
    path("account/listings/<int:listing_id>/reviews", reviews.of_owner),
    path("account/listings/<int:listing_id>/reviews/<int:review_id>", reviews.reply),
    path("account/listings/<int:listing_id>/questions/<int:question_id>", reviews.answer),
    path("account/listings/<int:listing_id>/logo", pictures.send_logo),
    path("account/listings/<int:listing_id>/logo/waiting", pictures.logo_state),
    path("account/listings/<int:listing_id>/pictures/site/remove", pictures.take_down_site_picture),
    path("account/listings/<int:listing_id>/pictures/removed/<int:undo_id>", pictures.put_back),
    *pictures.DOORS.paths("account/listings/<int:listing_id>/pictures"),
    path(
        "account/listings/<int:listing_id>/founders/<slug:slug>/photo/remove",
        pictures.take_down_founder_photo,
    ),
    path("account/listings/<int:listing_id>/milestones", editing.group, {"name": "milestones"}),
    path("account/listings/<int:listing_id>/story", editing.group, {"name": "story"}),
    path("account/listings/<int:listing_id>/versions", editing.versions),
    path("account/profile", people.profile, name="account_profile"),
    path("account/photo", people.photo, name="account_photo"),
    path("account/photo/waiting", people.photo_state),
    path("account/photo/remove", people.take_photo_down),
    path("account/interview", owned.interview_page),
    path("badges/<str:slug>/<str:code>.svg", csrf_exempt(badges.badge_image), name="badge_image"),
    path("feeds/launches.ics", csrf_exempt(feeds.launch_weeks), name="launch_weeks_calendar"),
    path("feeds/launches.<str:form>", csrf_exempt(feeds.launches), name="launches_feed"),
    path("feeds/categories/<slug:slug>.<str:form>", csrf_exempt(feeds.category), name="category_feed"),
    path("feeds/blog.<str:form>", csrf_exempt(feeds.blog), name="blog_feed"),
    path("feeds/awards.<str:form>", csrf_exempt(feeds.awards), name="awards_feed"),
    path("feeds/listings/<slug:slug>/updates.<str:form>", csrf_exempt(feeds.updates), name="updates_feed"),
]
