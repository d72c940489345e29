"""What the text under a heading is for, told by the heading in many languages."""

import re
from functools import lru_cache


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
            r"\brecenzje\b",
            r"opinie|co m[óo]wi[ąa]|zaufali nam|referencje|reference\b|co o n[áa]s [řr][íi]kaj[íi]|recenze",
            r"отзывы|нам доверяют|お客様の声|導入事例|ユーザーの声|导入案例|用户评价|客户评价|"
            r"用户评论|客户案例|客戶評價|고객 ?후기|사용자 ?후기|"
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
            r"kim jeste[śs]my|kdo jsme|кто мы|zesp[óo][łl]|za[łl]o[żz]yciel|n[áa][šs] t[ýy]m|zakladatel|o n[áa]s",
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
            r"aktualno[śs]ci|novinky|новости|блог|ブログ|お知らせ|ニュース|博客|新闻|公告|更新日志|"
            r"블로그|공지|소식",
        ),
    ),
    (
        "donation",
        _any(
            r"\bdonat|support (?:us|the project|this project|development|my work)|sponsor|buy me a|"
            r"patreon|spenden",
            r"^dona$|^dons?$|^doe$|steun ons|faire un don|soutenir|dona(?:r|ciones|ções|zioni)|"
            r"apoya|apoie|sostieni|doneren|"
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
            r"jak to dzia[łl]a|jak to funguje|как это работает|使い方|ご利用の流れ|导入の流れ|"
            r"使用方法|如何使用|工作原理|"
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
            r"возможности|функци|преимущества|услуги|機能|特長|特徴|できること|サービス内容|功能|"
            r"特性|特色|优势|服务|기능|특징|서비스",
        ),
    ),
    (
        "why",
        _any(
            r"^why\b|benefits|advantages|warum\b|vorteile|ihre vorteile|pourquoi|avantages|por "
            r"qu[ée]\b|ventajas|por que\b|vantagens|perch[ée]\b|vantaggi|waarom|voordelen",
            r"dlaczego|zalety|korzy[śs]ci|pro[čc]\b|v[ýy]hody|почему|преимущества|選ばれる理由|"
            r"メリット|为什么|優勢|왜 ",
        ),
    ),
    (
        "others",
        _any(
            r"our (?:clients|customers|partners|sponsors|investors)|^(?:our )?(?:backers|investors|"
            r"funding)\b|investoren|investisseurs|inversores|investidores|investitori|"
            r"investeerders|inwestorzy|investo[řr]i|инвесторы|投資家|投资方|투자사|partners\b|"
            r"integrat(?:ions|es "
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
            r"a chi si rivolge|pensato per chi|voor wie|dla kogo|pro koho|для кого|こんな方に|対象|"
            r"活用シーン|"
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
