"""Words by which a site says that its product is not finished yet."""

from drafts.languages import Shape

_STATED = Shape(r"{stage}", r"^\W*(?:v?\d[\d.]*\s)?{stage_badge}\W*$")
_NAMED = {
    name: Shape(f"{{stage_{name.replace('-', '_')}}}")
    for name in ("public-beta", "open-beta", "private-beta", "closed-beta", "early-access", "alpha")
}


def stage_in(text: str) -> str | None:
    """The stage that a text states: a beta, unless it says more of it."""
    if not _STATED.search(text):
        return None
    return next((name for name, shape in _NAMED.items() if shape.search(text)), "beta")
