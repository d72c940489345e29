"""Logos, screens and faces, which are files: stored like those that people send, in the sizes and formats of pages."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from config.demo.content import CONTENT, Row, read
from config.demo.listings import Placed
from directory.images import files
from directory.images.pictures import QUICKLY, Made, gallery_of, logo_of, photo_of
from directory.models import Listing

PROCESSES = 2
PICTURES = CONTENT / "pictures"
PREVIEW = "preview.png"


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What is being made of the pictures, by the slug of a listing or founder."""

    logos: Mapping[str, Future[Made]]
    faces: Mapping[str, Future[Made]]
    screens: Mapping[str, Sequence[Future[Made]]]


@contextmanager
def drawing(rows: Iterable[Row]) -> Iterator[Drawn]:
    """Make what pages show of these listings' pictures, beside whatever the caller does meanwhile."""
    rows = list(rows)
    slugs = {row["facts"]["slug"] for row in rows}
    logos = _files("logos", slugs)
    faces = _files("faces", {person["slug"] for row in rows for person in row["founders"]})
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        yield Drawn(
            logos={slug: pool.submit(logo_of, path.read_bytes()) for slug, path in logos.items()},
            faces={slug: pool.submit(photo_of, path.read_bytes()) for slug, path in faces.items()},
            screens={
                slug: [
                    pool.submit(gallery_of, path.read_bytes(), effort=QUICKLY)
                    for path in sorted(PICTURES.glob(f"screens/{slug}-*.webp"))
                ]
                for slug in slugs.intersection(read("pictures.json"))
            },
        )


def _files(kind: str, slugs: Set[str]) -> dict[str, Path]:
    return {path.stem: path for path in PICTURES.glob(f"{kind}/*.webp") if path.stem in slugs}


def store_logos(drawn: Drawn) -> dict[str, str]:
    stored = {}
    for slug, made in drawn.logos.items():
        stored[slug], content = files.named(made.result())
        files.store(stored[slug], content)
    return stored


def store_faces(drawn: Drawn) -> dict[str, str]:
    stored = {}
    for slug, made in drawn.faces.items():
        ((end, content),) = made.result().files.items()
        stored[slug] = f"founders/{hashlib.sha256(content).hexdigest()[:24]}{end}"
        files.store(stored[slug], content)
    return stored


def add_pictures(placed: Sequence[Placed], *, drawn: Drawn) -> None:
    """Show them: in the gallery where a plan has one, else as the picture that its website gives of itself."""
    words = read("pictures.json")
    pictured = [entry.listing for entry in placed if entry.listing.slug in drawn.screens]
    for listing in pictured:
        folder = f"{files.PICTURES}/{listing.pk}"
        pictures = [
            {"alt": alt, **files.store_picture(made.result(), folder=folder)}
            for alt, made in zip(words[listing.slug], drawn.screens[listing.slug], strict=True)
        ]
        if listing.plan == Listing.Plan.PAID:
            listing.media = [{"type": "image", **picture} for picture in pictures]
        else:
            listing.site_picture = {"source": f"{listing.url}/{PREVIEW}", **pictures[0]}
    Listing.objects.bulk_update(pictured, ["media", "site_picture"])
