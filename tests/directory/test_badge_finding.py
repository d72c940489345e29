"""Which pages have our badge: a link to the listing, where visitors can see it, with the badge's image in it."""

from functools import partial

import pytest
from django.conf import settings

from directory.launches import badges
from directory.launches.badge_check import SNIPPET, find_badge
from tests.waiting import spent

BASE = "https://tidewell.example/en/"
HERE = settings.SITE_URL
BARE = HERE.partition("://")[2]
LINK = badges.link_url("tidewell")
SRC = badges.image_url("tidewell", "listed")
IMG = f'<img src="{SRC}" alt="">'
BADGE = badges.badge_html(slug="tidewell", name="Tidewell")


def result(html: str, **bounds: int) -> str:
    return find_badge(html=html, base_url=BASE, slug="tidewell", **bounds).result


FOUND = {
    "the code as given": BADGE,
    "in capitals": f'<A HREF="{LINK}"><IMG SRC="{SRC}"></A>',
    "without quotes": f"<a href={LINK}><img src={SRC}></a>",
    "single quotes and spaces": f"<a\n href = '{LINK}'\n><img\tsrc\n=\n'{SRC}' /></a>",
    "rel, target and more": f'<a rel="nofollow ugc sponsored noopener" target=_blank href="{LINK}">{IMG}</a>',
    "deep inside the link": f'<a href="{LINK}"><span><b>We are on<i>{IMG}</i></b></span></a>',
    "a look of its own": f'<a href="{LINK}"><img src="{SRC}?shape=pill&amp;mode=dark&amp;size=s"></a>',
    "an award's image": f'<a href="{LINK}"><img src="{badges.image_url("tidewell", "launch_of_the_week_1")}"></a>',
    "slash, query and fragment": f'<a href="{LINK}/?ref=home#top">{IMG}</a>',
    "protocol-relative": f'<a href="//{BARE}/listings/tidewell"><img src="//{BARE}/badges/tidewell/listed.svg"></a>',
    "the other scheme": f'<a href="https://{BARE}/listings/tidewell">{IMG}</a>',
    "host in capitals with a dot": f'<a href="http://{BARE.upper()}/listings/tidewell">{IMG}</a>',
    "www": f'<a href="http://www.{BARE}/listings/tidewell">{IMG}</a>',
    "white space around": f'<a href=" \n{LINK}\n">{IMG}</a>',
    "encoded": f'<a href="{HERE}/listings/%74idewell"><img src="{SRC.replace("/", "&#47;")}"></a>',
    "relative to a base": f'<base href="{HERE}/x/"><a href="../listings/tidewell">'
    '<img src="/badges/tidewell/listed.svg"></a>',
    "only the first base counts": f'<base target=_top><base href="{HERE}"><base href="https://b.example">'
    '<a href="/listings/tidewell"><img src="/badges/tidewell/listed.svg"></a>',
    "the first of two equal attributes": f'<a href="{LINK}" href="https://b.example">{IMG}</a>',
    "loaded late": f'<a href="{LINK}"><img src="data:image/gif;base64,R0" data-src="{SRC}"></a>',
    "srcset": f'<a href="{LINK}"><img srcset="{SRC} 1x, {SRC}?size=l 2x"></a>',
    "picture": f'<a href="{LINK}"><picture><source srcset="{SRC}"><img src="fallback.png"></picture></a>',
    "unclosed link": f'<p><a href="{LINK}">{IMG}<p>More',
    "cut page": f'<a href="{LINK}">{IMG}',
    "after a broken link": f'<a href="http://[">x</a><img src="https://[your-site]/"><a href="http://a\u2100b/">y</a>{BADGE}',
    "after a broken base": f'<base href="http://[">{BADGE}',
    "after an empty comment": f"<!-->{BADGE}<!--->",
    "after other markup": f"<!doctype html><?xml?><![CDATA[<]]></>< a <3 {BADGE}",
    "after hidden ones": f'<div hidden><div>{IMG}</div></div><template><template></template></template>{BADGE}',
    "after a hidden paragraph": f"<p hidden>Secret<p>{BADGE}",
    "hidden is only a word": f'<a class="hidden-sm" title="display:none" href="{LINK}">{IMG}</a>',
    "quotes of the other kind": f"""<a title='5" wide' data-x="it's" href="{LINK}">{IMG}</a>""",
    "a greater-than sign in a value": f'<a title=">" href="{LINK}">{IMG}</a>',
}  # fmt: skip
NOT_FOUND = {
    "nothing": "<h1>Tidewell</h1>",
    "commented out": f"<!-- {BADGE} -->",
    "in a comment without end": f"<!-- {BADGE}",
    "in a script": f"<script>var x = '{BADGE}';</script>",
    "in a script without end": f"<script>{BADGE}",
    "in a script that has an end in a name": f"<script></scripts>{BADGE}</script>",
    "in a style": f"<style>{BADGE}</style>",
    "in a template": f"<template><p>{BADGE}</template>",
    "in noscript": f"<noscript>{BADGE}</noscript>",
    "in a text field": f"<textarea>{BADGE}</textarea>",
    "in the title": f"<title>{BADGE}</title>",
    "in an iframe": f"<iframe>{BADGE}</iframe>",
    "in a value": f"<p title='{BADGE}'>",
    "in a value without end": f'<p title="{BADGE.replace(chr(34), "")}',
    "escaped": BADGE.replace("<", "&lt;"),
    "in a hidden element": f"<div hidden><div></div>{BADGE}</div>",
    "in an invisible element": f'<div style="color:red; Display : None !important">{BADGE}</div>',
    "a link to somebody else's listing": badges.badge_html(slug="tidewell-2", name="T"),
    "our address in another host's": f'<a href="https://b.example/?u={LINK}">x</a>',
    "our host as a user name": f'<a href="http://{BARE}@b.example/listings/tidewell">{IMG[:0]}</a>',
    "a host that ends like ours": f'<a href="http://evil-{BARE}/listings/tidewell">x</a>',
}  # fmt: skip
LINK_ONLY = {
    "words": f'<a href="{LINK}">Our listing</a>',
    "another image": f'<a href="{LINK}"><img src="https://b.example/badge.png"></a>',
    "no badge of ours": f'<a href="{LINK}"><img src="{badges.image_prefix("tidewell")}../x/listed.svg"></a>',
    "somebody else's badge": f'<a href="{LINK}"><img src="{badges.image_url("brindle", "listed")}"></a>',
    "image after the link": f'<a href="{LINK}">x</a>{IMG}',
    "image in the next link": f'<a href="{LINK}">x<a href="/">{IMG}</a>',
    "hidden image": f'<a href="{LINK}"><img hidden src="{SRC}"></a>',
    "image for readers without scripts only": f'<a href="{LINK}">x<noscript>{IMG}</noscript></a>',
}  # fmt: skip
IMAGE_ONLY = {
    "no link": IMG,
    "a link elsewhere": f'<a href="https://b.example/">{IMG}</a>',
    "a link to the API": f'<a href="{HERE}/api/v1/listings/tidewell">{IMG}</a>',
    "a hidden link": f'<a hidden href="{LINK}">x</a>{IMG}',
    "another port": f'<a href="http://{BARE.partition(":")[0]}:81/listings/tidewell">{IMG}</a>',
    "another scheme": f'<a href="ftp://{BARE}/listings/tidewell">{IMG}</a>',
}  # fmt: skip


