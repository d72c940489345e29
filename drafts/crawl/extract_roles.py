"""What a block of a page is for, told by its tag, its class names and its page."""

import re
from functools import lru_cache
from itertools import pairwise

from bs4 import Tag

from drafts.crawl.extract_weights import Weights, attribute
from drafts.crawl.report import PageKind

TAG_ROLES: dict[str, frozenset[str]] = {
    "header": frozenset({"header"}),
    "nav": frozenset({"nav"}),
    "footer": frozenset({"footer"}),
    "main": frozenset({"main"}),
    "aside": frozenset({"aside"}),
    "form": frozenset({"form"}),
    "blockquote": frozenset({"review"}),
    "pre": frozenset({"sample"}),
    "samp": frozenset({"sample"}),
    "table": frozenset({"table"}),
    "details": frozenset({"faq"}),
    "s": frozenset({"struck"}),
    "del": frozenset({"struck"}),
    "strike": frozenset({"struck"}),
    "button": frozenset({"button"}),
    "figcaption": frozenset({"caption"}),
}
ARIA_ROLES = {"navigation": "nav", "contentinfo": "footer", "banner": "header", "main": "main"}

_CLASS_WORDS: dict[str, str] = {
    "review": "testimonial testimonials review reviews kundenstimmen temoignage temoignages recensione "
    "recensioni "
    "opiniones depoimentos opinie reference references voices endorsement endorsements blurb",
    "price": "pricing price prices plan plans tarif tarifs tarife tier tiers preise preis prix precio "
    "precios preco "
    "precos prezzi prezzo cennik cenik pricingcard subscription planos plano planes piani abos "
    "tarieven prijzen prijs ceny cena tarify",
    "faq": "faq faqs accordion accordions questions qa haeufig fragen preguntas perguntas domande vragen "
    "dotazy pytania",
    "person": "team people founder founders leadership leader leaders member members staff equipe equipo "
    "person persona personas "
    "crew avatar bio zespol gruender fundadores equipa",
    "hero": "hero jumbotron masthead",
    "comparison": "compare comparison comparisons versus vs competitor competitors alternative alternatives "
    "vergleich",
    "job": "job jobs career careers vacancy vacancies hiring positions karriere salary",
    "blog": "blog post posts news newsfeed articles changelog release releases",
    "cta": "cta newsletter subscribe calltoaction signup",
    "sample": "mockup mock dashboard screenshot screenshots terminal codeblock highlight chat conversation "
    "bubble "
    "browser playground snippet console mockups faux fake dummy",
    "maybe_sample": "demo preview example examples sample samples phone laptop showcase",
    "others": "clients customers partners partner logos sponsors sponsor trusted brands integrations credits "
    "attribution backers investors",
    "steps": "step steps process timeline workflow howitworks",
    "stats": "stat stats metric metrics counter counters kpi kpis",
    "donation": "donate donation donations spenden donar dona dons doar doacao donazione donazioni steun "
    "doneer wspieraj podpora",
    "nav": "navbar menu breadcrumb breadcrumbs toc pagination sidebar navigation navlinks topnav",
    "cookie": "cookie cookies consent gdpr",
    "catalogue": "catalog catalogue listing listings produkt produkte produit produits producto productos "
    "prodotto prodotti shopitem "
    "woocommerce listingcard",
    "comment": "comment comments kommentare commentaires comentarios",
    "event": "event events agenda webinar",
    "feature": "feature features benefit benefits fonctionnalites funktionen vorteile caracteristicas "
    "recursos "
    "funzionalita funkcje funkce vyhody zalety funciones functies",
    "fold": "toggle collapse collapsible expander expandable disclosure tabpanel panel",
    "brand": "brand logo logotype wordmark brandname marchio marke marca",
    "footer": "stopka pied paticka fusszeile fuss rodape podval bottombar",
    "header": "header topbar kopfzeile entete cabecalho cabecera testata hlavicka",
    "contact": "contact contacts kontakt contacto contato contatti address",
}
_WORD_ROLES = {word: role for role, words in _CLASS_WORDS.items() for word in words.split()}
_PAIRS: dict[str, str] = {
    "how it": "steps",
    "call to": "cta",
    "case study": "review",
    "case studies": "review",
    "code block": "sample",
    "social proof": "review",
    "site footer": "footer",
    "page footer": "footer",
    "main footer": "footer",
    "site header": "header",
    "page header": "header",
    "main header": "header",
    "sign up": "cta",
    "about us": "about",
    "site title": "brand",
    "tab title": "fold",
    "tab content": "fold",
}
_STATE_WORDS = ("has-", "with-", "no-", "without-", "hide-", "show-", "js-", "is-", "not-", "has_", "no_")
_FOOTER = re.compile(r"^(?:(?:site|page|main|global|app|l)[-_]+)?footer(?:[-_]\w+)?$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[^a-z0-9]+")
_SECTIONS = frozenset({"section", "main", "body", "article", "html"})


