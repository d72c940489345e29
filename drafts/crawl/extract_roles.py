"""What a block of a page is for, told by its tag, its class names, its heading and its page."""

import re
from functools import lru_cache

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
    "donation": "donate donation donations spenden",
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
        found.update(_PAIRS[p] for p in map(" ".join, zip(words, words[1:], strict=False)) if p in _PAIRS)
    if "maybe_sample" in found:
        found.discard("maybe_sample")
        if tag not in _SECTIONS:
            found.add("sample")
    if "blog" in found and tag == "main":
        found.discard("blog")
    return frozenset(found)


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


HEADING_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "review",
        _any(
            r"testimonial",
            r"what (?:our |the )?\w+(?: \w+)? (?:say|think|are saying)",
            r"\b(?:people|users|customers|clients|teams) (?:say|love)",
            r"loved by|trusted by|used by|wall of love|customer stor|success stor|case stud|\breviews?\b",
            r"kundenstimmen|das sagen|was (?:unsere )?\w+ sagen|referenzen|erfolgsgeschichten|vertrauen uns",
            r"t[ée]moignages?|ils nous font confiance|avis (?:clients?|utilisateurs?)|ce qu.en "
            r"disent|disent de nous",
            r"testimonios?|lo que dicen|opiniones|conf[ií]an en nosotros|casos de [ée]xito",
            r"depoimentos|o que dizem|quem usa|confiam em n[óo]s",
            r"testimonianze|cosa dicono|dicono di noi|recensioni|si fidano di noi",
            r"wat (?:onze )?\w+ zeggen|ervaringen|beoordelingen|vertrouwen op ons",
            r"opinie|co m[óo]wi[ąa]|zaufali nam|referencje|reference\b|co o n[áa]s [řr][íi]kaj[íi]|recenze",
            r"отзывы|нам доверяют|お客様の声|導入事例|ユーザーの声|导入案例|用户评价|客户评价|用户评论|客户案例|客戶評價|고객 ?후기|사용자 ?후기|"
            r"이용 ?후기|고객 ?사례",
        ),
    ),
    (
        "person",
        _any(
            r"^(?:meet )?(?:our |the )?(?:team|people|founders?|leadership|founding team|makers?|crew)\b",
            r"\b(?:our|the) (?:team|founders|people)$|who we are|behind the|about the (?:founder|"
            r"author|maker)s?",
            r"unser team|das team|^team|gr[üu]nder|wer wir sind|das sind wir",
            r"(?:notre|l.) ?[ée]quipe|fondateurs?|qui sommes",
            r"(?:nuestro )?equipo|fundador|qui[ée]nes somos|(?:nossa )?equipe|quem somos|fundadores",
            r"il (?:nostro )?team|chi siamo|fondator|ons team|het team|oprichter|wie zijn wij|over ons",
            r"zesp[óo][łl]|za[łl]o[żz]yciel|n[áa][šs] t[ýy]m|zakladatel|o n[áa]s",
            r"команда|основател|チーム|メンバー|創業者|团队|團隊|创始人|팀 ?소개|구성원|창업자",
        ),
    ),
    (
        "job",
        _any(
            r"^careers?\b|careers? at\b|open (?:positions|roles)|we.re hiring|join (?:us|the team|"
            r"our team)|job (?:openings|offers)|vacanc",
            r"stellenangebote|offene stellen|karriere|jobs bei|wir suchen",
            r"^offres? d.emploi|nous recrutons|^(?:nos )?carri[èe]res?$|rejoignez.nous|empleo|"
            r"trabaja con nosotros|vagas|trabalhe",
            r"lavora con noi|posizioni aperte|vacatures|werken bij|kariera|praca|kari[ée]ra|"
            r"вакансии|採用|招聘|채용",
        ),
    ),
    (
        "comparison",
        _any(
            r"\bvs\.?\b|\bversus\b|compar(?:e|ed|ison|ing)\b(?! (?:all |our |the )?(?:plans|"
            r"features|editions|packages|prices|pricing|tiers))|alternatives? to|how (?:we|\w+) "
            r"(?:stacks? up|compares?)",
            r"vergleich|im vergleich|comparatif|compar(?:aison|er)|comparaci[óo]n|comparativa?|"
            r"confronto|vergelijk",
            r"por[óo]wnanie|srovn[áa]n[íi]|сравнение|比較|对比|對比|比较|비교",
        ),
    ),
    (
        "blog",
        _any(
            r"\b(?:blog|latest (?:news|posts|articles)|from the blog|news|press|changelog|release "
            r"notes|what.s new)\b",
            r"neuigkeiten|aktuelles|actualit[ée]s|noticias|novedades|not[íi]cias|novidades|notizie|"
            r"novit[àa]|nieuws",
            r"aktualno[śs]ci|novinky|новости|блог|ブログ|お知らせ|ニュース|博客|新闻|公告|更新日志|블로그|공지|소식",
        ),
    ),
    (
        "donation",
        _any(
            r"\bdonat|support (?:us|the project|this project|development|my work)|sponsor|buy me a|"
            r"patreon|spenden",
            r"faire un don|soutenir|dona(?:r|ciones|ções|zioni)|apoya|apoie|sostieni|doneren|"
            r"doneer|wspar|podpo[řr]|"
            r"поддержать|пожертв|寄付|捐赠|赞助|후원",
        ),
    ),
    (
        "faq",
        _any(
            r"\bfaqs?\b|frequently asked|\bquestions?\b|you ask|q ?& ?a|good to know",
            r"\bfragen\b|foire aux questions|"
            r"vos questions",
            r"\bpreguntas\b|\bperguntas\b|d[úu]vidas|\bdomande\b|"
            r"\bvragen\b",
            r"zadawane|pytania|\bdotazy\b|\bot[áa]zky\b|"
            r"вопросы",
            r"質問|よくあるお問い合わせ|常见问题|常見問題|疑问|问答|질문",
        ),
    ),
    (
        "price",
        _any(
            r"\bpric(?:e|es|ing)\b|\bplans?\b|subscriptions?\b|preise?\b|tarife?\b|\btarifs?\b|"
            r"\bprix\b|abonnement",
            r"precios?|planes|pre[çc]os?|planos|prezz[oi]|\bpiani\b|prijzen|prijs|cennik|ceny|"
            r"cen[íi]k|tarievi|tarieven",
            r"listino|quanto costa|was kostet|\bkosten\b|combien [çc]a co|cu[áa]nto cuesta|quanto "
            r"custa|wat kost|ile kosztuje|kolik stoj|сколько стоит|"
            r"^(?:nos |unsere |le nostre )?(?:offres|formules|angebote|ofertas)$|いくら|多少钱|얼마|цены|"
            r"тариф|стоимость|料金|価格|プラン|价格|定价|價格|套餐|가격|요금|플랜",
        ),
    ),
    (
        "steps",
        _any(
            r"how (?:it|this|\w+) works|getting started|get started|in (?:three|3|four|4) (?:easy |"
            r"simple )?steps|quick ?start",
            r"so funktioniert|wie es funktioniert|comment [çc]a marche|c[óo]mo funciona|come "
            r"funziona|hoe (?:het|werkt)",
            r"jak to dzia[łl]a|jak to funguje|как это работает|使い方|ご利用の流れ|导入の流れ|使用方法|如何使用|工作原理|"
            r"快速开始|이용 ?방법|사용 ?방법",
        ),
    ),
    (
        "feature",
        _any(
            r"features?\b|what you get|what.s (?:inside|included)|capabilit|everything you need|"
            r"highlights|what (?:it|we|\w+) do(?:es)?\b"
            r"|services?\b|what we offer|key benefits",
            r"funktionen|funktionsumfang|leistungen|das bekommen sie|was \w+ kann|alles,? was",
            r"fonctionnalit[ée]s|ce que (?:vous|nous|fait)|nos services|tout ce dont|atouts",
            r"caracter[íi]sticas|funcionalidades|funciones|servicios|todo lo que|recursos|"
            r"servi[çc]os|tudo o que",
            r"funzionalit[àa]|caratteristiche|servizi|tutto ci[òo] che|cosa (?:fa|offre)|functies|"
            r"mogelijkheden|diensten|kenmerken",
            r"funkcje|mo[żz]liwo[śs]ci|us[łl]ugi|co (?:potrafi|zyskujesz|um[íi])|funkce|vlastnosti|slu[žz]by",
            r"возможности|функци|преимущества|услуги|機能|特長|特徴|できること|サービス内容|功能|特性|特色|优势|服务|기능|특징|서비스",
        ),
    ),
    (
        "why",
        _any(
            r"^why\b|benefits|advantages|warum\b|vorteile|ihre vorteile|pourquoi|avantages|por "
            r"qu[ée]\b|ventajas|por que\b|vantagens|perch[ée]\b|vantaggi|waarom|voordelen",
            r"dlaczego|zalety|korzy[śs]ci|pro[čc]\b|v[ýy]hody|почему|преимущества|選ばれる理由|メリット|为什么|優勢|왜 ",
        ),
    ),
    (
        "others",
        _any(
            r"our (?:clients|customers|partners|sponsors|investors)|^(?:our )?(?:backers|investors|funding)\b|investoren|investisseurs|inversores|investidores|investitori|investeerders|inwestorzy|investo[řr]i|инвесторы|投資家|投资方|투자사|partners\b|integrat(?:ions|es "
            r"with)|works with|backed by|as seen|featured (?:in|on)",
            r"unsere (?:kunden|partner)|partner\b|nos (?:clients|partenaires)|clientes|socios|"
            r"parceiros|i nostri (?:clienti|partner)|onze (?:klanten|partners)|partnerzy|"
            r"partne[řr]i|"
            r"партн[её]ры|клиенты|パートナー|取引先|合作伙伴|客户|파트너|고객사",
            r"credits|acknowledge?ments|danksagung|remerciements|cr[ée]dits|agradecimientos|"
            r"ringraziamenti|third.party|attribution",
        ),
    ),
    (
        "audience",
        _any(
            r"who (?:is it|it.s|uses it|this is) for|who is \w+ for|built for (?:people|teams|"
            r"everyone)|use cases?\b|for whom|f[üu]r wen|zielgruppen?|anwendungsf[äa]lle|branchen",
            r"pour qui|cas d.usage|[àa] qui s.adresse|para qui[ée]n|casos de uso|para quem|per chi|"
            r"a chi si rivolge|pensato per chi|voor wie|dla kogo|pro koho|для кого|こんな方に|対象|活用シーン|"
            r"适用人群|使用场景|应用场景|추천 대상|활용 사례",
        ),
    ),
    (
        "event",
        _any(
            r"\bevents?\b|webinars?|conference|veranstaltung|termine|[ée]v[ée]nements?|eventos|eventi|"
            r"meet us|wydarzenia|akce\b|мероприят|イベント|活动|행사"
        ),
    ),
    (
        "contact",
        _any(
            r"\bcontact|get in touch|reach us|write to us|kontakt|contacto|contato|contatti|"
            r"контакт|お問い合わせ|連絡先|联系|聯絡|문의|연락처"
        ),
    ),
    (
        "sample",
        _any(
            r"^(?:live )?(?:demo|preview|example)s?\b|try it (?:live|now)|sample (?:output|report|"
            r"data|invoice)|see it in action|beispiel|exemple\b|ejemplo|esempio|voorbeeld|"
            r"przyk[łl]ad|uk[áa]zka|"
            r"サンプル|出力例|示例|样例|예시"
        ),
    ),
    (
        "host",
        _any(
            r"\bhost(?:ing|er|ed by)\b|h[ée]bergement|h[ée]bergeur|alojamiento|hospedagem|"
            r"webdesign|web design|realisierung|umsetzung|r[ée]alisation|conception|"
            r"streitschlichtung|verbraucherstreit|aufsichtsbeh[öo]rde|supervis|data protection "
            r"(?:officer|authority)|datenschutzbeauftragte|registration court|registergericht|"
            r"processors?\b|auftragsverarbeit|sous.traitants|analytics|third parties|dritt"
        ),
    ),
)
_LONG_HEADING = 90
_LONG_TITLE = 6
_SHORT_ONLY = frozenset({"person", "job", "steps", "others", "contact", "event", "blog", "sample", "why"})


