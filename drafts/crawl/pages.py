"""Chooses the pages of a site that are worth a draft's small budget."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import get_args
from urllib.parse import unquote

from core.fetch import InvalidUrlError, canonical_url, join_url, split_url
from core.normal_forms import normalize
from drafts import languages
from drafts.caching import cached
from drafts.crawl.extract_parts import words
from drafts.crawl.markup import Link
from drafts.crawl.report import PageKind

WEIGHTS: dict[PageKind, int] = {
    "home": 60,
    "pricing": 100,
    "about": 92,
    "team": 86,
    "features": 80,
    "faq": 78,
    "contact": 74,
    "legal": 40,
    "security": 42,
    "other": 34,
    "docs": 22,
    "comparison": 20,
    "blog": 12,
    "jobs": 8,
}
# A page below one of these belongs to it whatever its own name says: a post about prices is a post.
CONTAINERS: tuple[PageKind, ...] = ("blog", "docs", "jobs", "comparison")
ORDER: tuple[PageKind, ...] = get_args(PageKind)[1:-1]
# The codes of languages and of some countries that begin an address.
LANGUAGES = words(
    "ar bg bn bs ca cs da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ka kk ko lt lv mk ms nb nl nn no pl "
    "pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh jp kr cn tw br us gb ua cz dk se"
)
NOTICE_BONUS = 30
MENU_BONUS = {"nav": 8, "footer": 2, "main": 0}
OTHER_IN_MENU_BONUS = 10
REPEAT_COST = 14
DEPTH_COST = 5
OTHER_LANGUAGE_COST = 70
NO_LANGUAGE_COST = 10
OUTSIDE_COST = 25
SITEMAP_COST = 4
SHORT_TEXT = 40

_SPACELESS = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+")
_NOT_PAGES = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|js|mjs|json|xml|rss|atom|zip|gz|tgz|bz2|xz|7z|rar|dmg|exe|msi|"
    r"pkg|deb|rpm|apk|iso|jar|mp[34]|m4[av]|webm|mov|avi|ogg|wav|woff2?|ttf|eot|otf|csv|xlsx?|docx?|pptx?|odt|pdf|"
    r"epub|txt|md|ics|vcf|sig|asc|sha256|torrent|wasm|map)$",
    re.IGNORECASE,
)
_INDEX = re.compile(r"/(?:index|default|home)\.(?:x?html?|php\d?|aspx?|jsp)$", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:x?html?|php\d?|aspx?|jsp|cfm|cgi)$", re.IGNORECASE)
_PAGE_NAMES = frozenset({"page", "p", "id", "page_id", "pageid", "seite", "pagina", "pg", "view"})
_PAGE_VALUE = re.compile(r"[a-z][a-z_-]{2,39}", re.IGNORECASE)
_VISIT = re.compile(
    r"utm_|mc_|ref|source|src|from|lang|hl|sort|order|share|s$|q$|next|return|redirect|theme|\W", re.I
)
"""Names of what a visit came from or how its page is shown; anything but letters is two parameters."""
_DATE = re.compile(r"/(?:19|20)\d\d/\d{1,2}(?:/|$)")


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A page that may be read, and what speaks for it."""

    url: str
    kind: PageKind
    score: int


