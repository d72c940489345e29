"""What an operator reads when everything runs: where to go, how to sign in, what to try."""

import json
from pathlib import Path

from config.embedded.address import Address

FIRST_STEPS = "first-steps.json"
ACCOUNT = "/api/v1/me"


def text(folder: Path, *, address: Address) -> str:
    """The address, the first account and the first command."""
    site, known = address.site_url, _known(folder)
    key = known["api_key"]
    return f"""
Ready: {site}

  Admin     {site}/admin/   {known["email"]}   {known["password"]}
  API key   {key}
  Docs      {site}/docs
  Try       make demo, or draft a listing from a website:
            curl -X POST {site}/api/v1/drafts -H 'Authorization: Bearer {key}' \\
              -H 'Content-Type: application/json' -d '{{"url": "https://example.com"}}'

Everything is kept in {folder}. Ctrl-C stops all.
"""


def key_works(folder: Path, *, address: Address) -> bool:
    """Whether the key of an earlier start still opens the account."""
    key = _known(folder).get("api_key")
    return key is not None and address.answers(ACCOUNT, headers={"Authorization": f"Bearer {key}"})


def _known(folder: Path) -> dict[str, str]:
    try:
        known: dict[str, str] = json.loads((folder / FIRST_STEPS).read_text())
    except FileNotFoundError:
        return {}
    return known
