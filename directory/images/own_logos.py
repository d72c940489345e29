"""Logos that people sent us have an address of ours, which listings, drafts and their versions name like any other."""

import hashlib
import re

from django.conf import settings

from core.api.links import absolute
from directory.images.pictures import Made

FOLDER = "logos"
_FILE = re.compile(r"[0-9a-f]{32}\.(?:webp|svg)")


def own_logo(url: str | None) -> str:
    """The stored file that this address is of; empty for an address of somebody else."""
    file = (url or "").removeprefix(absolute(f"{settings.MEDIA_URL}{FOLDER}/"))
    return f"{FOLDER}/{file}" if _FILE.fullmatch(file) else ""


def address_of(name: str) -> str:
    return absolute(f"{settings.MEDIA_URL}{name}")


def named(made: Made) -> tuple[str, bytes]:
    """The name and content under which a prepared logo is stored: the same one has the same name."""
    ((end, content),) = made.files.items()
    return f"{FOLDER}/{hashlib.sha256(content).hexdigest()[:32]}{end}", content