@pytest.mark.parametrize("html", FOUND.values(), ids=FOUND)
def test_is_found(html: str) -> None:
    assert result(html) == "found"


@pytest.mark.parametrize("html", NOT_FOUND.values(), ids=NOT_FOUND)
def test_is_not_found(html: str) -> None:
    assert result(html) == "not_found"


@pytest.mark.parametrize("html", LINK_ONLY.values(), ids=LINK_ONLY)
def test_a_link_without_the_image_says_so(html: str) -> None:
    assert result(html) == "link_only"


@pytest.mark.parametrize("html", IMAGE_ONLY.values(), ids=IMAGE_ONLY)
def test_an_image_without_the_link_says_so(html: str) -> None:
    assert result(html) == "image_only"


def test_the_snippet_is_what_was_seen() -> None:
    found = find_badge(html=f"<p>Hello{BADGE}</p>", base_url=BASE, slug="tidewell")
    long = find_badge(html=f'<a href="{LINK}">{"x" * 900}', base_url=BASE, slug="tidewell")

    assert found.snippet == BADGE
    assert (long.result, len(long.snippet)) == ("link_only", SNIPPET)


def test_a_page_of_too_many_tags_is_not_read_to_its_end() -> None:
    assert result("<b>" * 9 + BADGE, max_tags=9) == "too_large"
    assert result(BADGE + "<b>" * 9, max_tags=9) == "found"


COSTLY = (
    "<b>",
    "<template>",
    "<p hidden>",
    "</x>",
    "<",
    "<!--",
    "<!",
    "<script>",
    '<a a="',
    "<a a='b=\"",
    " a1",
    "<a href='%74idewell'>",
    "<img src=http://[tidewell>",
    "<a href=tidewell/listings/tidewell/",
)


@pytest.mark.parametrize("piece", COSTLY)
def test_the_cost_grows_with_the_length_alone(piece: str) -> None:
    """Four times the page may take four times as long, not sixteen; the pages of a test are too small to be exact."""

    small, large = ("<a " * (piece == " a1") + piece * (size // len(piece)) for size in (32_000, 128_000))
    bound = 9 * max(spent(partial(result, small)), 0.002)

    assert spent(partial(result, large), enough=bound) < bound
