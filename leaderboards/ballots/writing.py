"""Writing the file of a closed week, and making it again to see whether it is still the same."""

import gzip
import logging
import secrets
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import IO, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, OuterRef

from core import signing
from core.api.bodies import dumps
from core.api.links import absolute
from directory.models import Site, Vote
from leaderboards.ballots.lines import BEGINNING, Ballot, ballot_of, chained, lines_of
from leaderboards.models import BallotFile, WeekClose
from leaderboards.trophies import awarding
from leaderboards.weeks.closing import verify_week

logger = logging.getLogger(__name__)
A_RUN = 60.0  # seconds; what is left is the next run's
SEED_BYTES = 32
IN_MEMORY = 1_000_000  # bytes of a file; what is more goes to the disk while it is written
MOST = 100


def file_of(*, site: Site, week: date) -> BallotFile | None:
    rows = BallotFile.objects.filter(close__site=site, close__week=week).exclude(file="")
    return rows.select_related("close__site").first()


def write_missing() -> int:
    """Write the file of each closed week that has none yet, in the order in which they closed."""
    missing = WeekClose.objects.filter(ballots=None).order_by("pk").values_list("pk", flat=True)
    ends, number = time.monotonic() + A_RUN, 0
    for close_id in list(missing):
        number += _write(close_id)
        if time.monotonic() > ends:
            break
    return number


@transaction.atomic
def _write(close_id: int) -> bool:
    """Write one file. Its site is held meanwhile, so that the weeks of a site make one chain."""
    close = WeekClose.objects.select_related("site").get(pk=close_id)
    Site.objects.select_for_update(no_key=True).get(pk=close.site_id)
    if BallotFile.objects.filter(close=close).exists():
        return False
    last = BallotFile.objects.filter(close__site=close.site).exclude(file="").order_by("-close_id").first()
    row = BallotFile(
        close=close, seed=secrets.token_bytes(SEED_BYTES), previous=last.head if last else BEGINNING
    )
    if not verify_week(site=close.site, week=close.week):
        logger.warning(
            "no ballots: the result does not follow from the votes", extra={"week": str(close.week)}
        )
        BallotFile.objects.bulk_create([row])
        return False
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as content:
        row.head, row.signature = _fill(cast("IO[bytes]", content), row)
        content.seek(0)
        name = f"ballots/{close.site.key}-{row.head[:32]}.ndjson.gz"
        row.file.name = default_storage.save(name, File(cast("IO[bytes]", content)))
    BallotFile.objects.bulk_create([row])
    return True


def _fill(content: IO[bytes], row: BallotFile) -> tuple[str, str]:
    """Write every line; gives the head of the chain and its signature."""
    head = ""
    with gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as out:
        for line, link in _made(row):
            out.write(line + b"\n")
            head = link
        signature = signing.sign(_claims(row.close, head=head))
        out.write(dumps({"kind": "head", "head": head, "signature": signature}) + b"\n")
    return head, signature


def _made(row: BallotFile) -> Iterator[tuple[bytes, str]]:
    return chained(lines_of(row.close, seed=bytes(row.seed), previous=row.previous), previous=row.previous)


def _claims(close: WeekClose, *, head: str) -> dict[str, object]:
    return {
        "iss": absolute(""),
        "site": close.site.key,
        "week": str(close.week),
        "head": head,
        "listings": close.listings,
        "votes": close.votes,
    }


def faults_of(*, site: Site, week: date) -> list[str]:
    """What of a closed week cannot be made again from the votes: places, file, chain, head."""
    faults = [] if verify_week(site=site, week=week) else ["places"]
    row = file_of(site=site, week=week)
    if row is None:
        return faults
    before = BallotFile.objects.filter(close__site=site, close__lt=row.close_id).exclude(file="")
    last = before.order_by("-close_id").first()
    if row.previous != (last.head if last else BEGINNING):
        faults.append("chain")
    if not _is_same(row):
        faults.append("file")
    link = ""
    for _, made in _made(row):
        link = made
    if link != row.head or not _is_signed(row):
        faults.append("head")
    return faults


def _is_same(row: BallotFile) -> bool:
    """Whether the file has the very lines that the votes give."""
    last = dumps({"kind": "head", "head": row.head, "signature": row.signature})
    try:
        with row.file.open("rb") as packed, gzip.GzipFile(fileobj=packed, mode="rb") as stored:
            are_same = all(stored.readline() == line + b"\n" for line, _ in _made(row))
            return are_same and stored.readline() == last + b"\n" and not stored.read(1)
    except (OSError, EOFError):  # it is gone, or no gzip any more
        return False


def _is_signed(row: BallotFile) -> bool:
    try:
        claims = signing.checked(row.signature)
    except signing.SignatureError:
        return False
    signed = (claims["head"], claims["week"], claims["votes"])
    return signed == (row.head, str(row.close.week), row.close.votes)


@dataclass(frozen=True, kw_only=True)
class OwnBallot:
    """A ballot, what it was cast for, and whether it counted."""

    ballot: Ballot
    name: str
    slug: str
    is_counted: bool


def ballots_of_voter(*, user_id: int, site: Site, week: date) -> list[OwnBallot]:
    """A person's ballots in the file of a week, in two statements beside the file's."""
    row = file_of(site=site, week=week)
    if row is None:
        return []
    cast = awarding.of_listings(closed_at=row.close.closed_at).filter(user=user_id, week=week)
    mine = cast.filter(voted_for__in=row.close.results.values("listing"))
    counted = Vote.objects.counted(at=row.close.closed_at).filter(pk=OuterRef("pk"))
    votes = mine.order_by("listing__name", "pk").values_list(
        "pk", "voted_for", "listing__name", "listing__slug", Exists(counted)
    )
    return [
        OwnBallot(
            ballot=ballot_of(vote_id=pk, listing_id=listing_id, week=week, seed=bytes(row.seed)),
            name=name,
            slug=slug,
            is_counted=is_counted,
        )
        for pk, listing_id, name, slug, is_counted in votes[:MOST]
    ]
