"""verify_claim: real look-ups and fetches; what was seen is told; nothing is contacted that must not be."""

import json
import time
from datetime import timedelta
from typing import Any

import dns.rcode
import pytest
from django.utils import timezone

from claims.methods import METHODS, Target
from claims.methods.dns import zone_servers
from claims.methods.meta import head_tags
from claims.models import Claim, ClaimCheck
from claims.proving import checking
from claims.reach import reach_of
from core import jobs
from directory.engagement import voting
from directory.models import Listing, ListingMove, Vote
from directory.moderation.merging import merge, undo_merge
from tests.claims.conftest import FILE, HOST, Publish, Start, listing_at, verify
from tests.conftest import Api, People, signed_in
from tests.servers import website as w
from tests.servers.dns import DnsServer
from tests.waiting import LONG, undisturbed

NAME = f"_plverify.{HOST}"


@pytest.mark.parametrize("method", ["dns", "meta", "file"])
def test_a_published_proof_hands_the_listing_over(
    api: Api, people: People, listing: Listing, start: Start, publish: Publish, method: str
) -> None:
    Listing.objects.update(plan="paid", unlocked_sections=["story"])
    claim = start(method)
    early = verify(api, claim)
    publish(claim)
    body = verify(api, claim)

    assert (early["status"], early["attempts"], early["last_check"]["result"]) == ("pending", 1, "not_found")
    assert early["last_check"]["detail"].startswith(("We asked for", "There is no plverify tag", "https://"))
    assert (body["status"], body["listing_id"], body["attempts"]) == ("verified", listing.pk, 2)
    assert (body["last_check"]["result"], body["verified_at"] is not None) == ("found", True)
    assert body["next_actions"][0]["operation"] == "get_my_listing"
    profile = api().get("/api/v1/listings/acme").json()
    assert (profile["claimed"], profile["verified"]["method"]) == (True, method)
    assert (profile["plan"], profile["unlocked_sections"]) == ("paid", ["story", "milestones", "media"])
    assert api().get("/api/v1/listings?q=acme").json()["items"][0]["claimed"] is True
    assert api("all").get(f"/api/v1/me/listings/{listing.pk}").status_code == 200
    assert verify(api, claim)["attempts"] == 2  # verified again: the same, without another look
    refused = api("all").post("/api/v1/claims", {"slug": "acme", "method": "dns"})
    assert refused.json()["code"] == "already_owner"
    assert ListingMove.objects.get().by == f"user:{people.owner.pk}"


def test_a_proof_ends_the_other_ways_that_were_begun(
    api: Api, people: People, listing: Listing, start: Start, publish: Publish
) -> None:
    for method in ("dns", "file"):
        start(method)
    stale = Claim.objects.create(
        listing=listing,
        user=people.owner,
        method="email",
        created_at=listing.created_at,
        expires_at=listing.created_at,
    )
    proved = start("meta")
    publish(proved)

    assert verify(api, proved)["status"] == "verified"
    tried = Claim.objects.filter(method__in=("dns", "file"))
    assert [claim.status for claim in tried] == ["superseded", "superseded"]
    stale.refresh_from_db()
    assert stale.status == "pending"  # it is over by its date, and says so
    browser = signed_in(people.owner)
    assert "Publish your proof" not in browser.get("/account").content.decode()


@pytest.mark.parametrize(
    ("records", "status", "result"),
    [
        (("v=spf1 -all", "plverify={token}"), "verified", "found"),
        ((" plverify={token} ",), "verified", "found"),
        (("v=spf1 -all",), "pending", "mismatch"),
        (("plverify={upper}",), "pending", "mismatch"),
        (('plverify="{token}"',), "pending", "mismatch"),
        (("plverify=other",), "pending", "mismatch"),
        ((), "pending", "not_found"),
        ((*tuple(f"site-{number}" for number in range(30)), "plverify={token}"), "verified", "found"),
        (("x" * 300 + "plverify={token}",), "pending", "mismatch"),
    ],
)
def test_records(
    api: Api, start: Start, dns_server: DnsServer, records: tuple[str, ...], status: str, result: str
) -> None:
    claim = start("dns")
    token = Claim.objects.get().token
    texts = tuple(text.replace("{token}", token).replace("{upper}", token.upper()) for text in records)
    dns_server.answer(NAME, "TXT", texts)
    body = verify(api, claim)

    assert (body["status"], body["last_check"]["result"]) == (status, result)
    if result == "mismatch":
        assert body["last_check"]["seen"] == [text[:200] for text in texts][:5]


