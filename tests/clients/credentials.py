"""Awards as another library reads them: npm's jose checks credentials with our published keys (make clients)."""

import json
import re
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.test import Client

from core import signing
from directory.models import Site
from leaderboards import closing
from leaderboards.models import Award
from tests.factories.listings import make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK, vote, voters

__all__ = ["vote", "voters"]
HERE = Path(__file__).parent
NODE = HERE / "node_modules" / "node" / "bin" / "node"
IN_PICTURE = re.compile(r'verify="([^"]+)"')


def jose(folder: Path, *credentials: str) -> list[dict[str, Any]]:
    """What the library says of each: its claims, or why it refuses."""
    keys = Client().get("/.well-known/jwks.json").json()
    wish = folder / "wish.json"
    wish.write_text(json.dumps({"keys": keys, "credentials": credentials}))
    command = [str(NODE), str(HERE / "credentials.mjs"), str(wish)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def test_a_credential_holds_before_another_library_and_after_a_rotation_but_not_with_a_flipped_byte(
    site: Site, vote: Callable[..., Any], tmp_path: Path
) -> None:
    for slug, votes in (("a-one", 3), ("b-two", 2)):
        vote(make_listing(slug, at=WEDNESDAY), votes)
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    awards = list(Award.objects.order_by("rank"))
    texts = []
    for award in awards:
        picture = Client().get(f"/awards/{award.pk}.svg").content.decode()
        (text,) = IN_PICTURE.findall(picture)
        texts.append(text)
    head, body, signature = texts[0].split(".")
    flipped = ".".join((head, body[:-2] + ("A" if body[-2] != "A" else "B") + body[-1], signature))
    signing.rotate(at=NEXT_MONDAY + timedelta(days=1))

    first, second, bad = jose(tmp_path, *texts, flipped)

    assert [said["claims"]["credentialSubject"]["id"].rsplit("/", 1)[-1] for said in (first, second)] == [
        "a-one",
        "b-two",
    ]
    assert first["claims"]["type"] == ["VerifiableCredential", "OpenBadgeCredential"]
    assert first["alg"] == "EdDSA"
    assert "refused" in bad
