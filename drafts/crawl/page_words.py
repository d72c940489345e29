"""The words by which sites in many languages name the pages a draft needs."""

from drafts.crawl.report import PageKind


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A word ending in * stands for every word that begins so. Latin words are written without accents.
WORDS: dict[PageKind, str] = {
    "pricing": """
        pricing price prices pricelist plan plans tarif tarifs tarife tarifa tarifas tariffe tariffa
        tarieven preis* prix precio* preco* prezz* listino prijs* prijzen cennik ceny cena cenik priser
        prisliste pris hinnat hinnasto hinta arak dijszabas preturi fiyat* harga gia abonnement*
        abonnements planos planes piani pakete packages editions subscription subscriptions buy shop kaufen
        bestellen order tsena tseny цен* тариф* ціни тарифи цени τιμες τιμη 料金 価格 プラン 价格 定价 價格
        定價 套餐 가격 요금 أسعار اسعار מחירים מחירון ราคา
    """,
    "legal": """
        impressum imprint colofon mentions mentionslegales legal legalnotice notice avisolegal aviso avisos
        notelegali noticelegal rechtliches anbieterkennzeichnung nota-legal juridisch tietosuoja rodo terms
        tos conditions cgu cgv agb nutzungsbedingungen privacy datenschutz* privatsphare confidentialite
        privacidad privacidade privacita riservatezza prywatnosci regulamin gdpr cookies cookie eula
        licence license licensing termini condizioni terminos condiciones termos condicoes voorwaarden
        villkor vilkar ehdot podminky правова правила политика оферта реквизит* политики 特定商取引
        利用規約 プライバシー 会社法 隐私 隱私 条款 條款 이용약관 개인정보
    """,
    "faq": """
        faq faqs questions help helpcenter helpdesk support hilfe haufige haeufige fragen hjelp hjaelp
        hjalp aide ayuda ajuda aiuto assistenza soporte suporte ondersteuning klantenservice pomoc otazky
        veelgestelde preguntas perguntas domande tuki yardim destek sss bantuan вопросы помощь поддержка
        питання часто よくある質問 ヘルプ サポート 常见问题 常見問題 帮助 幫助 자주묻는질문 고객지원 도움말
        שאלות الاسئلة
    """,
    "team": """
        team teams people founder founders leadership management equipe equipo equipa squadra mannschaft
        staff ledning ledelse medarbejdere tiimi zespol tym csapat ekip ekibimiz crew board karyawan
        команда команди チーム メンバー 团队 團隊 팀 צוות الفريق whoweare quienessomos
    """,
    "about": """
        about aboutus ueber uber uns ueberuns uberuns company unternehmen firma story ourstory mission
        history apropos propos qui sommes entreprise societe sobre quienes somos nosotros empresa conocenos
        chi siamo azienda over bedrijf onas nas o-nas spolecnost om oss foretaget virksomheden tietoa
        meista yritys rolunk despre hakkimizda kurumsal tentang profil geschichte historia histoire storia
        values who manifesto компании нас компания проект про 会社概要 会社情報 企業情報 運営会社 について
        关于 關於 公司 회사소개 회사 소개 אודות من-نحن about-us origin
    """,
    "contact": """
        contact contacts contactus kontakt* contacto contato contatti contactez contactez-nous contactos
        yhteystiedot kapcsolat iletisim kontak reach touch office offices locations standorte adresse
        contactar контакт* お問い合わせ 問い合わせ 联系 聯繫 聯絡 문의 연락처 צור-קשר اتصل
    """,
    "security": """
        security trust compliance sicherheit securite seguridad seguranca sicurezza beveiliging sakerhet
        sikkerhed sikkerhet bezpieczenstwo bezpecnost gdpr-compliance безопасность セキュリティ 安全 보안
    """,
    "features": """
        feature features product products produkt produkte produit produits producto productos produto
        produtos prodotto prodotti funktion* fonctionnalites fonctionnalite fonctions caracteristicas
        funcionalidades funcionalidad funzionalita funzioni recursos functies funkcje funkce ominaisuudet
        ozellikler fitur capabilities platform plattform plateforme plataforma piattaforma solution
        solutions losung* soluciones solucion solucoes soluzioni oplossingen rozwiazania services service
        leistungen prestations servicios servicos servizi diensten uslugi sluzby tour overview ubersicht
        uberblick apercu tools software apps app how works funktioniert fonctionne funciona funziona
        use-cases usecases integrations why accompagnement возможности функции продукт услуги решения
        можливості 機能 特徴 製品 サービス 功能 产品 產品 服务 服務 기능 제품 서비스
    """,
    "jobs": """
        jobs job careers career karriere stellen stellenangebote carriere carrieres recrutement emploi
        empleo trabaja trabalhe vagas lavora vacatures werken praca kariera rekry hiring join 採用 招聘
        채용 вакансии
    """,
    "blog": """
        blog blogs news newsroom press presse prensa imprensa stampa articles article artikel post posts
        magazin magazine journal stories insights updates changelog releases release events event webinars
        podcast resources aktuelles neuigkeiten actualites noticias novidades notizie nieuws aktualnosci
        novinky nyheter nyheder uutiset блог новости новини ブログ お知らせ ニュース 博客 新闻 新聞 블로그
        뉴스 case-studies cases customers testimonials portfolio gallery community forum
    """,
    "docs": """
        docs doc documentation dokumentation handbuch manual guide guides tutorial tutorials wiki reference
        api developers developer getting started quickstart installation install learn academy knowledge kb
        documentacion documentacao documentazione документация 文档 文檔 ドキュメント 문서
    """,
    "comparison": """
        vs versus alternative alternatives compare comparison comparisons vergleich comparatif comparativa
        confronto compared switch porownanie сравнение 比較 比较
    """,
}

# A page below one of these belongs to it whatever its own name says: a post about prices is a post.
CONTAINERS: tuple[PageKind, ...] = ("blog", "docs", "jobs", "comparison")
# The order in which a name is tried against the kinds.
ORDER: tuple[PageKind, ...] = (
    "comparison",
    "pricing",
    "faq",
    "team",
    "contact",
    "legal",
    "security",
    "about",
    "jobs",
    "blog",
    "docs",
    "features",
)

# Legal notices name the company, its town and its address; the other legal pages seldom add to that.
NOTICES = _set(
    """
    impressum imprint mentions mentionslegales legalnotice notice avisolegal aviso legal notelegali colofon
    реквизиты 特定商取引 anbieterkennzeichnung
    """
)

# Pages made for a signed-in person or a machine hold nothing for a draft.
NEVER = _set(
    """
    login signin sign-in log-in logout signup sign-up register registration account accounts my-account
    cart basket checkout warenkorb panier carrito wp-admin wp-login wp-json wp-content admin feed rss
    search suche recherche buscar unsubscribe subscribe password reset auth oauth sso dashboard console
    cdn-cgi tag tags category categories author authors page print share 404 500 thank-you thanks danke
    merci gracias sitemap newsletter preferences download-thanks
    """
)

LANGUAGES = _set(
    """
    ar bg bn bs ca cs da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ka kk ko lt lv mk ms nb
    nl nn no pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh jp kr cn tw br us gb ua cz dk se
    """
)
