"""Words for each network, for whoever launches: a text to edit, and the address that opens the network with it.

They ask for a look or for advice, never for votes: people notice, and some sites forbid it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from django.utils.text import Truncator

NAME, TAGLINE, TITLE = 60, 100, 80


@dataclass(frozen=True, kw_only=True)
class Post:
    """The words for one network. `opens` is its address up to the text."""

    code: str
    network: str
    text: str
    opens: str
    hint: str = ""
    act: str = ""

    @property
    def href(self) -> str:
        """The network's address with the text in it."""
        return self.opens + quote(self.text, safe="")

    @property
    def button(self) -> str:
        return self.act or f"Open {self.network}"


def share_kit(listing: Mapping[str, Any], *, site_name: str, url: str, result: str = "") -> list[Post]:
    """One for each network. `url` is the product's own website; with `result` they tell of a week that is over."""
    name, page = Truncator(listing["name"]).chars(NAME), listing["page_url"]
    tagline = Truncator((listing["tagline"] or "").rstrip(" .")).chars(TAGLINE)
    what = f" {tagline}." if tagline else ""
    if result:
        news = f"{name} finished {result} on {site_name}."
        first = f"{news} Thank you to everybody who had a look and told us what’s missing. {page}"
        longer = f"{news} Thank you to everybody who tried it and wrote to us. What should come next? {page}"
        to_one = f"{name} finished {result} on {site_name}. Thank you for your help! {page}"
        subject = f"{name} finished {result}"
    else:
        news = f"{name} is live on {site_name} this week.{what}"
        first = f"{news} Tell us what’s missing. {page}"
        longer = f"{news} I’d love to hear what you think of it, above all what you’d change. {page}"
        to_one = f"{name} is live this week! Have a look and tell me what you think: {page}"
        subject = f"{name} is live"
    asks = f"I made {name}.{what} What would stop you from using it?"
    mail = f"{longer}\n\nOne question: what is the first thing you’d change?"
    return [
        Post(
            code="x", network="X", text=first, opens="https://x.com/intent/post?text=", hint="280 characters."
        ),
        Post(
            code="linkedin",
            network="LinkedIn",
            text=longer,
            opens="https://www.linkedin.com/feed/?shareActive=true&text=",
        ),
        Post(
            code="bluesky",
            network="Bluesky",
            text=first,
            opens="https://bsky.app/intent/compose?text=",
            hint="300 characters.",
        ),
        Post(
            code="mastodon",
            network="Mastodon",
            text=first,
            opens="https://mastodon.social/share?text=",
            hint="Elsewhere than on mastodon.social: copy it.",
        ),
        Post(
            code="threads", network="Threads", text=first, opens="https://www.threads.net/intent/post?text="
        ),
        Post(
            code="reddit",
            network="Reddit",
            text=asks,
            opens=f"https://www.reddit.com/submit?{urlencode({'url': page})}&title=",
            hint="The link to your page goes along. This text asks for advice, which most groups allow.",
        ),
        Post(
            code="hacker-news",
            network="Hacker News",
            text=Truncator(f"Show HN: {name}{f' – {tagline}' if tagline else ''}").chars(TITLE),
            opens=f"https://news.ycombinator.com/submitlink?{urlencode({'u': url})}&t=",
            hint="A title of 80 characters at most, with your own website: Show HN is for what people can try.",
        ),
        Post(code="whatsapp", network="WhatsApp", text=to_one, opens="https://wa.me/?text="),
        Post(
            code="e-mail",
            network="E-mail",
            text=mail,
            opens=f"mailto:?subject={quote(subject, safe='')}&body=",
            act="Open your mail app",
        ),
    ]
