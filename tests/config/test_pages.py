"""What every page promises: one policy, words for each refusal, a theme that stays."""

import json
import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.sites.models import Site as DjangoSite
from django.http import HttpRequest
from django.test import Client, override_settings
from django.urls import path

from config import page_answers
from config.docs.errors import error_codes, kind_of
from config.docs.pages import schema
from config.templatetags.texts import markdown
from config.urls import urlpatterns as usual
from core.api.errors import InvalidStateError, NotFoundError, RateLimitedError
from directory.models import Site
from directory.sites.lookup import forget_sites
from drafts.crawl.failures import _FETCH_WORDS, _OF_FETCHES

STRICT = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PROSE = [
    "/how-ranking-works",
    "/how-reviews-work",
    "/how-a-launch-works",
    "/how-drafts-are-written",
    "/crawler",
    "/docs",
    "/docs/errors",
    "/docs/changes",
    "/docs/start",
    "/docs/events",
    "/docs/votes",
]


def refuse_state(request: HttpRequest) -> None:
    raise InvalidStateError("It is live <already>.", current="live")


def refuse_unknown(request: HttpRequest) -> None:
    raise NotFoundError("No such thing.")


def refuse_many(request: HttpRequest) -> None:
    raise RateLimitedError(policy="vote", limit=60, window_seconds=60, retry_after=23)


def break_down(request: HttpRequest) -> None:
    raise RuntimeError("secret detail")


urlpatterns = [
    path("refuse/state", refuse_state),
    path("refuse/unknown", refuse_unknown),
    path("refuse/many", refuse_many),
    path("break", break_down),
    *usual,
]
handler404, handler500 = "config.pages.not_found", "config.pages.failed"


@pytest.mark.parametrize("address", PROSE)
def test_prose_pages_answer_under_the_strict_policy(site: Site, client: Client, address: str) -> None:
    response = client.get(address)

    assert (response.status_code, response["Content-Security-Policy"]) == (200, STRICT)
    assert "style=" not in response.content.decode()
    assert " onclick" not in response.content.decode()


def test_the_policy_names_form_targets_only_where_a_view_asks() -> None:
    strict = page_answers.header(page_answers.POLICY)
    wider = page_answers.header(page_answers.POLICY, form_targets=("https://app.example",))

    assert strict == STRICT
    assert wider == STRICT.replace("form-action 'self'", "form-action 'self' https://app.example")


@override_settings(ROOT_URLCONF="tests.config.test_pages")
@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/refuse/state", 400, "It is live &lt;already&gt;."),
        ("/refuse/unknown", 404, "There is nothing at this address"),
        ("/refuse/many", 429, "Try again in 23 seconds"),
    ],
)
def test_a_refusal_by_a_service_becomes_a_page_with_its_status(
    db: None, client: Client, address: str, status: str, words: str
) -> None:
    response = client.get(address)

    assert response.status_code == status
    assert words in response.content.decode()
    assert response["Content-Security-Policy"] == STRICT
    assert response.get("Retry-After") == ("23" if status == 429 else None)


@override_settings(ROOT_URLCONF="tests.config.test_pages")
def test_a_fault_shows_the_request_id_and_nothing_else(db: None) -> None:
    client = Client(raise_request_exception=False)
    response = client.get("/break", headers={"X-Request-Id": "quote-this-1"})

    assert response.status_code == 500
    assert "quote-this-1" in response.content.decode()
    assert "secret detail" not in response.content.decode()


def test_an_unknown_address_offers_the_search(db: None, client: Client) -> None:
    response = client.get("/nothing/here")

    assert response.status_code == 404
    assert 'action="/search"' in response.content.decode()


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("/admin", "/admin/"),
        ("/accounts/login?next=/account", "/accounts/login/?next=/account"),
        ("/listings/tidewell/", "/listings/tidewell"),
        ("/search/?q=a%20b", "/search?q=a%20b"),
    ],
)
def test_a_slash_too_many_or_too_few_leads_to_the_page(
    db: None, client: Client, typed: str, page: str
) -> None:
    response = client.get(typed)

    assert (response.status_code, response["Location"]) == (301, page)
    assert client.post(typed).status_code == 404
    assert client.get("/nothing/here/").status_code == client.get("/api/v1/listings/").status_code == 404
    assert client.get("/", PATH_INFO="//evil.example/").status_code == 404


@pytest.mark.parametrize(
    ("chosen", "kept", "attribute"),
    [
        ("dark", "dark", 'data-theme="dark"'),
        ("light", "light", 'data-theme="light"'),
        ("purple", "", "<html"),
    ],
)
def test_the_theme_is_kept_and_leads_back_to_the_page(
    db: None, client: Client, chosen: str, kept: str, attribute: str
) -> None:
    response = client.post("/theme", {"theme": chosen, "next": "/crawler?x=1"})

    assert (response.status_code, response["Location"]) == (302, "/crawler?x=1")
    assert response.cookies["theme"].value == kept
    assert attribute in client.get("/crawler").content.decode()


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"]
)
def test_the_theme_switch_sends_nobody_to_another_site(db: None, client: Client, target: str) -> None:
    assert client.post("/theme", {"theme": "dark", "next": target})["Location"] == "/"


