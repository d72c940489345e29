"""How a message reads: what a stranger wrote is marked as theirs and becomes no link; a text is its HTML too."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from core.api.links import on_site

LABEL_MAX = 60  # characters of a button
JOINER = "\u2060"  # is not seen, and ends what a mail client takes for an address
# what clients make links of by themselves, beside whole e-mail addresses: a scheme, and a dot before letters
LINKED = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w/@-])|:(?=//)|(?<=\w)\.(?=[^\W\d_]{2})"
LEADING = ("link", "page", "url")
NOT_TEXT = re.compile(r"(<style.*?</style>|<pre.*?</pre>|<[^>]*>)", re.DOTALL)
Unlinked = Callable[[str], str]


def unlinked(context: Mapping[str, Any]) -> Unlinked:
    """Lets a client make a link of nothing in a text but our own pages and what the context says the mail leads to.

    A name or a text may be a stranger's, and an address in it would be taken for ours.
    """
    lists = (rows for rows in context.values() if isinstance(rows, list))
    parts = [context, *(row for rows in lists for row in rows if isinstance(row, Mapping))]
    given = {on_site("")} | {
        value
        for part in parts
        for name, value in part.items()
        if isinstance(value, str) and value and (name in LEADING or name.endswith(("_url", "_html")))
    }
    own = "|".join(re.escape(value) for value in sorted(given, key=len, reverse=True))
    anything = re.compile(rf"(?:{own})(?!\.?[\w@:-])(?:/[^\s<>\"]*)?|{LINKED}")
    return partial(
        anything.sub, lambda match: match[0] if len(match[0]) > 1 else f"{JOINER}{match[0]}{JOINER}"
    )


def unlinked_html(html: str, *, plain: Unlinked) -> str:
    return "".join(part if part.startswith("<") else plain(part) for part in NOT_TEXT.split(html))


def quoted(text: str) -> str:
    """A stranger's words, each line marked as theirs."""
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())


def in_paragraphs(text: str, context: Mapping[str, Any], *, plain: Unlinked) -> dict[str, Any]:
    """A text without what the foot says; a page of ours that it ends with is a button, called as its line calls it."""
    foot = [link for link in (context.get("choice_url"), context.get("unsubscribe_url")) if link]
    signature = plain(f"{context['site_name']}, {context['site_url']}")
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
