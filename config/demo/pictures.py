"""Logos, screens and faces: drawn while the rows are loaded, stored like those that people send."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from config.demo.content import Row, read
from config.demo.drawing import making
from config.demo.listings import Placed
from directory.images import files, own_logos
from directory.images.pictures import Made
from directory.models import Listing

PROCESSES = 2
PREVIEW = "preview.png"


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What is being drawn, by the slug of its listing or founder."""

    logos: Mapping[str, Future[Made]]
    faces: Mapping[str, Future[Made]]
    screens: Mapping[str, Sequence[Future[Made]]]


@contextmanager
def drawing(rows: Iterable[Row]) -> Iterator[Drawn]:
    """Draw the pictures of these listings beside whatever the caller does meanwhile."""
    looks = read("pictures.json")
    few = [row for row in rows if row["facts"]["slug"] in looks or row["reviewed"]]
    people = dict.fromkeys(person["slug"] for row in few for person in row["founders"])
    plans = {row["facts"]["slug"]: row["facts"]["plan"] for row in few}
    mine = {slug: looks[slug] for slug in plans if slug in looks}
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        yield Drawn(
            logos={slug: pool.submit(making.logo, look) for slug, look in mine.items()},
            faces={slug: pool.submit(making.photo, slug) for slug in people},
            screens={
                slug: [
                    pool.submit(making.shot, look, number, plans[slug] == Listing.Plan.PAID and number == 0)
                    for number in range(len(look["screens"]))
                ]
                for slug, look in mine.items()
            },
        )


def store_logos(drawn: Drawn) -> dict[str, str]:
    """Store the logos; gives the file of each."""
    stored = {}
    for slug, made in drawn.logos.items():
        stored[slug], content = own_logos.named(made.result())
        files.store(stored[slug], content)
    return stored


def store_faces(drawn: Drawn) -> dict[str, str]:
    """Store the photos of founders; gives the file of each."""
    stored = {}
    for slug, made in drawn.faces.items():
        ((end, content),) = made.result().files.items()
        stored[slug] = f"founders/{hashlib.sha256(content).hexdigest()[:24]}{end}"
        files.store(stored[slug], content)
    return stored


def add_pictures(placed: Sequence[Placed], *, drawn: Drawn) -> None:
    """Show them: in the gallery where a plan has one, else as the picture that its website gives of itself."""
    looks = read("pictures.json")
    shown = [entry.listing for entry in placed if entry.listing.slug in drawn.screens]
    for listing in shown:
        folder = f"{files.PICTURES}/{listing.pk}"
        pictures = [
            {"alt": words["alt"], **files.store_picture(made.result(), folder=folder)}
            for words, made in zip(looks[listing.slug]["screens"], drawn.screens[listing.slug], strict=True)
        ]
        if listing.plan == Listing.Plan.PAID:
            listing.media = [{"type": "image", **picture} for picture in pictures]
        else:
            listing.site_picture = {"source": f"{listing.url}/{PREVIEW}", **pictures[0]}
    Listing.objects.bulk_update(shown, ["media", "site_picture"])
