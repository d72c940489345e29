"""Words of price: amounts, periods, and what makes a sum of money no price."""

import re

from drafts import languages

_NUMBER = r"0?[.,]\d{1,4}|\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\s?\d{1,2})?|\d+(?:\s?[.,]\s?\d{1,2})?"
_BEFORE = (
    r"R\$|US\$|A\$|C\$|CA\$|AU\$|NZ\$|S\$|HK\$|NT\$|MX\$|[$€£¥₩₽₹₺₫฿₴￥]|\b(?:EUR|USD|GBP|CHF|PLN|CZK|"
    r"SEK|NOK|DKK|BRL|JPY|KRW|CNY|RMB|INR|AUD|CAD|Rs\.?|Fr\.)"
)
_AFTER = (
    r"[$€£¥₩₽₹₺₫฿₴￥]|(?:EUR|Euros?|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|BRL|JPY|KRW|CNY|RMB|INR|AUD|CAD|"
    r"FCFA|XAF|XOF|zł|złotych|Kč|kr|руб(?:\.|лей|ля|ль)?|Ft|lei|dollars?|US-Dollar|reais)(?!\w)|(?:円|元|"
    r"원|만원|ドル|块)"
)
MONEY = re.compile(
    rf"(?:(?:{_BEFORE})\s?(?P<first>{_NUMBER})|(?<![A-Za-z0-9.,])(?P<second>{_NUMBER})\s?(?:,-{{1,2}}\s?|"
    rf",–\s?)?(?:{_AFTER}))"
    rf"(?!\s?(?:[kKmMbB]\b|mn\b|bn\b|Mio|Mrd|million|billion|Million|Millionen|millones|milhões|"
    rf"milioni|milion|млн|[+]))(?![\d])",
    re.IGNORECASE,
)
PERIOD = re.compile(
    r"\bevery (?:two|three|six|\d+) (?:weeks|months)\b|"
    r"(?:per|a|each|every|/|\bp\.?)\s*(?:mo\b|month|mth|yr\b|year|annum|week|quarter|day\b)|"
    r"\bmonthly\b|\b(?:billed )?(?:yearly|annually|annual)\b|\bsubscription\b"
    r"|(?:pro|im|/|je|per)\s*(?:monat|jahr|woche|quartal)|\bmonatlich|\bj[äa]hrlich|"
    r"\babo(?:nnement)?\b|\bmtl\.|\bp\.\s?[MJaM]\."
    r"|(?:par|/|chaque|au)\s*(?:mois|an\b|année|semaine)|\bmensuel|\bannuel|\babonnement"
    r"|(?:al|por|/|cada|el)\s*(?:mes\b|año|semana)|\bmensual|\banual|\bsuscripci[óo]n"
    r"|(?:por|ao|/|cada)\s*(?:m[êe]s\b|ano\b|semana)|\bmensa[li]|\bassinatura"
    r"|(?:al|/|ogni|per)\s*(?:mese|anno|settimana)|all.anno|\bmensile|\bannuale|\babbonamento"
    r"|(?:per|/|elke)\s*(?:maand|jaar|week)|\bmaandelijks|\bjaarlijks|\bp/?m\b"
    r"|/\s*(?:mies|m-c|rok|miesi[ąa]c)|\bmiesi[ęe]cz|\brocznie|\bna (?:miesi[ąa]c|rok)\b|\bsubskrypcj"
    r"|(?:/|za)\s*(?:m[ěe]s|rok)|\bm[ěe]s[íi][čc]n[ěe]|\bro[čc]n[ěe]|\bp[řr]edplatn"
    r"|(?:/|в|за)\s*(?:мес|месяц|год)|\bежемесячно|\bподписк"
    r"|(?:\band|&|\bund|\bet|\by|\be|\ben|\bi|\ba|,)\s+(?:per |pro |par |por |al )?(?:month|year|"
    r"monat|jahr|mois|an\b|mes\b|año|m[êe]s\b|ano\b|mese|maand|jaar|miesi[ąa]c|m[ěe]s[íi]c)"
    r"|(?:per|pro|par|por|/)\s*(?:user|seat|member|agent|nutzer|utilisateur|usuario|usu[áa]rio|"
    r"utente)\b[^.;]{0,16}\b(?:mo|month|yr|year|monat|mois|mes|m[êe]s|mese)\b"
    r"|月額|年額|[/／]\s?(?:月|年|か月|ヶ月)|毎月|毎年|每月|每年|包月|包年|按月|按年|年费|月费|"
    r"サブスク|定額|/\s?(?:월|년)|월\s?(?=\d|[₩])|매월|"
    r"매년|연간|구독|월\s?\d|개월",
    re.IGNORECASE,
)
ONE_TIME = re.compile(
    r"one.?time|one.off|pay once|paid once|once,|"
    r"\d\s?(?:€|£|\$|EUR|USD|GBP)?,?\s+once\b|buy (?:it )?once|lifetime|life-time|perpetual|"
    r"single payment|no subscriptions?|single purchase|"
    r"einmal(?:ig|zahlung|kauf|preis)|kein abo|ohne abo|unbefristet|paiement unique|achat unique|"
    r"une (?:seule )?fois|licence [àa] vie|[àa] vie\b|perp[ée]tuelle|sans abonnement|"
    r"pago [úu]nico|[úu]nico pago|de por vida|sin suscripci|pagamento [úu]nico|vital[íi]ci|sem "
    r"(?:assinatura|mensalidade)|una tantum|a vita\b|pagamento unico|perpetua|senza (?:abbonamento|"
    r"canoni)|"
    r"eenmalig|geen abonnement|levenslang|jednorazow|do[żz]ywotni|bez abonamentu|jednor[áa]zov|"
    r"do[žz]ivotn|bez p[řr]edplatn|единоразов|разов(?:ый|ая) плат|навсегда|"
    r"買い切り|買切|一括払い|一次性|买断|終身|终身|永久|영구|일시불|평생|한 번만",
    re.IGNORECASE,
)
BUY = re.compile(
    r"\b(?:buy|purchase|kaufen|kauf|acheter|achetez|comprar|compra|acquista|compra(?:re)?|kopen|"
    r"koop|kup|koupit|купить)\b|購入|购买|구매",
    re.IGNORECASE,
)
USAGE = re.compile(
    r"(?:\bper|\bpro|\bpar|\bpor|\bje|\bza|\bза)\s+(?!(?:user|seat|member|person|team|site|"
    r"workspace|employee|agent|device|location|project|licen[cs]e|store|shop|month|mo|year|yr|week|"
    r"day|annum|monat|jahr|woche|tag|nutzer|mois|an|jour|mes|año|m[êe]s|ano|mese|anno|maand|jaar|"
    r"miesi[ąa]c|rok|m[ěe]s[íi]c|месяц|год|utilisateur|usuario|usu[áa]rio|utente|"
    r"gebruiker)\b)(?:api )?(?:parcel|paket|colis|order|bestellung|commande|pedido|ordine|booking|"
    r"buchung|sms|e-?mail|invoice|rechnung|facture|factura|transaction|call|request|credit|minute|"
    r"hour|token|gb|scan|document|page|image|message|lookup|check|delivery|label|envelope|"
    r"signature|ticket|sale|item|row|event)s?\b|pay.?as.?you.?go|pay.per.use|usage.based|per "
    r"(?:api )?(?:call|request|credit|minute|token|gb|event|transaction|scan|document|page|message|"
    r"image)\b|per 1,?000|nach verbrauch|pro (?:abruf|anfrage|dokument)|à l.usage|"
    r"por uso|a consumo|従量|按量|종량",
    re.IGNORECASE,
)
COMMISSION = re.compile(
    r"\b(?:keep|take|charge)s? \d+(?:[.,]\d+)?\s?% (?:of|on|per) (?:each|every|your|all|the) (?:\w+ )?(?:sale|order|"
    r"booking|transaction|payment|ticket)s?\b|"
    r"\bcommission\b|\bprovision\b|\bcomisi[óo]n\b|\bcomiss[ãa]o\b|\bcommissione\b|\bprowizj|"
    r"\bprovize\b|комисси|手数料|佣金|수수료",
    re.IGNORECASE,
)
TRIAL = re.compile(
    r"\b(?:first|erste[rn]?|premier|primer|primeiro|primo|eerste|pierwszy|prvn[íi]|первый) "
    r"(?:month|week|year|monat|mois|mes|m[êe]s|mese|maand|miesi[ąa]c|m[ěe]s[íi]c|"
    r"месяц)\b[^.!?\n]{0,20}"
    r"(?:free|kostenlos|gratis|gratuit|offert|gr[áa]tis|darmo|zdarma|бесплатн)|(?:初月|初回|首月)(?:無料|"
    r"免费)|첫 ?달 ?무료|"
    r"\d+[ -]?(?:days?|weeks?|months?|tage?n?|wochen|monate?|jours?|semaines|mois|d[íi]as?|semanas|"
    r"meses|giorni|mesi|dagen|dni|dn[íi]|дней|дня|недел\w*)\b[^.!?\n]{0,25}(?:free|kostenlos|"
    r"gratis|gratuit|gr[áa]tis|darmo|zdarma|бесплатн)|"
    r"(?:free|kostenlos|gratis|gratuit\w*|gr[áa]tis|za darmo|zdarma|бесплатно)[^.!?\n]{0,25}\b\d+[ "
    r"-]?(?:days?|weeks?|tage?n?|wochen|jours?|semaines|d[íi]as?|semanas|giorni|dagen|dni|dn[íi]|"
    r"дней|недел\w*)\b|"
    r"\d+\s?(?:日間?|天|일)[^。.]{0,10}(?:無料|免费|무료)|(?:無料|免费|무료)[^。.]{0,10}\d+\s?(?:日|天|일)|"
    r"\b(?:try|test|essayer|essayez|tester|testez|testen|probieren|ausprobieren|probar|"
    r"pru[ée]ba\w*|experimente|testar|teste|prova\w*|proberen|probeer|wypr[óo]buj|vyzkou[šs]\w+|"
    r"попробова\w+|попробуй\w*)\b[^.!?\n]{0,25}\b(?:free|kostenlos\w*|gratis|gratuit\w*|gr[áa]tis|"
    r"darmo\w*|zdarma|бесплатно)|"
    r"(?:無料で(?:試|始|体験)|免费试|무료로 ?(?:체험|시작))|"
    r"\btrial\b|try (?:it )?(?:for )?free|kostenlos (?:und unverbindlich )?testen|testphase|"
    r"testzeitraum|probemonat|probezeit|essai|p[ée]riode d.essai|prueba gratuita|periodo de prueba|"
    r"d[íi]as gratis|teste gr[áa]tis|per[íi]odo de teste|dias gr[áa]tis|"
    r"prova gratuita|periodo di prova|giorni gratis|proefperiode|gratis proberen|okres pr[óo]bny|"
    r"wypr[óo]buj|zku[šs]ebn|vyzkou[šs]e|пробн|無料トライアル|無料体験|お試し|トライアル|试用|試用|"
    r"무료 ?체험|체험판",
    re.IGNORECASE,
)
FREE = languages.pattern("free")
_LICENCES = (
    r"(?:GNU(?: \w+)? General Public License|Mozilla Public License|MIT|A?L?GPL(?:[- ]?v?\d(?:\.\d)?)?|Apache|BSD|"
    r"MPL|EUPL|ISC|Unlicense|CC0)"
)
LICENCE_NAME = re.compile(rf"^\W*(?:the\s+)?{_LICENCES}\b", re.IGNORECASE)
LICENCE_HEAD = re.compile(
    r"^\W*(?:licen[cs]e|licensing|lizenz|licencia|licen[çc]a|licenza|licentie|licencja|лицензия|"
    r"ライセンス|许可证?|開源授權|라이선스)\W*$",
    re.IGNORECASE,
)
OPEN_SOURCE = re.compile(
    r"\b(?:A?L?GPL-\d(?:\.\d)?(?:-only|-or-later)?|Apache-2\.0|MPL-2\.0|EUPL-1\.2|BSD-[23]-Clause)\b|"
    rf"\b(?:licen[cs]e|lizenz|licencia|licen[çc]a|licenza|licentie|licencja|лицензия|ライセンス|"
    rf"许可证|라이선스)\s*[:：]?\s+(?:the\s+)?{_LICENCES}\b|"
    r"\bfreie software\b|\bfree software\b|\b(?:under|unter|sous|bajo|sob|sotto|onder|na|"
    r"pod)\s+(?:the |der |die |einer |licen[cs]e |licencia |licen[çc]a |licenza |licencj\w+ |"
    r"licenc[íi] |een )*"
    r"(?:MIT|A?L?GPL(?:v\d)?|Apache|BSD|MPL|EUPL)\b|"
    r"\bopen[- ]?source\b|\bopensource\b|quelloffen|code (?:source )?ouvert|logiciel libre|"
    r"c[óo]digo (?:abierto|aberto)|software libre|software livre|otwarte? (?:[źz]r[óo]d[łl]o|"
    r"oprogramowanie)|otev[řr]en[ýy]m? zdrojov|открыт(?:ый|ым) (?:исходн\w+ )?код|オープンソース|"
    r"开源|開源|오픈 "
    r"?소스|"
    r"\b(?:MIT|GPL(?:v\d)?|AGPL|LGPL|Apache(?: License)?|BSD|MPL)(?:[- ](?:\d(?:\.\d)?))?[- "
    r"](?:licen[cs]ed?|Lizenz|lizenziert|licence|licenza|licencia|licen[çc]a|許可|许可|라이선스)",
    re.IGNORECASE,
)
CONTACT_SALES = re.compile(
    r"contact (?:sales|us for (?:a )?(?:pricing|price|quote))|talk to sales|(?:request|get|ask "
    r"for) (?:a )?(?:custom )?(?:quote|pricing|offer)|custom (?:pricing|quote)|bespoke (?:pricing|"
    r"quote)|price on request|pricing on request|tailored (?:pricing|quote)|quote.based|"
    r"(?:preis|preise|angebot) auf anfrage|auf anfrage|individuelles angebot|angebot anfordern|sur "
    r"devis|demand\w+ un devis|tarif(?:s)? sur demande|devis (?:personnalis[ée]|gratuit)|bajo "
    r"(?:consulta|presupuesto)|(?:solicita|pide|pedir|solicitar)\w* (?:un )?presupuesto|precio a "
    r"consultar|"
    r"sob (?:consulta|medida|or[çc]amento)|(?:solicite|pe[çc]a) (?:um )?or[çc]amento|su "
    r"(?:richiesta|preventivo)|richied\w+ (?:un )?preventivo|preventivo (?:gratuito|"
    r"personalizzato)|op aanvraag|offerte (?:aanvragen|op maat)|prijs op aanvraag|wycena "
    r"(?:indywidualna|na [żz]yczenie)|indywidualn\w+ (?:wycen|ofert)|zapytaj o (?:cen|ofert)|"
    r"cena na (?:vy[žz][áa]d[áa]n[íi]|dotaz|poptávku)|nez[áa]vazn[áa] (?:popt[áa]vka|nab[íi]dka)|"
    r"individu[áa]ln[íi] (?:nab[íi]dka|cenov)|цена по запросу|по запросу|рассчитать стоимость|"
    r"要お?見積|お見積り?|お問い合わせください|询价|联系我们获取(?:报价|价格)|面议|定制报价|가격 "
    r"?문의|견적 ?(?:문의|요청)|별도 ?문의|맞춤 ?견적",
    re.IGNORECASE,
)
PRICE_WORD = re.compile(
    r"\bpric(?:e|es|ing)\b|\bpreise?\b|\btarifs?\b|\bprix\b|\bprecios?\b|\bprezz[oi]\b", re.IGNORECASE
)
CART = re.compile(
    r"\badd to (?:cart|bag|basket)\b|\bbuy now\b|warenkorb|einkaufswagen|jetzt kaufen|au panier|al carrito|"
    r"comprar ahora|ao carrinho|al carrello|acquista ora|in winkel(?:wagen|mand)|do koszyka|do koš[íi]ku|в корзину|"
    r"カートに入れる|加入购物车|加入購物車|장바구니",
    re.IGNORECASE,
)
NOT_PRICE = re.compile(
    r"\bcompare\b|\b(?:fund(?:ed|ing)?|grant|fondo|subvenci|f[öo]rder|subvention)\b|\bpremio\b|"
    r"salar|\baverage\b|\bavg\b|\blos(?:e|es|ing|t)\b|penaliz|p[ée]nalit|recargo|\bverli(?:er|e)|"
    r"\bperd(?:e|ent|ez|ere|em|er)\b|pierde|\btrac[ią]|ztr[áa]c|теря|durchschnitt|im schnitt|en "
    r"moyenne|en promedio|de media\b|em m[ée]dia|in media\b|gemiddeld|[śs]rednio|pr[ůu]m[ěe]r|в "
    r"среднем|平均|损失|손실|평균|\bsav(?:e|es|ed|ing|ings)\b|\bvs\.?\b|\bversus\b|\b(?:MRR|ARR|GMV|ROI|VC|"
    r"revenue|turnover|funding|raised|valuation|invested|investment|budget|fundraising)\b|\bmarket "
    r"rate|compared (?:to|with)|instead of|usually|typical(?:ly)?|normally|elsewhere|others charge|"
    r"worth\b|value of|"
    r"\bcompetitor|\bdonat|\bprize|\bgrant\b|\bbounty|\bearn(?:s|ed|ing)?\b|\bmade\b.{0,20}\bin "
    r"sales|\bfine\b|penalt|no.show|missed (?:appointment|session)|cancellation|late fee|deposit|"
    r"refund of|cashback|referral|reward|gift card|voucher|(?<!one-)(?<!one )\boff\b|discount|"
    r"coupon|"
    r"processed|transactions? of|in sales|in profit|loss(?:es)?\b|damage|stolen|lawsuit|up to "
    r"[$€£]|shipping|delivery|postage|"
    r"gehalt|lohn|sparen|spart|ersparnis|umsatz|gewinn|statt\b|rabatt|versand|spende|strafe|"
    r"stornogeb|ausfallgeb|terminausfall|"
    r"(?<!grund)(?<!monats)(?<!jahres)(?<!lizenz)(?<!nutzungs)geb[üu]hr|kaution|wert von|"
    r"finanzierung|"
    r"salaire|[ée]conomis|chiffre d.affaires|au lieu de|remise|livraison|dons?\b|amende|frais d|"
    r"caution|lev[ée]e de fonds|capital|"
    r"salario|sueldo|ahorr|facturaci[óo]n|en vez de|en lugar de|descuento|env[íi]o|donaci|multa|"
    r"fianza|economiz|economia de|sal[áa]rio|faturamento|em vez de|desconto|frete|doa[çc]|"
    r"stipendio|risparm|fatturato|invece di|sconto|spedizione|donazion|penale|cauzione|salaris|"
    r"bespaar|omzet|in plaats van|korting|verzend|donatie|boete|borg|"
    r"wynagrodz|oszcz[ęe]d|zamiast|rabat|dostaw|darowizn|kaucj|mzd[ay]|u[šs]et[řr]|obrat|m[íi]sto|"
    r"slev[ay]|doprav|pokut|kauc|зарплат|эконом|оборот|вместо|скидк|доставк|штраф|залог|"
    r"年収|月給|時給|給与|売上|節約|割引|送料|寄付|手当|キャンセル料|保証金|资本金|資本金|年薪|"
    r"月薪|薪资|工资|节省|营收|优惠|运费|捐|融资|罚款|押金|违约|연봉|급여|"
    r"절약|매출|할인|배송|기부|위약금|보증금|투자",
    re.IGNORECASE,
)
PRICE_CUE = re.compile(
    r"(?:\bper|\bpro|\bpar|\bpor|\bp\.|/)\s?(?:person|head|class|session|hour|stunde|sitzung|"
    r"personne|heure|s[ée]ance|persona|hora|sesi[óo]n|pessoa|ora|"
    r"persoon|uur|osob\w*|godzin\w*|hodin\w*|h)\b|"
    r"\b(?:from|starts? (?:at|from)|starting (?:at|from)|costs?|priced?|pricing|pay|just|only|plan|"
    r"plans|for)\b|\b(?:ab|kostet|kosten|preis|nur|f[üu]r)\b|\b(?:[àa] partir de|d[èe]s|co[ûu]te|"
    r"prix|seulement)\b|\b(?:desde|a partir de|cuesta|precio|solo|por)\b|\b(?:custa|pre[çc]o|"
    r"apenas)\b|"
    r"\b(?:da|a partire da|costa|prezzo|solo)\b|\b(?:vanaf|kost|prijs|slechts)\b|\b(?:od|kosztuje|"
    r"cena|tylko)\b|\b(?:stoj[íi]|jen)\b|\b(?:от|стоит|цена|всего)\b|から|価格|料金|税込|税抜|起|"
    r"仅需|只需|售价|价格|"
    r"부터|가격|요금",
    re.IGNORECASE,
)
APPROXIMATE = re.compile(
    r"[~≈]\s?[$€£¥]|\b(?:approx\.?|roughly|about|around|estimated?|ca\.|circa|etwa|environ|"
    r"aprox\.?)\s?[$€£¥\d]",
    re.IGNORECASE,
)
OTHERS_BILL = re.compile(
    r"bring your own (?:api )?keys?|\bBYOK\b|pay (?:your|the|their)? ?(?:chosen |own )?(?:\w+ "
    r")?providers?|provider pricing|(?:monthly )?cost estimates?|api costs?|third.party (?:costs?|"
    r"prices?|pricing)|model pricing|"
    r"eigenen api-?(?:schl[üu]ssel|key)|votre propre cl[ée]|tu propia clave|sua pr[óo]pria chave|"
    r"自带密钥|自备",
    re.IGNORECASE,
)


