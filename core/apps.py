from django.apps import AppConfig
from django.core.cache import close_caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        """Leave out what requests would do twice, as old connections are closed at their ends, or for nothing."""
        request_started.disconnect(reset_queries)
        request_started.disconnect(close_old_connections)
        request_finished.disconnect(close_caches)
