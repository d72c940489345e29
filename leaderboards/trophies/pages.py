from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from core.api.caching import fresh
from core.api.errors import ApiError, NotFoundError
from core.api.links import on_site
from core.methods import require_safe
from directory import weeks
from directory.categories.tree import category_tree
from directory.listings.profile import covers
from directory.models import Listing, Site
from directory.reading import marks_of, of_listing, page_number
from directory.shown.sharing import Picture, Share, shortened, stored_logo
from directory.shown.sharing.tags import png
from directory.sites.lookup import current_site
from directory.wording import placed
from leaderboards import limits
from leaderboards.models import Award
from leaderboards.trophies import credentials, drawings, programmes, selectors
from leaderboards.trophies.models import Programme

FAME_A_PAGE = 24
PLACES = ("1", "2", "3")
CERTIFICATE_FINISHES = ("paper", "oak", "steel")
CACHED = "public, max-age=300, stale-while-revalidate=300"
DRAWN = {
    "Cache-Control": CACHED,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
}
OPEN = {"Access-Control-Allow-Origin": "*", "Cache-Control": CACHED}


def _award(request: HttpRequest, award_id: int) -> tuple[Award, dict[str, Any]]:
    return selectors.listed([selectors.award_of(site=current_site(request), award_id=award_id)])[0]


@require_safe
def award_page(request: HttpRequest, award_id: int) -> HttpResponse:
    """`/awards/<id>`: the award, what proves it, and what to do with it."""
    award, item = _award(request, award_id)
    context = {
        "award": award,
        "item": item,
        "occasion": credentials.occasion(award),
        "evidence": credentials.evidence_path(award),
        "metal": drawings.NAMES[award.rank],
        "share": share_of_award(award, item["listing"], site=current_site(request)),
        "finishes": CERTIFICATE_FINISHES,
    }
    return render(request, "leaderboards/trophies/award.html", context)


@require_safe
def verify_page(request: HttpRequest, award_id: int) -> HttpResponse:
    result = selectors.verify_award(site=current_site(request), award_id=award_id)
    return render(request, "leaderboards/trophies/verify.html", {"result": result, "item": result["award"]})


@require_safe
def certificate(request: HttpRequest, award_id: int) -> HttpResponse:
    award, item = _award(request, award_id)
    requested = request.GET.get("finish", "")
    context = {
        "award": award,
        "item": item,
        "occasion": credentials.occasion(award),
        "ended": credentials.ended(award),
        "finish": requested if requested in CERTIFICATE_FINISHES else CERTIFICATE_FINISHES[0],
        "finishes": CERTIFICATE_FINISHES,
        "address": on_site(credentials.page_path(award)),
    }
    return render(request, "leaderboards/trophies/certificate.html", context)


@require_safe
def qr_code(request: HttpRequest, award_id: int) -> HttpResponse:
    from qrcode.image.svg import SvgPathFillImage  # noqa: PLC0415  (with Pillow some megabytes, for who prints)
    from qrcode.main import QRCode  # noqa: PLC0415

    award, _ = _award(request, award_id)
    code: QRCode[Any] = QRCode(border=2)
    code.add_data(on_site(credentials.page_path(award)))
    return fresh(
        request, code.make_image(SvgPathFillImage).to_string(), media_type="image/svg+xml", headers=DRAWN
    )


@require_safe
def award_json(request: HttpRequest, award_id: int) -> JsonResponse:
    """`/awards/<id>.json`: the credential as it was signed, a revoked one too."""
    award, _ = _award(request, award_id)
    if not award.credential:
        raise NotFoundError("It is being signed. Look again in some minutes.")
    return JsonResponse(credentials.document(award), headers=OPEN)


@require_safe
def award_svg(request: HttpRequest, award_id: int) -> HttpResponse:
    """`/awards/<id>.svg`: the trophy with its credential inside, unless it was revoked."""
    award, item = _award(request, award_id)
    picture = drawings.award(
        rank=award.rank,
        title=_called(award),
        name=item["listing"]["name"],
        foot=_foot(award, f"{credentials.ended(award):%B %Y}"),
        plate=drawings.engraved(award.week, is_of_week=award.programme is None),
        site=current_site(request).name,
    )
    if award.credential and award.revoked_at is None:
        picture = credentials.baked_svg(picture, jwt=award.credential)
    return fresh(request, picture.encode(), media_type="image/svg+xml; charset=utf-8", headers=DRAWN)


@require_safe
def award_png(request: HttpRequest, award_id: int) -> HttpResponse:
    """`/awards/<id>.png`: a card to share, with its credential inside, unless it was revoked."""
    award, item = _award(request, award_id)
    body = png(picture_of(award, item["listing"], site=current_site(request)))
    if award.credential and award.revoked_at is None:
        body = credentials.baked_png(body, jwt=award.credential)
    return fresh(request, body, media_type="image/png", headers=DRAWN)


def _called(award: Award) -> str:
    return placed(award.title) if award.revoked_at is None else f"Revoked: {placed(award.title)}"


def _foot(award: Award, of_programme: str) -> str:
    when = of_programme if award.programme else weeks.span(award.week)
    return f"{when} · {award.votes} vote{'' if award.votes == 1 else 's'}"


def picture_of(award: Award, card: dict[str, Any], *, site: Site) -> Picture:
    return Picture(
        site=site.name,
        kicker=_called(award),
        title=card["name"],
        text=card["tagline"] or "",
        foot=_foot(award, credentials.occasion(award)),
        logo=stored_logo(card),
        letter=card["name"][:1],
        rank=award.rank,
    )


