"""The service on a real port, at an address that its links and its tokens name."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer


@pytest.fixture
def service(live_server: LiveServer, settings: Any) -> Iterator[str]:
    """The address of the running service."""
    settings.SITE_URL = live_server.url
    settings.OAUTH2_PROVIDER = {**settings.OAUTH2_PROVIDER, "OIDC_ISS_ENDPOINT": live_server.url}
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]
    return live_server.url
