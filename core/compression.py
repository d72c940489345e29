"""Compressed answers, for callers who take gzip."""

import gzip
import re
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from core.middleware import Middleware

SMALLEST = 1024  # bytes
TEXTS = re.compile(r"text/|application/(?:[\w.-]+\+)?(?:json|xml)|application/javascript|image/svg\+xml")
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
RANDOM_BYTES = 100  # of padding, so that lengths do not tell what a page holds beside a guess (BREACH)
COMPRESSED_CACHED = 64


class Compression(Middleware):
    """Compresses texts above 1 KB; their ETags turn weak, since the bytes are others."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 304 or _is_worth_it(response):
            patch_vary_headers(response, ("Accept-Encoding",))
            if response.status_code == 304:
                _repeat_tag(response, request.META.get("HTTP_IF_NONE_MATCH", ""))
            elif response.content and TAKES_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")):
                _compress(response)
        return response


def _is_worth_it(response: HttpResponse) -> bool:
    return (
        not response.streaming
        and len(response.content) >= SMALLEST
        and TEXTS.match(response.get("Content-Type", "")) is not None
        and not response.has_header("Content-Encoding")
    )


def _compress(response: HttpResponse) -> None:
    is_public = response.get("Cache-Control", "").startswith("public")
    body = response.content
    response.content = compressed(body) if is_public else compress_string(body, max_random_bytes=RANDOM_BYTES)
    response["Content-Length"] = str(len(response.content))
    response["Content-Encoding"] = "gzip"
    etag = response.get("ETag", "")
    if etag.startswith('"'):
        response["ETag"] = f"W/{etag}"


def _repeat_tag(response: HttpResponse, if_none_match: str) -> None:
    """Who holds the compressed answer has its weak tag, which 304 repeats (RFC 9110 section 15.4.5)."""
    weak = f"W/{response.get('ETag', '')}"
    if weak in if_none_match:
        response["ETag"] = weak


@lru_cache(maxsize=COMPRESSED_CACHED)
def compressed(body: bytes) -> bytes:
    """A public answer compressed; the same ones go out again and again."""
    return gzip.compress(body, mtime=0)