@lru_cache(maxsize=4096)
def heading_roles(text: str) -> frozenset[str]:
    """The roles that a heading gives to the text under it."""
    if not text or len(text) > _LONG_HEADING:
        return frozenset()
    is_long = len(text.split()) > _LONG_TITLE
    return frozenset(
        role
        for role, pattern in HEADING_ROLES
        if pattern.search(text) and not (is_long and role in _SHORT_ONLY)
    )


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


_KINDS: tuple[tuple[PageKind, re.Pattern[str]], ...] = (
    (
        "comparison",
        _any(
            r"(?:^|[/_-])(?:vs|versus|compare|comparison|alternatives?|vergleich|comparatif|"
            r"comparativa)(?:[/_.-]|$)"
        ),
    ),
    (
        "blog",
        _any(
            r"(?:^|/)(?:blog|news|posts?|articles?|press|changelog|releases?|aktuelles|actualites|noticias|"
            r"20\d\d)(?:[/_.-]|$)"
        ),
    ),
    (
        "jobs",
        _any(
            r"(?:^|[/_-])(?:jobs?|careers?|karriere|stellen|vacatures|empleo|kariera|recrutement|"
            r"hiring)(?:[/_.-]|$)"
        ),
    ),
    (
        "legal",
        _any(
            r"(?:^|[/_-])(?:legal|imprint|impressum\w*|mentions|terms|tos|privacy|datenschutz\w*|"
            r"agb|privacidad|privacidade|privacidad|gdpr|"
            r"confidentialite|cgu|cgv|rgpd|cookies?|aviso|note-legali|privacybeleid|regulamin|"
            r"prywatnosc|tokushoho|tokutei|policy|policies|eula|licen[sc]e)"
            r"(?:[/_.-]|$)"
        ),
    ),
    (
        "pricing",
        _any(
            r"pric|(?:^|[/_-])plans?(?:[/_.-]|$)|preis|prec[io]|prezz|tarif|plano|cenn?ik|ceny|prijz|料金|价格|"
            r"価格|가격|цен"
        ),
    ),
    (
        "faq",
        _any(
            r"(?:^|[/_-])(?:faqs?|fragen|preguntas|perguntas|domande|questions|dotazy|pytania|"
            r"vragen)(?:[/_.-]|$)"
        ),
    ),
    ("team", _any(r"(?:^|[/_-])(?:team|people|founders?|equipe|equipo|staff|zespol|tym)(?:[/_.-]|$)")),
    (
        "about",
        _any(
            r"(?:^|[/_-])(?:about|ueber|uber|sobre|a-propos|apropos|quienes|quem|chi-siamo|over|"
            r"o-nas|o-firmie|company|unternehmen|"
            r"empresa|entreprise|azienda|histoire|story|nosotros|kaisha|gaiyou|会社|关于|소개)(?:[/_.-]|$)"
        ),
    ),
    ("contact", _any(r"contact|kontakt|contatti|contato|お問い合わせ|联系|문의|контакт")),
    (
        "features",
        _any(
            r"(?:^|[/_-])(?:features?|product|produkt|platform|fonctionnalites|funktionen|funciones|"
            r"caracteristicas|recursos|funzionalita|functies|funkcje|funkce)(?:[/_.-]|$)"
        ),
    ),
    ("security", _any(r"(?:^|[/_-])(?:security|sicherheit|securite|seguridad)(?:[/_.-]|$)")),
    ("docs", _any(r"(?:^|/)(?:docs?|documentation|manual|guide|reference|api|wiki|man)(?:[/_.-]|$)")),
)


def page_kind(path: str) -> PageKind:
    """What a page is for, told by its address alone."""
    if path.strip("/") in {
        "",
        "index.html",
        "index.htm",
        "index.php",
        "home",
        "en",
        "de",
        "fr",
        "es",
        "it",
        "pt",
    }:
        return "home"
    for kind, pattern in _KINDS:
        if pattern.search(path):
            return kind
    return "other"
