"""Headings that only name a part of a page: no features, no plans, no taglines."""

import re

from drafts.crawl.extract_headings import heading_roles

_OWN = (
    r"(?:(?:our|the|my|all|unsere?|die|das|nos|les|la|le|los|las|el|nuestr[oa]s?|noss[oa]s?|[oa]s?|i|il|"
    r"gli|nostr[ioae]|onze|de|nasze?|naše)\s+)?"
)
_NAMES = (
    r"features?|key features|highlights?|benefits|overview|introduction|about(?: us)?|story|mission|values|"
    r"pricing|prices?|plans?(?: (?:and|&) pric(?:es|ing))?|pricing plans|faqs?|questions?|support|help|contact"
    r"(?: us)?|get in touch|team|people|founders?|customers|clients|partners?|testimonials?|reviews?|"
    r"press|news|blog|writing|posts|articles|projects|work|portfolio|elsewhere|links|made by|built by|"
    r"credits|thanks|careers|jobs|download|downloads|install(?:ation)?|usage|examples?|screenshots?|demo|"
    r"gallery|docs|documentation|requirements|changelog|roadmap|licen[cs]e|security|privacy|community|"
    r"shop|store|products?|services?|solutions?|resources|newsletter|summary|details|specifications?|specs|"
    r"funktionen|leistungen|vorteile|preise?|tarife?|preisliste|fragen|häufige fragen|kontakt|über uns|"
    r"team|kunden|referenzen|produkte?|angebot|aktuelles|"
    r"fonctionnalit[ée]s|avantages|tarifs?|prix|offres?|formules|questions fréquentes|foire aux questions|"
    r"contact|à propos|équipe|clients|témoignages|ils en parlent|actualités|produits?|"
    r"funciones|características|ventajas|precios?|planes|preguntas(?: frecuentes)?|contacto|equipo|clientes|"
    r"productos?|servicios|funcionalidades|recursos|preços?|planos|perguntas(?: frequentes)?|contato|contacto|"
    r"equipa|equipe|produtos?|serviços|funzionalità|vantaggi|prezzi|piani|domande(?: frequenti)?|contatti|"
    r"squadra|prodotti|servizi|functies|voordelen|prijzen|tarieven|veelgestelde vragen|over ons|klanten|"
    r"funkcje|zalety|cennik|ceny|pytania|kontakt|o nas|zespół|klienci|funkce|výhody|ceník|dotazy|o nás|"
    r"возможности|преимущества|цены|тарифы|вопросы|контакты|о нас|отзывы|"
    r"機能|特長|特徴|料金|料金プラン|価格|よくある(?:ご)?質問|会社概要|お問い合わせ|お客様の声|"
    r"功能|特点|价格|定价|價格|常见问题|常見問題|联系我们|聯絡我們|关于我们|關於我們|"
    r"기능|특징|요금|요금제|가격|자주 ?묻는 ?질문|문의|회사 ?소개"
)
_SECTION = re.compile(rf"^\W*{_OWN}(?:{_NAMES})\W*$", re.IGNORECASE)
_CHAPTERS = frozenset(
    {
        "review",
        "comparison",
        "job",
        "blog",
        "donation",
        "faq",
        "price",
        "steps",
        "feature",
        "others",
        "contact",
    }
)


def names_section(text: str) -> bool:
    """Whether a heading says no more than what part of a page follows."""
    return bool(_SECTION.match(text))


def opens_chapter(text: str) -> bool:
    """Whether a heading of the second level announces what is listed or told below it."""
    return names_section(text) or bool(heading_roles(text) & _CHAPTERS)
