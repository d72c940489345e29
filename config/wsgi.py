"""The WSGI application, for any server of that kind. Ours runs it through `config.asgi`."""

import os
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

import django
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.urls import resolve
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

LARGEST_BODY = settings.LARGEST_BODY
django.setup(set_prefix=False)


class Request(WSGIRequest):
    """All is UTF-8 here: Django would decode by whatever codec of Python a Content-Type names, as `hex` or `idna`."""

    _host = ""

    def get_host(self) -> str:
        """The host, looked at once: an answer that is made asks for it three times."""
        self._host = self._host or super().get_host()
        return self._host

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


class Handler(WSGIHandler):
    request_class = Request


answer = Handler()
# loads what is at every address: half a second of work, for which the first callers would wait
resolve("/healthz")


class CutBody(BytesIO):
    """The beginning of a body that is larger than any we take: a reader who gets to its end is told so."""

    def read(self, size: int | None = -1) -> bytes:
        result = super().read(size)
        if self.tell() >= len(self.getbuffer()):
            raise RequestDataTooBig(f"The body has more than {LARGEST_BODY} bytes.")
        return result


def stream_of(body: bytes) -> BytesIO:
    """What Django reads the body from; `body` may end anywhere past LARGEST_BODY."""
    return CutBody(body) if len(body) > LARGEST_BODY else BytesIO(body)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer, with the body of a request that does not tell its length read before, as Django never reads such a one.

    What a refusal leaves unread is taken in: the server closes a connection that has something left on it, without a
    word to a caller who is about to use it.
    """
    if "HTTP_TRANSFER_ENCODING" in environ and not environ.get("CONTENT_LENGTH"):
        body = environ["wsgi.input"].read(LARGEST_BODY + 1)
        environ |= {"wsgi.input": stream_of(body), "CONTENT_LENGTH": str(len(body))}
        return answer(environ, start_response)
    answered: Iterable[bytes] = answer(environ, start_response)
    if environ.get("CONTENT_LENGTH"):
        environ["wsgi.input"].read(LARGEST_BODY)
    return answered