class Frontier:
    """The pages found and not yet taken, best first. Each page is known once, however it is linked."""

    def __init__(self, home_url: str, *, canonical: str = "") -> None:
        self._home = split_url(home_url)
        self._original = split_url(canonical)
        self._origin = f"{self._home.scheme}://{self._home.netloc}/"
        self._language = _language(self._home.path)
        self._folder = _folder(home_url)
        self._waiting: dict[str, Candidate] = {}
        self._seen = {page_key(home_url)}
        self._taken: Counter[PageKind] = Counter()
        self._home_links = frozenset[str]()
        self._unwanted = set[str]()

    def __len__(self) -> int:
        return len(self._waiting)

    def add_links(self, links: Iterable[Link], *, base: str) -> None:
        """The pages of this site that a page links to. Those it marks nofollow are not even guessed."""
        rows = [(self.own_page(link.href, base=base), link) for link in links]
        self._unwanted |= {page_key(url) for url, link in rows if url and not link.is_open}
        mine = [(url, link) for url, link in rows if url and link.is_open]
        self._home_links = self._home_links or frozenset(split_url(url).path for url, _ in mine)
        self._learn_language(url for url, _ in mine)
        for url, link in mine:
            self._add(url, text=link.text, bonus=MENU_BONUS[link.place], is_menu=link.place == "nav")

    def add_sitemap(self, addresses: Iterable[str]) -> None:
        mine = [url for url in (self.own_page(address, base="") for address in addresses) if url]
        self._learn_language(mine)
        for url in mine:
            self._add(url, text="", bonus=-SITEMAP_COST, is_menu=False)

    def know(self, url: str) -> None:
        self._seen.add(page_key(url))
        self._waiting.pop(page_key(url), None)

    def best(self) -> Candidate | None:
        """The most useful page left; a further page of a kind already taken counts less."""
        if not self._waiting:
            return None
        return min(
            self._waiting.values(),
            key=lambda page: (REPEAT_COST * self._taken[page.kind] - page.score, len(page.url), page.url),
        )

    def take(self, page: Candidate) -> None:
        """Takes the page out: it is being read."""
        del self._waiting[page_key(page.url)]
        self._taken[page.kind] += 1

    def count(self, *, at_least: int) -> int:
        return sum(page.score >= at_least for page in self._waiting.values())

    @property
    def default_sitemap(self) -> str:
        """Where a sitemap stands when robots.txt names none."""
        return f"{self._folder or self._origin}sitemap.xml"

    def is_ours(self, url: str) -> bool:
        """Whether a canonical address belongs to this site, its `www.` twin included."""
        return _without_www(split_url(url).netloc) == _without_www(self._home.netloc)

    def own_url(self, href: str, *, base: str) -> str:
        """The address on this site of what a link leads to; empty for other sites. A query stays if it names a page.

        The `www.` twin is asked under the home page's own name, so that one robots.txt and one set of
        connections serve all pages. So is the host that the home page calls canonical: what we read may be
        a preview or a copy whose links name the original, and the crawl stays where it was sent.
        """
        if href.startswith(("#", "mailto:", "tel:", "javascript:", "data:")):
            return ""
        url = _canonical(join_url(base, href))
        path = split_url(url).path
        if self.is_ours(url):
            return self._origin + path[1:] + _query(url)
        if not url or _without_www(split_url(url).netloc) != _without_www(self._original.netloc):
            return ""
        top = _parent(self._original.path)
        return (
            self._origin + (_parent(self._home.path) + path[len(top) :] if path.startswith(top) else path)[1:]
        ) + _query(url)

    def own_page(self, href: str, *, base: str) -> str:
        """The same for what may be a page; empty for pictures, archives and other files."""
        url = self.own_url(href, base=base)
        return "" if _NOT_PAGES.search(url) else url

    def guess(self, names: Mapping[PageKind, str]) -> set[str]:
        """Adds pages that no link names but most sites have, for the kinds not found so far."""
        top = self._origin + _parent(self._home.path)[1:]
        urls = {top + name for kind, some in names.items() if not self._taken[kind] for name in some.split()}
        for url in urls:
            if page_key(url) not in self._unwanted:
                self._add(url, text="", bonus=0, is_menu=False)
        return urls & {page.url for page in self._waiting.values()}

    def move_up(self, missing: Candidate) -> None:
        """Looks for pages one folder higher, when the home page links only into a folder that is not here.

        A copy of a project site keeps the name of the project at the head of its links, with its old home
        page among them.
        """
        folder = _top_folder(split_url(missing.url).path)
        is_old_top = folder in self._home_links and all(path.startswith(folder) for path in self._home_links)
        if not is_old_top or self._home.path.startswith(folder):
            return
        for page in [missing, *self._waiting.values()]:
            self.know(page.url)
            url = page.url.replace(folder, "/", 1)
            if page_key(url) not in self._seen:
                self._seen.add(page_key(url))
                self._waiting[page_key(url)] = replace(page, url=url)

    def _add(self, url: str, *, text: str, bonus: int, is_menu: bool) -> None:
        key = page_key(url)
        path = split_url(url).path
        is_taken = key in self._seen and key not in self._waiting
        if is_taken or named("never") & frozenset(_segments(path)):
            return
        kind = kind_of(path + _query(url).replace("=", "/").replace("?", "/"), text)
        score = WEIGHTS[kind] + bonus - self._place_cost(url, path)
        if kind == "home":
            # The front page of a site that was submitted by an inner page.
            kind = "other"
        elif kind == "other" and is_menu:
            score += OTHER_IN_MENU_BONUS
        if kind == "legal" and (named("notice") & (_words(path) | _words(text))):
            score += NOTICE_BONUS
        existing = self._waiting.get(key)
        if existing is None or score > existing.score:
            self._waiting[key] = Candidate(url=existing.url if existing else url, kind=kind, score=score)
        self._seen.add(key)

    def _place_cost(self, url: str, path: str) -> int:
        depth = len([segment for segment in _segments(path) if segment not in LANGUAGES])
        cost = DEPTH_COST * max(depth - 1, 0)
        if _language(path) != self._language:
            cost += OTHER_LANGUAGE_COST if _language(path) else NO_LANGUAGE_COST
        if self._folder and not url.startswith(self._folder):
            cost += OUTSIDE_COST
        return cost

    def _learn_language(self, urls: Iterable[str]) -> None:
        """A site whose every page stands below /en/ speaks that language at its bare home page too."""
        if self._language or len(self._seen) > 1:
            return
        counted = Counter(_language(split_url(url).path) for url in set(urls))
        counted[_language(self._home.path)] += 1
        self._language = counted.most_common(1)[0][0]


