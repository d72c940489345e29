"""The WSGI application that the web server runs."""

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

LEFT_AT_MOST = 1024 * 1024
answer = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer, and take in what a refusal left unread of the body.

    The server closes a connection that has something left on it, without a word to a caller who is about to use it.
    """
    answered: Iterable[bytes] = answer(environ, start_response)
    if environ.get("CONTENT_LENGTH") or "HTTP_TRANSFER_ENCODING" in environ:
        environ["wsgi.input"].read(LEFT_AT_MOST)
    return answered