@lru_cache(maxsize=8192)
def class_roles(names: str, tag: str) -> frozenset[str]:
    """The roles that the class names and the id of one element give to all that stands in it."""
    found: set[str] = set()
    if tag in {"body", "html"}:
        return frozenset()
    for token in names.split():
        if ":" in token or "[" in token or token.lower().startswith(_STATE_WORDS):
            continue
        low = _CAMEL.sub("-", token).lower()
        if _FOOTER.match(low):
            found.add("footer")
        words = [w for w in _SPLIT.split(low) if w]
        found.update(_WORD_ROLES[w] for w in words if w in _WORD_ROLES)
        found.update(_PAIRS[p] for p in map(" ".join, pairwise(words)) if p in _PAIRS)
    if tag in _SECTIONS:
        found.discard("maybe_sample")
    if "blog" in found and tag == "main":
        found.discard("blog")
    return frozenset(found)


_SAFE = frozenset(
    {"hero", "header", "brand", "price", "faq", "fold", "feature", "person", "contact", "about"}
)
_OTHERS_VOICES = frozenset({"review", "comparison", "job"})
_MOST, _ALL = 0.5, 0.95


def roles_of(
    tag: Tag, roles: frozenset[str], weights: Weights, page_roles: frozenset[str], *, is_home: bool
) -> frozenset[str]:
    """The roles of what stands in one element: those from around it, and those that it gives itself.

    An element that holds most of a page, or its main heading, arranges the page: its name says little of its text.
    """
    own = TAG_ROLES.get(tag.name, frozenset())
    if tag.name == "figure" and tag.find("blockquote") is not None:
        own = own | {"review"}
    if tag.attrs:
        if attribute(tag, "itemtype").endswith(("/Question", "/FAQPage")):
            own = own | {"faq"}
        names = f"{attribute(tag, 'class')} {attribute(tag, 'id')}"
        if names != " ":
            own = own | class_roles(names, tag.name)
        aria = ARIA_ROLES.get(attribute(tag, "role"))
        own = own | {aria} if aria else own
    share = weights.share(tag) if own else 0.0
    if share > _ALL:
        return roles
    if own and (share > _MOST or weights.holds_top(tag)):
        kept = frozenset() if share > _MOST and is_home else _SAFE
        own = own & (kept | (frozenset() if is_home else _OTHERS_VOICES))
    if "blog" in own and page_roles:
        own = own - {"blog"}
    return roles | own if own else roles


def settled(roles: frozenset[str], under: frozenset[str]) -> frozenset[str]:
    """The roles without a doubt: what a name calls a preview is none of a sample under a heading for prices."""
    if "maybe_sample" not in roles:
        return roles
    return roles - {"maybe_sample"} | (frozenset() if "price" in under else frozenset({"sample"}))


_KIND_ROLES: dict[str, frozenset[str]] = {
    "pricing": frozenset({"price"}),
    "comparison": frozenset({"comparison"}),
    "blog": frozenset({"blog"}),
    "jobs": frozenset({"job"}),
    "legal": frozenset({"legal"}),
    "docs": frozenset({"docs"}),
    "faq": frozenset({"faq"}),
    "team": frozenset({"person"}),
    "about": frozenset({"about"}),
    "contact": frozenset({"contact"}),
}


def kind_roles(kind: PageKind) -> frozenset[str]:
    """The roles that a page gives to all that stands on it."""
    return _KIND_ROLES.get(kind, frozenset())