@cache
def named(name: str) -> frozenset[str]:
    """The words of a kind of page; one that ends in * stands for every word that begins so."""
    return frozenset(languages.phrases(f"page_{name}"))


@cached(8192)
def _canonical(url: str) -> str:
    """The address in canonical form, or empty; kept, since every page of a site repeats the same menu."""
    try:
        return canonical_url(url)
    except InvalidUrlError:
        return ""


def page_key(url: str) -> str:
    """Equal for addresses that show one page: with and without slash, index file and scheme."""
    return (_INDEX.sub("/", split_url(url).path).rstrip("/") or "/") + _query(url)


@cached(8192)
def _query(url: str) -> str:
    """The query of an address when it names a page, as `?page=2` and `?p=prices` do; empty when it marks a visit."""
    query = split_url(url).query
    name, _, value = query.partition("=")
    is_page = name.lower() in _PAGE_NAMES and value.isalnum()
    is_name = bool(_PAGE_VALUE.fullmatch(value)) and not _VISIT.match(name)
    return f"?{query}" if is_page or is_name else ""


@cached(8192)
def kind_of(path: str, text: str) -> PageKind:
    """What a page is for, told by its address and by the words that link to it."""
    if page_key(f"x://x{path}") == "/":
        return "home"
    if _DATE.search(path):
        return "blog"
    *above, last = (_words(segment) for segment in _segments(path))
    inside = next((kind for words in above for kind in CONTAINERS if _matches(words, kind)), None)
    if inside is not None:
        return inside
    short = text if len(text) <= SHORT_TEXT else ""
    names = (last, _words(short), *above)
    return next((kind for words in names for kind in ORDER if _matches(words, kind)), "other")


def _segments(path: str) -> list[str]:
    folded = _EXTENSION.sub("", unquote(path)).lower()
    return [segment for segment in folded.split("/") if segment]


def _language(path: str) -> str:
    """The language folder a path begins with, like `de` of /de-ch/preise; empty when there is none."""
    first = path.strip("/").partition("/")[0].lower()
    head, mark, rest = first.replace("_", "-").partition("-")
    return head if head in LANGUAGES and (not mark or len(rest) in {2, 4}) else ""


def _folder(url: str) -> str:
    """Where the pages beside this one stand; empty for the top of a site or of one of its languages."""
    segments = _segments(split_url(url).path.rpartition("/")[0])
    if not segments or (len(segments) == 1 and _language(split_url(url).path)):
        return ""
    return url[: url.rfind("/") + 1]


def _top_folder(path: str) -> str:
    first, slash, _ = path[1:].partition("/")
    return f"/{first}/" if slash else "/"


def _parent(path: str) -> str:
    return path[: path.rfind("/") + 1] or "/"


def _without_www(authority: str) -> str:
    return authority.removeprefix("www.")


@cached(4096)
def _words(text: str) -> frozenset[str]:
    """The words of a name, and the name run together, as addresses often are."""
    words = _WORD.findall(bare(text))
    return frozenset([*words, "".join(words)])


def bare(text: str) -> str:
    """A text in small letters without accents. Composing again at the end keeps Korean syllables whole."""
    letters = normalize("NFKD", text.casefold())
    return normalize("NFC", "".join(c for c in letters if not unicodedata.combining(c)))


def _matches(words: frozenset[str], kind: PageKind) -> bool:
    exact, beginnings, inside = _table(kind)
    if words & exact:
        return True
    return any(
        word.startswith(beginnings) or (not word.isascii() and any(part in word for part in inside))
        for word in words
    )


@cache
def _table(kind: PageKind) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """Whole words, beginnings, and pieces of scripts that write no spaces."""
    listed = [bare(word) for word in named(kind)]
    beginnings = tuple(word[:-1] for word in listed if word.endswith("*"))
    whole = frozenset(word.replace("-", "") for word in listed if not word.endswith("*"))
    return whole, beginnings or ("\0",), tuple(filter(_SPACELESS.search, listed))
