"""Which badges a listing has earned, and what they say."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal

from directory.errors import ListingNotFoundError
from directory.launches.badges import (
    AWARDS,
    CODES,
    LIVE,
    NAME_LETTERS,
    Badge,
    BadgeStyle,
    badge_html,
    badge_markdown,
    image_url,
    link_url,
)
from directory.launches.figures import live_place
from directory.models import Listing, Site

Status = Listing.Status
UNNAMED = (Status.DRAFT, Status.AWAITING_BADGE)
SHOWING = (*UNNAMED, Status.SCHEDULED, Status.LIVE)


@dataclass(frozen=True, kw_only=True)
class Bearer:
    slug: str
    name: str
    status: str
    method: str
    awards: list[dict[str, Any]]
    place: int | None = None

    def has_earned(self, code: str) -> bool:
        if code in AWARDS:
            return self.status == Status.LIVE and self._week_of(code) is not None
        if code == "verified":
            return self.status == Status.LIVE and bool(self.method)
        return code in {"listed", LIVE}

    def has_image(self, code: str) -> bool:
        """Whether there is something to see at the badge's address: what get_badges names, or the badge waited for."""
        return self.has_earned(code) or (code in CODES and self.status not in UNNAMED)

    def badge(self, code: str, *, site_name: str) -> Badge:
        """What a badge says. A listing that is not public yet is not named; `live` is as `listed` between races."""
        if code in AWARDS:
            return self._award(code, site_name=site_name)
        if code == LIVE and self.place is not None:
            return self._live(site_name=site_name)
        caption = {"verified": "Verified on"}.get(code) or (
            "Listed on" if self.status == Status.LIVE else "Launching on"
        )
        sentence = f"{caption[0].lower()}{caption[1:]} {site_name}"
        title = f"{caption} {site_name}" if self.status in UNNAMED else f"{self._short}: {sentence}"
        mark = "listed" if code == LIVE else code
        return Badge(code=mark, caption=caption, main=site_name, title=title)

    def _award(self, code: str, *, site_name: str) -> Badge:
        week = self._week_of(code)
        when = f", {week.day} {week:%b %Y}" if week else ""
        title = f"{self._short}: Launch of the Week #{AWARDS[code]}{when} on {site_name}"
        return Badge(
            code=code, caption="Launch of the Week", main=f"{ordinal(AWARDS[code])}{when}", title=title
        )

    def _live(self, *, site_name: str) -> Badge:
        caption = f"Live on {site_name}"
        main = f"{ordinal(self.place)} this week" if self.place else "Vote this week"
        return Badge(
            code=LIVE, caption=caption, main=main, title=f"{self._short}: {main}, live on {site_name}"
        )

    @property
    def _short(self) -> str:
        return self.name if len(self.name) <= NAME_LETTERS else f"{self.name[: NAME_LETTERS - 1]}…"

    def _week_of(self, code: str) -> date | None:
        return max(
            (date.fromisoformat(won["week"]) for won in self.awards if won["code"] == code), default=None
        )


def bearer(*, site: Site, slug: str, at: datetime | None = None) -> Bearer | None:
    """A listing that may show badges: live, upcoming, or one whose owner is to put this very badge up.

    With `at` it has its place in the race that runs then.
    """
    row = (
        Listing.objects.filter(site=site, slug=slug, status__in=SHOWING)
        .values_list("pk", "slug", "name", "status", "claimed_by_method", "awards")
        .first()
    )
    if row is None:
        return None
    listing_id, result, name, status, method, awards = row
    place = live_place(listing_id=listing_id, at=at) if at and status == Status.LIVE else None
    return Bearer(slug=result, name=name, status=status, method=method, awards=awards, place=place)


def get_badges(*, site: Site, slug: str, style: BadgeStyle, at: datetime) -> dict[str, Any]:
    """Every badge a listing may show or may yet earn, with the code to copy.

    Raises ListingNotFoundError unless the listing is live or upcoming.
    """
    result = bearer(site=site, slug=slug, at=at)
    if result is None or result.status in UNNAMED:
        raise ListingNotFoundError("There is no such listing.")
    return {
        "listing": slug,
        **vars(style),
        "items": [_item(result, code, style=style, site_name=site.name) for code in CODES],
    }


def _item(result: Bearer, code: str, *, style: BadgeStyle, site_name: str) -> dict[str, Any]:
    badge = result.badge(code, site_name=site_name)
    return {
        "code": code,
        "title": badge.title,
        "earned": result.has_earned(code),
        "svg_url": image_url(result.slug, code, style=style),
        "width": style.width,
        "height": style.height,
        "html": badge_html(slug=result.slug, name=result.name, code=code, style=style, title=badge.title),
        "markdown": badge_markdown(slug=result.slug, code=code, style=style, title=badge.title),
        "link_url": link_url(result.slug),
    }
