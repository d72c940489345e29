"""Names of people and the words by which a site calls them its founders."""

import re

from drafts.patterns import LatePattern

_UP = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĻŁŃŅŇŌŐŒŔŘŚŠŞȘŢŤŪŮŰŲŹŻŽ"
_LOW = "a-zß-öø-ÿāăąćčďđēėęěğģīįıķļłńņňōőœŕřśšşșţťūůűųźżž"
_PART = (
    rf"(?:[{_UP}][{_LOW}]+(?:['’\-][{_UP}]?[{_LOW}]+)*|[{_UP}]['’][{_UP}][{_LOW}]+|"
    rf"[{_UP}][{_LOW}]+[{_UP}][{_LOW}]+|[{_UP}]\.(?:\s?[{_UP}]\.)*)"
)
_JOINT = (
    r"(?:de la|de los|van der|van den|von der|van de|de|del|della|di|da|dos|do|van|von|der|den|ten|ter|"
    r"el|al|bin|ben|le|la|zu)"
)
PERSON = (
    rf"(?:(?:Dra?|Prof|Ing|Mgr|Mag|Lic|Dott|MUDr|Dipl\.-Ing)\.\s)*{_PART}(?:\s(?:{_JOINT}\s)?{_PART}){{1,3}}"
)
_CYRILLIC = r"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?(?:\s[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?){1,2}"
HAN = r"[\u4e00-\u9fff]{1,3}[ 　][\u4e00-\u9fff]{1,3}|[\u4e00-\u9fff]{2,4}"
HANGUL = r"[가-힣]{2,4}"
ANY = rf"(?:{PERSON}|{_CYRILLIC})"
_WORDS = r"(?:(?!(?:of|at|from|in|ex|the|for)\b)[a-zà-ÿł-ž]+\s+){0,3}"
_ASIDE = r"(?:\s*\([^)]{1,40}\))?"
_AND = r"(?:\s*,\s*(?:and\s+)?|,?\s+(?:and|&|und|et|y|e da|e|en|i|a|и)\s+)"
_JOB = (
    r"(?:(?:(?:his|her|their|haar|zijn)\s)?(?:software\s|web\s)?(?:developer|designer|engineer|programmer|friend|brother|"
    r"sister|wife|husband|colleague|ontwikkelaar|entwickler(?:in)?|designer(?:in)?|développeu(?:r|se)|"
    r"desarrollador[a]?|programador[a]?|diseñador[a]?|sviluppat(?:ore|rice)|programist(?:a|ka)|vývojář(?:ka)?)\s)?"
)
_MORE = rf"{_ASIDE}(?:{_AND}{_JOB}{ANY}{_ASIDE})*"
TITLE = re.compile(
    r"\bco-?founder\b|(?<!best )\bfounder\b(?!\s+(?:plan|edition|price|story|mode|deal|member|"
    r"friendly|led))|\bowner\b(?=\s*$|\s*[,&/|]|\s+and\b)|"
    r"\b(?:mit)?(?:be)?gr[üu]nder(?:in)?\b|\b(?:geschäftsführender )?inhaber(?:in)?\b|"
    r"\b(?:co-?)?fond(?:ateur|atrice)s?\b|\b(?:co-?)?fundador(?:a)?\b|\b(?:co-?)?fondat(?:ore|"
    r"rice)\b|\btitolare\b|"
    r"\b(?:mede-?)?oprichter\b|\b(?:współ)?za[łl]o[żz]yciel(?:ka)?\b|"
    r"\b(?:spolu)?zakladatel(?:ka)?\b|(?:со)?основатель(?:ница)?|共同創業者|創業者|創設者|"
    r"ファウンダー|联合创始人|聯合創辦人|"
    r"创始人|創辦人|創始人|(?:공동 ?)?창업자|(?:공동 ?)?설립자",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:of|at|bei|von|chez|de|di|bij|w|ve?|в|@)\s+(?:the\s|der\s|la\s|le\s|l['’])?"
    r"(?P<org>[A-ZÀ-Þ@][\w.&-]+(?: [A-Z][\w.&-]+)?)|"
    r"@\s?(?P<handle>\w+)"
)
_WHEN = rf"(?:[{_LOW}]+\s){{0,4}}\d{{4}}(?:\sr\.)?"
_WHERE = rf"[{_UP}][\w'’-]*(?:,?\s[{_UP}][\w'’-]*){{0,3}}"
_ASIDES = rf"(?:,?\s+(?:in|im|en|em|à|au|a|nel|w|we|v|ve)\s+(?:{_WHEN}|{_WHERE}),?){{0,2}}"
"""When and where, between a word for founding and the founder: no verb may stand there."""
BY = LatePattern(
    rf"\b(?i:co-?founded|founded|started|established){_ASIDES}\s+by\s+{_WORDS}(?P<a>{ANY})(?P<a2>{_MORE})"
    rf"|"
    rf"\b(?:wurde\s+)?(?:\d{{4}}\s+)?(?:in\s+[A-Z]\w+\s+)?von\s+(?P<b>{ANY})(?P<b2>{_MORE})\s+(?:\d{{4}}\s+)?(?:in\s+[A-Z]\w+\s+)?gegründet"
    rf"|\b[Gg]egründet\s+(?:haben|hat|wurde)\s+(?:(?:sie|es|ihn|uns|die|"
    rf"das)\s+)?(?:\w+\s+)?(?:(?:im Jahr\s+)?\d{{4}}\s+)?(?:von\s+)?(?P<l>{ANY})(?P<l2>{_MORE})"
    rf"|\b[Gg]egründet(?:\s+(?:im "
    rf"[Jj]ahr\s+)?\d{{4}})?(?:\s+in\s+[A-Z]\w+)?\s+von\s+{_WORDS}(?P<c>{ANY})(?P<c2>{_MORE})"
    rf"|\b[Ff]ondée?s?{_ASIDES}\s+par\s+{_WORDS}(?P<d>{ANY})(?P<d2>{_MORE})"
    rf"|\b(?:[Ff]undad[ao]|[Nn]aci[óo]|[Cc]read[ao]){_ASIDES}\s+(?:por|de la mano de)\s+{_WORDS}"
    rf"(?P<e>{ANY})(?P<e2>{_MORE})"
    rf"|\b[Ff]ondat[ao]{_ASIDES}\s+da\s+{_WORDS}(?P<f>{ANY})(?P<f2>{_MORE})"
    rf"|\b[Oo]pgericht{_ASIDES}\s+door\s+{_WORDS}(?P<g>{ANY})(?P<g2>{_MORE})"
    rf"|\b[Zz]a[łl]o[żz]on[aey]{_ASIDES}\s+przez\s+{_WORDS}(?P<h>{ANY})(?P<h2>{_MORE})"
    rf"|\bza[łl]o[żz]yli\s+(?P<i>{ANY})(?P<i2>{_MORE})|\b[Zz]alo[žz]ili?[ay]?\s+(?:v roce "
    rf"\d{{4}}\s+)?(?:[a-zà-ž]+\s){{0,2}}(?P<j>{ANY})(?P<j2>{_MORE})"
    rf"|\b[Оо]сновали?[а]?\s+(?:[а-яё]+\s)?(?P<k>{ANY})(?P<k2>{_MORE})"
)
DID = LatePattern(
    rf"(?P<a>{ANY})(?P<a2>{_MORE})\s+(?:co-?)?(?:founded|started|gründete[n]?|"
    rf"haben?\s+[^.]{{2,40}}\s+gegründet|a fondé|ont fondé|fond[èe]rent|fundó|fundaron|fundou|"
    rf"fundaram|ha fondato|hanno fondato|fondò|"
    rf"richtte[n]?|za[łl]o[żz]y[łl][ai]?|za[łl]o[żz]yli|zalo[žz]il[ai]?|основал[аи]?)\b"
)
IS = LatePattern(
    rf"(?P<a>{ANY})\s*(?:,|\(|–|—|-|\bis\b|\bist\b|\best\b|\bes\b|\bé\b|\bè\b|—)\s*(?:the |our |a |"
    rf"der |die |unser(?:e)? |le |la |el |o |il |notre |nuestr[oa] |de |onze "
    rf")?(?P<title>(?:[\w-]+\s(?:and|&|und|et|y|e)\s)?(?:co-?founder|founder|"
    rf"(?:mit)?gründer(?:in)?|(?:co-?)?fondat(?:eur|rice|ore)|(?:co)?fundador[a]?|oprichter|"
    rf"za[łl]o[żz]yciel(?:ka)?|zakladatel(?:ka)?|основатель(?:ница)?)\b)"
    rf"|(?<!, )\b(?:[Oo]ur |[Tt]he |[Uu]nser(?:e)? )?(?P<title2>(?:[Cc]o-?)?[Ff]ounders?|"
    rf"(?:Mit)?[Gg]ründer(?:innen|in)?|(?:[Cc]o-?)?[Ff]ondat(?:eurs?|rices?|ore|ori)|"
    rf"(?:[Cc]o)?[Ff]undador(?:es|as|a)?|"
    rf"[Oo]prichters?|[Zz]a[łl]o[żz]yciel(?:ka|e)?|[Zz]akladatel(?:ka|é)?|"
    rf"[Оо]сновател[ьи](?:ница)?)(?:\s+(?:and|&)\s+(?:CEO|CTO|maintainer|"
    rf"developer))?\s*[:,–—-]?\s+(?:(?:are|is|sind|ist|sont|est|son|es|são|é|sono|è|zijn|is|są|to|"
    rf"jsou|je|были)\s+)?(?P<b>{ANY})(?P<b2>{_MORE})"
)
_WAS = (
    r"(?:is|was|has been|wurde|ist|est|a été|fue|ha sido|es|foi|é|è stat[oa]|è|werd|została?|"
    r"został|jest|byla?|je|был[ао]?)"
)


MADE_BY = LatePattern(
    rf"^(?:proudly |lovingly )?(?:[Mm]ade|[Bb]uilt|[Cc]reated|[Dd]eveloped|[Cc]rafted|[Gg]emacht|"
    rf"[Ee]ntwickelt|[Cc]réé|[Dd]éveloppé|[Cc]onçu|[Cc]reado|[Dd]esarrollado|[Hh]echo|[Cc]riado|"
    rf"[Dd]esenvolvido|[Ff]eito|[Cc]reato|[Ss]viluppato|[Rr]ealizzato|[Gg]emaakt|[Ss]tworzon[aey]|"
    rf"[Vv]ytvořil|[Сс]оздано?)e?"
    rf"(?:\s+(?:with|mit|avec|con|com|met|z|s|с)\s+\S+)?(?:\s+(?:and maintained|and developed|and "
    rf"designed))?\s+(?:by|von|par|por|da|door|"
    rf"przez)?\s*(?P<a>{PERSON})(?P<a2>{_MORE})(?P<rest>.*)$"
)
"""A sentence, without the name and the verb it may begin with, that says who made this."""
WAS = re.compile(_WAS + r"\s+", re.IGNORECASE)
I_AM = LatePattern(
    rf"\b(?:I.m|I am|[Mm]y name is|[Ii]ch bin|[Jj]e suis|[Jj]e m.appelle|[Ss]oy|[Mm]e llamo|[Ss]ou|"
    rf"[Ss]ono|[Ii]k ben|[Jj]estem|[Jj]sem)\s+(?P<a>{ANY})\b[^.!?]{{0,80}}?(?:founder|founded|"
    rf"gründer|fondat|fundad|oprichter|założyciel|zakladatel|creator of|maker of|I (?:built|made|"
    rf"created|started)|built|entwickle|créé|creador|criador)"
)
CJK_FOUNDER = LatePattern(
    rf"(?:共同創業者|創業者|創設者|联合创始人|聯合創辦人|创始人|創辦人|"
    rf"創始人)(?:兼\w{{2,6}})?\s*[:：・/]?\s*(?:の)?\s*(?P<a>{HAN})(?=[\s、，,。（(・]|$|は|が|氏|先生|女士)|"
    rf"(?P<b>{HAN})\s*[（(・／/,，、\s]\s*(?:[\w\s]{{0,12}}?)(?:共同創業者|創業者|创始人|創辦人|联合创始人)"
    rf"|由\s*(?P<c>[\u4e00-\u9fff]{{2,4}}?)(?:(?:和|与|"
    rf"、)(?P<c2>[\u4e00-\u9fff]{{2,4}}?))?\s*(?=于|於|在|创|創|\d)(?:于|於|"
    rf"在)?[^。]{{0,20}}?(?:创立|创办|創立|創辦)|(?P<d>{HANGUL})\s*(?:공동 ?)?(?:창업자|설립자)|"
    rf"(?:공동 ?)?(?:창업자|"
    rf"설립자)\s*[:：]?\s*(?P<e>[가-힣]{{2,4}}?)(?=[\s,.(]|$|(?:가|는|은|이|씨)(?=\s))"
)
NOT_AN_ASIAN_NAME = re.compile(
    r"执行官|总裁|经理|公司|团队|我们|联合|产品|技术|董事|代表|首席|总监|社長|取締役|会社|株式|"
    r"開発|担当|役員|企業|"
    r"청년|예비|여성|초기|스타트업|공동|우리|많은|에서|대표|이사|회사|기업"
)
NOT_A_PERSON = re.compile(
    r"\b(?:Inc|LLC|Ltd|GmbH|Labs?|Studios?|Team|Company|Group|Ventures|Capital|University|"
    r"Institute|Foundation|Technologies|Software|Systems|Solutions|Media|Digital|Agency|Google|"
    r"Apple|Microsoft|Meta|Amazon|OpenAI|GitHub|"
    r"React|Next|Open|Source|The|Our|We|Read|Learn|More|Contact|About|Home|Privacy|Terms|New|Free|"
    r"Pro|Plan|Product|Design|Marketing|Engineering|Sales|Support|Chief|Officer|Head|Director|"
    r"Manager|Developer|Engineer|Designer|"
    r"Founder|Fund|Growth|Partners|Co|CEO|CTO|COO|CFO|Your|My|Their|With|For|And|In|At|On|By|From|Secure|Talk|Book|"
    r"Request|Meet|Join|Get|Start|App|Store|Play|Web|Cloud|Data|Machine|Learning|Europe|World|"
    r"Power|Point|Monday|January|February|March|April|June|July|August|September|October|November|"
    r"December|Martians|Freepik|Flaticon|Unsplash|"
    r"Customer|Customers|Success|Business|Development|Operations|People|Story|Mission|Vision|"
    r"Values|Award|Forbes|Press|Series|Partner|Partners|Years?|Jahre|Unternehmen|Firma|Société|"
    r"Empresa|Azienda|School|Academy|Club|Community|Project|Gesellschaft|Verein)\b"
)
FOUNDER_WORD = re.compile(
    r"naci[óo]|nasceu|found|establish|\bowner\b|started|\bstart\b|created|creator|built|\bbuild\b|"
    r"\bmade\b|maker|"
    r"developed|crafted|"
    r"gr[üu]nde|inhaber|entwickel|gemacht|fond[ée]|fondat|cr[ée]{2}|conçu|développ|fundad|fundó|"
    r"fundou|creado|creador|criado|criador|desarroll|desenvolv|hecho|feito|"
    r"titolare|creato|realizzat|svilupp|opgericht|oprichter|richtte|gemaakt|eigenaar|zało[żz]|"
    r"stworzon|zalo[žz]|zaklad|vytvo|основа|созда|"
    r"創業|創設|設立|创始|创立|创办|創辦|創始|ファウンダー|창업|설립",
    re.IGNORECASE,
)
CREDIT = re.compile(
    r"theme|template|logo|icons?|website|web ?site|photo|illustration|font|design(?:ed)?\b|music|"
    r"artwork|screenshot|"
    r"translation|package|thème|vorlage|plantilla|webseite|internetseite|sito web|strona|stránky",
    re.IGNORECASE,
)
