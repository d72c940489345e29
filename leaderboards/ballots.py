"""Votes that can be checked: each closed week has a file of its ballots, chained to the week before and signed.

The file is made from the votes as they counted when the week closed: no person, no hour. A line of the week, then by
rank a line of each listing followed by its ballots, which are sorted by themselves. Each ballot is the SHA-256 of the
listing's number, the week and a secret. A chain runs over the lines: each link is the SHA-256 of the link before it
and the line, and the first one is that of the week before.
"""

import gzip
import hashlib
import hmac
import logging
import secrets
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import IO, cast

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, OuterRef

from core import signing
from core.api.bodies import dumps
from core.api.links import absolute
from directory.engagement.models import VoteQuerySet
from directory.models import Launch, Site, Vote
from leaderboards.closing import published, verify_week
from leaderboards.models import BallotFile, WeekClose
from leaderboards.trophies import awarding

BEGINNING = "0" * 64  # what the first week follows
logger = logging.getLogger(__name__)
A_RUN = 60.0  # seconds; what is left is the next run's
SEED_BYTES = 32
IN_MEMORY = 1_000_000  # bytes of a file; what is more goes to the disk while it is written
MOST = 100


@dataclass(frozen=True, kw_only=True)
class Ballot:
    listing_id: int
    week: date
    secret: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.listing_id} {self.week} {self.secret}".encode()).hexdigest()


def ballot_of(*, vote_id: int, listing_id: int, week: date, seed: bytes) -> Ballot:
    """The ballot of a vote; its secret follows from the week's seed and is stored nowhere."""
    secret = hmac.new(bytes(seed), f"vote {vote_id}".encode(), hashlib.sha256).hexdigest()[:32]
    return Ballot(listing_id=listing_id, week=week, secret=secret)


def lines_of(close: WeekClose, *, seed: bytes, previous: str) -> Iterator[bytes]:
    """Every line but the last, one listing's ballots in memory at a time."""
    yield dumps(
        {
            "kind": "week",
            "site": close.site.key,
            "week": close.week,
            "closed_at": close.closed_at,
            "listings": close.listings,
            "votes": close.votes,
            "previous": previous,
        }
    )
    launches = Launch.objects.filter(site=close.site, week=close.week)
    launched = dict(launches.values_list("listing", "launched_at"))
    slugs = dict(close.results.values_list("listing", "listing__slug"))
    cast, merged = awarding.of_listings(closed_at=close.closed_at), awarding.merged_since(close.closed_at)
    for rank, row in enumerate(published(close), start=1):
        listing_id = row.listing_id
        where = [listing_id, *merged.get(listing_id, ())]
        mine = cast.filter(week=close.week, listing__in=where, voted_for=listing_id)
        ballots = sorted(_ballots(close, mine, listing_id=listing_id, seed=seed))
        yield dumps(
            {
                "kind": "listing",
                "rank": rank,
                "listing": listing_id,
                "slug": slugs.get(listing_id, ""),
                "launched_at": _exactly(launched.get(listing_id)),
                "votes": row.votes,
                "void": sum(is_void for _, is_void in ballots),
            }
        )
        for digest, is_void in ballots:
            void = {"void": True} if is_void else {}
            yield dumps({"kind": "ballot", "listing": listing_id, "ballot": digest, **void})


def _exactly(at: datetime | None) -> str | None:
    """With microseconds: of equal votes the earlier launch is first."""
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def _ballots(
    close: WeekClose, cast: VoteQuerySet, *, listing_id: int, seed: bytes
) -> Iterator[tuple[str, bool]]:
    """The digest of each vote for a listing in its week, and whether it did not count."""
    counted = set(cast.counted(at=close.closed_at).values_list("pk", flat=True))
    for pk in cast.values_list("pk", flat=True):
        ballot = ballot_of(vote_id=pk, listing_id=listing_id, week=close.week, seed=seed)
        yield ballot.digest, pk not in counted


def chained(lines: Iterable[bytes], *, previous: str) -> Iterator[tuple[bytes, str]]:
    """Each line with its link of the chain."""
    link = bytes.fromhex(previous)
    for line in lines:
        link = hashlib.sha256(link + line).digest()
        yield line, link.hex()


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
