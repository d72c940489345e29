"""API addresses of the directory area."""

from django.urls import path

from directory.listings.api.own import OwnInterviewViewSet, OwnListingViewSet
from directory.listings.api.public import CategoryViewSet, LaunchViewSet, ListingViewSet, SiteViewSet
from directory.people.api import BlogViewSet, FounderViewSet, InterviewViewSet, NeighbourViewSet

urlpatterns = [
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
