"""An award as an Open Badges 3.0 credential: a JWT that our published keys prove, in its picture too."""

import struct
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from functools import partial
from html import escape
from typing import Any

import orjson

from core import signing
from core.api.links import addresses_of, on_site
from directory.models import Site
from directory.sites.lookup import address_of, all_sites
from leaderboards.models import Award, WeekResult
from leaderboards.trophies.models import ProgrammeEntry

CONTEXT = [
    "https://www.w3.org/ns/credentials/v2",
    "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
]
REVOKED = "/awards/revoked.json"
AT_ONCE = 500
KEYWORD = b"openbadgecredential"
NAMESPACE = "https://purl.imsglobal.org/ob/v3p0"
HEADER_END = 33  # signature and IHDR, which come first in every PNG
RULE = (
    "People’s votes alone decide, one a person and product; with equal votes the earlier launch, then the "
    "earlier listing. Places cannot be bought."
)


@dataclass(frozen=True, kw_only=True)
class Check:
    name: str
    passed: bool
    detail: str


def page_path(award: Award) -> str:
    return f"/awards/{award.pk}"


def issue(awards: Iterable[Award]) -> int:
    """Sign the credentials of awards that have none yet. Returns how many."""
    rows = [award for award in awards if not award.credential]
    for award in rows:
        with addresses_of(partial(address_of, _site(award))):
            award.credential = signing.sign(claims(award))
    Award.objects.bulk_update(rows, ["credential"])
    return len(rows)


def issue_missing() -> int:
    unsigned = Award.objects.filter(credential="").select_related("listing", "programme").order_by("pk")
    return issue(unsigned[:AT_ONCE])


def _site(award: Award) -> Site:
    return all_sites().by_id.get(award.site_id) or award.site


def claims(award: Award) -> dict[str, Any]:
    """The credential with the claims of a JWT beside it (Open Badges 3.0, section 8.2)."""
    address, listing = on_site(page_path(award)), award.listing
    subject = on_site(f"/listings/{listing.slug}")
    moment = award.given_at.astimezone(UTC)
    return {
        "@context": CONTEXT,
        "id": address,
        "type": ["VerifiableCredential", "OpenBadgeCredential"],
        "name": f"{award.title}: {listing.name}",
        "description": sentence(award),
        "image": {"id": f"{address}.png", "type": "Image"},
        "issuer": issuer(_site(award)),
        "validFrom": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "credentialSubject": {
            "id": subject,
            "type": ["AchievementSubject"],
            "achievement": achievement(award.code, title=award.title, programme=_slug(award)),
        },
        "evidence": [
            {
                "id": on_site(evidence_path(award)),
                "type": ["Evidence"],
                "name": "The places and their votes",
                "narrative": sentence(award),
            }
        ],
        "credentialStatus": {"id": on_site(REVOKED), "type": "1EdTechRevocationList"},
        "iss": on_site("/"),
        "jti": address,
        "sub": subject,
        "nbf": int(moment.timestamp()),
    }


def issuer(site: Site) -> dict[str, Any]:
    return {"id": on_site("/"), "type": ["Profile"], "name": site.name, "url": on_site("/")}


def achievement(code: str, *, title: str, programme: str | None) -> dict[str, Any]:
    """What was achieved, described once for all who did."""
    name = f"{programme}-{code[-1]}" if programme else code
    return {
        "id": on_site(f"/awards/achievements/{name}.json"),
        "type": ["Achievement"],
        "achievementType": "Award",
        "name": title,
        "description": f"Place {code[-1]} by the votes of people.",
        "criteria": {"id": on_site("/how-ranking-works"), "narrative": RULE},
    }


def _slug(award: Award) -> str | None:
    return award.programme.slug if award.programme else None


def evidence_path(award: Award) -> str:
    """Where everybody sees the places that this award is one of."""
    return f"/programmes/{award.programme.slug}" if award.programme else f"/weeks/{award.week}"


def occasion(award: Award) -> str:
    """What it was won in: "the week of 7 December 2026"."""
    return award.programme.title if award.programme else f"the week of {award.week:%-d %B %Y}"


def ended(award: Award) -> date:
    last = timedelta(seconds=1)
    return (award.programme.votes_until - last).date() if award.programme else award.week + timedelta(days=6)


def sentence(award: Award) -> str:
    votes = f"{award.votes} vote{'' if award.votes == 1 else 's'}"
    return f"{award.listing.name} took place {award.rank} in {occasion(award)} with {votes}."


def checks(award: Award) -> list[Check]:
    """What makes it valid, each with a sentence."""
    revoked = f"Revoked on {award.revoked_at:%-d %B %Y}: {award.revoked_for}" if award.revoked_at else ""
    is_placed = _is_placed(award)
    return [
        _signature(award),
        Check(
            name="standing",
            passed=is_placed,
            detail=sentence(award)
            if is_placed
            else f"The result of {occasion(award)} has another in place {award.rank}.",
        ),
        Check(name="not_revoked", passed=not revoked, detail=revoked or "It was not revoked."),
    ]


def _signature(award: Award) -> Check:
    if not award.credential:
        return Check(name="signature", passed=False, detail="It is being signed. Look again in some minutes.")
    try:
        signed = signing.checked(award.credential)
    except signing.SignatureError as error:
        return Check(name="signature", passed=False, detail=str(error))
    is_ours = str(signed.get("jti", "")).endswith(page_path(award))
    detail = (
        "Signed with a key of this site, and not changed since."
        if is_ours
        else "This was signed for another award."
    )
    return Check(name="signature", passed=is_ours, detail=detail)


def _is_placed(award: Award) -> bool:
    place = {"listing": award.listing_id, "rank": award.rank}
    if award.programme_id is not None:
        return ProgrammeEntry.objects.filter(programme=award.programme_id, **place).exists()
    return WeekResult.objects.filter(close__site=award.site_id, close__week=award.week, **place).exists()


def document(award: Award) -> dict[str, Any]:
    """What `/awards/{id}.json` answers: the credential as it was signed, and the JWT itself."""
    payload = award.credential.split(".")[1]
    return {**orjson.loads(urlsafe_b64decode(payload + "==")), "jwt": award.credential}


def revocations(site: Site) -> dict[str, Any]:
    """The list that `credentialStatus` of every credential names (1EdTech Revocation List)."""
    rows: Iterable[Mapping[str, Any]] = (
        Award.objects.filter(site=site, revoked_at__isnull=False).order_by("pk").values("pk", "revoked_for")
    )
    revoked = [
        {"id": on_site(f"/awards/{row['pk']}"), "revoked": True, "revocationReason": row["revoked_for"]}
        for row in rows
    ]
    return {"id": on_site(REVOKED), "issuer": on_site("/"), "revokedCredential": revoked}


def baked_png(picture: bytes, *, jwt: str) -> bytes:
    """The PNG with the credential in an iTXt chunk, uncompressed, right after its header (section 5.3)."""
    body = KEYWORD + b"\0\0\0\0\0" + jwt.encode()  # no compression, no language, no translated keyword
    kind = b"iTXt"
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return picture[:HEADER_END] + chunk + picture[HEADER_END:]


def baked_svg(picture: str, *, jwt: str) -> str:
    """The SVG with the credential as its first element."""
    head, _, rest = picture.partition(">")
    credential = f'<openbadges:credential verify="{escape(jwt)}"/>'
    return f'{head} xmlns:openbadges="{NAMESPACE}">{credential}{rest}'
