"""Who a site speaks for: its own names and hosts, and the rivals that it names."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

from core.domains import host_of
from drafts import languages
from drafts.crawl.extract_parts import Node, PageText, SiteText, words
from drafts.crawl.extract_structured import first_text
from drafts.languages import Shape
from drafts.writing.cues.people import LEGAL_FORM
from drafts.writing.text import folded, has_words, squashed

PRODUCT_TYPES = words(
    "SoftwareApplication WebApplication MobileApplication Product SoftwareSourceCode VideoGame"
)
COMPANY_TYPES = words("Organization Corporation LocalBusiness ProfessionalService Store NGO")
_FOREIGN_NODE = re.compile(
    r"review|author|job|event|member|alumni|subject|isRelated|isSimilar|competitor", re.IGNORECASE
)
"""Where in the markup others stand."""
_LEGAL_FORM = re.compile(rf"(?<![,\s])[,\s]++{LEGAL_FORM}$", re.IGNORECASE)
_HOLDER = re.compile(
    r"©\s*(?:\d{4}(?:\s*[-–—]\s*\d{4})?)?,?\s*([A-ZÀ-ÞŁŚŻ][\w&'’-]*(?: [A-ZÀ-ÞŁŚŻ&][\w&'’-]*){0,3}?),?\s+"
    rf"{LEGAL_FORM}(?!\w)"
)
"""Whose the copyright is, where a legal form follows the name."""
_VERSUS = Shape(r"^(.{2,40}?)\s+{versus}\s+(.{2,40}?)[?!.]?$")
_INSTEAD = Shape(
    r"(?:{instead_of}|{leaving}(?=\s\S+(?:\s\S+)?\s{for}))\s+(?P<rival>[A-Z][\w.&-]+(?: [A-Z][\w.&-]+)?)",
    r"^(?:{article}\s)?(?:(?:{superlative}|{free}|{open_source})\s)*(?P<other>[A-Z][\w.-]+)\s{alternative}",
    flags=0,
)
_IS_A = Shape(r"^(?:\s?\([^)]*\))?,? (?:{is}|[—–-]) {is_a}\b", r"^[」』]?{topic}")
_OFTEN = 5
_RIVALS = 60  # each is looked for in each sentence


def without_legal_form(name: str) -> str:
    """A company's name without GmbH, Inc. and the like."""
    return _LEGAL_FORM.sub("", name).strip(" ,")


@dataclass(frozen=True)
class Identity:
    """The names and hosts of the product and its company, and the names of its rivals."""

    names: tuple[str, ...]
    hosts: frozenset[str]
    rivals: tuple[str, ...]

    @cached_property
    def keys(self) -> frozenset[str]:
        """The names without spaces and case, and the first labels of the hosts."""
        labels = {host.split(".")[0] for host in self.hosts if not host.replace(".", "").isdigit()}
        result = {re.sub(r"[^\w]", "", squashed(name)) for name in self.names} | labels
        return frozenset(key for key in result if len(key) >= 3 and key not in {"localhost", "www", "github"})

    def named_in(self, text: str) -> bool:
        return any(has_words(text, name) for name in self.names)

    def introduced_in(self, text: str) -> bool:
        """Whether a text begins with what the product is: its name, and that it is a thing of some kind."""
        names = (name for name in self.names if text.startswith(name))
        return any(_IS_A.match(text.removeprefix(name)) for name in names)

    def rival_in(self, text: str) -> bool:
        return any(has_words(text, rival) for rival in self.rivals)

    def resembles(self, text: str) -> bool:
        """Whether a handle, a host or a name looks like one of the own names."""
        key = re.sub(r"[^\w]|_", "", squashed(text))
        others = (own.replace("_", "").replace("-", "") for own in self.keys)
        return len(key) >= 3 and any(
            key == own or (len(own) > 3 and own in key) or (len(key) > 3 and key in own) for own in others
        )

    def is_node(self, node: Node) -> bool:
        """Whether an object of the markup is the product or its company: by its name, else by its type."""
        name = first_text(node.data.get("name"))
        if _FOREIGN_NODE.search(node.path):
            return False
        if name:
            return self.named_in(name) or self.resembles(name)
        return bool(node.types & (COMPANY_TYPES | PRODUCT_TYPES | {"WebSite"}))


def site_hosts(site: SiteText) -> frozenset[str]:
    """The hosts of the site: where it was read and where it says that it lives."""
    urls = [site.home_url]
    for page in site.pages:
        urls += [page.meta.get(key, "") for key in ("canonical", "og:url")]
        urls += [url for node in _firms(page) if isinstance(url := node.data.get("url"), str)]
    return frozenset(host for url in urls if (host := host_of(url)))


def _firms(page: PageText) -> list[Node]:
    """What the markup of a page says of the site and its company first of all."""
    kinds = {"Organization", "WebSite", "Corporation"}
    return [node for node in page.nodes if node.types & kinds and "." not in node.path]


def identify(site: SiteText, name: str | None) -> Identity:
    """The identity of a site whose product is called `name`."""
    names = _own_names(site, name)
    hosts = site_hosts(site)
    bare = Identity(names, hosts, ())
    return Identity(names, hosts, tuple(sorted(_rivals(site, bare))[:_RIVALS]))


def _own_names(site: SiteText, name: str | None) -> tuple[str, ...]:
    result = Counter[str]()
    if name:
        result[name] += 10
        result[without_legal_form(name)] += 10
    for page in site.pages:
        for key in ("og:site_name", "application-name", "apple-mobile-web-app-title"):
            if key in page.meta:
                result[without_legal_form(page.meta[key])] += 1
        names = (node.data.get("name") for node in _firms(page) if node.path in {"", "@graph"})
        result.update(without_legal_form(name) for name in names if isinstance(name, str))
    result.update(_holders(site))
    visible = _visible(site)
    fitting = ((name, count) for name, count in result.most_common(12) if 2 <= len(name) <= 60)
    return tuple(name for name, count in fitting if count >= _OFTEN or has_words(visible, name))[:8]


def _holders(site: SiteText) -> list[str]:
    lines = (s.text for page in site.pages for s in page.texts if "©" in s.text)
    return [name.strip() for line in lines for name in _HOLDER.findall(line)]


def _visible(site: SiteText) -> str:
    """What visitors read outside of reviews: markup alone may be the left-over of a template."""
    parts = [page.title for page in site.pages]
    for page in site.pages:
        parts += [s.text for s in page.texts if not s.all_roles & {"review", "comparison", "instruction"}]
    return "\n".join(parts)


def _rivals(site: SiteText, own: Identity) -> set[str]:
    values: set[str] = set()
    for page in site.pages:
        for text in _telling_texts(page):
            sides = _VERSUS.match(text)
            if sides:
                values.update(side.strip(" :–—|-") for side in sides.groups())
            values.update(part for match in _INSTEAD.finditer(text) for part in match.groups() if part)
    return {rival for rival in values if _is_rival(rival, own)}


def _telling_texts(page: PageText) -> list[str]:
    texts = [s.flat for s in page.texts if s.level or (page.kind == "comparison" and s.tag == "p")]
    texts += [link.text for link in page.links if link.text]
    return [t for t in [*texts, *re.split(r"\s[|–—-]\s", page.title)] if len(t) <= 90]


def _is_rival(name: str, own: Identity) -> bool:
    parts = folded(name).split()
    if not name[:1].isupper() or _common().issuperset(parts):
        return False
    return not own.resembles(name) and not own.named_in(name)


@cache
def _common() -> frozenset[str]:
    """What stands beside "versus" and names nobody."""
    return frozenset(languages.phrases("not_rival"))
