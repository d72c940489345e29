"""What the text under a heading is for, told by the heading in many languages."""

from drafts.keeping import kept
from drafts.languages import Shape

_NO_PLANS = Shape(r"(?!\s+{heading_plans})")
HEADING_ROLES = {
    role: Shape(f"{{heading_{role}}}" + ("{no_plans}" if role == "comparison" else ""), no_plans=_NO_PLANS)
    for role in (
        *("review", "person", "job", "comparison", "blog", "donation", "faq", "price", "steps", "feature"),
        *("why", "others", "audience", "event", "contact", "sample", "host"),
    )
}
_LONG_HEADING = 90
_LONG_TITLE = 6
_SHORT_ONLY = frozenset({"person", "job", "steps", "others", "contact", "event", "blog", "sample", "why"})


@kept(4096)
def heading_roles(text: str) -> frozenset[str]:
    """The roles that a heading gives to the text under it."""
    if not text or len(text) > _LONG_HEADING:
        return frozenset()
    is_long = len(text.split()) > _LONG_TITLE
    return frozenset(
        role
        for role, shape in HEADING_ROLES.items()
        if shape.search(text) and not (is_long and role in _SHORT_ONLY)
    )
