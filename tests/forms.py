"""What a browser would send of a form as it stands."""

from html.parser import HTMLParser


class Form(HTMLParser):
    """The fields of one form of a page, by name."""

    def __init__(self, page: str, *, form_id: str) -> None:
        super().__init__()
        self.form_id, self.fields = form_id, dict[str, str]()
        self.is_inside, self.name = False, ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        name = have.get("name") or ""
        if tag == "form":
            self.is_inside = have.get("id") == self.form_id
        elif not self.is_inside or have.get("form") not in {None, self.form_id}:
            return
        elif tag in {"textarea", "select"}:
            self.name, self.fields[name] = name, ""
        elif tag == "option" and "selected" in have:
            self.fields[self.name] = have.get("value") or ""
        elif tag == "input" and (have.get("type") not in {"radio", "checkbox"} or "checked" in have):
            self.fields[name] = have.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        if tag in {"textarea", "select"}:
            self.name = ""

    def handle_data(self, data: str) -> None:
        if self.name and self.lasttag == "textarea":
            self.fields[self.name] += data


def fields_of(page: str, *, form_id: str = "editor") -> dict[str, str]:
    fields = Form(page, form_id=form_id).fields
    return {name: text.removeprefix("\n") for name, text in fields.items() if name != "csrfmiddlewaretoken"}
