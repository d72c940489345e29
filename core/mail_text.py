"""How a message reads: what a stranger wrote is marked as theirs and becomes no link; a text is its HTML too."""

import re
from collections.abc import Mapping
from typing import Any

LABEL_MAX = 60  # characters of a button
JOINER = "\u2060"  # is not seen, and ends what a mail client takes for an address
# what clients make links of by themselves, beside whole e-mail addresses: a scheme, and a dot before letters
LINKED = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w/@-])|:(?=//)|(?<=\w)\.(?=[^\W\d_]{2})", re.IGNORECASE
)


def unlinked(text: str) -> str:
    """A stranger's words so that no client makes a link of an address in them: it would be taken for ours."""
    return LINKED.sub(lambda match: match[0] if len(match[0]) > 1 else f"{JOINER}{match[0]}{JOINER}", text)


def quoted(text: str) -> str:
    """A stranger's words, each line marked as theirs, with no links."""
    return "\n".join(f"> {line}".rstrip() for line in unlinked(text).strip().splitlines())


def in_paragraphs(text: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """A text without what the foot says; a page of ours that it ends with is a button, called as its line calls it."""
    foot = [link for link in (context.get("choice_url"), context.get("unsubscribe_url")) if link]
    signature = f"{context['site_name']}, {context['site_url']}"
    lines = [
        line for line in text.splitlines() if line != signature and not any(link in line for link in foot)
    ]
    body, page, label = "\n".join(lines).strip(), "", "Open the page"
    if (last := body.split()[-1:]) and last[0].startswith(f"{context['site_url']}/"):
        page = last[0]
        body = body.removesuffix(page).rstrip()
        line = body.rpartition("\n")[2]
        if line.endswith(":") and len(line) <= LABEL_MAX:
            body, label = body.removesuffix(line), line[:-1]
    return {
        "paragraphs": [_paragraph(part.strip()) for part in body.split("\n\n") if part.strip()],
        "page": page,
        "label": label,
    }


def _paragraph(text: str) -> tuple[str, str]:
    """What it is, and how it reads."""
    if text.startswith(">"):
        lines = (line.removeprefix(">").removeprefix(" ") for line in text.splitlines())
        return "quotation", "\n".join(lines)
    return "code" if text.startswith("<") else "text", text
