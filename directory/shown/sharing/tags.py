"""What a page tells those who link to it: its address, title, text, structured data, and what its card image says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from core.api.links import on_site
from directory.wording import at_a_word

WIDTH, HEIGHT = 1200, 630
DRAWING = "directory.shown.sharing.drawing"  # with Pillow 4 MB in each process, loaded for the first image
CONTEXT = "https://schema.org"
A_YEAR, AN_HOUR = 31_536_000, 3600
TEXT = 170


@dataclass(frozen=True, kw_only=True)
class Row:
    """A product in a list: its name, what it says of itself, and its logo's name in the media storage."""

    name: str
    text: str = ""
    logo: str = ""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What an image shows: one subject, or up to three rows below a heading."""

    site: str
    title: str
    text: str = ""
    kicker: str = ""
    foot: str = ""
    logo: str = ""
    letter: str = ""
    cover: str = ""
    rank: int = 0
    is_paid: bool = False
    rows: tuple[Row, ...] = ()

    @property
    def alt(self) -> str:
        rows = (f"{number}. {row.name}: {row.text}" for number, row in enumerate(self.rows, 1))
        paid = "PAID" if self.is_paid else ""
        return " · ".join(
            part for part in (paid, self.kicker, self.title, self.text, *rows, self.foot) if part
        )


@lru_cache(maxsize=64)
def png(picture: Picture) -> bytes:
    image: bytes = import_module(DRAWING).drawn(picture)
    return image


@dataclass(frozen=True, kw_only=True)
class Share:
    """A page as others show it; `data` is JSON-LD."""

    title: str
    text: str
    path: str
    picture: Picture
    name: str = ""  # of its kind and key, as its image has them in its address; without one, those of `path`
    type: str = "website"
    drawn_at: str = ""  # where its image is, of a page that has one of its own
    data: Sequence[Mapping[str, Any]] = ()

    @property
    def url(self) -> str:
        return on_site(self.path)

    @property
    def markdown(self) -> str:
        return on_site("/index.md" if self.path == "/" else f"{self.path}.md")

    @property
    def image(self) -> str:
        return on_site(self.image_path)

    @property
    def image_path(self) -> str:
        """With a hash of what is drawn, so that another text gets another image."""
        name, digest = self.name or self.path[1:], sha256(repr(self.picture).encode()).hexdigest()[:12]
        return self.drawn_at or f"/share/{name}/{digest}.png"

    @property
    def size(self) -> tuple[int, int]:
        return WIDTH, HEIGHT


def image_response(request: HttpRequest, share: Share) -> HttpResponse:
    """The image as it is now; an address of an earlier one leads to it."""
    if request.path != share.image_path:
        result: HttpResponse = HttpResponseRedirect(share.image_path)
        result["Cache-Control"] = f"public, max-age={AN_HOUR}"
        return result
    result = HttpResponse(png(share.picture), content_type="image/png")
    result["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return result


def stored_logo(card: Mapping[str, Any]) -> str:
    """The name in the media storage of a summary's logo; empty when it is elsewhere or there is none."""
    return stored(card["logo_url"] or "")


def stored(url: str) -> str:
    """The name in the media storage of what is at an address of ours; empty for another one."""
    _, ours, name = url.partition(settings.MEDIA_URL)
    return name if ours else ""


def crumbs(*steps: tuple[str, str]) -> dict[str, Any]:
    """The way to a page: names and paths, from the home page on."""
    return {
        "@context": CONTEXT,
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": number, "name": name, "item": on_site(path)}
            for number, (name, path) in enumerate(steps, start=1)
        ],
    }


def web_addresses(*addresses: str) -> list[str]:
    return [address for address in addresses if address.startswith(("https://", "http://"))]


def stated(kind: str, **facts: Any) -> dict[str, Any]:
    """A thing of schema.org with those of its facts that are known."""
    return {"@context": CONTEXT, "@type": kind, **{name: value for name, value in facts.items() if value}}


def shortened(text: str | None) -> str:
    text = " ".join((text or "").split())
    return at_a_word(text, TEXT)


def day(on: date | str) -> str:
    """A day, or the day of a time as the interface writes it, as the pages write it."""
    result = date.fromisoformat(on[:10]) if isinstance(on, str) else on
    return f"{result.day} {result:%B %Y}"