def share_of_award(award: Award, card: dict[str, Any], *, site: Site) -> Share:
    path = credentials.page_path(award)
    return Share(
        title=f"{card['name']}: {placed(award.title)}",
        text=shortened(credentials.sentence(award)),
        path=path,
        picture=picture_of(award, card, site=site),
        drawn_at=f"{path}.png",
    )


@require_safe
def revoked(request: HttpRequest) -> JsonResponse:
    """`/awards/revoked.json`: what the status of every credential names."""
    return JsonResponse(credentials.revocations(current_site(request)), headers=OPEN)


@require_safe
def achievement(request: HttpRequest, name: str) -> JsonResponse:
    """`/awards/achievements/<name>.json`: what a place is, described once."""
    if name in Award.CODES.values():
        title = f"Launch of the Week #{name[-1]}"
        return JsonResponse(credentials.achievement(name, title=title, programme=None), headers=OPEN)
    slug, _, rank = name.rpartition("-")
    rows = Programme.objects.filter(site=current_site(request), slug=slug)
    matching = rows.filter(places__gte=int(rank)) if rank in PLACES else rows.none()
    row = NotFoundError.unless(matching.first(), "achievement")
    title = f"{row.title} #{rank}"
    return JsonResponse(
        credentials.achievement(f"programme_{rank}", title=title, programme=slug), headers=OPEN
    )


@require_safe
@of_listing
def cabinet(request: HttpRequest, slug: str) -> HttpResponse:
    site, now = current_site(request), timezone.now()
    result = selectors.get_trophy_cabinet(site=site, slug=slug)
    own = _own_listings(request, site=site).filter(slug=slug).first()
    open_ones = selectors.list_programmes(site=site, status="open", at=now) if own and own.is_live else []
    entered = set(own.programme_entries.values_list("programme__slug", flat=True)) if own else set()
    context = {
        "cabinet": result,
        "listing": result["listing"],
        "own": own,
        "open_ones": [(row, row["slug"] in entered) for row in open_ones],
        "width": selectors.WIDTH,
        "height": selectors.HEIGHT,
    }
    return render(request, "leaderboards/trophies/cabinet.html", context)


def _own_listings(request: HttpRequest, *, site: Site) -> Any:
    if request.user.pk is None:
        return Listing.objects.none()
    return Listing.objects.owned_by(request.user.pk).filter(site=site)


@require_safe
def cabinet_svg(request: HttpRequest, slug: str) -> HttpResponse:
    result = selectors.get_trophy_cabinet(site=current_site(request), slug=slug)
    picture = drawings.cabinet(
        name=result["listing"]["name"],
        title=result["title"] or "",
        finish=result["finish"] or "",
        trophies=[
            (item["rank"], drawings.engraved(item["week"], is_of_week=item["programme"] is None))
            for item in result["items"]
        ],
        total=len(result["items"]),
    )
    return fresh(request, picture.encode(), media_type="image/svg+xml; charset=utf-8", headers=DRAWN)


@require_safe
def hall_of_fame(request: HttpRequest) -> HttpResponse:
    site = current_site(request)
    years = selectors.years_of_fame(site=site)
    year = next((year for year in years if str(year) == request.GET.get("year", "")), None)
    tree = category_tree(site=site, include_empty=False)
    kind = next((node for node in tree if node["slug"] == request.GET.get("category", "")), None)
    page = selectors.get_hall_of_fame(
        site=site,
        year=year,
        category=kind["slug"] if kind else None,
        page=page_number(request),
        per_page=FAME_A_PAGE,
    )
    for row in page.items:
        row["tier"] = "Winners" if row["golds"] else "Second places" if row["silvers"] else "Third places"
    context = {"page": page, "years": years, "year": year, "tree": tree, "kind": kind}
    return render(request, "leaderboards/trophies/hall_of_fame.html", context)


@require_safe
def programme_list(request: HttpRequest) -> HttpResponse:
    rows = selectors.list_programmes(site=current_site(request), status=None, at=timezone.now())
    order = {"voting": 0, "open": 1, "announced": 2, "closed": 3}
    rows.sort(key=lambda row: order[row["status"]])
    return render(request, "leaderboards/trophies/programmes.html", {"rows": rows})


@require_safe
def programme_page(request: HttpRequest, slug: str) -> HttpResponse:
    site, now = current_site(request), timezone.now()
    result = selectors.named_programme(site=site, slug=slug, at=now)
    programme = result.programme
    own = list(
        _own_listings(request, site=site).filter(status="live").order_by("name")[: limits.CABINET_ITEMS]
    )
    entered = set(programme.entries.values_list("listing", flat=True))
    entries, status = selectors.entries_of(programme, at=now), result.item["status"]
    context = {
        "programme": programme,
        "row": result.item,
        "entries": entries,
        "marks": marks_of(request, [entry["listing"] for entry in entries]),
        "covers": covers(site=site, slugs=[entry["listing"]["slug"] for entry in entries]),
        "is_early": status in ("announced", "open"),
        "is_over": status == "closed",
        "is_counting": status == "closed" and programme.closed_at is None,
        "own": [
            {"listing": row, "is_in": row.pk in entered, "rule": programmes.broken_rule(programme, row)}
            for row in own
        ],
    }
    return render(request, "leaderboards/trophies/programme.html", context)


@require_POST
@login_required
def enter(request: HttpRequest, slug: str, listing_id: int) -> HttpResponse:
    """One press: a listing of the reader takes part."""
    try:
        programme = programmes.enter_programme(
            owner_id=request.user.pk or 0, listing_id=listing_id, slug=slug, at=timezone.now()
        )
    except NotFoundError:
        raise
    except ApiError as error:
        return render(
            request, "leaderboards/trophies/refused.html", {"slug": slug, "detail": error.detail}, status=400
        )
    return redirect(f"/programmes/{programme.slug}#entries")
