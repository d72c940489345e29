"""The short way of public reads: a cached answer or 304 at once, everything else from the view alone."""

from functools import partial
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.middleware.security import SecurityMiddleware
from rest_framework.response import Response

from core import replica
from core.api import throttling
from core.api.caching import find_cached
from core.api.operations import Operation
from core.api.rendering import accepts_json
from core.api.routes import match_of, operation_at


class CachedReads(SecurityMiddleware):
    """Asks Redis once for the caller's rate limit and for the version of the data. Credentials are left to the view.

    It is Django's SecurityMiddleware and stands in its place, ahead of all that pages and people need, which was a
    fifth of a cached answer's cost. The view finds the lookup in `request.lookup` and makes what is not cached.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: Any = self.process_request(request) or self._read(request) or self.get_response(request)
        return self.process_response(request, response)

    def _read(self, request: HttpRequest) -> HttpResponse | None:
        """The answer of a public read; None for everything else."""
        spec: Any = public_read(request)
        if spec is None:
            return None
        caller = throttling.network_caller(request)
        try:
            lookup = find_cached(
                request, policy=spec.cache, names=spec.parameters, limit=spec.policy, caller=caller
            )
        except SuspiciousOperation:  # which the view refuses
            return None
        seen: Any = request
        seen.lookup, seen.allowance = lookup, lookup.allowance
        if lookup.cached is not None and not lookup.allowance.is_exceeded:
            return lookup.respond(lookup.cached)
        make = partial(_made, request)
        response = replica.answered(make) if replica.has_seen(lookup.version) else None
        return make() if response is None else response


def _made(request: HttpRequest) -> HttpResponse:
    match: Any = request.resolver_match
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    return response.render() if isinstance(response, Response) else response


def public_read(request: HttpRequest) -> Operation | None:
    """The operation that is asked for, if it reads for everybody and JSON may be the answer."""
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in request.META:
        return None
    match = match_of(request)
    operation = operation_at(match, method=request.method) if match else None
    if operation is None or operation.cache is None or operation.scope:
        return None
    return operation if accepts_json(request.META.get("HTTP_ACCEPT", "")) else None
