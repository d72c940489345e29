from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, signed_in_act, signed_in_page, user_of
from claims import limits, selectors
from claims.errors import ClaimNotFoundError
from claims.methods import METHODS, Method, closed_reason
from claims.models import Claim
from claims.ownership import owning
from claims.proving import checking, starting
from claims.reach import Reach, reach_of
from core.api import throttling
from core.api.errors import ApiError
from core.api.pagination import paginate
from core.api.serializers import PUBLIC_EMAIL
from core.email_addresses import AddressRefusedError, typed_email
from directory.errors import ListingNotFoundError, ListingUnknownError
from directory.models import Listing
from directory.reading import PER_PAGE, of_listing, page_number
from directory.search.cards import summaries
from directory.sites.lookup import current_site

ENDED = {Claim.Status.EXPIRED, Claim.Status.FAILED, Claim.Status.SUPERSEDED, Claim.Status.REVOKED}


class EmailForm(forms.Form):
    email = forms.CharField(
        label="Address at the company’s domain",
        max_length=limits.EMAIL,
        validators=[PUBLIC_EMAIL],
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": "Give an address."},
    )

    def clean_email(self) -> str:
        try:
            return typed_email(self.cleaned_data["email"])
        except AddressRefusedError as error:
            raise forms.ValidationError(str(error)) from error


@require_http_methods(["GET", "HEAD", "POST"])
@of_listing
def claim(request: HttpRequest, slug: str) -> HttpResponse:
    """`/listings/<slug>/claim`: whose it is, the ways, and what the last check saw. By POST one way begins."""
    site = current_site(request)
    try:
        listing = selectors.claimable(site=site, slug=slug, user_id=request.user.pk or 0)
    except ListingUnknownError as error:
        raise ListingNotFoundError(error.detail) from error
    if request.method != "POST":
        return _page(request, listing)
    return _start(request, listing)


@signed_in
def _start(request: HttpRequest, listing: Listing) -> HttpResponse:
    user, method = user_of(request), METHODS.get(request.POST.get("method", ""))
    throttling.enforce("write", caller=f"user:{user.pk}")
    form = EmailForm(request.POST)
    if method is None or (method.by_link and not form.is_valid()):
        return _page(request, listing, form=form, status=400)
    try:
        starting.claim_listing(
            user=user,
            site=listing.site,
            slug=listing.slug,
            method=method.code,
            email=form.cleaned_data["email"] if method.by_link else "",
            at=timezone.now(),
        )
    except ApiError as error:
        if not method.by_link or all(row.pointer != "/email" for row in error.errors):
            messages.warning(request, error.detail)
            return HttpResponseRedirect(f"/listings/{listing.slug}/claim")
        form.add_error("email", error.detail)
        return _page(request, listing, form=form, status=400)
    return HttpResponseRedirect(f"/listings/{listing.slug}/claim?way={method.code}")


def _page(
    request: HttpRequest, listing: Listing, *, form: EmailForm | None = None, status: int = 200
) -> HttpResponse:
    user_id = request.user.pk or 0
    reach = reach_of(listing.url)
    by_method = selectors.claims_of_listing(listing_id=listing.pk, user_id=user_id) if user_id else {}
    newest = max(by_method.values(), key=lambda claim: (claim.created_at, claim.pk), default=None)
    chosen = by_method.get(request.GET.get("way", "")) or newest
    is_mine = bool(user_id) and owning.is_owner(listing, user_id=user_id)
    context = {
        "listing": summaries(listing_ids=[listing.pk])[0],
        "host": reach.bare,
        "shown": chosen,
        "notice": notice_of(chosen) if chosen else None,
        "may_check": chosen is not None and checking.may_check(chosen, at=timezone.now()),
        "checks": selectors.checks_of(chosen) if chosen else [],
        "ways": [_way(method, by_method.get(code), chosen, reach=reach) for code, method in METHODS.items()],
        "form": form or EmailForm(),
        "is_mine": is_mine,
        "is_proved": bool(listing.claimed_by_method),
        "is_open": not owning.has_proved(listing, user_id=user_id) or owning.rivals(listing, user_id=user_id),
    }
    response = render(request, "claims/claim.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _way(method: Method, claim: Claim | None, visible: Claim | None, *, reach: Reach) -> dict[str, Any]:
    is_open = claim is not None and claim.current_status not in ENDED
    return {
        "method": method,
        "refused": closed_reason(method, reach),
        "claim": claim if is_open else None,
        "publish": method.publish(claim.target) if claim is not None and is_open else None,
        "unfolded": claim is not None and claim == visible,
    }


@signed_in_act
def check(request: HttpRequest, claim_id: int) -> HttpResponse:
    user_id, at = user_of(request).pk, timezone.now()
    throttling.enforce("write", caller=f"user:{user_id}")
    row = selectors.my_claim(user_id=user_id, claim_id=claim_id)
    try:
        turn = checking.check_at_once(user_id=user_id, claim_id=claim_id, at=at)
        row = checking.verify_claim(user_id=user_id, claim_id=claim_id, attempt=turn, at=timezone.now())
    except ApiError as error:
        messages.warning(request, error.detail)
    else:
        if turn is None or turn.seen is None:
            messages.success(request, "A check is under way. Look here again in a minute.")
    return HttpResponseRedirect(f"/listings/{row.listing.slug}/claim?way={row.method}")


@signed_in_page
def claims(request: HttpRequest) -> HttpResponse:
    rows = selectors.my_claims(user_id=user_of(request).pk)
    page = paginate(rows, page=page_number(request), per_page=PER_PAGE)
    items = [(row, notice_of(row)) for row in page.items]
    return render(request, "claims/claims.html", {"page": page, "rows": items})


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """`/claims/confirm/<token>`: says which account will own which listing; its button verifies the claim, once.

    Whoever reads the company's mail may press it, signed in or not; it says whose account that serves.
    """
    user_id, at = request.user.pk, timezone.now()
    try:
        row, link = checking.link_of(token=token, user_id=user_id)
    except ClaimNotFoundError as error:
        return _confirm_page(request, {"closed": error.detail}, status=404)
    closed = checking.closed_reason(row, link=link, at=at)
    context = {"claim": row, "account": row.user.email, "closed": closed}
    if closed or request.method != "POST":
        return _confirm_page(request, context, status=400 if closed else 200)
    row = checking.confirm(token=token, user_id=user_id, at=at)
    return _confirm_page(request, {**context, "claim": row, "notice": notice_of(row)}, status=200)


def _confirm_page(request: HttpRequest, context: dict[str, Any], *, status: int) -> HttpResponse:
    response = render(request, "claims/confirm.html", context, status=status)
    # The address is a secret: no cache keeps it, no other site is told it, no index lists it.
    response["Cache-Control"] = "private, no-store"
    response["Referrer-Policy"] = "same-origin"
    response["X-Robots-Tag"] = "noindex"
    return response


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
    if claim.current_status == Claim.Status.VERIFIED and claim.prove_again:
        return _contested(claim, until=claim.prove_again.strftime(day))
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


def _contested(claim: Claim, *, until: str) -> Notice:
    """What an owner reads whose proof somebody else contests."""
    way = claim.get_method_display()
    how = f"If your {way} is still there on that day, that’s enough."
    if claim.proof.by_link:
        how = "Ask for another link below."
    if claim.needs:
        how = f"Your {way} isn’t enough: choose {claim.needs} below."
    text = f"Somebody else has shown that they control {claim.listing.host}, too. {how}"
    return Notice(tone="warn", icon="clock", title=f"Verify {claim.listing.name} again by {until}", text=text)


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
