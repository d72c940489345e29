"""What a crawler reads from a page, however the page is made."""

import time

import pytest

from drafts.crawl.markup import MAX_TAGS, Link, Markup, TooMuchMarkupError, count_tags, read_markup

SCRIPT = "<script src=/app.js></script>"
LONG = "Acme counts bolts in workshops. " * 10


def read(text: str) -> Markup:
    return read_markup(text, max_links=100)


def test_links_and_where_they_stand() -> None:
    page = read(
        '<header><a href="/pricing">Pricing </a><nav><a href="/team"><b>Our</b> team</a></nav></header>'
        '<p><a href=" /a ">A</a><a href="/n" rel="nofollow ugc">N</a><a name="x">X</a><a href="">E</a></p>'
        '<footer><a href="/legal" aria-label="Legal"></a></footer><map><area href="/map"></map>'
    )

    assert page.links == (
        Link(href="/pricing", text="Pricing", place="nav"),
        Link(href="/team", text="Our team", place="nav"),
        Link(href="/a", text="A", place="main"),
        Link(href="/n", text="N", place="main", is_open=False),
        Link(href="/legal", text="Legal", place="footer"),
        Link(href="/map", text="", place="main"),
    )


def test_links_stop_at_the_bound() -> None:
    assert len(read_markup("<a href=/x>x</a>" * 500, max_links=100).links) == 100


def test_title_base_and_canonical() -> None:
    page = read(
        '<title> Acme\n  tools </title><base href="/docs/"><link rel="canonical" href=" https://acme.test/ ">'
        '<meta property="og:url" content="https://other.test/">'
    )

    assert (page.title, page.base, page.canonical) == ("Acme tools", "/docs/", "https://acme.test/")
    assert read('<meta property="og:url" content="https://acme.test/">').canonical == "https://acme.test/"


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/en/", "/en/"),
        ("0;URL='/en/'", "/en/"),
        ('0; url="/en/"', "/en/"),
        ("1.5,url=/en/", "/en/"),
        ("0;/en/", "/en/"),
        ("0", ""),
        ("300; url=/en/", ""),
        ("soon; url=/en/", ""),
        ("", ""),
    ],
)
def test_a_quick_refresh_is_a_redirect(content: str, target: str) -> None:
    quote = "'" if '"' in content else '"'

    assert read(f"<meta http-equiv=Refresh content={quote}{content}{quote}>").refresh == target


def test_a_refresh_for_browsers_without_script_is_not_ours() -> None:
    assert read('<noscript><meta http-equiv="refresh" content="0; url=/plain"></noscript>').refresh == ""


def test_wishes_towards_robots() -> None:
    page = read('<meta name="ROBOTS" content="NoIndex, nofollow"><meta name="robots" content="noai">')

    assert page.robots == {"noindex", "nofollow", "noai"}


@pytest.mark.parametrize(
    ("text", "is_shell"),
    [
        (f"<div id=root></div>{SCRIPT}", True),
        (f'<div id="app"> </div>{SCRIPT}<noscript>Please enable JavaScript.</noscript>', True),
        (f"<p>Loading</p><noscript>You need to enable JavaScript to run this app.</noscript>{SCRIPT}", True),
        (f"<title>Acme, the bolt counter for workshops</title>{SCRIPT}", True),
        (f"<p>{LONG}</p>{SCRIPT}<noscript>Enable JavaScript</noscript>", False),
        (f"<div id=root><p>{LONG}</p></div>{SCRIPT}", False),
        (f"<p>{LONG[:150]}</p>{SCRIPT}", False),
        ("<p>Acme counts bolts.</p>", False),
        ("", True),
        ("<!-- nothing -->", True),
        (f"<style>{LONG}</style><template>{LONG}</template>{SCRIPT}", True),
        (f"<html><body></body></html><div>{LONG}</div>{SCRIPT}", False),
    ],
)
def test_pages_that_show_their_text_only_by_script(text: str, *, is_shell: bool) -> None:
    assert read(text).is_shell is is_shell


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 60_000,
        "<!--><b>" + "<div>" * 60_000,
        "<script/><i>" + "<svg><g>" * 400,
        "<p>x" * (MAX_TAGS + 1),
        "<a " + " ".join(f"x{number}=1" for number in range(100_000)) + ">",
        "<table><tr><td>" * 5_000,
        "<b><div>" * 50_000,
    ],
    ids=["deep", "comment", "svg", "many", "attributes", "tables", "formatting"],
)
def test_bombs_are_found_before_a_tree_is_built(text: str) -> None:
    started = time.thread_time()

    with pytest.raises(TooMuchMarkupError):
        count_tags(text, most=MAX_TAGS)
    assert time.thread_time() - started < 1


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("", 0),
        ("<p>one<p>two", 4),
        ("<script>for(i=0;i<n;i++)document.write('<div><div>')</script>", 3),
        ("<!-- <div><div> --><p>x", 3),
        ("words", 3),
        ("<table>" + "<tr><td>x" * 10_000 + "</table>", 20_004),
    ],
)
def test_only_true_tags_count(text: str, tags: int) -> None:
    assert count_tags(text, most=MAX_TAGS) == pytest.approx(tags, abs=1)


@pytest.mark.parametrize(
    "text",
    [
        "<?xml version='1.0' encoding='utf-8'?><html><a href=/x>x</a>",
        "<?php ?>",
        "<![CDATA[x]]>",
        "\x00",
        "<",
        "</",
        "<a",
        "&#0;",
        "\ufffe",
        "<frameset><frame src=x>",
        "<html/>",
        "<a href='\x00'>",
        "<a href=" + "x" * 500_000,
    ],
)
def test_nothing_is_too_broken_to_be_read(text: str) -> None:
    count_tags(text, most=MAX_TAGS)

    assert read(text).title == ""
