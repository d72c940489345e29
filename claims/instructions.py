"""What to publish for a claim, ready to paste. Pure."""

from typing import Any

from claims.models import Claim
from claims.probes import FILE_PATH
from claims.reach import EMAIL, Reach, reach_of

STEPS = "Leave it there: we look again from time to time."


def instructions(claim: Claim) -> dict[str, Any]:
    """A summary in words, and the part of the claim's method with each value of its own."""
    if claim.method == EMAIL:
        return _email(claim)
    return PUBLISHED[claim.method](claim, reach_of(claim.listing.url))


def _record(claim: Claim, reach: Reach) -> dict[str, Any]:
    name = f"_plverify.{reach.bare}"
    return {
        "summary": f"Add a TXT record at {name} that says {claim.token_line}. Leave other records as they are. "
        f"A new record can take an hour to spread. {STEPS}",
        "record": {"type": "TXT", "name": name, "value": claim.token_line},
    }


def _tag(claim: Claim, reach: Reach) -> dict[str, Any]:
    html = f'<meta name="plverify" content="{claim.token}">'
    return {
        "summary": f"Paste this into the head of {reach.url}, above any script: {html} {STEPS}",
        "meta": {"html": html, "name": "plverify", "content": claim.token, "url": reach.url},
    }


def _file(claim: Claim, reach: Reach) -> dict[str, Any]:
    url = reach.origin + FILE_PATH
    return {
        "summary": f"Put a plain text file with the one line {claim.token_line} at {url}. {STEPS}",
        "file": {"url": url, "path": FILE_PATH, "content": claim.token_line},
    }


def _email(claim: Claim) -> dict[str, Any]:
    return {
        "summary": f"We e-mailed a link to {claim.email}. Open it and press Yes; it works once, and "
        "not for anybody who is signed in with another account.",
        "email": {"to": claim.email, "expires_at": claim.link_expires_at},
    }


PUBLISHED = {"dns": _record, "meta": _tag, "file": _file}
