"""Storing what was made of a picture of a listing."""

import hashlib
from typing import Any

from directory.images import files
from directory.images.pictures import Made


def store_picture(made: Made, *, folder: str) -> dict[str, Any]:
    """Store all files of a picture, for a row of the caller's transaction; gives what that row says of them."""
    stem = f"{folder}/{hashlib.sha256(next(iter(made.files.values()))).hexdigest()[:24]}"
    for end, content in made.files.items():
        files.store(f"{stem}{end}", content)
    main = f"{stem}{next(iter(made.files))}"
    return {"file": main, "width": made.width, "height": made.height, "sizes": list(made.sizes)}