NOTHING_PLAN = re.compile(
    rf"^(?:from\s+|ab\s+|dès\s+|desde\s+|od\s+)?(?:{MONEY.pattern})\s*(?:[,.·|"
    rf"–—-]\s*)?(?:(?:{PERIOD.pattern}).{{0,20}}|forever|free|always|für immer|pour toujours|para "
    rf"siempre|per sempre|na zawsze|navždy|навсегда|永久|ずっと|\W*)$",
    re.IGNORECASE,
)


FEES = re.compile(
    r"no.?show|missed|penal|pénal|verschenen|afmeld|nicht erschein|absage|versäum|storn|niezjaw|"
    r"nepříchod|неявк|キャンセル|爽约|노쇼|"
    r"late (?:fee|cancel)|cancellation|caution|kaution|deposit|fianza|cauzione|borg\b|kaucj|kauc[eí]",
    re.IGNORECASE,
)
PROSE_PRICE = re.compile(
    r"\b(?:costs?|costing|pays?|paying|priced?|pricing|charge|starts? (?:at|from)|starting (?:at|"
    r"from)|licen[cs]e|plans?|subscription|after that|then|buy|get it for|"
    r"kostet|kosten|zahlen|zahlt|preis|danach|lizenz|tarif|ab|co[ûu]te|paient|payez|prix|licence|"
    r"ensuite|[àa] partir de|d[èe]s|formule|"
    r"cuesta|cuestan|pagan|paga[sr]?|precio|licencia|desde|luego|custa|pagam|pre[çc]o|licen[çc]a|"
    r"depois|a partir de|costa|costano|pagano|prezzo|licenza|poi|"
    r"kost|betaal\w*|prijs|vanaf|daarna|kosztuje|płac\w*|cena|potem|od|stoj[íi]|plat[íi]|potom|"
    r"стоит|платят|цена|дальше|от)\b|"
    r"料金|価格|月額|年額|から|价格|價格|售价|收费|仅需|买断|起|요금|가격|부터|이용료",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"^(?:[^.!?。]{{2,40}}?\s?[:：–—-]\s*)?(?:{MONEY.pattern})", re.IGNORECASE)


