"""Words that place a company, in many languages."""

import re

from drafts.patterns import LatePattern
from drafts.writing.cues.people import PERSON

WORD = r"[A-ZÀ-ÖØ-ÞŁŚŻŹĆŠČŘŽĎŤŇĐİŐŰА-ЯЁІЇЄ][\w'’.]*"
JOINT = (
    r"(?:de|del|della|di|da|do|dos|das|la|le|les|el|am|an der|a\.|im|in|ob|bei|upon|sur|sous|en|aan|"
    r"den|of|nad|i|y|St\.|/)"
)
TOWN = rf"{WORD}(?:[ -](?:{JOINT}[ -])?{WORD}){{0,3}}"
BASED = re.compile(
    r"\b(?:based|headquartered|located|situated)\s+(?:in|at|out of|near)\s+|"
    r"\bheadquarters?(?:\s+(?:is|are))?\s*(?:in|at|:)\s+|\bHQ\s*(?:in|:)\s+|\b(?:studio|company|"
    r"team|startup|agency|office|workshop)\s+(?:in|from|out of)\s+"
    r"|\b(?:main |head |registered )?office\s*(?:is in|in|:)\s+|\bmit (?:haupt)?sitz in\s+|"
    r"\b(?:firmen|haupt)?sitz(?: der gesellschaft)?(?: ist)?\s*(?:in|:)\s+|\bans[äa]ssig in\s+|"
    r"\bstandort\s*:?\s+|"
    r"\b(?:firma|unternehmen|team|studio|start-?up|agentur|entwickelt|programmiert|sitzen|"
    r"arbeiten) (?:aus|in)\s+"
    r"|\bbas[ée]e?s?\s+(?:à|au|en|aux)\s+|\bsi[èe]ge(?: social)?(?: est)?(?: situé)?\s*(?:à|au|en|"
    r":)\s+|\b(?:situ|implant|install)[ée]e?s?\s+(?:à|au|en)\s+"
    r"|\bcon (?:sede|base) en\s+|\bubicad[oa]s? en\s+|\b(?:sede|domicilio)(?: social| central| "
    r"legale| operativa)?\s*:\s*|\bbasad[oa]s? en\s+"
    r"|\bcom sede em\s+|\b(?:sediad|localizad|basead)[oa]s? (?:em|no|na)\s+|\bcon sede (?:a|in)\s+|"
    r"\b(?:situat|basat)[oaie] (?:a|in)\s+|\bsiamo (?:a|di)\s+"
    r"|\bgevestigd (?:in|te)\s+|\bkantoor (?:in|te)\s+|\b(?:bedrijf|team|studio) uit\s+|\bz "
    r"siedzib[ąa] we?\s+|\bsiedziba(?: firmy)?\s*:?\s*(?:we?\s+)?|\bbiuro we?\s+|\bse s[íi]dlem "
    r"v[e]?\s+|\bs[íi]dlo(?: firmy| společnosti)?\s*:?\s*(?:v\s+)?|\bs[íi]dl[íi](?:me)? v[e]?\s+"
    r"|\b(?:офис|компания|команда|студия) (?:находится )?(?:в|из)\s+|\b(?:находи|расположен)\w* "
    r"в\s+|\bштаб-квартира\s*[:—-]?\s*(?:в\s+)?",
    re.IGNORECASE,
)
CJK_BASED = re.compile(
    r"(?:本社(?:所在地)?|所在地|住所|総部|总部(?:位于|设在|在)?|公司地址|地址|位于|본사(?:는)?|"
    r"소재지|주소)\s*[:：]?\s*(?P<after>[^。\n]{2,60})"
    r"|(?P<before>[\u4e00-\u9fff가-힣\u30a0-\u30ff]{2,12})(?:に本社|を拠点|に拠点|에 위치|에 본사|"
    r"에 있는|를 기반|을 기반)"
)
MADE = re.compile(
    r"\b(?:hand)?(?:made|built|crafted|designed|developed|brewed|coded)(?:\s+(?:and|"
    r"&)\s+\w+)?(?:\s+with\s+\S+(?:\s+\S+)?)?(?:\s+by\s+[A-Z]\w+(?:\s[A-Z]\w+){0,2})?\s+(?:in|"
    r"from)\s+"
    r"|\b(?:mit\s+\S+\s+)?(?:gemacht|entwickelt|hergestellt|programmiert|handgemacht)\s+in\s+|"
    r"\bmit (?:liebe|♥|❤\ufe0f?)\s+(?:aus|in)\s+"
    r"|\b(?:fait|conçu|développé|créé|fabriqué|réalisé)e?s?(?:\s+avec\s+\S+)?\s+(?:à|en|au)\s+|"
    r"\b(?:hecho|creado|desarrollado|diseñado)(?:\s+con\s+\S+)?\s+en\s+|\b(?:feito|desenvolvido|"
    r"criado)(?:\s+com\s+\S+)?\s+(?:em|no|na)\s+"
    r"|\b(?:fatto|sviluppato|realizzato|creato)(?:\s+con\s+\S+)?\s+(?:a|in)\s+|"
    r"\bgemaakt(?:\s+met\s+\S+)?\s+in\s+|\bstworzone?(?:\s+z\s+\S+)?\s+w\s+|\b(?:vytvo[řr]eno|"
    r"vyrobeno)(?:\s+s\s+\S+)?\s+v\s+|\bсделано(?:\s+с\s+\S+)?\s+в\s+",
    re.IGNORECASE,
)
UPPER = r"(?=[A-ZÀ-ÞŁŚŻČŘŠŽА-Я])"
_TELLING = r"(?:[^.!?\n]|(?<=\b[A-Z][a-z])\.|(?<=\b[A-Z][a-z][a-z])\.){0,90}?"
FOUNDED_IN = re.compile(
    rf"\b(?:(?i:founded|established|started|began)\b{_TELLING}\bin|"
    rf"[Gg]egründet\b{_TELLING}\bin|"
    rf"[Ff]ondée?s?\b{_TELLING}\b(?:à|en)|[Cc]réée?\b{_TELLING}\bà|"
    rf"(?:[Ff]undad[ao]s?|[Nn]aci[óo]|[Nn]acimos|[Nn]asceu)\b{_TELLING}\b(?:en|em|no|na)|"
    rf"[Ff]ondat[ao]\b{_TELLING}\ba|[Oo]pgericht\b{_TELLING}\b(?:in|te)|"
    rf"[Zz]a[łl]o[żz]on[ay]\b{_TELLING}\bwe?|"
    rf"[Zz]alo[žz]en[ao]?\b{_TELLING}\bve?|[Оо]снован[аоы]?\b{_TELLING}\bв)\s+{UPPER}"
    rf"|\bin\s+{UPPER}(?=[^.!?\n]{{2,60}}\b(?:gegründet|opgericht)\b)"
)
CJK_FOUNDED_IN = re.compile(
    r"(?:在|於|于)(?P<town>[\u4e00-\u9fff]{2,6}?)(?:市)?(?:创立|成立|创办|創立|創辦)|"
    r"(?P<town2>[\u4e00-\u9fff]{2,6})で(?:創業|設立)|(?P<town3>[가-힣]{2,8})에서 (?:창업|설립|시작)"
)
TOWN_COUNTRY = re.compile(rf"\b(?P<town>{TOWN}),\s+(?P<country>{TOWN})")
NOT_OURS = re.compile(
    r"affiliat|trademark|marke\b|marque|partner|client|customer|invest|powered|host|sponsor|endorse",
    re.IGNORECASE,
)
MAKER_TOWN = LatePattern(
    rf"^(?:Made|Built|Created|Developed|Designed) by "
    rf"{PERSON},?\s+(?:in\s+)?(?P<town>{TOWN})(?=\s*(?:$|[.,;|·•]))"
)
WE_ARE = re.compile(
    r"\b(?:we are|we.re|we live|we work|i am|i.m|i live|wir sind|wir leben|wir sitzen|nous sommes|"
    r"somos|siamo|wij zijn|we zijn|jeste[śs]my|jsme|мы|team of|team from|company from|family "
    r"business)\b",
    re.IGNORECASE,
)
FORM_TOWN = re.compile(
    r"(?:GmbH(?: & Co\.? KG)?|UG(?: \(haftungsbeschränkt\))?|AG|KG|e\.? ?K\.?|Ltd\.?|LLC|Inc\.?|"
    r"S\.?r\.?l\.?s?\.?|S\.?p\.?A\.?|SAS|SARL|S\.?L\.?|B\.?V\.?|N\.?V\.?|Lda\.?|Ltda\.?|s\.r\.o\.|"
    r"a\.s\.|sp\. z o\.o\.|Oy|AB|ApS|A/S|AS)"
    rf"\s*[,|·•–—-]\s*(?P<town>{TOWN})(?=\s*(?:$|[.,;|·•(]))"
)
LEGAL_FORM = (
    r"(?:GmbH|UG|AG|KG|Ltd\.?|Limited|LLC|LLP|PBC|Inc\.?|S\.?r\.?l\.?s?\.?|S\.?p\.?A\.?|SAS|SARL|S\.?L\.?|"
    r"B\.?V\.?|N\.?V\.?|Lda\.?|Ltda\.?|s\.r\.o\.|a\.s\.|sp\. z o\.o\.|OÜ|Oy|AB|ApS|A/S|AS|ehf\.?|d\.o\.o\.|"
    r"Kft\.?|SIA|UAB|Pty\.? Ltd\.?)"
)
COMPANY_IN = re.compile(
    rf"(?<=[\w,] ){LEGAL_FORM},?\s+(?:in|from|of|aus|à|en|a|em|te|w|we|v|ve|i)\s+(?={TOWN})"
)
"""A company by its legal form, before the town that it is in."""
COMPANY = re.compile(rf"(?<=[\w,] ){LEGAL_FORM}(?!\w)")
OTHERS = re.compile(
    r"\bservers?\b|\bdata\b|\bhost|data ?cent|infrastructure|\bstored?\b|\bregions?\b|customers?\b|"
    r"\bclients?\b|\busers?\b|teams? (?:based|located|in)\b|rechenzent|serverstandort|daten\b|"
    r"donn[ée]es|serveurs?|"
    r"servidor|datos|dados|dati\b|gegevens|danych|dat[ay]?\b|сервер|данн|サーバ|データ|服务器|数据|"
    r"서버|데이터|"
    r"\bwon\b|award|\bprize|prijs|gewann|gewonnen|remport|ganamos|premi[oa]d|\bvinto\b|nagrod|受賞|"
    r"获奖|수상|\bavailable\b|\bship|delivery|deliver\w*\b|\bevents?\b|conference|meet ?up|"
    r"remote job|salary|jurisdiction|governing law|gerichtsstand|tribunal|\bcourts?\b|\bborn\b|"
    r"\bstudied\b|university|universität|université|\bmoved\b|\bliving\b|\bgrew up\b",
    re.IGNORECASE,
)
IMPRINT = re.compile(
    r"impressum|imprint|mentions|legal-notice|legal notice|aviso-legal|aviso legal|note-legali|note "
    r"legali|tokush|tokutei|特定商取引|会社概要|company|about|contact|kontakt",
    re.IGNORECASE,
)
VAT = re.compile(
    r"(?:USt|Umsatzsteuer|VAT|TVA|IVA|BTW|NIP|DI[ČC]|UID|MwSt|tax id|"
    r"intracommunautaire)[^\n]{0,60}?\b(?P<code>(?:DE ?\d{3} ?\d{3} ?\d{3}|ATU ?\d{8}|FR "
    r"?[A-Z0-9]{2} ?\d{3} ?\d{3} ?\d{3}|IT ?\d{11}|ES ?[A-Z]\d{7}[A-Z0-9]|"
    r"NL ?\d{9}B\d{2}|BE ?[01]?\d{3}[. ]?\d{3}[. ]?\d{3}|PL ?\d{10}|CZ ?\d{8,10}|PT ?\d{9}|SK "
    r"?\d{10}|LU ?\d{8}|DK ?\d{8}|SE ?\d{12}|FI ?\d{8}|CHE-?\d{3}\.?\d{3}\.?\d{3}))\b"
)
REGIONS = frozenset(
    [
        "europe",
        "the eu",
        "eu",
        "european union",
        "europa",
        "l'europe",
        "asia",
        "africa",
        "america",
        "north america",
        "south america",
        "latin america",
        "scandinavia",
        "dach",
        "benelux",
        "worldwide",
        "remote",
        "earth",
        "internet",
        "the cloud",
        "california",
        "texas",
        "bavaria",
        "bayern",
        "silicon valley",
    ]
)
US = re.compile(
    r"\b(?:we|our|us|wir|unser\w*|nous|notre|nuestr\w+|somos|noss[ao]\w*|noi|nostr\w+|siamo|wij|we "
    r"zijn|onze|ons|jeste\w+|nasz\w*|jsme|naše\w*|sídlíme|мы|наш\w*|company|unternehmen|empresa|"
    r"entreprise|société|azienda|bedrijf|firma|společnost|"
    r"studio|startup|start-up|agency|agence|agencia|headquarters|siedziba|sídlo|siège|sitz|sede)\b",
    re.IGNORECASE,
)

