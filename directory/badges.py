"""Our badge: where it leads, where its images are, and the code that shows it."""

from html import escape

from core.links import absolute


def link_url(slug: str) -> str:
    """Where a badge leads: the listing's page."""
    return absolute(f"/listings/{slug}")


def image_prefix(slug: str) -> str:
    """What the addresses of a listing's badge images begin with."""
    return absolute(f"/badges/{slug}/")


def badge_html(*, slug: str, name: str) -> str:
    """The code to put on a homepage."""
    image = f"{image_prefix(slug)}listed.svg"
    return (
        f'<a href="{escape(link_url(slug))}"><img src="{escape(image)}" alt="{escape(name)} on our directory"></a>'
    )
