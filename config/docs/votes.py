"""`/docs/votes`: how anybody checks the votes of a closed week."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.api.links import absolute

CHECK = Path(__file__).parent / "checks" / "check_ballots.py"
FETCH = """curl -O {base}/weeks/2026-11-16/ballots.ndjson.gz
curl -o jwks.json {base}/.well-known/jwks.json
pip install cryptography
python check_ballots.py ballots.ndjson.gz jwks.json"""


@require_safe
def votes(request: HttpRequest) -> HttpResponse:
    """The file, the chain, the signature, and a program that counts."""
    text = CHECK.read_text(encoding="utf-8").strip()
    return render(request, "docs/votes.html", {"check": text, "fetch": FETCH.format(base=absolute(""))})