_SMALL = r"(?:in|no|na|en|nel|im|au|aux|the|den|v|w|we|в)"
_JOINED = r"(?:and|und|et|y|e|in)"
PLACE = re.compile(
    rf"(?P<first>{TOWN})(?P<rest>(?:\s*[,(/–—-]\s*(?:{_SMALL}\s)?(?:{TOWN})\)?|\s+{_JOINED}\s+{TOWN}){{0,3}})"
)
PLACE_PARTS = re.compile(rf"\s*[,(/)–—]\s*(?:{_SMALL}\s)?|\s-\s|\s+{_JOINED}\s+")
TWO_PLACES = re.compile(r"\s(?:and|und|et|y|e)\s")
ARTICLE = re.compile(r"^(?:the|der|die|das|le|la|el|o|a|dem|sunny|beautiful|lovely)\s+(?=[A-ZÀ-Þ])")
PRIVACY = re.compile(r"priva|datenschutz|cookie|terms")
ADDRESS_LABEL = re.compile(
    r"〒|\b(?:address|adresse|anschrift|dirección|endereço|indirizzo|adres|adresa|адрес)\s*:", re.IGNORECASE
)
HOST = re.compile(r"h[ée]berg|hosting|hosted by|webdesign|alojamiento|hospedagem", re.IGNORECASE)
