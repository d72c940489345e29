"""Draft every site of a corpus straight from its files, without a crawler, and write the scorer's format."""

import argparse
import json
import re
import sys
import time
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from protego import Protego

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from directory.data.categories import category_tree
from drafts.crawl.pages import kind_of
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint, Evidence, FieldDraft, Value, Written

CANONICAL = re.compile(
    r"""<link[^>]+rel=["']canonical["'][^>]+href=["'](https?://[^/"']+)|"""
    r"""<link[^>]+href=["'](https?://[^/"']+)[^>]+rel=["']canonical|"""
    r"""property=["']og:url["'][^>]+content=["'](https?://[^/"']+)"""
)
HINTS = tuple(CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in category_tree())
PAGES = 12
AGENT = "LaunchDirectoryBot"
FIRST = [
    "pricing",
    "about",
    "team",
    "features",
    "faq",
    "contact",
    "legal",
    "security",
    "other",
    "docs",
    "blog",
    "jobs",
    "comparison",
]


def decode(raw: bytes) -> str:
    """Read one file of the corpus; the crawler's own rules for charsets are not needed here."""
    for encoding in ("utf-8-sig", "cp1251" if b"windows-1251" in raw[:4096].lower() else "latin-1"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")


def host_of(folder: Path) -> str:
    """The address that the home page itself names, as the site would be served under it."""
    home = folder / "index.html"
    found = CANONICAL.search(decode(home.read_bytes())) if home.exists() else None
    return next(filter(None, found.groups())) if found else f"http://{folder.parent.name}.test"


def read_folder(folder: Path) -> CrawlReport:
    """A crawl report made from files, with the paths left out that robots.txt closes or that are served oddly."""
    host = host_of(folder)
    robots_file = folder / "robots.txt"
    robots = Protego.parse(decode(robots_file.read_bytes()) if robots_file.exists() else "")
    rules_file = folder / "_site.json"
    rules: dict[str, Any] = json.loads(rules_file.read_text()) if rules_file.exists() else {}
    found = []
    for file in sorted(folder.rglob("*.html")):
        path = "/" + file.relative_to(folder).as_posix()
        path = path.removesuffix("index.html") if path.endswith("/index.html") else path
        if path in rules:
            continue
        closed = not robots.can_fetch(host + path, AGENT)
        raw = file.read_bytes()
        kind = "home" if path == "/" else kind_of(path, "")
        found.append(
            CrawledPage(
                url=host + path,
                status=None if closed else 200,
                size=len(raw),
                kind=kind,
                html="" if closed else decode(raw),
                sha256=sha256(raw).hexdigest(),
                skipped="robots" if closed else None,
                fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
        )
    found.sort(
        key=lambda page: (page.kind != "home", FIRST.index(page.kind) if page.kind in FIRST else 0, page.url)
    )
    open_pages = [page for page in found if page.skipped is None][:PAGES]
    closed_pages = [page for page in found if page.skipped is not None]
    return CrawlReport(
        start_url=host + "/",
        home_url=host + "/",
        robots="partly" if closed_pages else "allowed",
        pages=tuple(open_pages + closed_pages),
    )


def evidence_out(evidence: tuple[Evidence, ...]) -> list[dict[str, str]]:
    """Evidence in the scorer's format."""
    return [{"url": e.url, "quote": e.quote} for e in evidence]


def field_out(draft: FieldDraft) -> dict[str, Any]:
    """One field in the scorer's format."""
    if draft.value is None:
        blank = {"value": None, "state": "not_found", "evidence": [], "reason": draft.reason}
        return {**blank, "suggestions": suggestions_out(draft)}
    evidence = evidence_out(draft.evidence)
    known = {"confidence": draft.confidence, "suggestions": suggestions_out(draft)}
    return {"value": _plain(draft.value), "state": "ai", "evidence": evidence, **known}


def suggestions_out(draft: FieldDraft) -> list[str | list[str]]:
    """The suggestions of one field, of which the scorer asks whether one is right."""
    return [_plain(one.value) for one in draft.suggestions]


def _plain(value: Value) -> str | list[str]:
    return list(value) if isinstance(value, tuple) else value


def draft_out(written: Written) -> dict[str, Any]:
    """One draft in the scorer's format."""
    return {
        "fields": {key: field_out(draft) for key, draft in written.fields.items()},
        "founders": [
            {"name": f.name, "title": f.title, "bio": f.bio, "evidence": evidence_out(f.evidence)}
            for f in written.founders
        ],
        "socials": {k: field_out(v) for k, v in written.company_socials.items()},
        "faqs": [
            {"question": f.question, "answer": f.answer, "evidence": evidence_out(f.evidence)}
            for f in written.faqs
        ],
    }


def main() -> None:
    """Draft all sites, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "dev"
    parser.add_argument("--corpus", type=Path, default=default)
    parser.add_argument("--out", type=Path, default=Path("drafts.json"))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    writer = ExtractiveWriter(HINTS)
    drafts: dict[str, Any] = {}
    seconds: list[float] = []
    for folder in sorted(options.corpus.iterdir()):
        pages = folder / "pages"
        if not pages.is_dir() or (only and folder.name not in only):
            continue
        started = time.process_time()
        drafts[folder.name] = draft_out(writer.write(read_site(read_folder(pages))))
        seconds.append(time.process_time() - started)
    options.out.write_text(json.dumps(drafts, ensure_ascii=False, indent=1), encoding="utf-8")
    seconds.sort()
    print(
        f"{len(drafts)} sites, CPU seconds: median {seconds[len(seconds) // 2]:.2f}, most {seconds[-1]:.2f}"
    )


if __name__ == "__main__":
    main()
