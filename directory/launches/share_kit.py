"""Words for each network, for whoever launches: a text to edit, and the address that opens the network with it.

They ask for a look or for advice, never for votes: people notice, and some sites forbid it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from django.utils.text import Truncator

X = "https://x.com/intent/post?text="
LINKEDIN = "https://www.linkedin.com/feed/?shareActive=true&text="
BLUESKY = "https://bsky.app/intent/compose?text="
NAME, TAGLINE, TITLE = 60, 100, 80
ELSEWHERE = "Elsewhere than on mastodon.social: copy it."
REDDIT = "The link to your page goes along. This text asks for advice, which most groups allow."
SHOW_HN = "A title of 80 characters at most, with your own website: Show HN is for what people can try."


@dataclass(frozen=True, kw_only=True)
class Post:
    """The words for one network. `opens` is its address up to the text."""

    code: str
    network: str
    text: str
    opens: str
    hint: str = ""

    @property
    def href(self) -> str:
        return self.opens + quote(self.text, safe="")

    @property
    def button(self) -> str:
        return "Open your mail app" if self.opens.startswith("mailto:") else f"Open {self.network}"


@dataclass(frozen=True, kw_only=True)
class Words:
    """What is told of a product, in the lengths that networks ask for."""

    first: str
    longer: str
    to_friend: str
    subject: str


def words_of(name: str, what: str, *, page: str, site_name: str, result: str) -> Words:
    """Of a launch that runs, or of a week that is over with this result."""
    if result:
        news = f"{name} finished {result} on {site_name}."
        return Words(
            first=f"{news} Thank you to everybody who had a look and told us what’s missing. {page}",
            longer=f"{news} Thank you to everybody who tried it and wrote to us. What should come next? {page}",
            to_friend=f"{news} Thank you for your help! {page}",
            subject=f"{name} finished {result}",
        )
    news = f"{name} is live on {site_name} this week.{what}"
    return Words(
        first=f"{news} Tell us what’s missing. {page}",
        longer=f"{news} I’d love to hear what you think of it, above all what you’d change. {page}",
        to_friend=f"{name} is live this week! Have a look and tell me what you think: {page}",
        subject=f"{name} is live",
    )


def _of(most: int, text: str) -> str:
    return f"{len(text)} of at most {most} characters."


def share_links(listing: Mapping[str, Any]) -> list[Post]:
    """For whoever passes a page on: its name, what it is, its address."""
    name, page = Truncator(listing["name"]).chars(NAME), listing["page_url"]
    tagline = Truncator((listing["tagline"] or "").rstrip(" .")).chars(TAGLINE)
    text = f"{name}: {tagline} {page}" if tagline else f"{name} {page}"
    rows = (("x", "X", X), ("linkedin", "LinkedIn", LINKEDIN), ("bluesky", "Bluesky", BLUESKY))
    return [
        *(Post(code=code, network=network, text=text, opens=opens) for code, network, opens in rows),
        Post(code="e-mail", network="E-mail", text=text, opens="mailto:?body="),
    ]


def share_kit(listing: Mapping[str, Any], *, site_name: str, url: str, result: str = "") -> list[Post]:
    """One for each network. `url` is the product's own website; with `result` they tell of a week that is over."""
    name, page = Truncator(listing["name"]).chars(NAME), listing["page_url"]
    tagline = Truncator((listing["tagline"] or "").rstrip(" .")).chars(TAGLINE)
    what = f" {tagline}." if tagline else ""
    words = words_of(name, what, page=page, site_name=site_name, result=result)
    asks = f"I made {name}.{what} What would stop you from using it?"
    title = Truncator(f"Show HN: {name}{f' – {tagline}' if tagline else ''}").chars(TITLE)
    mail = f"{words.longer}\n\nOne question: what is the first thing you’d change?"
    reddit = f"https://www.reddit.com/submit?{urlencode({'url': page})}&title="
    news = f"https://news.ycombinator.com/submitlink?{urlencode({'u': url})}&t="
    mailto = f"mailto:?subject={quote(words.subject, safe='')}&body="
    rows = (
        ("x", "X", words.first, X, _of(280, words.first)),
        ("linkedin", "LinkedIn", words.longer, LINKEDIN, ""),
        ("bluesky", "Bluesky", words.first, BLUESKY, _of(300, words.first)),
        ("mastodon", "Mastodon", words.first, "https://mastodon.social/share?text=", ELSEWHERE),
        ("threads", "Threads", words.first, "https://www.threads.net/intent/post?text=", ""),
        ("reddit", "Reddit", asks, reddit, REDDIT),
        ("hacker-news", "Hacker News", title, news, SHOW_HN),
        ("whatsapp", "WhatsApp", words.to_friend, "https://wa.me/?text=", ""),
        ("e-mail", "E-mail", mail, mailto, ""),
    )
    return [
        Post(code=code, network=network, text=text, opens=opens, hint=hint)
        for code, network, text, opens, hint in rows
    ]
