"""Pages with programs ready to be copied: `/docs/events` receives events, `/docs/votes` checks a closed week."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core import event_types
from core.api.links import absolute

RECEIVERS = Path(__file__).parent / "receivers"
CHECK = Path(__file__).parent / "checks" / "check_ballots.py"
FETCH = """curl -O {base}/weeks/2026-11-16/ballots.ndjson.gz
curl -o jwks.json {base}/.well-known/jwks.json
pip install cryptography
python check_ballots.py ballots.ndjson.gz jwks.json"""
EXAMPLE = """POST /events HTTP/1.1
Content-Type: application/json
webhook-id: msg_6f1c0a5be2f54d0f8a3b1d2c4e5f6071
webhook-timestamp: 1795392000
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type": "draft.ready", "timestamp": "2026-11-23T00:00:00Z", "data": {"id": "3f6c1f0e-…", "status": "ready", …}}"""
LISTS = {
    "draft": "list_my_drafts",
    "listing": "list_my_listings",
    "claim": "list_my_claims",
    "order": "list_my_orders",
}


@require_safe
def events(request: HttpRequest) -> HttpResponse:
    types = [
        (name, kind.words, LISTS.get(name.partition(".")[0], "list_awards"))
        for name, kind in sorted(event_types.TYPES.items())
    ]
    receivers = [
        (language, (RECEIVERS / name).read_text(encoding="utf-8").strip())
        for language, name in (("Python", "receiver.py"), ("TypeScript", "receiver.ts"))
    ]
    return render(request, "docs/events.html", {"types": types, "receivers": receivers, "example": EXAMPLE})


@require_safe
def votes(request: HttpRequest) -> HttpResponse:
    """The file, the chain, the signature, and a program that counts."""
    text = CHECK.read_text(encoding="utf-8").strip()
    return render(request, "docs/votes.html", {"check": text, "fetch": FETCH.format(base=absolute(""))})
