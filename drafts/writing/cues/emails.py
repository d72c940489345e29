"""Mail addresses, plain and disguised."""

import re
from collections.abc import Iterator

EMAIL = re.compile(
    r"(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}(?![\w-])"
)
_AT = (
    r"\s*(?:\(\s*(?:at|ät|arroba|собака|a|kropka|zavináč|@)\s*\)|\[\s*(?:at|ät|arroba|собака|@|"
    r"zavináč)\s*\]|\{\s*at\s*\}|\s+(?:at|AT)\s+(?=[\w-]+\s*(?:\(|\[|\{|\s)\s*dot))\s*"
)
_DOT = (
    r"\s*(?:\(\s*(?:dot|punkt|point|punto|ponto|точка|tečka|kropka)\s*\)|\[\s*(?:dot|punkt|point|punto|"
    r"ponto|точка|tečka)\s*\]|\{\s*dot\s*\}|\s+(?:dot|DOT)\s+|\.)\s*"
)
DISGUISED = re.compile(
    rf"(?<![\w.+-])([A-Za-z0-9][\w.+-]{{0,40}}){_AT}([A-Za-z0-9-]{{1,40}}(?:{_DOT}[A-Za-z0-9-]{{2,24}}){{1,3}})(?![\w-])",
    re.IGNORECASE,
)


def emails_in(text: str) -> Iterator[tuple[str, str]]:
    """The addresses of a text: as written, and as meant."""
    for found in EMAIL.finditer(text):
        yield found.group(), found.group().lower().rstrip(".")
    for found in DISGUISED.finditer(text):
        domain = re.sub(_DOT, ".", found.group(2), flags=re.IGNORECASE)
        address = f"{found.group(1)}@{domain}".lower()
        if EMAIL.fullmatch(address):
            yield found.group().strip(), address
