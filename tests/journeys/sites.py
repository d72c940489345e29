"""Product websites for the running service, on loopback."""

from tests.servers.website import Website, html, plain, slow

HOME = """<!doctype html><html lang="en"><title>Tidewell – Invoices that chase themselves</title>
<meta name="description" content="Tidewell sends your invoices and reminds late payers politely.">
<meta property="og:site_name" content="Tidewell">
<header><a href="/pricing">Pricing</a> <a href="/about">About</a> <a href="/secret/plans">Plans</a></header>
<h1>Invoices that chase themselves</h1>
<p>Tidewell is invoicing software for small studios. It sends invoices and reminds late payers politely.</p>
<footer><a href="mailto:hello@tidewell.test">hello@tidewell.test</a> {badge}</footer>"""
PRICING = "<title>Pricing</title><h1>Pricing</h1><h2>Studio</h2><p>€12 per month for unlimited invoices.</p>"
ABOUT = "<title>About</title><h1>About us</h1><p>Tidewell was founded in 2021 in Ghent, Belgium.</p>"
ROBOTS = "User-agent: *\nDisallow: /secret/"


def fill(website: Website, *, badge: str = "") -> None:
    """An honest product's pages, one corner of which robots.txt closes."""
    website.pages = {
        "/": html(HOME.format(badge=badge)),
        "/pricing": html(PRICING),
        "/about": html(ABOUT),
        "/secret/plans": html("<p>€99 per month from 2030</p>"),
        "/robots.txt": plain(ROBOTS),
    }


def fill_slowly(website: Website, *, seconds: float) -> None:
    """The same pages from a server that takes its time."""
    fill(website)
    website.pages = {path: slow(seconds, reply) for path, reply in website.pages.items()}
