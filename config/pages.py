"""The pages that belong to no area: errors."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from core.errors import NotFoundError
from core.handler import PROBLEM, InternalError, answer


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404 for people, a problem object for programs."""
    if request.path.startswith("/api/"):
        status, body, _, headers = answer(NotFoundError("There is nothing at this address."), request=request)
        return JsonResponse(body, status=status, headers=headers, content_type=PROBLEM)
    return render(request, "404.html", status=404)


def failed(request: HttpRequest) -> HttpResponse:
    """500 for people, a problem object for programs."""
    if request.path.startswith("/api/"):
        status, body, _, headers = answer(InternalError("This is our fault and has been logged."), request=request)
        return JsonResponse(body, status=status, headers=headers, content_type=PROBLEM)
    return render(request, "500.html", {"request_id": getattr(request, "request_id", "")}, status=500)
