"""Cabinets, awards that prove themselves, the Hall of Fame."""

import json
import struct
import zlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import jwt
import pytest
from django.test import Client

from config.mcp.words import success
from core import signing
from core.models import Job
from directory.models import Site
from leaderboards import closing
from leaderboards.models import Award
from leaderboards.trophies import credentials
from tests.conftest import Caller
from tests.factories.listings import make_category, make_listing
from tests.leaderboards.conftest import NEXT_MONDAY, WEDNESDAY, WEEK

LATER = NEXT_MONDAY + timedelta(hours=1)


@pytest.fixture
def won(site: Site, vote: Callable[..., Any]) -> dict[str, Award]:
    """A closed week with three winners and one that came fourth by the later launch."""
    make_category("invoicing", parent=make_category("finance"))
    for minute, (slug, votes) in enumerate((("a-one", 4), ("b-two", 3), ("c-three", 2), ("d-four", 2))):
        category = "invoicing" if slug == "a-one" else "garden"
        listing = make_listing(slug, at=WEDNESDAY + timedelta(minutes=minute), categories=(category,))
        vote(listing, votes)
    closing.close_week(site=site, week=WEEK, at=NEXT_MONDAY)
    return {award.listing.slug: award for award in Award.objects.select_related("listing")}


def read(text: str) -> dict[str, Any]:
    keys = json.loads(Client().get("/.well-known/jwks.json").content)["keys"]
    wanted = jwt.get_unverified_header(text)["kid"]
    (key,) = [key for key in keys if key["kid"] == wanted]
    return jwt.decode(text, jwt.PyJWK(key), algorithms=["EdDSA"], options={"verify_nbf": False})


def credential(award: Award) -> dict[str, Any]:
    response = Client().get(f"/awards/{award.pk}.json")
    assert response.status_code == 200
    return json.loads(response.content)


def test_a_cabinet_holds_what_was_won_with_what_proves_it(
    won: dict[str, Award], api: Callable[..., Caller]
) -> None:
    award = won["b-two"]
    cabinet = api().get("/api/v1/listings/b-two/trophies").json()

    assert set(cabinet) == {"listing", "finish", "title", "items", "embed", "page_url"}
    (item,) = cabinet["items"]
    assert (item["id"], item["code"], item["rank"], item["week"], item["votes"], item["programme"]) == (
        award.pk,
        "launch_of_the_week_2",
        2,
        "2026-11-16",
        3,
        None,
    )
    assert item["credential_url"].endswith(f"/awards/{award.pk}.json")
    assert item["certificate_url"].endswith(f"/awards/{award.pk}/certificate")
    assert "/listings/b-two/trophies.svg" in cabinet["embed"]["html"]
    assert cabinet["embed"]["markdown"].startswith("[![Trophies of ")
    assert (cabinet["finish"], cabinet["title"]) == (None, None)
    assert api().get("/api/v1/listings/d-four/trophies").json()["items"] == []
    assert api().get("/api/v1/listings/nobody/trophies").status_code == 404


def test_an_award_is_valid_while_signed_placed_and_not_revoked(
    won: dict[str, Award], api: Callable[..., Caller]
) -> None:
    answer = api().get(f"/api/v1/awards/{won['a-one'].pk}/verification").json()

    assert answer["valid"] is True
    assert [(check["name"], check["passed"]) for check in answer["checks"]] == [
        ("signature", True),
        ("standing", True),
        ("not_revoked", True),
    ]
    assert (answer["revoked_at"], answer["reason"]) == (None, None)
    assert answer["issued_at"] == "2026-11-23T00:00:00Z"
    assert answer["award"] in api().get("/api/v1/awards").json()["items"]
    line = success("verify_award", answer)
    assert line == f"verify_award: Launch of the Week #1 of {answer['award']['listing']['name']}, valid."
    assert api().get("/api/v1/awards/9999999/verification").status_code == 404
    assert api().get("/api/v1/awards/one/verification").status_code == 404


