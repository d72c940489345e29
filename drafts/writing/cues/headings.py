"""Headings that only name a part of a page: no features, no plans, no taglines."""

import re

from drafts.crawl.extract_headings import heading_roles

_OWN = (
    r"(?:(?:our|the|my|all|unsere?|die|das|nos|les|la|le|los|las|el|nuestr[oa]s?|noss[oa]s?|[oa]s?|i|il|"
    r"gli|nostr[ioae]|onze|de|nasze?|naše)\s+)?"
)
_PRICES = (
    r"pric(?:e|es|ing)|plans?(?: (?:and|&) pric(?:es|ing))?|pric(?:es|ing) (?:and|&) plans|pricing plans|costs?|"
    r"preise?|tarife?|preisliste|kosten|preise (?:und|&) pakete|tarifs?|prix|offres?|formules|nos tarifs|"
    r"precios?|planes|planes y precios|preços?|planos|planos e preços|prezzi|prezzo|piani|listino|prijzen|prijs|"
    r"tarieven|cennik|ceny|cena|ceník|цены|цена|тарифы|стоимость|料金|料金プラン|価格|价格|价格方案|定价|價格|"
    r"요금|요금제|가격"
)
_ALWAYS = (
    r"(?:key )?features?|highlights?|overview|introduction|about(?: us)?|faqs?|questions?|frequently asked questions|"
    r"contact(?: us)?|get in touch|testimonials?|made by|built by|credits|links|elsewhere|screenshots?|"
    r"funktionen|fragen|häufige fragen|kontakt|über uns|referenzen|"
    r"fonctionnalit[ée]s|questions fréquentes|foire aux questions|à propos|témoignages|ils en parlent|"
    r"funciones|características|preguntas(?: frecuentes)?|contacto|funcionalidades|perguntas(?: frequentes)?|contato|"
    r"funzionalità|domande(?: frequenti)?|contatti|functies|veelgestelde vragen|over ons|"
    r"funkcje|pytania|o nas|funkce|dotazy|o nás|возможности|вопросы|контакты|о нас|отзывы|"
    r"機能|特長|特徴|よくある(?:ご)?質問|会社概要|お問い合わせ|お客様の声|功能|特点|常见问题|常見問題|联系我们|"
    r"聯絡我們|关于我们|關於我們|기능|특징|자주 ?묻는 ?질문|문의|회사 ?소개"
)
_CHAPTER_NAMES = (
    r"benefits|story|mission|values|support|help|team|people|founders?|customers|clients|partners?|reviews?|"
    r"press|news|blog|writing|posts|articles|projects|work|portfolio|thanks|careers|jobs|downloads?|"
    r"install(?:ation)?|usage|examples?|demo|gallery|docs|documentation|requirements|changelog|roadmap|licen[cs]e|"
    r"security|privacy|community|shop|store|products?|services?|solutions?|resources|newsletter|summary|details|"
    r"specifications?|specs|leistungen|vorteile|kunden|produkte?|angebot|aktuelles|avantages|équipe|actualités|"
    r"produits?|ventajas|equipo|clientes|productos?|servicios|recursos|equipa|equipe|produtos?|serviços|vantaggi|"
    r"squadra|prodotti|servizi|voordelen|klanten|zalety|zespół|klienci|výhody|преимущества"
)


def _whole(names: str) -> re.Pattern[str]:
    return re.compile(rf"^\W*{_OWN}(?:{names})\W*$", re.IGNORECASE)


_PRICE_HEAD = _whole(_PRICES)
_PART_HEAD = _whole(f"{_PRICES}|{_ALWAYS}")
_CHAPTER_HEAD = _whole(_CHAPTER_NAMES)
_CHAPTERS = frozenset(
    [
        "review",
        "comparison",
        "job",
        "blog",
        "donation",
        "faq",
        "steps",
        "feature",
        "why",
        "others",
        "contact",
    ]
)


def names_prices(text: str) -> bool:
    """Whether a heading says no more than that prices follow."""
    return bool(_PRICE_HEAD.match(text))


def names_part(text: str) -> bool:
    """Whether a heading says no more than what part of a page follows, wherever it stands."""
    return bool(_PART_HEAD.match(text))


def opens_chapter(text: str) -> bool:
    """Whether a heading of the second level announces what is listed or told below it."""
    return names_part(text) or bool(_CHAPTER_HEAD.match(text)) or bool(heading_roles(text) & _CHAPTERS)
