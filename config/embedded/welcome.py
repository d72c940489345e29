"""What an operator reads when everything runs: where to go, how to sign in, what to try."""

import json
from pathlib import Path

from config.embedded.address import Address

FIRST_STEPS = "first-steps.json"
ACCOUNT = "/api/v1/me"
ALREADY_PRINTED = "(password shown at the first start; for another: manage.py changepassword {email})"


def text(folder: Path, *, address: Address) -> str:
    site, existing = address.site_url, _first_steps(folder)
    key = existing["api_key"]
    password = existing.get("password") or ALREADY_PRINTED.format(email=existing["email"])
    return f"""
Ready: {site}

  Admin     {site}/admin/   {existing["email"]}   {password}
  API key   {key}
  Docs      {site}/docs
  Try       make demo, or draft a listing from a website:
            curl -X POST {site}/api/v1/drafts -H 'Authorization: Bearer {key}' \\
              -H 'Content-Type: application/json' -d '{{"url": "https://example.com"}}'

Everything is kept in {folder}. Ctrl-C stops all.
"""


def key_works(folder: Path, *, address: Address) -> bool:
    key = _first_steps(folder).get("api_key")
    return key is not None and address.answers(ACCOUNT, headers={"Authorization": f"Bearer {key}"})


def forget_password(folder: Path) -> None:
    """Keep the first password nowhere once it has been shown."""
    existing = _first_steps(folder)
    if existing.pop("password", None):
        keep(folder, contents=existing)


def keep(folder: Path, *, contents: dict[str, str]) -> None:
    """Write the file anew, for its owner's eyes alone."""
    fresh = (folder / FIRST_STEPS).with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(json.dumps(contents, indent=2))
    fresh.replace(folder / FIRST_STEPS)


def _first_steps(folder: Path) -> dict[str, str]:
    try:
        existing: dict[str, str] = json.loads((folder / FIRST_STEPS).read_text())
    except FileNotFoundError:
        return {}
    return existing
