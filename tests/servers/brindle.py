"""The website of Brindle, a product that people of these tests submit."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.servers.website import Website, html, plain

HOME = """<title>Brindle – Rotas for small cafés</title>
<meta name="description" content="Brindle plans shifts for small cafés.">
<meta property="og:site_name" content="Brindle">
<header><a href="/pricing">Pricing</a> <a href="/secret/plans">Plans</a></header>
<h1>Rotas for small cafés</h1><p>Brindle is shift planning for small cafés. It plans the week.</p>%s"""


@pytest.fixture
def brindle(settings: Any) -> Iterator[Website]:
    """It answers on loopback as brindle.test."""
    with Website() as website:
        website.pages |= {
            "/": html(HOME % ""),
            "/pricing": html("<title>Pricing</title><h1>Pricing</h1><p>€4 per person and month.</p>"),
            "/robots.txt": plain("User-agent: *\nDisallow: /secret/"),
        }
        settings.CRAWL_RESOLVE = website.at("brindle.test", "www.brindle.test")
        yield website