def opens_with_price(text: str) -> bool:
    """Whether a text begins with a sum of money, or with a short label and a sum of money."""
    return bool(_FIRST.match(text.strip()))


def amount(text: str) -> str:
    """The digits of a sum of money, with a point before the cents."""
    found = MONEY.search(text)
    if not found:
        return ""
    number = re.sub(r"[\s'’\u00a0\u202f]", "", found["first"] or found["second"])
    whole, cents = number, ""
    tail = re.search(r"^0?[.,](\d{1,4})$|[.,](\d{1,2})$", number)
    if tail:
        whole, cents = number[: tail.start()], tail.group(1) or tail.group(2)
    digits = re.sub(r"\D", "", whole)
    return f"{digits}.{cents}" if cents.strip("0") else digits


_SAME = {"EUR": "€", "EURO": "€", "EUROS": "€", "USD": "$", "US$": "$", "GBP": "£", "CHF": "FR.", "ZŁ": "PLN"}


def currency(text: str) -> str:
    """The sign of a text's first sum of money."""
    found = MONEY.search(text)
    sign = re.sub(r"[\d.,'’\s–-]", "", found.group()).upper() if found else ""
    return _SAME.get(sign, sign)


def is_nothing(text: str) -> bool:
    """Whether all sums of money of a text are zero."""
    amounts = [amount(found.group()) for found in MONEY.finditer(text)]
    return bool(amounts) and all(float(each) == 0 for each in amounts if each)
