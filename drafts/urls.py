"""API addresses of the drafts area."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