def test_a_record_above_or_behind_an_alias_counts_and_one_beside_does_not(
    api: Api, people: People, listing: Listing, start: Start, dns_server: DnsServer
) -> None:
    listing_at(f"https://app.{HOST}/", "app")
    above, beside = start("dns", slug="app"), start("dns", user=people.stranger)
    tokens = {claim.pk: claim.token for claim in Claim.objects.all()}
    dns_server.answer(f"_plverify.app.{HOST}", "TXT", (f"plverify={tokens[beside['claim_id']]}",))
    assert verify(api, beside, user=people.stranger)["last_check"]["result"] == "not_found"
    dns_server.answer(f"_plverify.{HOST}", "CNAME", "proof.elsewhere.example.")
    dns_server.answer("proof.elsewhere.example", "TXT", (f"plverify={tokens[above['claim_id']]}",))

    assert verify(api, above)["status"] == "verified"
    assert verify(api, beside, user=people.stranger)["last_check"]["result"] == "mismatch"  # another's token


def test_name_servers_that_fail_or_keep_silent(
    api: Api, people: People, start: Start, dns_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, silent = start("dns"), start("dns", user=people.stranger)
    dns_server.fail(NAME, dns.rcode.SERVFAIL)
    assert verify(api, failing)["last_check"]["result"] == "unreachable"
    dns_server.silence(NAME)
    monkeypatch.setattr(checking, "AT_ONCE", 0.5)
    body = verify(api, silent, user=people.stranger)

    assert (body["status"], body["last_check"]["result"]) == ("pending", "timeout")
    assert list(jobs.due().values_list("kind", flat=True)) == [checking.JOB]  # which has more time


HEAD = '<meta name="plverify" content="{token}">'


@pytest.mark.parametrize(
    ("page", "is_found"),
    [
        ("<!doctype html><html><head><title>x</title>{tag}</head><body></body></html>", True),
        ("\ufeff<!-- <head> --><head><script>'</head>'</script>{tag}</head>", True),
        ('<title>x</title><link rel="a"><META NAME="PLVERIFY" CONTENT="{token}"><p>x', True),
        ('<head><meta name="plverify" content="other">{tag}</head>', True),
        ("<head></head><body>{tag}</body>", False),
        ("<head><!-- {tag} --></head>", False),
        ("<head><title>{tag}</title></head>", False),
        ("<head><template>{tag}</template></head>", False),
        ("<head><template><template></template>{tag}</template></head>", False),
        ("<head><noscript>{tag}</noscript></head>", False),
        ("<head><script>{tag}</script><style>{tag}</style></head>", False),
        ("<body><textarea>{tag}</textarea><xmp>{tag}</xmp>", False),
        ("<head>text{tag}</head>", False),
        ("<head><div>{tag}</div></head>", False),
        ("<head>&lt;meta name=plverify content={token}&gt;</head>", False),
        ('<head><meta name="plverify" content="{token}x"></head>', False),
    ],
)
def test_only_a_tag_right_in_the_head_counts(page: str, *, is_found: bool) -> None:
    html = page.replace("{tag}", HEAD).replace("{token}", "abc")
    found = [tag.get("content") for tag in head_tags(html) if tag.get("name", "").lower() == "plverify"]

    assert ("abc" in found) is is_found


def test_a_costly_head_costs_little() -> None:
    began = time.process_time()
    for piece in ("<meta ", "<meta name='a'>", "<!--", "<template>", "<!-- -->", "<title>", "< ", "<a b="):
        list(head_tags((piece * 600_000)[: 512 * 1024]))

    assert time.process_time() - began < 4


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (w.html("<!doctype html><title>App</title>"), "mismatch"),
        (w.plain("plverify=other"), "mismatch"),
        (w.plain("x" * 2_000_000), "mismatch"),
        (w.gzip_bomb(megabytes=20, content_type="text/plain"), "mismatch"),
        (w.redirect("https://evil.com/plverify.txt"), "redirect_off_site"),
        (w.redirect(f"https://app.{HOST}/plverify.txt"), "redirect_off_site"),
        (w.redirect("http://127.0.0.1:22/"), "blocked_address"),
        (w.redirect("http://169.254.169.254/latest"), "blocked_address"),
        (w.redirect("http://[::ffff:10.0.0.1]/"), "blocked_address"),
        (w.redirect(f"https://{HOST}{FILE}"), "unreachable"),
        (w.plain("no", status=503), "unreachable"),
        (w.raw(b"nonsense\r\n\r\n"), "unreachable"),
        (w.drip(), "timeout"),
        (w.drip_headers(), "timeout"),
        (w.hang(), "timeout"),
    ],
)
def test_hostile_files(
    api: Api, start: Start, website: w.Website, monkeypatch: pytest.MonkeyPatch, reply: w.Reply, result: str
) -> None:
    if result == "timeout":
        monkeypatch.setattr(checking, "AT_ONCE", 0.5)
    claim = start("file")
    website.pages[FILE] = reply
    with undisturbed() as clock:
        body = verify(api, claim)

    assert (body["status"], body["last_check"]["result"]) == ("pending", result)
    assert body["last_check"]["detail"].endswith(".") or body["last_check"]["detail"]
    assert clock.seconds < 3
    assert {request.host for request in website.requests} == {HOST}


