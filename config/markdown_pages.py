"""Public pages as Markdown, for programs that read: `/listings/tidewell.md`, or `Accept: text/markdown`."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from config.page_answers import PROGRAMS
from core.api.links import on_site
from core.middleware import Middleware

ENDING, HOME = ".md", "/index.md"
HTML, MARKDOWN = "text/html", "text/markdown"
PRIVATE = (
    "/account",
    "/accounts/",
    "/admin/",
    "/drafts/",
    "/oauth/",
    "/submit",
    "/checkout",
    "/static/",
    "/media/",
)
UNSAID = (
    "form, button, script, style, svg, img, nav, template, .crumbs, [hidden], [aria-hidden=true],"
    " a[href^='/accounts/login']"
)


class MarkdownPages(Middleware):
    """Answers with the page's main part as Markdown where that is asked for."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in {"GET", "HEAD"} or request.path.startswith((*PROGRAMS, *PRIVATE)):
            return self.get_response(request)
        is_twin = request.path.endswith(ENDING)
        if is_twin:
            request.path = request.path_info = (
                "/" if request.path == HOME else request.path.removesuffix(ENDING)
            )
        is_markdown = is_twin or request.get_preferred_type([HTML, MARKDOWN]) == MARKDOWN
        response = self.get_response(request)
        if not response.get("Content-Type", "").startswith(HTML):
            return response
        patch_vary_headers(response, ["Accept"])
        if is_markdown and response.status_code == 200:  # a refusal is a page for whoever asked
            response.content = as_markdown(response.content.decode(), path=request.get_full_path()).encode()
            response["Content-Type"] = f"{MARKDOWN}; charset=utf-8"
            response["X-Robots-Tag"] = "noindex"
        return response


def as_markdown(page: str, *, path: str) -> str:
    """The main part of a page of ours, without what is for hands and eyes alone; addresses are whole."""
    from bs4 import BeautifulSoup  # noqa: PLC0415  (10 MB in each process, with its parsers)
    from markdownify import ATX, MarkdownConverter  # noqa: PLC0415

    main = BeautifulSoup(page, "lxml").find("main")
    if main is None:
        return ""
    for unsaid in main.select(UNSAID):
        unsaid.decompose()
    for link in main.select("a[href^='/']"):
        link["href"] = on_site(str(link["href"]))
    text = MarkdownConverter(heading_style=ATX, bullets="-", escape_misc=True).convert_soup(main)
    lines = [line.rstrip() for line in text.strip().splitlines()]
    text_lines = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join([*text_lines, "", f"Source: {on_site(path)}", ""])
