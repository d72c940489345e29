"""Reading a page: whether it nests, and its ids, headings and forms."""

from html.parser import HTMLParser

from django.test import Client

VOID = {"meta", "link", "input", "br", "img", "hr", "path", "source", "wbr"}


class Outline(HTMLParser):
    """Checks that elements nest, and collects ids, headings and forms."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.headings: list[str] = []
        self.forms: list[dict[str, str | None]] = []
        self.problems: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in {"div", "ul", "ol", "table", "section", "form", "h2", "p"} and "p" in self.open:
            self.problems.append(f"<{tag}> inside <p>")
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag in {"h1", "h2", "h3", "h4"}:
            self.headings.append(tag)
        if tag == "form":
            self.forms.append(values)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"stray </{tag}>")


def page(client: Client, address: str, status: int = 200) -> str:
    """The text of a page that answered and is well formed."""
    response = client.get(address)
    assert response.status_code == status, response.content[:500]
    text: str = response.content.decode()
    outline = Outline(text)
    assert (outline.problems, outline.open) == ([], []), address
    assert len(outline.ids) == len(set(outline.ids)), "an id is used twice"
    assert outline.headings.count("h1") == 1
    return text
