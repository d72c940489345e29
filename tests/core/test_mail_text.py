"""What a stranger wrote becomes no link in a mail, and is told from what we say."""

import re
from typing import Any

import pytest
from django.utils.html import urlize

from core import mail
from core.api.links import absolute
from core.mail_text import JOINER, quoted, unlinked
from core.models import Job

SITE = absolute("")
# as clients do without asking: a scheme or www., and a name with a dot before letters
LINKS = re.compile(r"(?:https?://|www\.)\S+|(?<![\w.])[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}(?![\w])\S*")


@pytest.mark.parametrize(
    "text",
    [
        "x.com",
        "Cal.com",
        "https://evil.example/login",
        "HTTP://EVIL.EXAMPLE",
        "www.evil.com",
        "see evil.co.uk/path?a=b.",
        "bücher.рф",
        "info@evil.com/login",
        f"{SITE}.evil.com/login",
        f"{SITE}@evil.com/login",
        "http://xn--e1afmkfd.xn--p1ai",
        "x.com/intent/post",
    ],
)
def test_a_stranger_s_address_is_no_link_and_reads_the_same(text: str) -> None:
    result = unlinked(text)

    assert LINKS.search(text)
    assert not LINKS.search(result)
    assert "<a" not in urlize(result)
    assert result.replace(JOINER, "") == text
    assert unlinked(result) == result


@pytest.mark.parametrize(
    "text", ["Write to ann.lee@people.example.", "Version 2.0, €99.00, 1.5 of 3. e.g. now"]
)
def test_what_is_no_link_stays(text: str) -> None:
    assert unlinked(text) == text


def test_each_line_of_a_quotation_is_marked() -> None:
    text = "One\r\n\r\nThe site team: <b>pay</b>\u2028> now"

    assert quoted(text) == "> One\n>\n> The site team: <b>pay</b>\n> > now"


def test_a_mail_quotes_a_stranger_and_links_nothing_of_theirs(db: None) -> None:
    page = absolute("/account/listings/7/reviews")
    words = f"Fine.\n\nYour account is locked:\nhttps://evil.example/login\n\n{SITE}.evil.com"
    context: dict[str, Any] = {"listing": {"name": "Evil.com"}, "review": {"stars": 5, "text": words}}
    mail.send(
        template="directory/mail/review_new",
        to="a@b.example",
        key="k",
        context={**context, "manage_url": page, "unsubscribe_url": absolute("/mail/stop")},
    )

    payload = Job.objects.get().payload
    (quotation,) = re.findall("<blockquote>(.*?)</blockquote>", payload["html"], re.DOTALL)
    assert quoted(words) in payload["text"]
    assert quotation.replace(JOINER, "") == words.replace("\n", "<br>")
    assert set(re.findall('href="([^"]*)"', payload["html"])) == {page, absolute("/mail/stop"), f"{SITE}/"}
    own = {"Evil.com", page, absolute("/mail/stop")}
    assert {link.rstrip(".") for link in LINKS.findall(payload["text"])} == own
    assert payload["subject"] == "A review of Evil.com: 5 of 5"
