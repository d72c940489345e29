"""Founding words in many languages, and what makes a year no founding year."""

import re

YEAR = r"(?P<year>1[89]\d\d|20[0-4]\d)"
_GAP = r"[^.!?\n]{0,40}?"
FOUNDING = re.compile(
    rf"(?:\b(?:co-?)?founded|\bestablished|\best\.|\bincorporated|\bfounding year\s*:?|\byear "
    rf"(?:founded|established)\s*:?|"
    rf"\bsince our (?:founding|foundation)|"
    rf"\b(?:ge|be)?gr[üu](?:e)?ndet|\bgr[üu]ndungsjahr\s*:?|\bgegründet|\bfond[ée]e?s?\b|"
    rf"\bcr[ée]{{2}}e?s?\b|\bann[ée]e de (?:cr[ée]ation|fondation)\s*:?|\bdate de cr[ée]ation\s*:?|"
    rf"\bfundad[ao]s?|\bfundamos|\bcread[ao] en|\baño de fundaci[óo]n\s*:?|\bfund[aá]mos|"
    rf"\bcriad[ao] em|\bano de funda[çc][ãa]o\s*:?|"
    rf"\bfondat[aoie]\b|\bnat[ao] nel|\banno di fondazione\s*:?|\bopgericht|\boprichtingsjaar\s*:?|"
    rf"\bza[łl]o[żz]on[aeoy]|\bza[łl]o[żz]yli[śs]my|\brok za[łl]o[żz]enia\s*:?|"
    rf"\bzalo[žz]en[ao]?|\bzalo[žz]il[iay]?|\brok zalo[žz]en[íi]\s*:?|основан[аоы]?|основали|год "
    rf"основания\s*:?)"
    rf"{_GAP}\b{YEAR}\b"
    rf"|\b(?:in|im jahr|en|nel|em|w|roku|v roce|"
    rf"в)\s+{YEAR.replace('year', 'year2')}\b[^.!?\n]{{0,25}}?\b(?:founded|established|gegründet|"
    rf"fondée?|créée?|fundad[ao]|criad[ao]|fondat[ao]|opgericht|"
    rf"założon[aeoy]|zalo[žz]en[ao]?|основан[аоы]?|gründete[n]?|we started|was started|was born)"
    rf"|\b{YEAR.replace('year', 'year5')}\b[^.!?\n]{{0,90}}?\b(?:gegründet|opgericht|ins leben gerufen)\b"
    rf"|{YEAR.replace('year', 'year6')}\s?(?:年|년)[^。，,.]{{0,12}}?(?:創業|設立|創立|成立|创立|创办|설립|창립|창업)"
    rf"|(?:創業|設立|創立|成立|创立|創辦|创办|创建于|成立于|成立時間|成立时间|설립|창립|창업)(?:年月日|年月|年|일|연도|于|於|\s|"
    rf"[:：])*{YEAR.replace('year', 'year3')}"
    rf"|{YEAR.replace('year', 'year4')}\s?(?:年|년)(?:\s?\d{{1,2}}\s?(?:月|월)(?:\s?\d{{1,2}}\s?(?:日|"
    rf"일))?)?\s?(?:に|에|、)?\s?(?:創業|設立|創立|成立|创立|创办|설립|창립|창업)",
    re.IGNORECASE,
)
STARTED = re.compile(
    rf"\b(?:we|us)\s+(?:\w+\s+){{0,2}}?(?:started|began|opened)\b[^.!?\n]{{0,40}}?\bin\s+{YEAR}\b"
    rf"|\b[Ii]n\s+(?:\w+\s+)?{YEAR.replace('year', 'year2')},?\s+[^.!?\n]{{0,90}}?\b(?:started|"
    rf"founded|began|set up|set out|launched the company)\b",
    re.IGNORECASE,
)
SINCE = re.compile(
    rf"(?:\bsince|\bseit|\bdepuis|\bdesde|\bdal|\bsinds|\bod(?: roku)?|\bс)\s+{YEAR}\b|"
    rf"{YEAR.replace('year', 'year2')}\s?(?:年から|年以来|년부터)",
    re.IGNORECASE,
)
NOT_FOUNDING = re.compile(
    r"©|\(c\)|copyright|version|\bv\d|release|\bevent|conference|summit|registered (?:in|with)|"
    r"registr|updated|last (?:modified|update)|"
    r"law|act of|regulation|verordnung|gesetz|standard|iso \d|rfc|study|survey|born in \d{4} in|"
    r"patent|festival|"
    r"policy|members? since|customer since|raised|series [a-e]\b|funding round|acquired|mis à jour|stand:",
    re.IGNORECASE,
)
