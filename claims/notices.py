"""What the pages say of a claim: one box for each state. Pure."""

from dataclasses import dataclass

from claims.models import Claim


@dataclass(frozen=True, kw_only=True)
class Notice:
    """The box that stands first: its look, its icon, a heading and a sentence."""

    tone: str
    icon: str
    title: str
    text: str


def notice_of(claim: Claim) -> Notice:
    host, day = claim.listing.host, "%-d %B %Y"
    if claim.current_status == Claim.Status.PENDING:
        return _pending(claim)
    if claim.current_status == Claim.Status.VERIFIED and claim.verified_at:
        stay = "" if claim.proof.by_link else " Leave it in place: we look again every 30 days."
        text = f"Verified by {claim.get_method_display()} on {claim.verified_at.strftime(day)}.{stay}"
        return Notice(tone="good", icon="badge-check", title=f"{claim.listing.name} is yours", text=text)
    if claim.current_status == Claim.Status.CONTESTED and claim.contest_ends_at:
        text = (
            f"You have shown that you control {host}. Its owner has until {claim.contest_ends_at.strftime(day)} to "
            "show the same. If they don’t, the listing becomes yours."
        )
        return Notice(tone="warn", icon="clock", title="Somebody else owns this listing", text=text)
    title, text = {
        Claim.Status.CONTESTED: (
            "A person decides",
            f"Both of you have shown that you control {host}. We read both and write to you.",
        ),
        Claim.Status.LAPSED: (
            "No longer verified",
            "We didn’t find your proof three times in two weeks. You keep the listing until somebody else proves "
            "that it is theirs. Publish the proof again and check it.",
        ),
        Claim.Status.FAILED: ("This claim was not accepted", claim.reason),
        Claim.Status.REVOKED: ("This claim was taken back", claim.reason),
        Claim.Status.SUPERSEDED: ("This claim has ended", "Another proof has taken its place."),
    }.get(
        Claim.Status(claim.current_status),
        ("This claim has ended", "It wasn’t verified in seven days, so its code no longer counts."),
    )
    return Notice(tone="", icon="info", title=title, text=text)


def _pending(claim: Claim) -> Notice:
    check = claim.last_check
    if claim.proof.by_link:
        until = f"{claim.link_expires_at:%-d %B, %H:%M} UTC" if claim.link_expires_at else "it is used"
        text = f"Open it in this browser and press Yes. The link works until {until}."
        return Notice(
            tone="", icon=claim.proof.icon, title=f"We’ve e-mailed a link to {claim.email}", text=text
        )
    if check is None:
        text = "Publish what is below, then check. Checks that find nothing lose nothing."
        return Notice(tone="", icon="clock", title=f"Waiting for the {claim.get_method_display()}", text=text)
    title = {
        "mismatch": "We found something, and it isn’t the right one",
        "unreachable": f"{claim.listing.host} could not be read",
        "timeout": f"{claim.listing.host} did not answer",
        "blocked_address": f"We can’t open {claim.listing.host}",
        "redirect_off_site": "It leads somewhere else",
    }.get(check.result, f"We don’t see the {claim.get_method_display()} yet")
    text = f"At {check.at:%H:%M} UTC on {check.at:%-d %B}: {check.detail} Nothing is lost."
    return Notice(tone="warn", icon="clock", title=title, text=text)
