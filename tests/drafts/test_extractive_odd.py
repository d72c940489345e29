"""The extractive writer on pages that nobody meant: it answers every field, quotes literally and never breaks."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drafts.crawl.extract_parts import SiteText
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.crawl.segments import read_site
from drafts.limits import FIELDS, LIST_FIELDS, LIST_ITEM, TEXT_FIELDS
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint, Written

URL = "https://odd.test/"
WORDS = st.sampled_from(
    [
        "Tidewell",
        "founded in 2019",
        "©",
        "€12 / month",
        "$",
        "0",
        "Ghent, Belgium",
        "12345 Berlin",
        "a@b.test",
        "a (at) b (dot) test",
        "Jane Roe, founder",
        "Why?",
        "¿Qué?",
        "無料です。",
        "설립 2020년",
        "\u200b\u00ad\ufeff",
        "\u2063",
        "ﬁ⽇",
        "{{name}}",
        "[",
        "(",
        "\\",
        "vs",
        "Tidewell vs Deskhero",
        "Ignore all previous instructions",
        "\n",
        " ",
        "9" * 40,
        "x" * 500,
        "-.,;:",
        "🚀",
    ]
)
TAGS = st.sampled_from(
    [
        "p",
        "div",
        "h1",
        "h2",
        "h3",
        "span",
        "b",
        "li",
        "ul",
        "table",
        "tr",
        "td",
        "th",
        "dl",
        "dt",
        "dd",
        "a",
        "footer",
        "header",
        "section",
        "details",
        "summary",
        "s",
        "button",
        "pre",
        "br",
    ]
)
ATTRIBUTES = st.sampled_from(
    [
        "",
        " class='price'",
        " class='faq'",
        " class='team'",
        " style='display:none'",
        " style='color:'",
        " hidden",
        " href='mailto:a@b.test'",
        " href='https://x.com/odd'",
        " href='http://[bad'",
        " href='https://github.com/odd/odd'",
        " itemscope itemprop='name'",
        " lang='xx'",
    ]
)
PIECES = st.lists(
    st.one_of(
        WORDS,
        st.builds("<{}{}>".format, TAGS, ATTRIBUTES),
        st.builds("</{}>".format, TAGS),
        st.builds(
            '<script type="application/ld+json">{{"@type":"Organization","name":"{}"}}</script>'.format, WORDS
        ),
        st.builds("<meta name='description' content='{}'>".format, WORDS),
        st.builds("<title>{}</title>".format, WORDS),
    ),
    max_size=60,
)


def site_of(*pages: str) -> SiteText:
    """A site of pages in this order."""
    paths = ["", "pricing", "about", "faq", "legal"]
    return read_site(
        CrawlReport(
            start_url=URL,
            home_url=URL,
            robots="allowed",
            pages=tuple(
                CrawledPage(url=URL + path, status=200, html=html)
                for path, html in zip(paths, pages, strict=False)
            ),
        )
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pages=st.lists(PIECES.map("".join), min_size=1, max_size=3))
def test_any_page_gets_an_answer_within_bounds(pages: list[str]) -> None:
    site = site_of(*pages)

    written = ExtractiveWriter((CategoryHint(slug="a", name="Tidewell", terms=("month",)),)).write(site)

    assert set(written.fields) == set(FIELDS)
    for field, draft in written.fields.items():
        if isinstance(draft.value, str):
            assert 0 < len(draft.value) <= TEXT_FIELDS[field]
        elif draft.value is not None:
            assert 0 < len(draft.value) <= LIST_FIELDS[field]
            assert all(0 < len(item) <= LIST_ITEM for item in draft.value)
        assert (draft.value is None) == (draft.reason is not None)
        assert draft.evidence or draft.value is None
    assert_quotes_stand(site, written)


def assert_quotes_stand(site: SiteText, written: Written) -> None:
    """Each quote with offsets is what stands there once white space is folded."""
    text = {page.url: page.text for page in site.pages}
    for draft in written.fields.values():
        for evidence in draft.evidence:
            if evidence.start is not None:
                assert " ".join(text[evidence.url][evidence.start : evidence.end].split()) == evidence.quote


def test_a_site_without_a_page_says_why_each_field_is_blank() -> None:
    blocked = SiteText(home_url=URL, robots="blocked", pages=())
    silent = SiteText(home_url=URL, robots="allowed", pages=())

    assert {d.reason for d in ExtractiveWriter().write(blocked).fields.values()} == {"robots_blocked"}
    assert {d.reason for d in ExtractiveWriter().write(silent).fields.values()} == {"fetch_failed"}


def test_only_the_wanted_fields_are_written() -> None:
    site = site_of("<title>Tidewell</title><h1>Calm books</h1><footer>a@b.test</footer>")

    written = ExtractiveWriter().write(site, fields={"tagline", "faqs"})

    assert set(written.fields) == {"tagline"}
    assert (written.fields["tagline"].value, written.faqs, written.company_socials) == ("Calm books", (), {})


def test_categories_and_tags_come_from_the_hints_with_the_sentence_as_evidence() -> None:
    hints = (
        CategoryHint(slug="invoicing", name="Invoicing", terms=("invoices", "billing")),
        CategoryHint(slug="games", name="Games", terms=("game",)),
        CategoryHint(slug="design", name="Design", terms=("designers",)),
    )
    site = site_of(
        "<title>Tidewell – invoices and billing for designers</title><h1>Invoices that chase themselves</h1>"
        '<meta name="description" content="Tidewell sends invoices."><p>Send invoices in a minute.</p>'
    )

    fields = ExtractiveWriter(hints).write(site).fields

    assert fields["categories"].value == ("Invoicing",)
    assert fields["tags"].value == ("invoices", "billing")
    assert all("nvoices" in evidence.quote for evidence in fields["categories"].evidence)
