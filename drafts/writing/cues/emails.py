"""Mail addresses, plain and disguised."""

import re
from collections.abc import Iterator

from drafts.crawl.extract_parts import words
from drafts.languages import Shape

EMAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![\w-])"
)
_AT = Shape(
    r"\s*[(\[{]\s*(?:{email_at}|@)\s*[)\]}]\s*",
    r"\s+{email_at}\s+(?=[\w-]+\s*[(\[{\s]\s*{email_dot})\s*",
)
_DOT = Shape(r"\s*[(\[{]\s*{email_dot}\s*[)\]}]\s*|\s+{email_dot}\s+|\s*\.\s*")
DISGUISED = Shape(
    r"(?<![\w.+-])([A-Za-z0-9][\w.+-]{0,40}){at}([A-Za-z0-9-]{1,40}(?:{dot}[A-Za-z0-9-]{2,24}){1,3})(?![\w-])",
    at=_AT,
    dot=_DOT,
)

FREE_MAIL = words(
    "gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com "
    "protonmail.com proton.me pm.me gmx.de gmx.net gmx.com web.de t-online.de posteo.de mailbox.org "
    "tutanota.com tuta.io free.fr orange.fr laposte.net wanadoo.fr libero.it seznam.cz centrum.cz "
    "wp.pl o2.pl onet.pl interia.pl uol.com.br bol.com.br yandex.ru mail.ru qq.com 163.com 126.com "
    "foxmail.com naver.com daum.net hanmail.net kakao.com yahoo.co.jp yahoo.fr yahoo.de fastmail.com "
    "zoho.com aol.com"
)
"""Where everybody can have an address."""


def emails_in(text: str) -> Iterator[tuple[str, str]]:
    """The addresses of a text: as written, and as meant."""
    for result in EMAIL.finditer(text):
        yield result.group(), result.group().lower().rstrip(".")
    for result in DISGUISED.finditer(text):
        address = f"{result.group(1)}@{'.'.join(_DOT.split(result.group(2)))}".lower()
        if EMAIL.fullmatch(address):
            yield result.group().strip(), address
