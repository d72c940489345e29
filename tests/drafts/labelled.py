"""Sites of our own making with labels: read from files, and drafts held against their labels."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from protego import Protego

from drafts.crawl.pages import kind_of
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.writing.port import Evidence, FieldDraft, Written

SITES = Path(__file__).with_name("sites")
HOST = "https://labelled.test"
TEXTS = (
    "name",
    "tagline",
    "short_description",
    "features",
    "pricing_model",
    "pricing_summary",
    "country",
    "city",
    "founded_year",
    "contact_email",
    "logo_url",
    "demo_video_url",
)


def site_names() -> list[str]:
    """Every labelled site."""
    return sorted(folder.name for folder in SITES.iterdir() if (folder / "gold.json").exists())


@cache
def gold_of(site: str) -> dict[str, Any]:
    """The labels of one site."""
    labels: dict[str, Any] = json.loads((SITES / site / "gold.json").read_text(encoding="utf-8"))
    return labels


def report_of(site: str) -> CrawlReport:
    """One site as a crawler would bring it home: closed pages named but not read."""
    folder = SITES / site / "pages"
    robots = folder / "robots.txt"
    rules = Protego.parse(robots.read_text(encoding="utf-8") if robots.exists() else "")
    pages = [_page(folder, file, rules) for file in sorted(folder.rglob("*.html"))]
    pages.sort(key=lambda page: (urlsplit(page.url).path != "/", page.skipped is not None, page.url))
    closed = any(page.skipped for page in pages)
    return CrawlReport(
        start_url=f"{HOST}/",
        home_url=f"{HOST}/",
        robots="partly" if closed else "allowed",
        pages=tuple(pages),
    )


def _page(folder: Path, file: Path, rules: Protego) -> CrawledPage:
    path = ("/" + file.relative_to(folder).as_posix()).removesuffix("index.html")
    is_open = rules.can_fetch(HOST + path, "AnyBot")
    raw = file.read_bytes()
    return CrawledPage(
        url=HOST + path,
        status=200 if is_open else None,
        kind="home" if path == "/" else kind_of(path, ""),
        html=raw.decode() if is_open else "",
        sha256=sha256(raw).hexdigest(),
        skipped=None if is_open else "robots",
        fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
    )


class _Shown(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.attributes: list[str] = []
        self.closed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        wanted = {"content", "href", "src", "alt", "title", "aria-label"}
        self.attributes += [value for key, value in attrs if key in wanted and value]
        if tag in {"style", "template"} or (
            tag == "script" and "ld+json" not in str(dict(attrs).get("type"))
        ):
            self.closed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.closed and self.closed[-1] == tag:
            self.closed.pop()

    def handle_data(self, data: str) -> None:
        if not self.closed:
            self.text.append(data)


def squash(text: str) -> str:
    """A text without white space, case and the differences between quote marks and dashes."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[\u2018\u2019\u201b\u02bc]", "'", re.sub("[\u201c\u201d\u201e\u00ab\u00bb]", '"', text))
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    return re.sub(r"[\s\u00ad\u200b-\u200f\u2060\ufeff]+", "", text).casefold()


@cache
def _strings(site: str, path: str) -> tuple[str, tuple[str, ...]]:
    file = SITES / site / "pages" / (path.lstrip("/") + ("index.html" if path.endswith("/") else ""))
    shown = _Shown()
    shown.feed(file.read_text(encoding="utf-8"))
    return squash("".join(shown.text)), tuple(squash(value) for value in shown.attributes)


def stands(site: str, evidence: Evidence) -> bool:
    """Whether a quote stands on the page that it names, read apart from the code that cut it."""
    text, attributes = _strings(site, urlsplit(evidence.url).path)
    wanted = squash(evidence.quote)
    return len(wanted) > 1 and (wanted in text or any(wanted in value for value in attributes))


