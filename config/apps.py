"""The wiring app: makes every area's tasks known when Django starts."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.module_loading import autodiscover_modules

from config.celery import app as celery_app

# Django imports this module first, so every process has the Celery app.
__all__ = ["ConfigConfig", "StaffAdminConfig", "celery_app"]


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Register the job handlers of every area, so that web and worker know the same names."""
        autodiscover_modules("tasks")


class StaffAdminConfig(AdminConfig):
    """Django's admin, with our site in the place of its own."""

    default_site = "config.staff.site.StaffSite"