def test_a_file_is_the_whole_of_it(api: Api, start: Start, website: w.Website) -> None:
    claim = start("file")
    line = Claim.objects.get().target.line
    website.pages[FILE] = w.plain(line + " " * 1024 + "and more")
    assert verify(api, claim)["last_check"]["result"] == "mismatch"
    website.pages[FILE] = w.plain("")
    empty = verify(api, claim)["last_check"]
    assert (empty["result"], empty["seen"]) == ("mismatch", [])
    website.pages[FILE] = w.plain(f"{line:1024}")

    assert verify(api, claim)["status"] == "verified"


def test_www_and_the_apex_are_one_only_where_one_redirects_to_the_other(
    api: Api, people: People, start: Start, website: w.Website
) -> None:
    claim = start("file")
    token = Claim.objects.get().token
    website.pages["/proof"] = w.plain(token)
    assert verify(api, claim)["status"] == "pending"  # www has it, nothing leads there
    website.pages[FILE] = w.redirect(f"https://www.{HOST}/proof")

    assert verify(api, claim)["status"] == "verified"
    assert f"www.{HOST}" in {request.host for request in website.requests}


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "fd00::1", "64:ff9b::a00:1"],
)
def test_no_private_address_is_ever_contacted(
    settings: Any, dns_server: DnsServer, canary: w.Canary, address: str
) -> None:
    settings.CRAWL_RESOLVE, settings.DNS_SERVERS = {}, [dns_server.address]
    kind = "AAAA" if ":" in address else "A"
    dns_server.answer("inside.acme.com", kind, address)
    dialled: list[str] = []
    for method in ("meta", "file"):
        target = Target(reach=reach_of("https://inside.acme.com/"), token="t")
        dialled.append(METHODS[method].check(target, seconds=LONG).result)

    assert dialled == ["blocked_address"] * 2
    assert canary.visits == 0