@dataclass
class Score:
    """What was drafted over all sites, counted as the labels say."""

    given: int = 0
    right: int = 0
    offered: int = 0
    invented: int = 0
    labelled: int = 0
    quotes: int = 0
    standing: int = 0
    unsupported: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Right values among the given ones."""
        return self.right / self.given

    @property
    def recall(self) -> float:
        """Right values among the labelled ones."""
        return self.right / self.labelled

    @property
    def found(self) -> float:
        """Right values among the labelled ones, set or offered."""
        return (self.right + self.offered) / self.labelled

    def hold(self, site: str, written: Written) -> None:
        """Count one draft."""
        labels = gold_of(site)
        for name in TEXTS:
            draft = written.fields[name]
            self._quotes(site, draft.evidence if draft.value else (), has_value=draft.value is not None)
            self._slot(site, labels, name, draft)
        for name, values, fits in _collections(labels, written):
            self._list(site, labels, name, values, fits)
        for founder in written.founders:
            self._quotes(site, founder.evidence, has_value=True)
        for faq in written.faqs:
            self._quotes(site, faq.evidence, has_value=True)
        for social in written.company_socials.values():
            self._quotes(site, social.evidence, has_value=True)

    def _quotes(self, site: str, evidence: tuple[Evidence, ...], *, has_value: bool) -> None:
        self.quotes += len(evidence)
        valid = [one for one in evidence if stands(site, one)]
        self.standing += len(valid)
        self.unsupported += has_value and not valid

    def _slot(self, site: str, labels: dict[str, Any], name: str, draft: FieldDraft) -> None:
        gold, value = labels["fields"].get(name), draft.value
        if value is not None and forbidden(labels, value):
            self._invent(site, name, value)
        elif gold == "skip" or (gold is None and value == labels["opt"].get("country") and name == "country"):
            return
        elif gold is None:
            if value is not None:
                self._invent(site, name, value)
        else:
            others = () if value else draft.suggestions
            self.offered += any(fits_label(name, other.value, gold) for other in others)
            self._judge(site, name, value, is_right=value is not None and fits_label(name, value, gold))

    def _judge(self, site: str, name: str, value: Any, *, is_right: bool) -> None:
        self.labelled += 1
        self.given += value is not None
        self.right += is_right
        if not is_right:
            self.notes.append(f"{site} {name}: {value!r}")

    def _invent(self, site: str, name: str, value: Any) -> None:
        self.given += 1
        self.invented += 1
        self.notes.append(f"{site} {name} INVENTED: {value!r}")

    def _list(
        self, site: str, labels: dict[str, Any], name: str, values: list[str], fits: Callable[[str], Any]
    ) -> None:
        gold = labels["fields"].get(name)
        if gold == "skip":
            return
        self.labelled += min(len(gold), 10) if gold else 0
        found = set()
        for value in values:
            hit = fits(value)
            if forbidden(labels, value) or (hit is None and not _tolerated(labels, name, value)):
                self._invent(site, name, value)
            elif hit is not None and hit not in found:
                found.add(hit)
                self.given += 1
                self.right += 1


def _collections(
    labels: dict[str, Any], written: Written
) -> Iterator[tuple[str, list[str], Callable[[str], Any]]]:
    gold = labels["fields"]
    people = [p["name"] for p in gold["founders"]] if isinstance(gold["founders"], list) else []
    yield (
        "founders",
        [f.name for f in written.founders],
        lambda v: _first(people, lambda g: squash(g) == squash(v)),
    )
    links = list((gold["socials"] or {}).values())
    given = [str(d.value) for k, d in written.company_socials.items() if k not in {"website", "custom"}]
    yield "socials", given, lambda v: _first(links, lambda g: _profile(g) == _profile(v))
    asked = gold["faqs"] if isinstance(gold["faqs"], list) else []
    yield (
        "faqs",
        [f.question for f in written.faqs],
        lambda v: _first(asked, lambda g: squash(g) in squash(v)),
    )


def _first(labels: list[str], fits: Callable[[str], bool]) -> int | None:
    return next((at for at, label in enumerate(labels) if fits(label)), None)


def _tolerated(labels: dict[str, Any], name: str, value: str) -> bool:
    if name == "founders":
        return any(squash(p["name"]) == squash(value) for p in labels["opt"]["founders"])
    return False


def _profile(url: str) -> str:
    parts = urlsplit(url)
    host = re.sub(r"^(?:www|m)\.", "", parts.hostname or "").replace("twitter.com", "x.com")
    return host + parts.path.rstrip("/").lower()


def forbidden(labels: dict[str, Any], value: Any) -> bool:
    """Whether a value holds what belongs to others, was hidden or is a placeholder."""
    text = (" ".join(value) if isinstance(value, tuple) else str(value)).casefold()
    return any(re.search(rf"(?<![\w.,]){re.escape(w.casefold())}(?!\w)", text) for w in labels["forbidden"])


def fits_label(name: str, value: Any, gold: list[str]) -> bool:
    """Whether a value says what its label says."""
    text = " ".join(value) if isinstance(value, tuple) else str(value)
    if name in {"short_description", "pricing_summary"}:
        need = 0.4 if name == "short_description" else 0.5
        return sum(_says(text, fact) for fact in gold) >= need * len(gold)
    if name == "features":
        return sum(any(_says(item, fact) for item in value) for fact in gold) >= max(
            1, round(len(gold) * 0.6)
        )
    if name in {"logo_url", "demo_video_url"}:
        return any(urlsplit(g).path.rsplit("/", 1)[-1] in text for g in gold)
    if name in {"tagline", "city"}:
        return any(squash(g) in squash(text) or squash(text) in squash(g) for g in gold)
    return any(squash(text) == squash(g) for g in gold)


def _says(text: str, fact: str) -> bool:
    return any(squash(part) in squash(text) for part in fact.split("|"))
