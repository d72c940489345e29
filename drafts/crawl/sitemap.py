"""Reads sitemaps without trusting them."""

import zlib
from dataclasses import dataclass

from lxml import etree

MAX_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Sitemap:
    """The addresses one file lists: of pages, and of further sitemaps."""

    pages: tuple[str, ...] = ()
    nested: tuple[str, ...] = ()


def parse_sitemap(body: bytes, *, max_urls: int) -> Sitemap:
    """What the file lists: XML, gzip or one address per line. A file that cannot be read lists nothing."""
    if body.startswith(b"\x1f\x8b"):
        body = _unpacked(body)
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        # No sitemap needs entities, and a few lines of them can grow to gigabytes.
        return Sitemap()
    body = body.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not body.startswith(b"<"):
        lines = body.decode("utf-8", errors="replace").split()
        return Sitemap(pages=tuple(line for line in lines if line.startswith("http"))[:max_urls])
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
    )
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return Sitemap()
    return Sitemap() if root is None else _listed(root, max_urls)


def _listed(root: etree._Element, max_urls: int) -> Sitemap:
    pages: list[str] = []
    nested: list[str] = []
    for place in root.iter("{*}loc"):
        parent = place.getparent()
        # Image and video extensions have a loc of their own.
        owner = "" if parent is None else etree.QName(parent).localname
        if owner in {"url", "sitemap"}:
            (pages if owner == "url" else nested).append((place.text or "").strip())
        if len(pages) + len(nested) >= max_urls:
            break
    return Sitemap(pages=tuple(filter(None, pages)), nested=tuple(filter(None, nested)))


def _unpacked(body: bytes) -> bytes:
    """As much of a packed file as a plain one may have."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, MAX_BYTES)
    except zlib.error:
        return b""