def test_posting_without_a_token_changes_nothing_and_says_so(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/theme", {"theme": "dark", "next": "/"})

    assert response.status_code == 403
    assert "Please send it again" in response.content.decode()
    assert "theme" not in response.cookies


def test_the_docs_show_every_operation_without_scripts(db: None, client: Client) -> None:
    text = client.get("/docs").content.decode()
    names = {entry["operationId"] for methods in schema()["paths"].values() for entry in methods.values()}

    assert names
    assert {name for name in names if f'id="{name}"' not in text} == set()
    assert "/api/v1/openapi.json" in text
    assert "/mcp" in text


def test_every_code_has_its_place_on_the_errors_page(db: None, client: Client) -> None:
    text = client.get("/docs/errors").content.decode()

    failures = {
        *(_OF_FETCHES.get(code, code) for code in _FETCH_WORDS),
        "robots_blocked",
        "robots_unreachable",
        "site_error",
        "script_only",
    }
    codes = {code for code in error_codes() if kind_of(code)} | failures

    assert {code for code in codes if text.count(f'id="{code}"') != 1} == set()
    assert "`" not in text
    assert "<code>current</code>" in text.split('id="invalid_state"')[1].split("</tr>")[0]
    assert "This invitation" not in text.split('id="invalid_state"')[1].split("</tr>")[0]


def test_the_page_of_changes_has_every_version_of_the_changelog(
    db: None, client: Client, settings: Any
) -> None:
    changelog = (settings.BASE_DIR / "CHANGELOG.md").read_text()
    text = client.get("/docs/changes").content.decode().partition("<main")[2].partition("</main")[0]

    assert 'href="/docs/changes"' in client.get("/docs").content.decode()
    assert text.count("<h1>") == 1
    released = [line[3:] for line in changelog.splitlines() if line.startswith("## ") and line[3].isdigit()]
    assert re.findall(r"<h2>(.*?)</h2>", text) == [f"After {released[0].partition(',')[0]}", *released]
    assert "`" not in text


def test_the_quick_starts_are_calls_that_work(db: None, site: Site, client: Client) -> None:
    text = unescape(client.get("/docs/start").content.decode())
    ways = dict(re.findall(r'<code id="([\w-]+)">(.*?)</code>', text, re.S))

    assert set(ways) >= {"read-1", "read-2", "draft-1", "draft-2", "agent-1"}
    assert [name for name in ways if f'<copy-button for="{name}"' not in text] == []
    read = urlsplit(shlex.split(ways["read-1"])[1])
    assert client.get(f"{read.path}?{read.query}").status_code == 200
    for name in ("read-2", "draft-2", "client-4"):
        compile(ways[name], name, "exec")
    sent = shlex.split(ways["draft-1"].replace("\\\n", " "), comments=True)
    assert json.loads(sent[sent.index("-d") + 1]) == {"url": "https://your-product.example"}
    assert {"/docs/start", "/docs/errors"} <= set(
        re.findall(r'href="(.*?)"', client.get("/docs").content.decode())
    )


def test_an_operation_can_be_tried_where_it_is_described(db: None, client: Client) -> None:
    start = client.get("/docs/try")

    assert (start.status_code, start["Location"].partition("#")[2]) == (302, "try")
    page = client.get(start["Location"])
    assert page["Content-Security-Policy"].count("unsafe") == 0
    assert 'data-method="GET"' in page.content.decode()
    written = client.get("/docs/operations/update_draft").content.decode()
    assert 'data-method="PATCH"' in written
    assert 'name="path:id"' in written
    assert "&quot;fields&quot;" in written
    assert 'name="key"' in written


def test_only_images_are_served_from_the_media_folder(
    db: None, client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    for name in ("photo.png", "page.html", "notes.txt"):
        (tmp_path / name).write_bytes(b"content")

    photo = client.get("/media/photo.png")
    assert (photo.status_code, photo["Content-Type"], photo["X-Content-Type-Options"]) == (
        200,
        "image/png",
        "nosniff",
    )
    assert b"".join(photo.streaming_content) == b"content"
    paths = ["page.html", "notes.txt", "missing.png", "../photo.png", "..%2F..%2Fetc%2Fpasswd", ""]
    assert {client.get(f"/media/{path}").status_code for path in paths} == {404}


def test_a_second_site_has_its_own_name(db: None, client: Client, site: Site, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    other = DjangoSite.objects.create(domain="europe.example", name="Europe")
    Site.objects.create(django_site=other, key="europe", name="Launch Europe", purpose="Europe.")
    forget_sites()

    assert "Launch Europe</a>" in client.get("/", headers={"host": "europe.example"}).content.decode()
    assert f"{settings.SITE_NAME}</a>" in client.get("/").content.decode()


def test_rows_of_a_table_are_not_filled_up_to_more_than_was_written() -> None:
    head = "|a" * 50 + "\n" + "|-" * 50 + "\n"

    assert len(markdown(head + "|\n" * 9_000)) < 60_000
    assert markdown("|a|b|\n|-|-|\n|1|\n").count("<td>") == 2