def test_the_zones_own_servers_are_asked_at_public_addresses_alone(
    settings: Any, dns_server: DnsServer
) -> None:
    settings.DNS_SERVERS = [dns_server.address]
    dns_server.answer("acme.com", "NS", "ns.acme.com.")
    dns_server.answer("ns.acme.com", "A", "10.0.0.53")
    inside = zone_servers("acme.com", ends=time.monotonic() + LONG)
    dns_server.answer("ns.acme.com", "A", "93.184.216.34")
    public = zone_servers("acme.com", ends=time.monotonic() + LONG)

    assert inside is None
    assert public is not None
    assert [str(server) for server in public.nameservers] == ["Do53:93.184.216.34@53"]


def test_others_claims_are_not_there_and_email_claims_are_not_checked(
    api: Api, people: People, start: Start
) -> None:
    claim = start("email", email=f"ada@{HOST}")
    mine = api("all").post(f"/api/v1/claims/{claim['claim_id']}/verify")
    theirs = api("all", user=people.stranger).post(f"/api/v1/claims/{claim['claim_id']}/verify")

    assert (mine.status_code, mine.json()["code"], mine.json()["current"]) == (
        400,
        "invalid_state",
        "pending",
    )
    assert (theirs.status_code, theirs.json()["code"]) == (404, "not_found")
    assert ClaimCheck.objects.count() == 0


def test_checks_have_a_limit_and_say_from_when(api: Api, start: Start, settings: Any) -> None:
    settings.RATE_LIMIT_FACTOR = 1 / 3
    claim = start("dns")
    first, second = verify(api, claim), verify(api, claim)
    refused = api("all").post(f"/api/v1/claims/{claim['claim_id']}/verify")

    assert first["next_check_allowed_at"] == first["last_check"]["at"] or first["next_check_allowed_at"]
    assert second["next_check_allowed_at"] > second["last_check"]["at"]
    assert (refused.status_code, refused.json()["policy"]) == (429, "claim_verify")
    assert (ClaimCheck.objects.count(), Claim.objects.get().checking_until) == (2, None)


def test_what_is_kept_of_a_strangers_text_is_short_and_plain(
    api: Api, start: Start, website: w.Website
) -> None:
    claim = start("file")
    website.pages[FILE] = w.plain("\x00\x1b[31m" + "\u202e<b>" * 300)
    body = verify(api, claim)
    (seen,) = body["last_check"]["seen"]

    assert len(seen) <= 200
    assert "\x00" not in json.dumps(ClaimCheck.objects.get().raw)
    assert "\x1b" not in seen


@pytest.mark.parametrize("weeks_ago", [0, 1])
def test_who_comes_to_own_a_listing_counts_no_longer_in_a_week_that_runs(
    api: Api, people: People, listing: Listing, start: Start, publish: Publish, weeks_ago: int
) -> None:
    cast_at = timezone.now() - weeks_ago * timedelta(days=7)
    voting.cast_vote(user=people.owner, listing_id=listing.pk, at=cast_at)
    claim = start("dns")
    publish(claim)
    verify(api, claim)

    assert Vote.objects.counted().count() == weeks_ago


def test_what_became_part_of_another_is_claimed_there(
    api: Api, people: People, listing: Listing, start: Start, publish: Publish
) -> None:
    whole = listing_at(f"https://{HOST}/two", "beta")
    claims = [start("file"), start("dns", user=people.stranger)]
    for claim in claims:
        publish(claim)
    done = merge(listing_id=listing.pk, into_id=whole.pk, staff_id=people.staff.pk, at=timezone.now())

    refused = api("all").post(f"/api/v1/claims/{claims[0]['claim_id']}/verify")

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_state")
    assert refused.json()["detail"] == "Acme is part of Beta now. Claim that listing."
    listing.refresh_from_db()
    assert (listing.owner, listing.claimed_by_method) == (None, "")
    undo_merge(undo_id=done.pk, staff_id=people.staff.pk, at=timezone.now())
    assert verify(api, claims[0])["status"] == "verified"
