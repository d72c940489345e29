"""Whether a week of 50,000 votes, 2 % of them void, can be counted by anybody, and one changed byte shows."""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import machine  # noqa: E402
from benchmarks.parts import scale  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results" / "votes.md"
CHECK = (
    ROOT / "config" / "docs" / "checks" / "check_ballots.py"
)  # 40 lines of the docs, which import nothing of ours
LISTINGS, VOTERS, VOID, CHANGES = 40, 1250, 50, 40  # every fiftieth vote is void
FEWER = 8  # votes that each listing has less than the one before it, so that places differ


def cast() -> str:
    """A week in a database that has none: its launches and votes, some void. Gives its Monday."""
    from django.utils import timezone  # noqa: PLC0415  (once Django is set up)

    from accounts.models import User  # noqa: PLC0415
    from directory.models import Vote  # noqa: PLC0415
    from directory.weeks import week_of  # noqa: PLC0415
    from tests.factories.listings import make_listing  # noqa: PLC0415

    at = timezone.now() - timedelta(days=14)
    week = week_of(at)
    people = [f"voter-{number}@people.example" for number in range(VOTERS + LISTINGS * FEWER)]
    users = User.objects.bulk_create([User(email=email) for email in people])
    for number in range(LISTINGS):
        listing = make_listing(f"product-{number}", at=at)
        spare = FEWER // 2 * (LISTINGS - 1 - 2 * number)
        voters = users[: VOTERS + spare]
        Vote.objects.bulk_create(
            Vote(listing=listing, user=user, week=week, created_at=at, voided_at=None if n % VOID else at)
            for n, user in enumerate(voters)
        )
    return str(week)


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """How long it takes, in seconds, and what it gives."""
    begun = time.perf_counter()
    result = run()
    return time.perf_counter() - begun, result


def check(folder: Path, content: bytes) -> int:
    """The exit code of the script of the docs for a file of these lines."""
    (folder / "ballots.gz").write_bytes(gzip.compress(content, compresslevel=1))
    command = [sys.executable, "-I", str(CHECK), str(folder / "ballots.gz"), str(folder / "jwks.json")]
    return subprocess.run(command, capture_output=True, check=False).returncode


def changed(content: bytes, *, by: random.Random) -> bytes:
    """The same with one bit of one byte turned."""
    place = by.randrange(len(content) - 1)
    turned = bytes([content[place] ^ (1 << by.randrange(8))])
    return content[:place] + turned + content[place + 1 :]


def measured(folder: Path) -> dict[str, Any]:
    """Close the week, fetch its file as anybody does, count it, then change a byte of it again and again."""
    from django.core.management import call_command  # noqa: PLC0415  (as above)
    from django.test import Client  # noqa: PLC0415

    week = cast()
    closing, _ = timed(lambda: call_command("close_week", "--week", week))
    verifying, _ = timed(lambda: call_command("close_week", "--week", week, "--verify"))
    (folder / "jwks.json").write_bytes(
        Client(headers={"host": "127.0.0.1:8000"}).get("/.well-known/jwks.json").content
    )
    answer: Any = Client(headers={"host": "127.0.0.1:8000"}).get(f"/weeks/{week}/ballots.ndjson.gz")
    packed = b"".join(answer.streaming_content)
    content = gzip.decompress(packed)
    ballots = [row for row in map(json.loads, content.splitlines()) if row["kind"] == "ballot"]
    checking, code = timed(lambda: check(folder, content))
    chance = random.Random("votes")
    unseen = sum(check(folder, changed(content, by=chance)) == 0 for _ in range(CHANGES))
    return {
        "votes": len(ballots),
        "void": sum("void" in row for row in ballots),
        "bytes": len(packed),
        "closing": closing,
        "verifying": verifying,
        "checking": checking,
        "code": code,
        "unseen": unseen,
    }


def page(told: dict[str, Any]) -> tuple[str, bool]:
    """The page, and whether the bars are met."""
    bars = [
        ("votes, and void ones", f"{told['votes']:,}, {told['void']:,}", "50,000, 2 %", True),
        ("the script of the docs counts it", f"exit code {told['code']}", "0", told["code"] == 0),
        (f"changes of a byte out of {CHANGES} that it misses", str(told["unseen"]), "0", told["unseen"] == 0),
    ]
    rows = [
        f"| {what} | {found} | {must} | {'yes' if met else '**no**'} |" for what, found, must, met in bars
    ]
    text = "\n".join(
        [
            "# A week's votes, counted by anybody",
            "",
            f"`make bench ARGS=votes`, which runs `{machine.command_line()}`",
            "",
            machine.described(),
            "",
            f"{LISTINGS} launches; a file of {told['bytes'] / 1e6:.1f} MB. Closing the week and writing it took"
            f" {told['closing']:.1f} s, `close_week --verify` {told['verifying']:.1f} s, the script"
            f" {told['checking']:.1f} s.",
            "",
            "| what | found | must | met |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )
    return text, all(met for *_, met in bars)


def main() -> int:
    """Measure, keep the page, and say by the exit code whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--told", action="store_true", help="measure the database of DATABASE_URL, as JSON")
    if parser.parse_args().told:
        import django  # noqa: PLC0415

        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        print(json.dumps(measured(Path(os.environ["DATA_DIR"]))))
        return 0
    with scale.databases(None) as known:
        environment = scale.loaded(0, known=known, of="votes")
        told = scale.printed(sys.executable, str(Path(__file__).resolve()), "--told", environment=environment)
    text, is_met = page(json.loads(told.splitlines()[-1]))
    print(text)
    RESULTS.write_text(text)
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
