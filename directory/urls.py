"""API addresses of the directory area."""

from django.urls import path

from directory.views.own import OwnListingViewSet
from directory.views.public import CategoryViewSet, LaunchViewSet, ListingViewSet, SiteViewSet

urlpatterns = [
    path("site", SiteViewSet.as_view({"get": "get_site_info"})),
    path("listings", ListingViewSet.as_view({"get": "search_listings"})),
    path("listings/<str:slug>", ListingViewSet.as_view({"get": "get_listing"})),
    path("categories", CategoryViewSet.as_view({"get": "list_categories"})),
    path("categories/<str:slug>", CategoryViewSet.as_view({"get": "get_category"})),
    path("launches", LaunchViewSet.as_view({"get": "list_launches"})),
    path("launches/weeks/<str:week>", LaunchViewSet.as_view({"get": "get_launch_week"})),
    # Owners
    path("me/listings", OwnListingViewSet.as_view({"get": "list_my_listings"})),
    path("me/listings/<str:listing_id>", OwnListingViewSet.as_view({"get": "get_my_listing"})),
    path("me/listings/<str:listing_id>/free", OwnListingViewSet.as_view({"post": "choose_free_listing"})),
]
