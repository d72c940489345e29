"""What an operator reads when everything runs: where to go, how to sign in, what to try."""

import json
from pathlib import Path

from config.embedded.address import Address

FIRST_STEPS = "first-steps.json"


def text(folder: Path, *, address: Address) -> str:
    """The address, the first account and the first command."""
    site = address.site_url
    try:
        known = json.loads((folder / FIRST_STEPS).read_text())
    except FileNotFoundError:
        known = {}
    lines = ["", f"Ready: {site}", ""]
    if known:
        key = known["api_key"]
        lines += [
            f"  Admin     {site}/admin/   {known['email']}   {known['password']}",
            f"  API key   {key}",
            f"  Docs      {site}/docs",
            "  Try       make demo, or draft a listing from a website:",
            f"            curl -X POST {site}/api/v1/drafts -H 'Authorization: Bearer {key}' \\",
            "              -H 'Content-Type: application/json' -d '{\"url\": \"https://example.com\"}'",
            "",
        ]
    lines.append(f"Everything is kept in {folder}. Ctrl-C stops all.")
    return "\n".join(lines)
