"""How much of a stranger's site, and of our time, one crawl may take."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Budget:
    """The bounds of one crawl. `requests` counts pages that gave nothing, too.

    `site_seconds` leaves time for writing the draft within a minute of the start.
    """

    pages: int = 12
    requests: int = 20
    page_bytes: int = 2 * 1024 * 1024
    site_bytes: int = 8 * 1024 * 1024
    site_tags: int = 100_000
    page_seconds: float = 20.0
    site_seconds: float = 45.0
    robots_seconds: float = 10.0
    sitemap_seconds: float = 5.0
    sitemap_files: int = 5
    sitemap_urls: int = 1000
    connections: int = 2
    max_delay: float = 10.0
    links: int = 2000
    closed_pages: int = 12
