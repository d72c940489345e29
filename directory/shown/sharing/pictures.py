"""What a card image says, and the image itself once somebody asks for it."""

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

WIDTH, HEIGHT = 1200, 630
DRAWING = "directory.shown.sharing.drawing"  # with Pillow 4 MB in each process, loaded for the first image


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
