"""API addresses of the directory area."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
