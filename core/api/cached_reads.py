"""The short way of operations: a cached answer or 304 at once, everything else from the view alone."""

from functools import partial
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.middleware.security import SecurityMiddleware
from rest_framework.response import Response

from core import replica
from core.api import throttling
from core.api.bodies import accepts_json
from core.api.caching import find_cached
from core.api.operations import Operation
from core.api.routes import operation_of


class CachedReads(SecurityMiddleware):
    """Asks Redis once for the caller's rate limit and for the version of the data. Credentials are left to the view.

    It is Django's SecurityMiddleware and stands in its place, ahead of all that pages and people need, which was a
    fifth of a cached answer's cost: operations are answered here, and everything else goes on. The view finds the
    lookup in `request.lookup` and makes what is not cached.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: Any = self.process_request(request) or _called(request) or self.get_response(request)
        return self.process_response(request, response)


def _called(request: HttpRequest) -> HttpResponse | None:
    """The answer of the operation that is called; None for everything else."""
    spec = operation_of(request)
    if spec is None:
        return None
    make = partial(_made, request)
    if spec.cache is None or not _is_public_read(request, spec):
        return make()
    caller = throttling.network_caller(request)
    try:
        lookup = find_cached(
            request, policy=spec.cache, names=spec.parameters, limit=spec.policy, caller=caller
        )
    except SuspiciousOperation:  # which the view refuses
        return make()
    seen: Any = request
    seen.lookup, seen.allowance = lookup, lookup.allowance
    if lookup.cached is not None and not lookup.allowance.is_exceeded:
        return lookup.respond(lookup.cached)
    response = replica.answered(make) if replica.has_seen(lookup.version) else None
    return make() if response is None else response


def _made(request: HttpRequest) -> HttpResponse:
    match: Any = request.resolver_match
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    return response.render() if isinstance(response, Response) else response


def _is_public_read(request: HttpRequest, spec: Operation) -> bool:
    """Whether it reads for everybody, and JSON may be the answer."""
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in request.META or spec.scope:
        return False
    return accepts_json(request.META.get("HTTP_ACCEPT", ""))
