"""Page addresses of the accounts area."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
