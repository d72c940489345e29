"""Which badges a listing has earned, and what they say."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from directory.errors import ListingNotFoundError
from directory.launches.badges import (
    AWARDS,
    CODES,
    NAME_SHOWN,
    Badge,
    Look,
    badge_html,
    badge_markdown,
    image_url,
    link_url,
)
from directory.models import Listing, Site

Status = Listing.Status
UNNAMED = (Status.DRAFT, Status.AWAITING_BADGE)
SHOWING = (*UNNAMED, Status.SCHEDULED, Status.LIVE)


@dataclass(frozen=True, kw_only=True)
class Bearer:
    """What badges say about a listing."""

    slug: str
    name: str
    status: str
    method: str
    awards: list[dict[str, Any]]

    def has_earned(self, code: str) -> bool:
        """Whether the listing may show this badge."""
        if code in AWARDS:
            return self.status == Status.LIVE and self._week_of(code) is not None
        if code == "verified":
            return self.status == Status.LIVE and bool(self.method)
        return code == "listed"

    def has_image(self, code: str) -> bool:
        """Whether there is something to see at the badge's address: what get_badges names, or the badge waited for."""
        return self.has_earned(code) or (code in CODES and self.status not in UNNAMED)

    def badge(self, code: str, *, site_name: str) -> Badge:
        """What a badge says. A listing that is not public yet is not named."""
        if code in AWARDS:
            return self._award(code, site_name=site_name)
        caption = {"verified": "Verified on"}.get(code) or (
            "Listed on" if self.status == Status.LIVE else "Launching on"
        )
        sentence = f"{caption[0].lower()}{caption[1:]} {site_name}"
        title = f"{caption} {site_name}" if self.status in UNNAMED else f"{self._short}: {sentence}"
        return Badge(code=code, caption=caption, main=site_name, title=title)

    def _award(self, code: str, *, site_name: str) -> Badge:
        week = self._week_of(code)
        when = f", {week.day} {week:%b %Y}" if week else ""
        title = f"{self._short}: Launch of the Week #{AWARDS[code]}{when} on {site_name}"
        return Badge(code=code, caption="Launch of the Week", main=f"#{AWARDS[code]}{when}", title=title)

    @property
    def _short(self) -> str:
        return self.name if len(self.name) <= NAME_SHOWN else f"{self.name[: NAME_SHOWN - 1]}…"

    def _week_of(self, code: str) -> date | None:
        return max(
            (date.fromisoformat(won["week"]) for won in self.awards if won["code"] == code), default=None
        )


def bearer(*, site: Site, slug: str) -> Bearer | None:
    """A listing that may show badges: live, upcoming, or one whose owner is to put this very badge up."""
    row = (
        Listing.objects.filter(site=site, slug=slug, status__in=SHOWING)
        .values_list("slug", "name", "status", "claimed_by_method", "awards")
        .first()
    )
    if row is None:
        return None
    result, name, status, method, awards = row
    return Bearer(slug=result, name=name, status=status, method=method, awards=awards)


def get_badges(*, site: Site, slug: str, look: Look) -> dict[str, Any]:
    """Every badge a listing may show or may yet earn, with the code to copy.

    Raises ListingNotFoundError unless the listing is live or upcoming.
    """
    result = bearer(site=site, slug=slug)
    if result is None or result.status in UNNAMED:
        raise ListingNotFoundError("There is no such listing.")
    return {
        "listing": slug,
        **vars(look),
        "items": [_item(result, code, look=look, site_name=site.name) for code in CODES],
    }


def _item(found: Bearer, code: str, *, look: Look, site_name: str) -> dict[str, Any]:
    badge = found.badge(code, site_name=site_name)
    return {
        "code": code,
        "title": badge.title,
        "earned": found.has_earned(code),
        "svg_url": image_url(found.slug, code, look=look),
        "width": look.width,
        "height": look.height,
        "html": badge_html(slug=found.slug, name=found.name, code=code, look=look, title=badge.title),
        "markdown": badge_markdown(slug=found.slug, code=code, look=look, title=badge.title),
        "link_url": link_url(found.slug),
    }
