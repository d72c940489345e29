"""Profiles on other platforms, told by their addresses."""

import re
from urllib.parse import parse_qs

from core.fetch import split_url

_OTHER_HOSTS = {"twitter.com": "x.com", "fb.com": "facebook.com", "threads.net": "threads.com"}
_SHARES = re.compile(
    r"/(?:share|sharer|intent|dialog|hashtag|search|login|signup|home|watch|embed|playlist|results|"
    r"shorts|p|reel|explore|tr|plugins|submit|about|privacy|policies|legal|help|features|pricing|"
    r"settings|sharing|sharearticle|share-offsite|cws|feed|posts(?=/[\w-]*activity)|jobs|events|"
    r"groups/create|status|i|topics|sponsors|marketplace|orgs/[^/]+/discussions|apps|oauth|pin/create)(?:[/?.]|$)",
    re.IGNORECASE,
)
_ORGANISATION = re.compile(r"^/orgs/([\w-]+)(?:/(?:people|repositories|packages|projects))?/?$")
_HANDLE_PARTS: dict[str, re.Pattern[str]] = {
    "linkedin": re.compile(r"^/(?:company|in|school|showcase|products)/[^/]+", re.IGNORECASE),
    "x": re.compile(r"^/@?\w{1,20}/?$"),
    "facebook": re.compile(r"^/(?!pages/?$|groups/?$)[^/]+"),
    "instagram": re.compile(r"^/@?[\w.]+/?$"),
    "tiktok": re.compile(r"^/@[\w.]+"),
    "youtube": re.compile(r"^/(?:@[^/]+|c/[^/]+|channel/[^/]+|user/[^/]+|[A-Za-z][\w-]{2,}/?$)"),
    "threads": re.compile(r"^/@[\w.]+"),
    "pinterest": re.compile(r"^/[\w-]+/?$"),
    "github": re.compile(r"^/[\w-]+(?:/[\w.-]+)?"),
    "reddit": re.compile(r"^/(?:r|user|u)/[\w-]+", re.IGNORECASE),
    "producthunt": re.compile(r"^/(?:posts|products|@)[/\w-]*[\w-]+", re.IGNORECASE),
    "medium": re.compile(r"^/(?:@[\w.-]+|[\w-]+)/?$"),
}


def platform_of(url: str) -> tuple[str, str] | None:
    """The platform of a profile's address and its handle; nothing for share links and bare hosts."""
    parts = split_url(url)
    host = re.sub(r"^(?:www|m|mobile|[a-z]{2}|old|web)\.(?=[^.]+\.)", "", (parts.hostname or "").lower())
    host = re.sub(r"^pinterest\.[a-z.]{2,6}$", "pinterest.com", host)
    platform, _, end = _OTHER_HOSTS.get(host, host).partition(".")
    path = _folded_path(parts.path)
    if (
        end != "com"
        or platform not in _HANDLE_PARTS
        or path.strip("/") == ""
        or (_SHARES.match(path) and platform != "producthunt")
    ):
        return None
    if platform == "facebook" and path.startswith("/profile.php"):
        handle = parse_qs(parts.query).get("id", [""])[0]
        return ("facebook", handle) if handle else None
    match = _HANDLE_PARTS[platform].match(path)
    if not match:
        return None
    return platform, match.group().strip("/")


def _folded_path(path: str) -> str:
    """A path without what leads to the same profile another way: `#!` and the pages of an organisation."""
    return re.sub(r"^/#!", "", _ORGANISATION.sub(r"/\1", path))


def profile_url(url: str, platform: str) -> str:
    """The profile's address without what follows it: a repository without its pages, no tracking."""
    parts = split_url(url)
    path = _folded_path(parts.path).rstrip("/")
    if platform in {"github", "linkedin", "reddit"}:
        path = "/" + "/".join(path.strip("/").removesuffix(".git").split("/")[:2])
    query = f"?{parts.query}" if platform == "facebook" and "id=" in parts.query else ""
    return f"https://{parts.netloc}{path}{query}"