def test_one_flipped_byte_anywhere_in_the_credential_is_noticed(
    won: dict[str, Award], api: Callable[..., Caller]
) -> None:
    award = won["a-one"]
    whole = award.credential
    for place in (len(whole) // 3, len(whole) - 40):
        broken = whole[:place] + ("A" if whole[place] != "A" else "B") + whole[place + 1 :]
        Award.objects.filter(pk=award.pk).update(credential=broken)
        with pytest.raises(jwt.InvalidTokenError):
            read(broken)
        award.refresh_from_db()
        assert credentials.checks(award)[0].passed is False
    Award.objects.filter(pk=award.pk).update(credential=won["b-two"].credential)
    answer = api().get(f"/api/v1/awards/{award.pk}/verification").json()
    assert (answer["valid"], answer["checks"][0]["detail"]) == (False, "This was signed for another award.")


def test_former_keys_keep_what_they_signed_valid(won: dict[str, Award]) -> None:
    before = won["a-one"].credential
    signing.rotate(at=LATER)
    Award.objects.filter(pk=won["b-two"].pk).update(credential="")
    assert credentials.issue_missing() == 1
    after = Award.objects.get(pk=won["b-two"].pk).credential

    kids = [jwt.get_unverified_header(text)["kid"] for text in (before, after)]
    assert len(set(kids)) == 2
    assert [read(text)["type"][1] for text in (before, after)] == ["OpenBadgeCredential"] * 2


def test_the_hall_of_fame_counts_firsts_then_seconds_and_filters(
    won: dict[str, Award], api: Callable[..., Caller]
) -> None:
    hall = api().get("/api/v1/hall-of-fame").json()
    awards = api().get("/api/v1/awards").json()["items"]
    assert all(award in awards for row in hall["items"] for award in row["awards"])

    assert [
        (row["listing"]["slug"], row["golds"], row["silvers"], row["bronzes"]) for row in hall["items"]
    ] == [
        ("a-one", 1, 0, 0),
        ("b-two", 0, 1, 0),
        ("c-three", 0, 0, 1),
    ]
    assert [award["id"] for award in hall["items"][0]["awards"]] == [won["a-one"].pk]
    assert api().get("/api/v1/hall-of-fame?year=2025").json()["items"] == []
    of_category = api().get("/api/v1/hall-of-fame?category=finance&year=2026").json()
    assert [row["listing"]["slug"] for row in of_category["items"]] == ["a-one"]
    for year, status in (("0", 400), ("1", 200), ("1999", 200), ("9999", 200), ("10000", 400), ("x", 400)):
        answer = api().get(f"/api/v1/hall-of-fame?year={year}")
        assert (answer.status_code, answer.json().get("items", [])) == (status, [])
    assert api().get("/api/v1/hall-of-fame?category=no-such").json()["items"] == []


def test_a_second_closing_issues_nothing_and_mails_nobody(won: dict[str, Award], site: Site) -> None:
    before = sorted(Award.objects.values_list("pk", "credential"))
    closing.close_week(site=site, week=WEEK, at=LATER)

    assert sorted(Award.objects.values_list("pk", "credential")) == before
    assert Job.objects.filter(kind="core.send_mail", key__startswith="award_").count() == 0


def baked_in_png(picture: bytes) -> str:
    """The credential of a PNG, read as its chunks are written (length, kind, body, CRC)."""
    place, found = 8, []
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        kind, body = picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        (crc,) = struct.unpack(">I", picture[place + 8 + length : place + 12 + length])
        assert crc == zlib.crc32(kind + body)
        if kind == b"iTXt":
            keyword, _, rest = body.partition(b"\0")
            assert (keyword, rest[:4]) == (b"openbadgecredential", b"\0\0\0\0")
            found.append(rest[4:].decode())
        place += 12 + length
    (jws,) = found
    return jws


def test_the_pictures_hold_the_credential_that_verifies(won: dict[str, Award]) -> None:
    address = f"/awards/{won['a-one'].pk}"
    jws = credential(won["a-one"])["jwt"]
    in_png = baked_in_png(Client().get(f"{address}.png").content)
    tree = ElementTree.fromstring(Client().get(f"{address}.svg").content)
    in_svg = [node.get("verify") for node in tree.iter("{https://purl.imsglobal.org/ob/v3p0}credential")]

    assert (in_png, in_svg) == (jws, [jws])
    assert read(in_png)["id"].endswith(address)


def test_the_embed_is_small_and_runs_nothing(won: dict[str, Award]) -> None:
    model = won["a-one"]
    for weeks in range(1, 8):
        Award.objects.create(
            site=model.site,
            listing=model.listing,
            week=WEEK - timedelta(weeks=weeks),
            rank=weeks % 3 + 1,
            votes=5,
            given_at=model.given_at,
        )
    picture = Client().get("/listings/a-one/trophies.svg").content

    assert len(picture) < 6_000
    nodes = list(ElementTree.fromstring(picture).iter())
    tags = {node.tag.rpartition("}")[2] for node in nodes}
    assert not tags & {"script", "foreignObject", "image", "a"}
    assert [name for node in nodes for name in node.attrib if name.startswith("on")] == []


def test_the_status_list_says_what_was_revoked(won: dict[str, Award]) -> None:
    award = won["b-two"]
    status = credential(award)["credentialStatus"]
    address = status["id"].partition("/awards/")[2]
    assert json.loads(Client().get(f"/awards/{address}").content)["revokedCredential"] == []
    Award.objects.filter(pk=award.pk).update(revoked_at=LATER, revoked_for="Bought votes.")

    (row,) = json.loads(Client().get(f"/awards/{address}").content)["revokedCredential"]
    assert (row["id"], row["revoked"], row["revocationReason"]) == (
        credential(award)["id"],
        True,
        "Bought votes.",
    )
    assert (read(credential(award)["jwt"])["id"], status["type"]) == (row["id"], "1EdTechRevocationList")


@pytest.mark.parametrize("name", ["launch_of_the_week_4", "best-of-x", "best-9", "best-", "x"])
def test_there_is_no_other_achievement(site: Site, name: str) -> None:
    assert Client().get(f"/awards/achievements/{name}.json").status_code == 404
